import { test } from '../camera.ts'
import { letters } from '../demo.ts'
import { expect, expectAccessible } from '../portal.ts'

test.describe('a QR code before the camera', () => {
  test.use({ camera: { text: `https://zaehlerstand.example/m/${letters.mehmet.token}`, dark: 20, bright: 235 } })

  test('logs in, without the decoder having been on the first screen', async ({ page }) => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'QR-Code scannen' })).toBeVisible()
    const before = scripts.length
    await page.getByRole('button', { name: 'QR-Code scannen' }).click()
    await expect(page.getByRole('heading', { name: 'Schön, dass du da bist' })).toBeVisible()
    expect(scripts.slice(before).some((url) => url.includes('decode'))).toBe(true)
    expect(scripts.slice(0, before).some((url) => url.includes('decode'))).toBe(false)
  })
})

test.describe('a faint QR code', () => {
  test.use({ camera: { text: `https://zaehlerstand.example/m/${letters.mehmet.token}`, dark: 118, bright: 130 } })

  test('is read with more contrast', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'QR-Code scannen' }).click()
    await expect(page.getByRole('heading', { name: 'Schön, dass du da bist' })).toBeVisible()
  })
})

test.describe('a QR code of something else', () => {
  test.use({ camera: { text: 'https://www.stadtwerke-birkenfurt.example/', dark: 20, bright: 235 } })

  test('is told apart, and the search goes on until it is closed', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'QR-Code scannen' }).click()
    const dialog = page.getByRole('dialog', { name: 'QR-Code scannen' })
    await expect(dialog.getByText('Dieser Code öffnet keinen Zugang.')).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('button', { name: 'QR-Code scannen' })).toBeFocused()
  })
})

test.describe('a camera that must not be used', () => {
  test.use({ camera: { text: 'unseen', dark: 20, bright: 235 }, isCameraAllowed: false })

  test('leads back to the user name', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('button', { name: 'QR-Code scannen' }).click()
    const dialog = page.getByRole('dialog', { name: 'Kein Zugriff auf die Kamera' })
    await expect(dialog).toBeVisible()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Mit Zugangsdaten anmelden' }).click()
    await expect(dialog).toBeHidden()
    await expect(page.getByLabel('Benutzername')).toBeFocused()
  })
})

test('without a camera there is a way back to the user name', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'QR-Code scannen' }).click()
  const dialog = page.getByRole('dialog', { name: 'Keine Kamera verfügbar' })
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByLabel('Benutzername')).toBeFocused()
})
