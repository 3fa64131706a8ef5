/** Staff with the whole product: login at the identity provider, the demo's customers, the rules of the server. */
import type { Page } from '@playwright/test'
import { expect, expectNoViolation, refusedWith, test } from '../../../portal/tests/portal.ts'

// Who is not logged in yet is told so by the browser, too; the provider's page has no icon.
test.use({ expectedErrors: [new RegExp(`${refusedWith(401).source}|status of 403|favicon`)] })

interface Member {
  email: string
  password: string
}

/** The demo's members: one who answers the telephone, and one who leads. */
const [support, lead] = JSON.parse(process.env['ZW_DESK_MEMBERS'] ?? '[]') as Member[]

/** Types what a person types at the provider's own page. */
async function atProvider(page: Page, member: Member | undefined): Promise<void> {
  if (!member) throw new Error('the local product has no such member')
  await page.locator('[name=username]').fill(member.email)
  await page.locator('[name=password]').fill(member.password)
  await page.locator('[name=password]').press('Enter')
}

async function logIn(page: Page, path: string, member: Member | undefined): Promise<void> {
  await page.goto(path)
  await page.getByRole('link', { name: 'Anmelden' }).click()
  await atProvider(page, member)
}

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

test('a deep link leads through the login to its page; logging out ends it for good', async ({ page }) => {
  await logIn(page, '/t/birkenfurt/open?meterType=GAS_METER', lead)
  await heading(page, 'Offene Ablesungen')
  await expect(page).toHaveURL(/\/t\/birkenfurt\/open\?meterType=GAS_METER$/)
  await expect(page.getByRole('cell', { name: /^Gas / }).first()).toBeVisible()
  await expectNoViolation(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  expect((await download).suggestedFilename()).toBe('offen.csv')
  await page.getByRole('link', { name: 'Angemeldet: Jonas Reuter' }).click()
  await heading(page, 'Wo ich angemeldet bin')
  await expect(page.getByRole('cell', { name: 'diese Sitzung' })).toBeVisible()
  await expectNoViolation(page)
  await page.getByRole('banner').getByRole('button', { name: 'Abmelden' }).click()
  await heading(page, 'Anmelden')
  await page.goto('/t/birkenfurt/open')
  await heading(page, 'Anmelden')
})

test('on the telephone: half a street, the customer, a doubtful value; then somebody else decides', async ({
  page,
  browser,
}) => {
  test.slow()
  await logIn(page, '/', support)
  await heading(page, 'Kunden suchen')
  await expect(page.getByRole('navigation').getByText('Klärung')).toHaveAttribute('aria-disabled', 'true')
  await page.keyboard.press('/')
  const field = page.getByRole('dialog').getByRole('combobox')
  await expect(field).toBeFocused()
  await page.keyboard.type('lindenw 12')
  await expect(page.getByRole('option', { name: /Anna Sommer/ }).first()).toBeVisible()
  await page.keyboard.press('Enter')
  await heading(page, 'Anna Sommer')
  await expect(page.getByRole('img', { name: /^Foto 1/ })).toBeVisible()
  await expectNoViolation(page)
  const meter = page.getByRole('article', { name: 'Zähler 1EBZ0100004711' })
  await meter.getByRole('link', { name: 'Stand eingeben' }).click()
  await heading(page, 'Stand eingeben')
  await page.getByLabel('HT (kWh)').fill('461124,0')
  await page.getByLabel('NT (kWh)').fill('27213,0')
  await page.keyboard.press('Enter')
  await page.getByLabel('Warum stimmt der Wert trotzdem?').fill('Zweimal vorgelesen')

  // The session ends over the form: the call is made once more after a login in a second window.
  await page.context().clearCookies()
  await page.keyboard.press('Enter')
  const ended = page.getByRole('dialog', { name: 'Ihre Sitzung ist beendet' })
  await expect(ended).toBeVisible()
  const opened = page.context().waitForEvent('page')
  await ended.getByRole('link', { name: 'In zweitem Fenster anmelden' }).click()
  await atProvider(await opened, support)
  await expect(page.getByText('Zähler 1EBZ0100004711: gespeichert, wartet auf Klärung.')).toBeVisible()
  await page.goto('/t/birkenfurt/deciding')
  await expect(page.getByRole('alert')).toContainText('berechtigt nicht')

  const desk = await (await browser.newContext({ locale: 'de-DE', timezoneId: 'Europe/Berlin' })).newPage()
  await logIn(desk, `${process.env['ZW_DESK']}/t/birkenfurt/deciding`, lead)
  // The demo's town has doubtful readings enough, but none of this kind.
  await desk.getByLabel('Grund').selectOption('außerhalb des Bereichs')
  await expect(desk.getByText('Eine Ablesung wartet')).toBeVisible()
  await desk.keyboard.press('n')
  await expect(desk.getByText('461124,0 kWh')).toBeVisible()
  const second = await desk.context().newPage()
  await second.goto(`${process.env['ZW_DESK']}/t/birkenfurt/deciding/next${new URL(desk.url()).search}`)
  await expect(second.getByText('461124,0 kWh')).toBeVisible()
  await desk.keyboard.press('k')
  await desk.keyboard.type('49240,0')
  await desk.keyboard.press('Enter')
  await expect(desk.getByText('Zähler 1EBZ0100004711 korrigiert.')).toBeVisible()
  await second.keyboard.press('a')
  await second.keyboard.type('Bitte senden Sie ein Foto.')
  await second.getByRole('button', { name: 'Ablehnen und mitteilen' }).press('Enter')
  await expect(second.getByRole('alert')).toContainText('korrigiert von Jonas Reuter')
  await expect(second.getByLabel('Was soll der Kunde lesen?')).toHaveValue('Bitte senden Sie ein Foto.')
  await desk.keyboard.press('z')
  await expect(desk.getByText('461124,0 kWh')).toBeVisible()
  await desk.keyboard.press('f')
  await expect(desk.getByText('Zähler 1EBZ0100004711 freigegeben.')).toBeVisible()
  await desk.goto(`${process.env['ZW_DESK']}/t/birkenfurt/deciding/mine`)
  await expect(desk.getByRole('cell', { name: 'freigegeben', exact: true })).toBeVisible()
  await desk.getByRole('button', { name: 'Zurücknehmen' }).click()
  await expect(desk.getByText('Heute noch keine Entscheidung.')).toBeVisible()
  await desk.context().close()
})
