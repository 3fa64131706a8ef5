/** A lead sees what went out. */

import { readFileSync } from 'node:fs'
import { operate } from '../../../portal/tests/operator.ts'
import { expect, expectNoViolation, widerBy } from '../../../portal/tests/portal.ts'
import { heading, support, test } from '../desk.ts'

// What goes out of the other utility's readings is in the way of no other journey.
const OF_NEIGHBOUR = ['--tenant', 'nachbar']

// A retry meets the readings of the first try.
const enter = async (value: number) => {
  const what = ['--channel', 'PHONE', '--value', `00${value.toFixed(3)}`, '--late', 'noch einmal angerufen']
  return operate('readings', 'enter', '--meter', '8SEN0300000001', ...OF_NEIGHBOUR, ...what)
}

test('what a command or the desk writes stands among the exports; a file is fetched, and written once more', async ({
  page,
}, info) => {
  test.slow()
  await page.goto('/t/birkenfurt/exports')
  await heading(page, 'Exporte')
  await expect(page.getByText('Bisher ging nichts hinaus.')).toBeVisible()

  const value = 350.125 + 10 * info.retry
  await enter(value)
  await operate('readings', 'export', '--new', '--preset', 'plain', '--dir', info.outputPath('out'), ...OF_NEIGHBOUR)
  await page.goto('/t/nachbar/customers')
  await heading(page, 'Kunden suchen')
  await page.getByRole('navigation').getByRole('link', { name: 'Exporte' }).click()
  await heading(page, 'Exporte')
  await expect(page.getByRole('row', { name: /^\d+ Tabelle .* vollständig 1 / }).first()).toBeVisible()

  await enter(value + 2)
  await page.getByRole('button', { name: 'Neuer Export' }).click()
  const dialog = page.getByRole('dialog', { name: 'Neuer Export' })
  await expect(dialog.getByLabel('Exportvorlage')).toHaveValue('plain')
  await expectNoViolation(page)
  await dialog.getByRole('button', { name: 'Export starten' }).click()
  await expect(dialog).toBeHidden()
  // Nobody has to stay for it.
  await page.goto('/t/nachbar/customers')
  await heading(page, 'Kunden suchen')
  await page.goto('/t/nachbar/exports')
  const made = page.getByRole('row', { name: /Jonas Reuter Stände zu Aufträgen · Einfache Tabelle readings-/ }).first()
  await expect(made).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ein Export läuft' })).toHaveCount(0)
  const fetched = page.waitForEvent('download')
  await made.getByRole('button', { name: /^readings-\d{8}\.csv$/ }).click()
  await (await fetched).saveAs(info.outputPath('readings.csv'))
  const rows = readFileSync(info.outputPath('readings.csv'), 'utf8').split('\r\n')
  const counter = (value + 2).toFixed(3).replace('.', ',')
  expect(rows.filter((row) => row.includes(counter))).toHaveLength(1)
  await expectNoViolation(page)
  for (const width of [320, 768]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await widerBy(page), String(width)).toBeLessThanOrEqual(0)
  }

  await page.setViewportSize({ width: 1280, height: 900 })
  await page.getByRole('button', { name: 'Neuer Export' }).click()
  await page.getByRole('button', { name: 'Export starten' }).click()
  await expect(page.getByText('Es gab nichts Neues; keine Datei.').first()).toBeVisible()

  await page
    .getByRole('button', { name: /^Export \d+ noch einmal$/ })
    .first()
    .click()
  const again = page.getByRole('dialog', { name: /^Export \d+ noch einmal schreiben$/ })
  await again.getByLabel('Exportvorlage').selectOption('SAP IS-U (CSV)')
  await again.getByRole('button', { name: 'Export starten' }).click()
  await expect(page.getByRole('row', { name: /Export \d+ noch einmal · SAP IS-U readings-/ }).first()).toBeVisible()
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
