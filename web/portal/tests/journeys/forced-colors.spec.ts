/** A contrast theme of the system takes backgrounds and shadows away: what is chosen, focused or current can still be told (EN 301 549, 11.7). */
import type { Locator, Page } from '@playwright/test'
import { letters, meters } from '../demo.ts'
import { differingPoints, pictureOf } from '../pictures.ts'
import { expect, logIn, test } from '../portal.ts'
import { next } from '../visitor.ts'

test.beforeEach(({ page }) => page.emulateMedia({ forcedColors: 'active' }))

/** Fails where the two states look alike to a reader who does not see colours. */
async function expectTellable(page: Page, element: Locator, change: () => Promise<unknown>) {
  const before = await pictureOf(element)
  await change()
  expect(await differingPoints(page, before, await pictureOf(element))).toBeGreaterThan(40)
}

const blur = (page: Page) => page.evaluate(() => (document.activeElement as HTMLElement).blur())

test('what is chosen, where the focus is, and which step it is', async ({ page }) => {
  await page.goto('/ablesung-ohne-zugang')
  const number = page.getByLabel('Zählernummer')
  await expectTellable(page, number, () => number.focus())
  await number.fill('EIGENER-1')
  await blur(page)

  const choice = page.locator('label').filter({ hasText: 'Anderer Stromzähler' })
  const radio = page.getByRole('radio', { name: /^Anderer Stromzähler/ })
  const dot = choice.locator('.amplify-radio__button')
  const unchecked = await pictureOf(dot)
  await expectTellable(page, choice, async () => {
    await radio.check({ force: true })
    await blur(page)
  })
  expect(await differingPoints(page, unchecked, await pictureOf(dot))).toBeGreaterThan(40)
  await expectTellable(page, dot, async () => {
    await page.keyboard.press('Shift+Tab')
    await radio.focus()
  })

  const second = page.locator('.steps__number').nth(1)
  await expectTellable(page, second, () => next(page).click())
  const rate = page.locator('label').filter({ hasText: '1.8.1' })
  await expectTellable(page, rate, async () => {
    await page.getByRole('checkbox', { name: /1\.8\.1/ }).press('Space')
    await blur(page)
  })
  const counter = page.getByLabel(/1\.8\.1: Ziffern vor dem Komma/)
  await expectTellable(page, counter, () => counter.focus())
})

test('how much is done, and which meter of the list is open', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.goto('/auswertung')
  await logIn(page, letters.anna)
  const row = page.getByRole('navigation', { name: 'Zähler' }).getByRole('link', { name: meters.done.number })
  await expectTellable(page, row, async () => {
    await row.click()
    await expect(page.getByRole('heading', { name: /^Ablesehistorie/ })).toBeVisible()
    await blur(page)
  })
  const entry = page.getByRole('navigation', { name: 'Hauptnavigation' }).getByRole('link', { name: 'Ablesung' })
  await expectTellable(page, entry, async () => {
    await entry.click()
    await blur(page)
  })
  const progress = page.getByRole('progressbar')
  await expectTellable(page, progress, () => progress.evaluate((bar: HTMLProgressElement) => (bar.value = 0)))
})

test('what is wrong, and what is a link and no button', async ({ page }) => {
  await page.goto('/ablesung-ohne-zugang')
  const number = page.getByLabel('Zählernummer')
  await number.fill('1')
  await blur(page)
  await expect(number).toHaveAttribute('aria-invalid', 'true')
  await expect(page.locator('.amplify-field__error-message')).toHaveCSS('font-weight', '700')
  await expectTellable(page, number, () => number.evaluate((field) => field.removeAttribute('aria-invalid')))

  await page.goto(`/ablesung/${meters.doubleTariff.id}`)
  await logIn(page, letters.anna)
  const link = page.getByRole('button', { name: 'Bemerkung hinzufügen' })
  // Around its words, which begin where those above do, there is no frame to be seen.
  const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  await expect(link).toHaveCSS('border-color', ground)
})
