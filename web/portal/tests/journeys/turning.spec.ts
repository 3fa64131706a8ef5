/** Who turns their phone, or makes the window another size, loses nothing that was begun: neither what a dialog asks nor what it shows once. */
import type { Page } from '@playwright/test'
import { customerWith } from '../customer.ts'
import { letters, meters } from '../demo.ts'
import { expect, logIn, test } from '../portal.ts'

const UPRIGHT = { width: 390, height: 844 }
const LYING = { width: 844, height: 390 }

/** Turns the phone and waits until its browser has drawn the page anew. */
async function turn(page: Page, size: { width: number; height: number }): Promise<void> {
  await page.setViewportSize(size)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

test(
  'a question about a reading stays open, and leads back into the field',
  { tag: '@firefox' },
  async ({ page }, info) => {
    const { number, ...customer } = await customerWith(info, meters.due.id)
    await page.setViewportSize(UPRIGHT)
    await page.goto('/ablesung')
    await logIn(page, customer)
    await page.getByRole('link', { name: new RegExp(number) }).click()
    const value = page.getByRole('textbox', { name: /^Zählerstand/ })
    await value.pressSequentially('000001')
    await page.getByRole('button', { name: 'Zählerstand senden' }).click()
    const question = page.getByRole('dialog', { name: 'Bitte prüfen Sie Ihre Angaben' })
    await expect(question).toBeVisible()
    await turn(page, LYING)
    await expect(question).toBeVisible()
    await turn(page, UPRIGHT)
    await turn(page, LYING)
    await question.getByRole('button', { name: 'Korrigieren' }).click()
    await expect(question).toBeHidden()
    // The list has its place beside the meter again, and the field is the one that was typed into.
    await expect(page.getByRole('navigation', { name: 'Zähler' })).toBeVisible()
    await expect(value).toBeFocused()
    await expect(value).toHaveValue('000001')
  },
)

for (const [where, path, isChosen] of [
  ['the list', '/ablesung', false],
  ['a meter beside it', '/ablesung/20001-0091', true],
  ['the shares', '/management/account/k-20001', false],
] as const)
  test(`login data that are shown once stay, begun at ${where}`, async ({ page }) => {
    await page.setViewportSize(LYING)
    await page.goto(path)
    await logIn(page, letters.manager)
    await page.getByRole('button', { name: 'Teilen' }).click()
    const form = page.getByRole('dialog', { name: 'Zähler teilen' })
    // With a meter open, that one is chosen.
    if (!isChosen) await form.getByRole('checkbox').nth(1).check()
    await form.getByLabel('Name des Zugangs').fill(`Gedreht bei ${where}`)
    await turn(page, UPRIGHT)
    await expect(form.getByLabel('Name des Zugangs')).toHaveValue(`Gedreht bei ${where}`)
    await form.getByRole('button', { name: /^Zugang (für [\d.]+ Zähler )?erstellen$/ }).click()
    const outcome = page.getByRole('dialog', { name: `Zugang „Gedreht bei ${where}“` })
    const link = outcome.getByLabel('Link zum Anmelden', { exact: true })
    await expect(link).not.toHaveValue('')
    const shown = await link.inputValue()
    await turn(page, LYING)
    await turn(page, UPRIGHT)
    await expect(link).toHaveValue(shown)
  })
