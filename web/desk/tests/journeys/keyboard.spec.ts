/** The desk without a mouse, and without the single keys: a member who presses Tab sees where they are, and goes on from there. */
import { customerWith } from '../../../portal/tests/customer.ts'
import { meters } from '../../../portal/tests/demo.ts'
import { press, tabTo } from '../../../portal/tests/keyboard.ts'
import { expect } from '../../../portal/tests/portal.ts'
import { deferred } from '../../../shared/testing/deferred.ts'
import { customerWhoWaits, heading, reach, test } from '../desk.ts'

test('from the search over the customer to the entry and back', { tag: '@chromium' }, async ({ page }, info) => {
  const { number } = await customerWith(info, meters.done.id)
  await page.goto('/')
  await heading(page, 'Kunden suchen')
  await tabTo(page, page.getByRole('main').getByRole('combobox'))
  await page.keyboard.type(`lindenw ${number.slice(-6)}`)
  await expect(page.getByRole('option', { name: /Anna Sommer/ })).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Anna Sommer' })).toBeFocused()
  const meter = page.getByRole('article', { name: `Zähler ${number}` })
  await press(page, meter.getByRole('link', { name: 'Stand eingeben' }))
  await expect(page.getByLabel('Verbrauch (m³)')).toBeFocused()
  await page.keyboard.type('00965,125')
  await page.keyboard.press('Enter')
  await expect(page.getByText(`Zähler ${number}: gespeichert.`)).toBeVisible()
  await press(page, page.getByRole('link', { name: 'Zum Kunden Anna Sommer' }))
  await expect(page.getByRole('heading', { level: 1, name: 'Anna Sommer' })).toBeFocused()
})

test('from the list to a decision, to the next one, and back again', { tag: '@chromium' }, async ({ page }, info) => {
  const { number } = await customerWhoWaits(info)
  await page.goto('/t/birkenfurt/deciding?reason=OUTSIDE_RANGE&meterType=WATER_METER')
  await expect(page.getByRole('row', { name: number })).toBeVisible()
  await press(page, page.getByRole('button', { name: 'Klären beginnen' }))
  const title = page.getByRole('heading', { level: 1, name: 'Entscheiden' })
  await expect(title).toBeFocused()
  await reach(page, number)
  await press(page, page.getByRole('button', { name: 'Ablehnen' }))
  await expect(page.getByLabel('Was soll der Kunde lesen?')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Ablehnen' })).toBeFocused()
  const release = page.getByRole('button', { name: 'Freigeben' })
  for (const before of ['Zählerwechsel', 'Korrigieren', 'Freigeben']) {
    await page.keyboard.press('Shift+Tab')
    await expect(page.getByRole('button', { name: before })).toBeFocused()
  }
  await release.press('Enter')
  await expect(page.getByText(`Zähler ${number} freigegeben.`)).toBeVisible()
  await expect(title).toBeFocused()
  await press(page, page.getByRole('button', { name: 'Zurücknehmen' }))
  await expect(page.getByRole('main').getByText(number, { exact: true })).toBeVisible()
  await expect(title).toBeFocused()
  await press(page, page.getByRole('link', { name: 'Zur Liste' }))
  await expect(page.getByRole('heading', { level: 1, name: 'Klärung' })).toBeFocused()
})

test('from the season to the list behind a number', { tag: '@chromium' }, async ({ page }) => {
  await page.goto('/t/birkenfurt/season')
  const tile = page.getByRole('main').locator('.tile').filter({ hasText: 'Überfällig' })
  await press(page, tile.getByRole('link'))
  await expect(page.getByRole('heading', { level: 1, name: 'Offene Ablesungen' })).toBeFocused()
  await tabTo(page, page.getByLabel('Sparte'))
  await page.keyboard.press('s')
  await expect(page).toHaveURL(/meterType=ELECTRIC_METER/)
  await expect(page.getByLabel('Sparte')).toBeFocused()
})

test('more of a list, and on from where it was asked for', { tag: '@chromium' }, async ({ page }) => {
  await page.goto('/t/birkenfurt/open')
  const more = page.getByRole('button', { name: 'Weitere zeigen' })
  await expect(more).toBeVisible()
  const rows = page.getByRole('row')
  const before = await rows.count()
  const answer = deferred()
  await page.route(/\/open\?.*cursor=/, async (route) => {
    const response = await route.fetch()
    await answer.promise
    // The last one.
    await route.fulfill({ response, json: { ...(await response.json()), nextCursor: null } })
  })
  await more.focus()
  await page.keyboard.press('Enter')
  // Its words give way to the sign that something comes.
  await expect(page.locator('main button[aria-disabled=true]')).toBeFocused()
  answer.resolve()
  await expect(rows.nth(before).getByRole('link')).toBeFocused()
  await expect(more).toHaveCount(0)
})

test('to the sessions, and through a dialog that gives the focus back', { tag: '@chromium' }, async ({ page }) => {
  await page.goto('/')
  await heading(page, 'Kunden suchen')
  await press(page, page.getByRole('link', { name: 'Angemeldet: Jonas Reuter' }))
  await expect(page.getByRole('heading', { level: 1, name: 'Wo ich angemeldet bin' })).toBeFocused()
  await tabTo(page, page.getByRole('button', { name: 'Überall abmelden' }))
  await page.keyboard.press('?')
  const dialog = page.getByRole('dialog', { name: 'Tasten auf dieser Seite' })
  const [close, single, closing] = [
    dialog.getByRole('button', { name: 'Schließen' }).first(),
    dialog.getByLabel('Einzelne Tasten lösen Aktionen aus'),
    dialog.getByRole('button', { name: 'Schließen' }).last(),
  ]
  await expect(close).toBeFocused()
  for (const next of [single, closing]) {
    await page.keyboard.press('Tab')
    await expect(next).toBeFocused()
  }
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Überall abmelden' })).toBeFocused()
})

test('what is drawn has words: bars and photos', async ({ page }) => {
  await page.goto('/t/birkenfurt/customers/k-10417')
  const meter = page.getByRole('article', { name: `Zähler ${meters.done.number}` })
  await expect(meter.getByRole('figure', { name: 'Menge, auf ein Jahr gerechnet' })).toContainText(/120.m³/)
  await expect(meter.getByRole('img', { name: /^Foto 1 zum Stand [\d,]+ vom [\d.]+$/ })).toBeVisible()
  await page.goto('/t/birkenfurt/season')
  await expect(page.getByRole('img', { name: /\d+.%/ })).toBeVisible()
})
