/** A lead sees what went out. */

import { operate } from '../../../portal/tests/operator.ts'
import { expect, expectNoViolation, widerBy } from '../../../portal/tests/portal.ts'
import { heading, support, test } from '../desk.ts'

// What goes out of the other utility's readings is in the way of no other journey.
const OF_NEIGHBOUR = ['--tenant', 'nachbar']

test('what the command line wrote stands among the exports, with its number and what it has', async ({
  page,
}, info) => {
  await page.goto('/t/birkenfurt/exports')
  await heading(page, 'Exporte')
  await expect(page.getByText('Bisher ging nichts hinaus.')).toBeVisible()

  const reading = ['--channel', 'PHONE', '--value', '00350.125', '--late', 'noch einmal angerufen']
  await operate('readings', 'enter', '--meter', '8SEN0300000001', ...OF_NEIGHBOUR, ...reading)
  await operate('readings', 'export', '--new', '--preset', 'plain', '--dir', info.outputPath('out'), ...OF_NEIGHBOUR)
  await page.goto('/t/nachbar/customers')
  await heading(page, 'Kunden suchen')
  await page.getByRole('navigation').getByRole('link', { name: 'Exporte' }).click()
  await heading(page, 'Exporte')
  await expect(page.getByRole('row', { name: /^1 Tabelle .* vollständig 1 0 0$/ })).toBeVisible()
  await expectNoViolation(page)
  for (const width of [320, 768]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await widerBy(page), String(width)).toBeLessThanOrEqual(0)
  }
})

test.describe('whoever leads nothing', () => {
  test.use({ member: support })

  test('sees no exports', async ({ page }) => {
    await page.goto('/t/birkenfurt/customers')
    await heading(page, 'Kunden suchen')
    await expect(page.getByRole('link', { name: 'Eingabe' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Exporte' })).toHaveCount(0)
  })
})
