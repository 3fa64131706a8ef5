/** A clerk's day by keyboard; the answers are samples (`samples.ts`). */
import type { Page } from '@playwright/test'
import { expect, expectAccessible, expectNoViolation, test, widerBy } from '../../../portal/tests/portal.ts'
import { pretendLogin } from '../desk.ts'
import { deskJob, pretendDesk, reading } from '../samples.ts'

test.beforeEach(async ({ page }) => {
  await pretendLogin(page)
  await pretendDesk(page)
})

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()

/** The bodies of what is posted to an address that ends so. */
function posted(page: Page, ending: string): unknown[] {
  const bodies: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith(ending)) bodies.push(request.postDataJSON())
  })
  return bodies
}

const SCREENS: [path: string, heading: string][] = [
  ['customers', 'Kunden suchen'],
  ['customers/K-100200', 'Anna Acker'],
  ['entry', 'Karten eingeben'],
  ['entry/job-1', 'Stand eingeben'],
  ['deciding', 'Klärung'],
  ['deciding/next', 'Entscheiden'],
  ['deciding/mine', 'Meine Entscheidungen heute'],
  ['season', 'Saison im Überblick'],
  ['open', 'Offene Ablesungen'],
]

for (const [path, title] of SCREENS) {
  test(`${title}: no violation in both contrasts, forced colours and English, and nothing is too wide`, async ({
    page,
  }) => {
    await page.goto(`/t/birkenfurt/${path}`)
    await heading(page, title)
    await page.waitForLoadState('networkidle')
    await expectAccessible(page)
    for (const width of [320, 390, 768, 1000, 1280, 1920]) {
      await page.setViewportSize({ width, height: 900 })
      expect(await widerBy(page), String(width)).toBeLessThanOrEqual(0)
    }
    await page.getByRole('button', { name: 'Sprache wechseln zu English' }).click()
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await page.emulateMedia({ forcedColors: 'active' })
    await expectNoViolation(page)
    expect(page.url()).not.toMatch(/Acker|Ahorn|1EBZ/)
  })
}

test('half a name and Enter lead to the customer, whose photo can be turned', async ({ page }) => {
  await page.goto('/t/birkenfurt/season')
  await heading(page, 'Saison im Überblick')
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type('acke')
  await expect(page.getByRole('option', { name: /Anna Acker/ })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await heading(page, 'Anna Acker')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByText('Dass Sie diese Daten ansehen, steht im Prüfprotokoll.')).toBeVisible()
  await expect(page.getByRole('figure', { name: 'Verbrauch, auf ein Jahr gerechnet' })).toHaveCount(2)
  const photo = page.getByRole('img', { name: /^Foto 1 zum Stand 196213,0/ })
  await page.getByRole('button', { name: 'Drehen' }).click()
  await expect(photo).toHaveCSS('transform', 'matrix(0, 1, -1, 0, 0, 0)')
})

test('card after card by keyboard; a doubtful value asks why', async ({ page }) => {
  const sent = posted(page, '/readings')
  await page.route('**/readings', (route) =>
    route.fulfill({ json: { outcome: 'stored', job: 'job-1', done: true, doubts: [], readings: [], remarks: [] } }),
  )
  await page.clock.setFixedTime(new Date('2026-11-22T10:00:00+01:00'))
  await page.goto('/t/birkenfurt/entry')
  await page.getByLabel('Zählernummer').focus()
  for (const value of ['22744,1', '22750,0']) {
    await page.keyboard.type('1EBZ0100000619')
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Verbrauch (kWh)')).toBeFocused()
    await page.keyboard.type(value)
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Zählernummer')).toBeFocused()
    await expect(page.getByLabel('Zählernummer')).toHaveValue('')
  }
  await expect(page.getByRole('heading', { name: '2 Karten eingegeben' })).toBeVisible()
  await page.keyboard.type('0619')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Verbrauch (kWh)')).toBeFocused()
  await page.keyboard.type('227441,0')
  await expect(page.getByText(/^Das wären 207.819,7.*sonst etwa 3.100.* im Jahr\. Vielleicht/)).toBeVisible()
  await page.keyboard.press('Enter')
  const why = page.getByLabel('Warum stimmt der Wert trotzdem?')
  await expect(why).toBeFocused()
  expect(sent).toHaveLength(2)
  await page.keyboard.type('Am Telefon vorgelesen')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '3 Karten eingegeben' })).toBeVisible()
  expect(sent).toEqual([
    { job: 'job-1', channel: 'CARD', readingDate: '2026-11-22', values: [{ register: 'task-1', value: '22744.1' }] },
    { job: 'job-1', channel: 'CARD', readingDate: '2026-11-22', values: [{ register: 'task-1', value: '22750.0' }] },
    {
      job: 'job-1',
      channel: 'CARD',
      readingDate: '2026-11-22',
      values: [{ register: 'task-1', value: '227441.0' }],
      confirmed: 'Am Telefon vorgelesen',
    },
  ])
})

