import { readFile } from 'node:fs/promises'
import { cells, unzip } from '../../src/testing/xlsx.ts'
import { letters } from '../demo.ts'
import { expect, logIn, test } from '../portal.ts'

test('the list is saved as an Excel file, as it was searched', async ({ page }) => {
  await page.goto('/ablesung')
  await logIn(page, letters.manager)
  await page.getByLabel('Zähler suchen').fill('mühlgasse')
  const found = page.getByText(/^\d+ Zähler gefunden$/)
  await expect(found).toBeAttached()
  const count = Number.parseInt(await found.innerText(), 10)
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Excel-Export' }).click()
  const download = await saved
  expect(download.suggestedFilename()).toMatch(/^\d{4}-\d\d-\d\d Hausverwaltung Bergmann & Partner\.xlsx$/)
  const parts = unzip(await readFile(await download.path()))
  expect(parts.get('xl/workbook.xml')).toContain('name="Excel Download"')
  const [titles = [], ...rows] = cells(parts.get('xl/worksheets/sheet1.xml') ?? '')
  expect(titles).toHaveLength(26)
  expect(titles.at(-1)).toBe('Z1=Abgelesener Stand')
  expect(rows.every((row) => row.some((cell) => /^J\d+=Mühlgasse$/.test(cell)))).toBe(true)
  // A meter has a row for each of its rates.
  expect(rows.length).toBeGreaterThanOrEqual(count)
  expect(count).toBeGreaterThan(0)
})

test.describe('when the script cannot be fetched', () => {
  test.use({ expectedErrors: [/net::ERR_FAILED/] })

  test('a message says so, and the list stays', async ({ page }) => {
    await page.goto('/ablesung')
    await logIn(page, letters.mehmet)
    await expect(page.getByRole('button', { name: 'Excel-Export' })).toBeVisible()
    await page.route('**/*xlsx.worker*', (route) => route.abort())
    await page.getByRole('button', { name: 'Excel-Export' }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Excel-Export Fehler' })).toBeVisible()
    await page.unroute('**/*xlsx.worker*')
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Excel-Export' }).click()
    await saved
  })
})
