/** The way through the reading without a login. */
import type { Page } from '@playwright/test'
import { expect } from './portal.ts'

export const next = (page: Page) => page.getByRole('button', { name: 'Weiter', exact: true })
export const submit = (page: Page) => page.getByRole('button', { name: 'Übermitteln' })
export const step = (page: Page) => page.locator('[aria-current="step"]')

export async function enterMeter(page: Page) {
  await page.getByLabel('Zählernummer').fill('1ebz0100009001')
  await page.getByRole('radio', { name: /^Zweitarifzähler/ }).check({ force: true })
  await next(page).click()
}

export async function enterReading(page: Page) {
  await page.getByLabel(/HT 1\.8\.1: Ziffern vor dem Komma/).pressSequentially('12345')
  await page.getByLabel(/NT 1\.8\.2: Ziffern vor dem Komma/).pressSequentially('6789')
  await next(page).click()
}

export async function enterContact(page: Page) {
  await page.getByLabel('Vorname').fill('Änne')
  await page.getByLabel('Nachname').fill('Groß')
  await page.getByLabel('Straße').fill('Am Furtufer')
  await page.getByLabel('Hausnummer').fill('12a')
  await page.getByLabel('Postleitzahl').fill('30419')
  await page.getByLabel('Ort', { exact: true }).fill('Birkenfurt')
  await page.getByRole('radio', { name: /^Jahresablesung/ }).check({ force: true })
  await next(page).click()
}

/** Everything up to what is left to do: to submit it. */
export async function enterAll(page: Page) {
  await enterMeter(page)
  await enterReading(page)
  await enterContact(page)
  await page.getByRole('checkbox', { name: /Datenschutzerklärung/ }).press('Space')
}

export async function expectHeading(page: Page, name: string) {
  await expect(page.getByRole('heading', { level: 2, name })).toBeFocused()
}
