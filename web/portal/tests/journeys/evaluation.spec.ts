import type { Locator, Page } from '@playwright/test'
import { letters, meters } from '../demo.ts'
import type { Job } from '../ledger.ts'
import { expect, expectAccessible, logIn, refusedWith, test, widerBy } from '../portal.ts'

/** The tenant's choice of what the list holds. */
const listOnlyDone = (page: Page, showOnlyDoneJobs: boolean) =>
  page.route('**/api/public/application', async (route) => {
    const response = await route.fetch()
    if (route.request().method() === 'HEAD') return route.fulfill({ response })
    const settings = await response.json()
    return route.fulfill({ response, json: { ...settings, evaluation: { ...settings.evaluation, showOnlyDoneJobs } } })
  })

/** Other jobs than the tenant has. */
const withJobs = (page: Page, change: (jobs: Job[]) => Job[]) =>
  page.route('**/api/pro/job?*', async (route) => {
    // What is unchanged would come without the jobs.
    const { 'if-none-match': _, ...headers } = route.request().headers()
    const response = await route.fetch({ headers })
    const answer = await response.json()
    return route.fulfill({ response, json: { ...answer, jobs: change(answer.jobs) } })
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
  await expect(newest).toContainText(/\+[\d.,]+\sm³/)
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

test('where only done meters are listed and none is done, the screen says so', async ({ page }) => {
  await listOnlyDone(page, true)
  await page.goto('/auswertung')
  await logIn(page, letters.mehmet)
  await expect(page.getByRole('heading', { name: 'Noch keine Auswertung' })).toBeVisible()
  await expect(page.getByText('Zähler auswählen')).toHaveCount(0)
  await expectAccessible(page)
})

test('a level that fell is one line', async ({ page }) => {
  await page.goto('/auswertung/10523-zisterne')
  await logIn(page, letters.mehmet)
  const trend = page.getByRole('img', { name: /^Verlauf des Zählerstands von/ })
  await expect(trend.locator('.trend__point')).toHaveCount(3)
  await expect(trend.locator('polyline')).toHaveCount(1)
})

test('the other meters stand behind, and those without readings cannot be opened', async ({ page }) => {
  await listOnlyDone(page, false)
  await withJobs(page, (jobs) => {
    for (const job of jobs)
      if (job.id === meters.solar.id) for (const task of job.meter.meterRateTasks) task.readingEvents = []
    return jobs
  })
  await page.goto('/auswertung')
  await logIn(page, letters.anna)
  const list = page.getByRole('navigation', { name: 'Zähler' })
  await expect(list.getByRole('heading', { name: /Noch ohne Ablesungen/ })).toBeVisible()
  await expect(list.getByRole('link', { name: meters.solar.number })).toBeDisabled()

  await list.getByRole('link', { name: meters.doubleTariff.number }).click()
  const rate = page.getByRole('group').filter({ hasText: 'HT 1.8.1' })
  await expect(rate.getByRole('table').first()).toBeHidden()
  await rate.getByRole('heading', { name: /Ablesehistorie/ }).click()
  await expect(rate.getByRole('row').filter({ hasText: 'Jahresablesung' }).first()).toContainText('+3.151,6\u00A0kWh')
  await expectAccessible(page)
})

test('the history says of what was fed in that it was', async ({ page }) => {
  await page.goto(`/auswertung/${meters.solar.id}`)
  await logIn(page, letters.anna)
  const rate = page.getByRole('group').filter({ hasText: '2.8.0' })
  await rate.getByRole('heading', { name: /Ablesehistorie/ }).click()
  await expect(rate.getByText('Einspeisung seit der vorigen Ablesung:').first()).toBeAttached()
  await expect(rate.getByText('Verbrauch seit der vorigen Ablesung:')).toHaveCount(0)
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

test('the history names reasons, fades estimates and says which rates have none', async ({ page }) => {
  await page.route('**/api/public/application', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const settings = await response.json()
    const own = { ...settings.translations['de-FORMAL'], 'evaluation.otherReason.MOVE': 'Umzug' }
    return route.fulfill({
      response,
      json: { ...settings, translations: { ...settings.translations, 'de-FORMAL': own } },
    })
  })
  const events = [
    { readingDate: '2024-01-10', readingValue: '100', reason: 'INITIAL_READING' },
    { readingDate: '2024-06-10', readingValue: '150.5', reason: 'OTHER', otherReason: 'MOVE' },
    { readingDate: '2024-12-31', readingValue: '200', reason: 'OTHER', otherReason: 'Auf Wunsch der Mieterin' },
    { readingDate: '2025-03-01', readingValue: '260', reason: 'ESTIMATED_READING' },
    // An estimate so near to a reading is not shown (P9).
    { readingDate: '2025-03-20', readingValue: '262', reason: 'ESTIMATED_READING' },
    { readingDate: '2025-04-01', readingValue: '270', reason: null },
  ] as Job['meter']['meterRateTasks'][number]['readingEvents']
  await withJobs(page, (jobs) => {
    for (const { id, meter } of jobs) {
      const [first, second] = meter.meterRateTasks
      if (id !== meters.doubleTariff.id || !first || !second) continue
      first.readingEvents = events
      second.readingEvents = []
    }
    return jobs
  })
  await page.setViewportSize({ width: 1280, height: 860 })
  await page.goto(`/auswertung/${meters.doubleTariff.id}`)
  await logIn(page, letters.anna)
  await expect(page.getByText(/^Für diesen Tarif liegen noch keine Ablesungen vor: .*1\.8\.2$/)).toBeVisible()
  await page.getByRole('heading', { name: /Ablesehistorie/ }).click()
  await expect(page.getByRole('table')).toHaveCount(2)
  await expect(page.getByRole('caption')).toHaveText(['2025', '2024'])
  await expect(page.getByRole('rowheader')).toHaveText(['01.04.', '01.03.', '31.12.', '10.06.', '10.01.'])
  const row = (day: string) => page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: day }) })
  await expect(row('10.01.')).toContainText('Erste Ablesung')
  await expect(row('10.06.')).toContainText('Umzug')
  await expect(row('10.06.')).toContainText('150,5\u00A0kWh')
  await expect(row('10.06.')).toContainText('+50,5\u00A0kWh')
  await expect(row('31.12.')).toContainText('Auf Wunsch der Mieterin')
  await expect(row('01.04.')).toContainText('Ablesung')
  const estimate = row('01.03.').getByText('+60,0\u00A0kWh')
  await expect(row('01.03.')).toContainText('Schätzung')
  const color = (used: Locator) => used.evaluate((element) => getComputedStyle(element).color)
  expect(await color(estimate)).not.toBe(await color(row('31.12.').getByText('+49,5\u00A0kWh')))
  const average = row('31.12.').getByText('(+0,243\u00A0kWh pro Tag)')
  await expect(average).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Ablesehistorie HT 1.8.1', exact: true })).toBeVisible()
  const chart = page.getByRole('figure')
  await expect(chart.getByRole('img')).toHaveAccessibleName(
    'Verlauf des Zählerstands von 100,0\u00A0kWh (10.01.2024) bis 270,0\u00A0kWh (01.04.2025)',
  )
  await expect(chart.locator('.trend__end')).toHaveText(['100,0\u00A0kWh10.01.2024', '270,0\u00A0kWh01.04.2025'])
  await expect(chart.locator('rect')).toHaveCount(4)
  await expect(chart.locator('rect.trend__bar--estimate')).toHaveCount(1)
  await expect(chart.locator('.trend__entry')).toHaveText([
    'Zählerstand',
    'Schätzung',
    'Verbrauch zwischen den Ablesungen, höchstens 60,0\u00A0kWh',
  ])
  await expectAccessible(page)
  // What was opened stays so on a screen of another size.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(row('31.12.').getByText('+49,5\u00A0kWh')).toBeVisible()
  await expect(average).toBeHidden()
})

