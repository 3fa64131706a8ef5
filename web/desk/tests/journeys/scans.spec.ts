/** Photos and scans of readings that staff enter. */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { customerWith } from '../../../portal/tests/customer.ts'
import { meters } from '../../../portal/tests/demo.ts'
import { expect, expectNoViolation, widerBy } from '../../../portal/tests/portal.ts'
import { AT_LOGIN, heading, openCustomer, support, test } from '../desk.ts'

const PHOTO = fileURLToPath(new URL('../../../portal/tests/fixtures/meter.jpg', import.meta.url))

test.use({
  member: support,
  expectedErrors: [new RegExp(`${AT_LOGIN.source}|ERR_FAILED|CORS request did not succeed`)],
})

/** A picture comes to the page: dropped on it, or pasted. */
async function bring(page: Page, kind: 'drop' | 'paste'): Promise<void> {
  const bytes = [...(await readFile(PHOTO))]
  await page.evaluate(
    ({ kind, bytes }) => {
      const transfer = new DataTransfer()
      transfer.items.add(new File([new Uint8Array(bytes)], 'karte.jpg', { type: 'image/jpeg' }))
      const options = { bubbles: true, cancelable: true }
      const event =
        kind === 'drop'
          ? new DragEvent(kind, { ...options, dataTransfer: transfer })
          : new ClipboardEvent(kind, { ...options, clipboardData: transfer })
      document.activeElement?.dispatchEvent(event)
    },
    { kind, bytes },
  )
}

// In Firefox no script makes an event that has files pasted.
test(
  'a scan goes with both registers of the card; what does not arrive takes nothing along',
  {
    tag: '@chromium',
  },
  async ({ page }, info) => {
    const { number } = await customerWith(info, meters.doubleTariff.id)
    await page.goto('/t/birkenfurt/entry')
    await heading(page, 'Karten eingeben')
    await page.getByLabel('Zählernummer').fill(number)
    await page.keyboard.press('Enter')
    await page.getByLabel('HT (kWh)').fill('047000,5')
    await page.getByLabel('NT (kWh)').fill('026000,0')
    const pictures = page.getByRole('group', { name: 'Fotos oder Scans' })
    await bring(page, 'drop')
    await expect(pictures.getByRole('img')).toHaveCount(1)
    await bring(page, 'paste')
    await expect(pictures.getByRole('img')).toHaveCount(2)
    const add = pictures.getByRole('button', { name: 'Foto oder Scan hinzufügen' })
    await add.focus()
    await bring(page, 'drop')
    await expect(pictures.getByRole('img')).toHaveCount(3)
    await expect(add).toBeDisabled()
    await expect(add).toBeFocused()
    await pictures.getByRole('button', { name: 'Bild 3 entfernen' }).press('Enter')
    await expect(add).toBeFocused()
    await expectNoViolation(page)
    await page.setViewportSize({ width: 320, height: 640 })
    expect(await widerBy(page)).toBeLessThanOrEqual(0)

    await page.route(/\/uploads\//, (route) => route.abort())
    await page.getByLabel('NT (kWh)').press('Enter')
    await expect(page.getByRole('alert')).toContainText(
      'Die Bilder sind nicht angekommen; gespeichert ist noch nichts.',
    )
    await expect(page.getByLabel('HT (kWh)')).toHaveValue('047000,5')
    await expect(page.getByRole('button', { name: 'Ohne Bilder speichern' })).toBeVisible()
    await page.unroute(/\/uploads\//)
    await page.getByLabel('NT (kWh)').press('Enter')
    await expect(page.getByText(`Zähler ${number}: gespeichert.`)).toBeVisible()

    await openCustomer(page, number)
    const meter = page.getByRole('article', { name: `Zähler ${number}` })
    await expect(meter.getByRole('img', { name: /^Foto \d zum Stand / })).toHaveCount(2)
  },
)

test('a reading is saved without the pictures where they cannot be sent', async ({ page }, info) => {
  const { number } = await customerWith(info, meters.doubleTariff.id)
  await page.goto('/t/birkenfurt/entry')
  await page.getByLabel('Zählernummer').fill(number)
  await page.keyboard.press('Enter')
  await page.getByLabel('HT (kWh)').fill('047000,5')
  await page.getByLabel('NT (kWh)').fill('026000,0')
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Foto oder Scan hinzufügen' }).press('Enter')
  await (await chooser).setFiles(PHOTO)
  await expect(page.getByRole('img', { name: 'Bild 1' })).toBeVisible()
  await page.route(/\/uploads\//, (route) => route.abort())
  await page.getByLabel('NT (kWh)').press('Enter')
  await page.getByRole('button', { name: 'Ohne Bilder speichern' }).press('Enter')
  await expect(page.getByText(`Zähler ${number}: gespeichert.`)).toBeVisible()
})
