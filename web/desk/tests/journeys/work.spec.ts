/** A clerk's day by keyboard. */
import { customerWith } from '../../../portal/tests/customer.ts'
import { meters } from '../../../portal/tests/demo.ts'
import { expect, expectAccessible, expectNoViolation, widerBy } from '../../../portal/tests/portal.ts'
import { customerWhoWaits, heading, reach, test } from '../desk.ts'

const SCREENS: [path: string, heading: string][] = [
  ['t/birkenfurt/customers', 'Kunden suchen'],
  ['t/birkenfurt/customers/k-10417', 'Anna Sommer'],
  ['t/birkenfurt/entry', 'Karten eingeben'],
  ['t/birkenfurt/entry/10688-streng', 'Stand eingeben'],
  ['t/birkenfurt/deciding', 'Klärung'],
  ['t/birkenfurt/deciding/next', 'Entscheiden'],
  ['t/birkenfurt/deciding/mine', 'Meine Entscheidungen heute'],
  ['t/birkenfurt/season', 'Saison im Überblick'],
  ['t/birkenfurt/open', 'Offene Ablesungen'],
  ['t/birkenfurt/imports', 'Importe'],
  ['t/birkenfurt/letters?to=open', 'Anschreiben'],
  ['t/birkenfurt/reminders?to=open', 'Erinnerungen'],
  ['t/birkenfurt/settings/look', 'Einstellungen'],
  ['t/birkenfurt/audit', 'Nachweise'],
  ['t/birkenfurt/privacy', 'Datenschutz'],
  ['sessions', 'Wo ich angemeldet bin'],
]

for (const [path, title] of SCREENS) {
  test(`${title}: no violation in both contrasts, forced colours and English, and nothing is too wide`, {
    tag: '@chromium',
  }, async ({ page }) => {
    await page.goto(`/${path}`)
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
    expect(page.url()).not.toMatch(/Sommer|Linden|1EBZ/)
  })
}

test('a meter number is in one line where the table has room for it', async ({ page }) => {
  await page.setViewportSize({ width: 1000, height: 900 })
  await page.goto('/t/birkenfurt/season/readings')
  await heading(page, 'Abgelesene Stände')
  const numbers = page.locator('td.identifier')
  await expect(numbers.first()).toBeVisible()
  const lines = await numbers.evaluateAll((cells) =>
    cells.map((cell) => {
      const text = document.createRange()
      text.selectNodeContents(cell)
      return text.getClientRects().length
    }),
  )
  expect(Math.max(...lines)).toBe(1)
})

test('half a name and Enter lead to the customer, whose photo can be turned', async ({ page }) => {
  await page.goto('/t/birkenfurt/season')
  await heading(page, 'Saison im Überblick')
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog').getByRole('combobox')).toBeFocused()
  await page.keyboard.type(`somm ${meters.done.number.slice(-4)}`)
  // While it was typed, fewer words found others too.
  await expect(page.getByRole('option', { name: /Anna Sommer/ })).toHaveCount(1)
  await expect(page.getByRole('option', { name: /Anna Sommer/ })).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await heading(page, 'Anna Sommer')
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
  await expect(page.getByText('Dass Sie diese Daten ansehen, steht in den Nachweisen.')).toBeVisible()
  const meter = page.getByRole('article', { name: `Zähler ${meters.done.number}` })
  await expect(meter.getByRole('figure', { name: 'Menge, auf ein Jahr gerechnet' })).toBeVisible()
  const photo = meter.getByRole('img', { name: /^Foto 1 zum Stand / })
  await expect(photo).toBeVisible()
  await meter.getByRole('button', { name: 'Drehen' }).click()
  await expect(photo).toHaveCSS('rotate', '90deg')
})

