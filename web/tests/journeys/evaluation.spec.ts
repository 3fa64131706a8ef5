import { type Page } from '@playwright/test'
import { letters, meters } from '../demo.ts'
import { expect, expectAccessible, logIn, test } from '../portal.ts'

/** The tenant's choice of what the list holds. */
const listOnlyDone = (page: Page, showOnlyDoneJobs: boolean) =>
  page.route('**/api/public/application', async (route) => {
    const response = await route.fetch()
    if (route.request().method() === 'HEAD') return route.fulfill({ response })
    const settings = await response.json()
    return route.fulfill({ response, json: { ...settings, evaluation: { ...settings.evaluation, showOnlyDoneJobs } } })
  })

test('a done meter shows its history with consumption, averages and the photo', async ({ page }) => {
  await page.goto('/')
  await logIn(page, letters.anna)
  await page.getByRole('navigation').getByRole('link', { name: 'Auswertung' }).click()
  await expect(page).toHaveTitle('Auswertung – Stadtwerke Birkenfurt')
  const list = page.getByRole('navigation', { name: 'Zähler' })
  await list.getByRole('link', { name: meters.done.number }).click()

  await expect(page).toHaveTitle(`Auswertung – Wasser – ${meters.done.number} – Stadtwerke Birkenfurt`)
  await expect(page.getByRole('img', { name: /^Verlauf des Zählerstands von/ })).toBeVisible()
  const newest = page.getByRole('row').filter({ hasText: 'Selbst abgelesen' })
  await expect(newest).toContainText(/\+[\d,]+\sm³/)
  await expect(newest).toContainText(/\(\+[\d,]+\sm³ pro Tag\)/)
  await expect(newest.getByRole('button', { name: 'Foto 1' })).toBeVisible()
  await expectAccessible(page)
})

test('only done meters are listed, and a search that finds nothing says for what', async ({ page }) => {
  await listOnlyDone(page, true)
  await page.goto('/auswertung')
  await logIn(page, letters.anna)
  const list = page.getByRole('navigation', { name: 'Zähler' })
  await expect(list.getByRole('link', { name: meters.done.number })).toBeVisible()
  await expect(list.getByRole('link', { name: meters.doubleTariff.number })).toHaveCount(0)
  await page.getByLabel('Zähler suchen').fill('xyz')
  await expect(page.getByText('Kein Zähler zu „xyz“ gefunden')).toBeVisible()
  await expectAccessible(page)
})

test('the other meters stand behind, and those without readings cannot be opened', async ({ page }) => {
  await listOnlyDone(page, false)
  await page.route('**/api/pro/job?*', async (route) => {
    const response = await route.fetch()
    if (response.status() === 304) return route.fulfill({ response })
    const answer = await response.json()
    for (const job of answer.jobs) {
      if (job.id === meters.solar.id) for (const task of job.meter.meterRateTasks) task.readingEvents = []
    }
    return route.fulfill({ response, json: answer })
  })
  await page.goto('/auswertung')
  await logIn(page, letters.anna)
  const list = page.getByRole('navigation', { name: 'Zähler' })
  await expect(list.getByRole('heading', { name: /Noch ohne Ablesungen/ })).toBeVisible()
  await expect(list.getByText(meters.solar.number)).toBeVisible()
  await expect(list.getByRole('link', { name: meters.solar.number })).toHaveCount(0)

  await list.getByRole('link', { name: meters.doubleTariff.number }).click()
  const rate = page.getByRole('group').filter({ hasText: 'HT 1.8.1' })
  await expect(rate.getByRole('table').first()).toBeHidden()
  await rate.getByRole('heading', { name: /Ablesehistorie/ }).click()
  await expect(rate.getByRole('row').filter({ hasText: 'Jahresablesung' }).first()).toContainText(/\+3151,6\skWh/)
  await expectAccessible(page)
})

test('on a phone the list and the meter are screens of their own', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/auswertung')
  await logIn(page, letters.anna)
  await page.getByRole('navigation', { name: 'Zähler' }).getByRole('link', { name: meters.done.number }).click()
  await expect(page.getByRole('navigation', { name: 'Zähler' })).toHaveCount(0)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Zurück' }).click()
  await expect(page.getByRole('navigation', { name: 'Zähler' })).toBeVisible()
})