test.describe('refusals', () => {
  test.use({ expectedErrors: [/status of (404|409|503)/] })

  test('a photo that is gone says so', async ({ page }) => {
    await page.route('**/photos/*', (route) => route.fulfill({ json: { url: '/gone.png' } }))
    await page.goto('/t/birkenfurt/customers/K-100200')
    await expect(page.getByText('Das Foto ist nicht mehr da')).toBeVisible()
  })

  test('a reading that cannot be sent keeps what was typed', async ({ page }) => {
    await page.route('**/readings', (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/problem+json',
        json: { code: 'temporarily-unavailable' },
      }),
    )
    await page.clock.setFixedTime(new Date('2026-11-22T10:00:00+01:00'))
    await page.goto('/t/birkenfurt/entry/job-1')
    await page.getByLabel('Verbrauch (kWh)').fill('22744,1')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText('gerade ausgelastet')
    await expect(page.getByLabel('Verbrauch (kWh)')).toHaveValue('22744,1')
    await expectNoViolation(page)
  })

  test('of two clerks the second is told who decided what, and loses nothing typed', async ({ page }) => {
    await page.route('**/decision', (route) =>
      route.fulfill({
        status: 409,
        contentType: 'application/problem+json',
        json: { code: 'decided-already', decision: { kind: 'release', by: 'Carla Clerk', at: '2026-11-22T09:00:00Z' } },
      }),
    )
    await page.goto('/t/birkenfurt/deciding/next')
    await expect(page.getByText('1EBZ0100000611')).toBeVisible()
    await page.keyboard.press('a')
    const words = page.getByLabel('Was soll der Kunde lesen?')
    await expect(words).toBeFocused()
    await page.keyboard.type('Bitte senden Sie ein Foto.')
    await page.getByRole('button', { name: 'Ablehnen und mitteilen' }).press('Enter')
    await expect(page.getByRole('alert')).toContainText('freigegeben von Carla Clerk, 22.11.2026, 10:00')
    await expect(words).toHaveValue('Bitte senden Sie ein Foto.')
    await expectNoViolation(page)
    await page.getByRole('alert').getByRole('button', { name: 'Nächste' }).click()
    await expect(page.getByText('1EBZ0100000613')).toBeVisible()
    // A release does not wait for its answer, and says afterwards what became of it.
    await page.keyboard.press('f')
    await expect(page.getByRole('alert')).toContainText('Zähler 1EBZ0100000613: Darüber hat schon jemand entschieden')
    await expect(page.getByText('Alles geklärt')).toBeVisible()
  })
})

test('a key decides, the next one stands there, and Z brings the last one back', async ({ page }) => {
  const sent = posted(page, '/decision')
  await page.route('**/decision', (route) => route.fulfill({ json: { mailed: false } }))
  await page.goto('/t/birkenfurt/deciding')
  await expect(page.getByText('2 Ablesungen warten')).toBeVisible()
  await page.keyboard.press('n')
  await expect(page.getByText('1EBZ0100000611')).toBeVisible()
  await page.keyboard.press('f')
  await expect(page.getByText('Zähler 1EBZ0100000611 freigegeben.')).toBeVisible()
  await expect(page.getByText('1EBZ0100000613', { exact: true })).toBeVisible()
  await page.route('**/jobs/job-1', (route) =>
    route.fulfill({
      json: deskJob('job-1', '1EBZ0100000611', [reading('r1', { meterNumber: '1EBZ0100000611', version: 'v2' })]),
    }),
  )
  await page.keyboard.press('z')
  await expect(page.getByText('1EBZ0100000611', { exact: true })).toBeVisible()
  await page.keyboard.press('k')
  await page.keyboard.type('19621,3f')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Das ist kein Zählerstand.')).toBeVisible()
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Zähler 1EBZ0100000611 korrigiert.')).toBeVisible()
  expect(sent).toEqual([
    { kind: 'release', version: 'v1' },
    { kind: 'correct', version: 'v2', value: '19621.3' },
  ])
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog').getByRole('term')).toHaveText(['F', 'K', 'T', 'A', 'B', 'N', 'Z', '/', '?'])
})

test('a list keeps its filters in the address, says what it does not know, and comes as a file', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/t/birkenfurt/season')
  await page.getByRole('link', { name: 'Gas' }).click()
  await heading(page, 'Offene Ablesungen')
  await expect(page).toHaveURL(/\/open\?season=h26&meterType=GAS_METER$/)
  await page.getByLabel('Überfällig').selectOption('ja')
  await expect(page).toHaveURL(/&overdue=true$/)
  await page.reload()
  await expect(page.getByLabel('Medium')).toHaveValue('GAS_METER')
  await expect
    .poll(() => asked.some((url) => url.endsWith('/open?season=h26&meterType=GAS_METER&overdue=true')))
    .toBe(true)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'XLSX' }).click()
  expect((await download).suggestedFilename()).toBe('offen.xlsx')
  await page.goto('/t/birkenfurt/deciding?reason=NONSENSE')
  await expect(page.getByText('Unbekannter Filter in der Adresse: reason=NONSENSE.')).toBeVisible()
})