test('card after card by keyboard; a doubtful value asks why', { tag: '@firefox' }, async ({ page }, info) => {
  const { number } = await customerWith(info, meters.done.id)
  const other = number.replace('1EBZ', '1ISK')
  await page.goto('/t/birkenfurt/entry/10688-streng')
  await expect(page.getByLabel('Weg')).toHaveValue('PHONE')
  await page.getByRole('navigation').getByRole('link', { name: 'Eingabe' }).click()
  // A card is none of the calls before it.
  await expect(page.getByLabel('Weg')).toHaveValue('CARD')
  await page.getByLabel('Zählernummer').focus()
  const type = async (card: string, value: string) => {
    await page.keyboard.type(card)
    await page.keyboard.press('Enter')
    await expect(page.getByLabel('Verbrauch (m³)')).toBeFocused()
    await page.keyboard.type(value)
  }
  await type(number, '00965,125')
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Zählernummer')).toBeFocused()
  await expect(page.getByLabel('Zählernummer')).toHaveValue('')
  await expect(page.getByRole('heading', { name: 'Eine Karte eingegeben' })).toBeVisible()
  await type(other, '09651,250')
  await expect(page.getByText('Über dem Bereich des Versorgers, der bei 1050 endet.')).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByLabel('Warum stimmt der Wert trotzdem?')).toBeFocused()
  await page.keyboard.type('Am Telefon vorgelesen')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: '2 Karten eingegeben' })).toBeVisible()
  await expect(page.getByText(`Zähler ${other}: gespeichert, wartet auf Klärung.`)).toBeVisible()
  // A customer in the town who has no range, and is not read here.
  await type('8SEN0219946697', '08680,000')
  await expect(page.getByText(/^Das wären 7.928,08.m³ .*sonst etwa 120.m³ im Jahr\. Vielleicht/)).toBeVisible()
})

test.describe('refusals', () => {
  test.use({ expectedErrors: [/status of (404|503)/] })

  test('a photo that is gone says so', async ({ page }) => {
    await page.route('**/zaehlwerk-photos/**', (route) => route.fulfill({ status: 404 }))
    await page.goto('/t/birkenfurt/customers/k-10417')
    await expect(page.getByText('Das Foto ist nicht mehr da')).toBeVisible()
  })

  test('a reading that cannot be sent keeps what was typed', async ({ page }) => {
    const busy = { status: 503, contentType: 'application/problem+json', json: { code: 'temporarily-unavailable' } }
    await page.route('**/readings', (route) => route.fulfill(busy))
    await page.goto('/t/birkenfurt/entry/10688-streng')
    await page.getByLabel('Verbrauch (kWh)').fill('16950,5')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('alert')).toContainText('gerade ausgelastet')
    await expect(page.getByLabel('Verbrauch (kWh)')).toHaveValue('16950,5')
    await expectNoViolation(page)
  })
})

test('a key decides, the next one stands there, and Z brings the last one back', async ({ page }, info) => {
  const { number } = await customerWhoWaits(info)
  await page.goto('/t/birkenfurt/deciding?reason=OUTSIDE_RANGE&meterType=WATER_METER')
  await expect(page.getByRole('row', { name: number })).toBeVisible()
  await page.keyboard.press('n')
  await reach(page, number)
  await page.keyboard.press('f')
  await expect(page.getByText(`Zähler ${number} freigegeben.`)).toBeVisible()
  await page.keyboard.press('z')
  // Until it is back, the screen may still show it as it was decided.
  await expect(page.getByText(`Zähler ${number} freigegeben.`)).toHaveCount(0)
  await expect(page.getByRole('main').getByText(number, { exact: true })).toBeVisible()
  await page.keyboard.press('k')
  await expect(page.getByLabel('Richtiger Stand')).toBeFocused()
  await page.keyboard.type('00965,12f')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Das ist kein Zählerstand.')).toBeVisible()
  await page.keyboard.press('Backspace')
  await page.keyboard.type('5')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Zähler ${number} korrigiert.`)).toBeVisible()
})

test('a list keeps its filters in the address, and says what it does not know', async ({ page }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto('/t/birkenfurt/season')
  await page.getByRole('link', { name: 'Gas', exact: true }).click()
  await heading(page, 'Offene Ablesungen')
  await expect(page).toHaveURL(/\/open\?meterType=GAS_METER$/)
  await page.getByLabel('Überfällig').selectOption('ja')
  await expect(page).toHaveURL(/&overdue=true$/)
  await page.reload()
  await expect(page.getByLabel('Sparte')).toHaveValue('GAS_METER')
  await expect.poll(() => asked.some((url) => url.endsWith('/open?meterType=GAS_METER&overdue=true'))).toBe(true)
  await page.goto('/t/birkenfurt/deciding?reason=NONSENSE')
  await expect(page.getByText('Unbekannter Filter in der Adresse: reason=NONSENSE.')).toBeVisible()
})

test('the list of who has not answered comes as a file', { tag: '@chromium' }, async ({ page }) => {
  await page.goto('/t/birkenfurt/open?meterType=GAS_METER')
  for (const format of ['CSV', 'XLSX']) {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: format }).click()
    expect((await download).suggestedFilename()).toBe(`offen.${format.toLowerCase()}`)
  }
})
