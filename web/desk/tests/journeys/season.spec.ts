/** The season as a whole, and who looked at what, with the whole product. */
import { meters } from '../../../portal/tests/demo.ts'
import { expect, expectNoViolation } from '../../../portal/tests/portal.ts'
import { heading, support, test } from '../desk.ts'

/** What else was done with the customer. */
const PREVIEWED = 'sah das Portal, wie ein Kunde es sieht'

test('who looked at a customer is found by number, member and action, and leads back to the customer', {
  tag: '@chromium',
}, async ({ page }) => {
  await page.goto('/t/birkenfurt/customers')
  await page
    .getByRole('main')
    .getByRole('combobox')
    .fill(`somm ${meters.done.number.slice(-4)}`)
  await page.getByRole('option', { name: /Anna Sommer/ }).click()
  await heading(page, 'Anna Sommer')
  const account = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  const previewed = page.waitForResponse('**/preview')
  await page.getByRole('button', { name: 'Portal ansehen, wie der Kunde es sieht' }).click()
  await previewed
  await page.getByRole('navigation').getByRole('link', { name: 'Nachweise' }).click()
  await heading(page, 'Nachweise')
  const looked = page.getByRole('row').filter({ hasText: 'sah einen Kunden an' }).filter({ hasText: 'Jonas Reuter' })
  await expect(looked.first()).toBeVisible()
  await expectNoViolation(page)
  await page.getByLabel('Zugang').fill(account)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/customer=/)
  await expect(page.getByLabel('Zugang')).toBeFocused()
  await expect(page.getByRole('status').getByText(/Eintr/)).toBeVisible()
  const rows = page.locator('tbody tr')
  await expect(rows.filter({ hasText: PREVIEWED }).first()).toBeVisible()
  await page.getByLabel('Was').selectOption('sah einen Kunden an')
  const filtered = page.waitForResponse((response) =>
    /\/audit\?(?=.*customer=)(?=.*action=)(?=.*member=)/.test(response.url()),
  )
  await page.getByRole('button', { name: 'Jonas Reuter' }).first().click()
  await filtered
  await expect(page).toHaveURL(/customer=.+&action=desk\+customer&member=/)
  await expect(rows.filter({ hasText: PREVIEWED })).toHaveCount(0)
  const wanted = rows.filter({ hasText: 'sah einen Kunden an' }).filter({ hasText: 'Jonas Reuter' })
  await expect(wanted).toHaveCount(await rows.count())
  await expect(wanted).not.toHaveCount(0)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  expect((await download).suggestedFilename()).toBe('nachweise.csv')
  await page.getByRole('link', { name: account }).first().click()
  await heading(page, 'Anna Sommer')
})

test.describe('on the telephone', () => {
  test.use({ member: support })

  test('who has no such role does not see the way there', async ({ page }) => {
    await page.goto('/t/birkenfurt/customers')
    await heading(page, 'Kunden suchen')
    await expect(page.getByRole('navigation').getByText('Nachweise')).toHaveCount(0)
  })
})

test('the season says what was sent and when people read, and leads to its lists', async ({ page }) => {
  await page.goto('/t/birkenfurt/season')
  await heading(page, 'Saison im Überblick')
  await expect(page.getByText(/^Gezählt bis /)).toBeVisible()
  await expect(
    page.getByRole('img', { name: /^Stände nach Uhrzeit, die meisten zwischen \d+ und \d+ Uhr/ }),
  ).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Versendet' })).toBeVisible()
  // The curve in numbers, for those who do not see it.
  await page.getByText('Jede Woche').click()
  await expect(page.getByRole('row', { name: /^\d\d\.\d\d\.\d{4} \d+(,\d+)?\s%/ }).first()).toBeVisible()
  await expectNoViolation(page)
  // Each number leads to what it counts, and from there to the customer.
  const byPortal = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'Portal', exact: true }) })
  const number = await byPortal.locator('.number').first().innerText()
  expect(number).toMatch(/^[1-9][\d.]*$/)
  await byPortal.getByRole('link').click()
  await heading(page, 'Abgelesene Stände')
  await expect(page).toHaveURL(/\/season\/readings\?.*channel=PORTAL/)
  await expect(page.getByText(number === '1' ? '1 Stand' : `${number} Stände`, { exact: true })).toBeVisible()
  await expect(page.locator('tbody tr').first()).toContainText('Portal')
  await expectNoViolation(page)
  await page.goBack()
  await page.locator('.tile').filter({ hasText: 'Abgelesen' }).getByRole('link').click()
  await heading(page, 'Abgelesene Stände')
  await page.locator('tbody').getByRole('link').first().click()
  await expect(page).toHaveURL(/\/customers\//)
  await page.goto('/t/birkenfurt/season')
  await page.locator('.tile').filter({ hasText: 'Überfällig' }).getByRole('link').click()
  await expect(page).toHaveURL(/\/open\?.*overdue=true/)
  await heading(page, 'Offene Ablesungen')
  await page.goto('/t/birkenfurt/season')
  const district = page.locator('section').filter({ hasText: 'Nach Bezirk' }).getByRole('link').first()
  const name = await district.innerText()
  await district.click()
  await heading(page, 'Offene Ablesungen')
  const chosen = page.getByLabel('Bezirk', { exact: true })
  await expect(chosen).toHaveValue(name)
  await expectNoViolation(page)
  await chosen.selectOption('alle')
  await expect(chosen).toBeHidden()
  await expect(page).not.toHaveURL(/inDistrict/)
})

test.describe('a season that is not there any more', () => {
  test.use({ expectedErrors: [/404 \(Not Found\).*season=gone/] })

  test('an address that names it leads to the latest one', async ({ page }) => {
    await page.goto('/t/birkenfurt/season?season=gone')
    await expect(page.getByRole('alert').getByText('Diese Saison gibt es nicht oder nicht mehr.')).toBeVisible()
    await page.getByRole('button', { name: 'Neueste Saison zeigen' }).click()
    await expect(page.getByText(/^Gezählt bis /)).toBeVisible()
    await expect(page).toHaveURL(/\/season$/)
  })
})
