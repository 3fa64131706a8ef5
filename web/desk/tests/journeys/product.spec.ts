/** What a day at the desk is made of, from the login on: each journey with customers of its own. */
import { customerWith } from '../../../portal/tests/customer.ts'
import { meters } from '../../../portal/tests/demo.ts'
import { linkInMail } from '../../../portal/tests/mails.ts'
import { operate } from '../../../portal/tests/operator.ts'
import { expect, expectAccessible, expectNoViolation } from '../../../portal/tests/portal.ts'
import { AT_LOGIN, atProvider, clerk, heading, lead, logIn, newPerson, reach, support, test } from '../desk.ts'

test.use({ member: null, expectedErrors: [AT_LOGIN] })

test('a deep link leads through the login to its page; logging out ends it for good', { tag: '@firefox' }, async ({
  page,
}) => {
  await logIn(page, '/t/birkenfurt/open?meterType=GAS_METER', lead)
  await heading(page, 'Offene Ablesungen')
  await expect(page).toHaveURL(/\/t\/birkenfurt\/open\?meterType=GAS_METER$/)
  await expect(page.getByRole('cell', { name: /^Gas / }).first()).toBeVisible()
  await expectNoViolation(page)
  await page.getByRole('link', { name: 'Angemeldet: Jonas Reuter' }).click()
  await heading(page, 'Wo ich angemeldet bin')
  await expect(page.getByRole('cell', { name: 'diese Sitzung' })).toBeVisible()
  await expectNoViolation(page)
  await page.getByRole('banner').getByRole('button', { name: 'Abmelden' }).click()
  await heading(page, 'Anmelden')
  await page.goto('/t/birkenfurt/open')
  await heading(page, 'Anmelden')
})