test('no number breaks inside, however long it is and narrow the screen', async ({ page }) => {
  const events = [
    { readingDate: '2023-12-31', readingValue: '100000000.001', reason: 'ANNUAL_READING' },
    { readingDate: '2024-12-31', readingValue: '777777778', reason: 'PROVIDER_CHANGE' },
    { readingDate: '2025-12-31', readingValue: '999999999.999', reason: 'ESTIMATED_READING' },
  ] as Job['meter']['meterRateTasks'][number]['readingEvents']
  await withJobs(page, (jobs) => {
    for (const { id, meter } of jobs)
      if (id === meters.doubleTariff.id) for (const task of meter.meterRateTasks) task.readingEvents = events
    return jobs
  })
  await page.setViewportSize({ width: 320, height: 844 })
  await page.goto(`/auswertung/${meters.doubleTariff.id}`)
  await logIn(page, letters.anna)
  await page.getByRole('heading', { name: 'Ablesehistorie HT 1.8.1' }).click()
  const figures = page.getByText(/\d\u00A0kWh$/).filter({ visible: true })
  await expect(page.getByText('+677.777.777,999\u00A0kWh').first()).toBeVisible()
  for (const width of [320, 360, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await expect(async () => {
      const lines = await figures.evaluateAll((elements) =>
        elements.map((element) => {
          const text = [...element.childNodes].findLast((node) => node.nodeType === Node.TEXT_NODE)
          const range = document.createRange()
          range.selectNodeContents(text ?? element)
          const boxes = [...range.getClientRects()]
          return { text: element.textContent, lines: new Set(boxes.map(({ top }) => Math.round(top))).size }
        }),
      )
      // Two ends and the highest consumption of the chart, three readings, two differences.
      expect(lines).toHaveLength(8)
      expect(lines.filter(({ lines }) => lines !== 1)).toEqual([])
    }).toPass()
    await expect.poll(() => widerBy(page)).toBe(0)
    await page.screenshot({ path: test.info().outputPath(`${width}.png`), fullPage: true })
  }
})

test('who comes to the evaluation sees the jobs as they are now, or that there are none', async ({ page }) => {
  let jobs = 3
  await withJobs(page, (all) => all.slice(0, jobs))
  await page.goto('/')
  await logIn(page, letters.anna)
  await expect(page.getByText('von 3 abgelesen')).toBeVisible()
  jobs = 0
  const asked = page.waitForRequest('**/api/pro/job?*')
  await page.getByRole('navigation').getByRole('link', { name: 'Auswertung' }).click()
  await asked
  await expect(page.getByRole('heading', { name: 'Keine Ablesung offen' })).toBeVisible()
})

test.describe('a photo', () => {
  test.use({ expectedErrors: [refusedWith(503)] })

  test('that cannot be had is not missed, and one that is on its way is given up on leaving', {
    tag: '@chromium',
  }, async ({ page }) => {
    const held: (() => void)[] = []
    let isFailing = true
    await page.route('**/result-images/*', (route) => {
      if (isFailing)
        return route.fulfill({
          status: 503,
          contentType: 'application/problem+json',
          json: { code: 'temporarily-unavailable' },
        })
      return new Promise<void>((resolve) => held.push(resolve))
    })
    await page.goto('/auswertung')
    await logIn(page, letters.anna)
    const open = page.getByRole('navigation', { name: 'Zähler' }).getByRole('link', { name: meters.done.number })
    const failed = page.waitForResponse('**/result-images/*')
    await open.click()
    await failed
    const newest = page.getByRole('row').filter({ hasText: 'Selbst abgelesen' })
    await expect(newest).toBeVisible()
    await expect(newest.getByRole('button')).toHaveCount(0)
    await expect(page.getByRole('alert')).toHaveCount(0)

    isFailing = false
    await page.getByRole('link', { name: 'Start' }).first().click()
    const begun = page.waitForRequest('**/result-images/*')
    await page.goto('/auswertung')
    await open.click()
    const request = await begun
    const givenUp = page.waitForEvent('requestfailed', (other) => other === request)
    await page.getByRole('link', { name: 'Start' }).first().click()
    await givenUp
    for (const answer of held) answer()
  })
})

test('where the tenant has no evaluation there is none', async ({ page }) => {
  await page.route('**/api/public/application', async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const response = await route.fetch()
    const settings = await response.json()
    return route.fulfill({
      response,
      json: { ...settings, features: { ...settings.features, evaluationEnabled: false } },
    })
  })
  await page.goto('/auswertung')
  await logIn(page, letters.anna)
  await expect(page.getByRole('heading', { name: 'Diese Seite gibt es nicht' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Auswertung' })).toHaveCount(0)
})
