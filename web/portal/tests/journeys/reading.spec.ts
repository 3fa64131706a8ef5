import { fileURLToPath } from 'node:url'
import { customerWith } from '../customer.ts'
import { letters, meters } from '../demo.ts'
import { expect, logIn, test } from '../portal.ts'

const PHOTO = fileURLToPath(new URL('../fixtures/meter.jpg', import.meta.url))

test('a letter, two rates, a photo: sent, seen, logged out', { tag: '@firefox' }, async ({ page }, info) => {
  const { number, ...customer } = await customerWith(info, meters.doubleTariff.id)
  await page.goto('/')
  await logIn(page, customer)
  await page.getByRole('link', { name: 'Jetzt ablesen' }).click()
  await page.getByRole('link', { name: new RegExp(number) }).click()
  await expect(page.getByRole('heading', { level: 1, name: number })).toBeVisible()

  const send = page.getByRole('button', { name: 'Zählerstände senden' })
  await expect(send).toBeDisabled()
  await page.getByLabel(/HT 1\.8\.1: Ziffern vor dem Komma/).pressSequentially('047000,5')
  await page.getByLabel(/NT 1\.8\.2: Ziffern vor dem Komma/).pressSequentially('026000,0')
  const photos = page.getByRole('group', { name: /^Fotos zu HT/ })
  const chooser = page.waitForEvent('filechooser')
  await photos.getByRole('button', { name: 'Foto hinzufügen' }).click()
  await (await chooser).setFiles(PHOTO)
  await expect(photos.getByRole('img', { name: 'Foto 1' })).toBeVisible()
  await send.click()

  await expect(page.getByText('Senden erfolgreich')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Abgelesen' })).toBeVisible()
  await expect(page.getByText('47000,5')).toBeVisible()
  const stored = page.getByRole('img', { name: /^Foto 1 zum Zählerstand/ })
  await expect(stored).toBeVisible()
  const longestSide = () =>
    stored.evaluate((image: HTMLImageElement) => Math.max(image.naturalWidth, image.naturalHeight))
  await expect.poll(longestSide).toBe(1600)

  await page.reload()
  await expect(page.getByText('47000,5')).toBeVisible()
  await page.getByRole('button', { name: 'Benutzermenü' }).click()
  await page.getByRole('button', { name: 'Abmelden' }).click()
  await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
})

test('a reading out of range asks, and goes when it is confirmed', { tag: '@firefox' }, async ({ page }, info) => {
  const { number, ...customer } = await customerWith(info, meters.solar.id)
  await page.goto('/')
  await logIn(page, customer)
  await page.getByRole('link', { name: 'Jetzt ablesen' }).click()
  await page.getByRole('link', { name: new RegExp(number) }).click()
  await page.getByLabel(/1\.8\.0: Ziffern vor dem Komma/).pressSequentially('019500,0')
  await page.getByLabel(/2\.8\.0: Ziffern vor dem Komma/).pressSequentially('013000,0')
  await page.getByRole('button', { name: 'Zählerstände senden' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('größer als erwartet')
  await dialog.getByRole('button', { name: 'Korrigieren' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Abgelesen' })).toBeHidden()
  await page.getByRole('button', { name: 'Zählerstände senden' }).click()
  await dialog.getByRole('button', { name: 'Trotzdem senden' }).click()
  await expect(page.getByRole('heading', { name: 'Abgelesen' })).toBeVisible()
})

test('where the limits are strict, a reading out of range cannot be sent', async ({ page }) => {
  await page.goto(`/m/${letters.rosa.token}`)
  await page.getByRole('link', { name: 'Start reading' }).click()
  await page.getByRole('link', { name: new RegExp(meters.strict.number) }).click()
  await expect(page.getByRole('heading', { level: 1, name: meters.strict.number })).toBeVisible()
  await page.getByLabel(/1\.8\.0: .*before/).pressSequentially('019999.9')
  await expect(page.getByText(/greater than expected|higher than expected/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Send/ })).toBeDisabled()
})

test('after the deadline nothing can be sent', async ({ page }) => {
  await page.goto(`/m/${letters.rosa.token}`)
  await expect(page.getByRole('heading', { name: 'Good to have you here' })).toBeVisible()
  await page.goto(`/ablesung/${meters.expired.id}`)
  await expect(page.getByRole('heading', { level: 1, name: meters.expired.number })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Send/ })).toHaveCount(0)
})

test('who reads English reads the names of the rates in English', async ({ page }) => {
  await page.goto(`/ablesung/${meters.strict.id}`)
  await logIn(page, letters.rosa)
  await expect(page.getByRole('heading', { level: 3, name: 'Consumption 1.8.0' })).toBeVisible()
})