test(
  'on the telephone: half a street, the customer, a doubtful value; then somebody else decides',
  {
    tag: '@firefox',
  },
  async ({ page, browser }, info) => {
    test.slow()
    const { number } = await customerWith(info, meters.doubleTariff.id)
    await logIn(page, '/', support)
    await heading(page, 'Kunden suchen')
    await expect(page.getByRole('navigation').getByText('Klärung')).toHaveAttribute('aria-disabled', 'true')
    await page.keyboard.press('/')
    const field = page.getByRole('dialog').getByRole('combobox')
    await expect(field).toBeFocused()
    await page.keyboard.type(`lindenw ${number.slice(-6)}`)
    await expect(page.getByRole('option', { name: /Anna Sommer/ })).toHaveCount(1)
    await page.keyboard.press('Enter')
    await heading(page, 'Anna Sommer')
    const meter = page.getByRole('article', { name: `Zähler ${number}` })
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
    await expect(page.getByText(`Zähler ${number}: gespeichert, wartet auf Klärung.`)).toBeVisible()
    await page.goto('/t/birkenfurt/deciding')
    await expect(page.getByRole('alert')).toContainText('berechtigt nicht')

    const desk = await (await browser.newContext({ locale: 'de-DE', timezoneId: 'Europe/Berlin' })).newPage()
    await logIn(desk, `${process.env['ZW_DESK']}/t/birkenfurt/deciding`, lead)
    // The demo's town has doubtful readings enough, but none of this kind.
    await desk.getByLabel('Grund').selectOption('außerhalb des Bereichs')
    await desk.getByLabel('Sparte').selectOption('Strom')
    await expect(desk.getByRole('row', { name: number })).toBeVisible()
    await desk.keyboard.press('n')
    await reach(desk, number)
    await expect(desk.getByText('461124,0 kWh')).toBeVisible()
    const second = await desk.context().newPage()
    await second.goto(`${process.env['ZW_DESK']}/t/birkenfurt/deciding/next${new URL(desk.url()).search}`)
    await reach(second, number)
    // Only the page in front has the focus.
    await desk.bringToFront()
    await desk.keyboard.press('k')
    await expect(desk.getByLabel('Richtiger Stand')).toBeFocused()
    await desk.keyboard.type('49240,0')
    await desk.keyboard.press('Enter')
    await expect(desk.getByText(`Zähler ${number} korrigiert.`)).toBeVisible()
    await second.bringToFront()
    await second.keyboard.press('a')
    await expect(second.getByLabel('Was soll der Kunde lesen?')).toBeFocused()
    await second.keyboard.type('Bitte senden Sie ein Foto.')
    await second.keyboard.press('Control+Enter')
    await expect(second.getByRole('alert')).toContainText('korrigiert von Jonas Reuter')
    await expect(second.getByLabel('Was soll der Kunde lesen?')).toHaveValue('Bitte senden Sie ein Foto.')
    await expectNoViolation(second)
    await desk.bringToFront()
    await desk.keyboard.press('z')
    await expect(desk.getByText('461124,0 kWh')).toBeVisible()
    await desk.keyboard.press('f')
    // So much consumption takes two.
    await expect(desk.getByText(`Zähler ${number}: vorgeschlagen; ein anderes Mitglied muss zustimmen.`)).toBeVisible()
    const { search } = new URL(desk.url())
    await desk.context().close()

    const other = await (await browser.newContext({ locale: 'de-DE', timezoneId: 'Europe/Berlin' })).newPage()
    await logIn(other, `${process.env['ZW_DESK']}/t/birkenfurt/deciding${search}`, clerk)
    const waits = other.getByRole('row', { name: number })
    await expect(waits).toContainText('Wartet auf eine zweite Freigabe (Jonas Reuter: freigeben)')
    await waits.getByRole('link').first().click()
    await expect(other.getByText('461124,0 kWh')).toBeVisible()
    await expect(other.getByText('Wartet auf eine zweite Freigabe (Jonas Reuter: freigeben)')).toBeVisible()
    await expectNoViolation(other)
    await other.keyboard.press('g')
    await expect(other.getByText(`Zähler ${number}: zugestimmt.`)).toBeVisible()
    await other.goto(`${process.env['ZW_DESK']}/t/birkenfurt/deciding/mine`)
    const mine = other.getByRole('row', { name: number })
    await expect(mine.getByRole('cell', { name: 'freigegeben, auf Vorschlag von Jonas Reuter' })).toBeVisible()
    await mine.getByRole('button', { name: 'Zurücknehmen' }).click()
    await expect(mine).toBeHidden()
    await other.context().close()
  },
)

test('somebody new: no utility, an invitation that only a button accepts, and out at the next click', async ({
  page,
}) => {
  const person = await newPerson('Nora Neu')
  await logIn(page, '/', person)
  await heading(page, 'Noch kein Zugang')
  await expectNoViolation(page)
  const words = `--tenant birkenfurt --role clerk --desk-origin ${process.env['ZW_DESK']}`.split(' ')
  await operate('members', 'invite', person.email, ...words, '--by', 'Lena Leitung')
  const link = await linkInMail(person.email, 1, '/invitation/')
  for (const _ of ['a scanner', 'a person']) {
    await page.goto(link)
    await expect(page.getByText('Lena Leitung lädt Sie ein, für Stadtwerke Birkenfurt zu arbeiten.')).toBeVisible()
  }
  await expect(page.getByText('Sie sind angemeldet als Nora Neu.')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Einladung annehmen' }).click()
  await expect(page).toHaveURL(/\/t\/birkenfurt\/customers$/)
  await heading(page, 'Kunden suchen')
  const { members } = JSON.parse(await operate('members', 'list', '--tenant', 'birkenfurt', '--json')) as {
    members: { id: string; email: string }[]
  }
  const id = members.find(({ email }) => email === person.email)?.id ?? ''
  await operate('members', 'remove', id, '--tenant', 'birkenfurt')
  await page.getByRole('navigation').getByRole('link', { name: 'Klärung' }).click()
  await expect(page.getByRole('alert')).toContainText('Das Gesuchte gibt es nicht')
  await page.reload()
  await heading(page, 'Diese Seite gibt es nicht')
})
