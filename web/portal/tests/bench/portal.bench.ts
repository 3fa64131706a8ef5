/** The budgets of the portal: what the first screen loads, and how a list of 10,000 meters moves and is searched. */
import type { Page } from '@playwright/test'
import type { components } from '../../../shared/contract/schema.d.ts'
import { sampleJob } from '../../../shared/testing/sample-job.ts'
import { letters } from '../demo.ts'
import { onlyFirstScreen } from '../first-screen.ts'
import { expect, logIn, test } from '../portal.ts'
import { tell } from './figures.ts'

type JobPage = components['schemas']['JobPage']

const SEARCH_DELAY_MS = 250
const METERS = 10_000
/** Of so many the best counts: what else the machine does is not the portal's. */
const TIMES = 3

/** Prints a figure, and fails when it is over its budget. */
function budget(what: string, measured: number, most: number, unit: string): void {
  const [figure, limit] = [measured, most].map((value) =>
    `${value.toFixed(unit === 'KiB' ? 1 : 0)} ${unit}`.padStart(12),
  )
  test.info().annotations.push({ type: what, description: `${figure}${limit}` })
  tell(what, measured, { most, unit })
  expect.soft(measured, what).toBeLessThanOrEqual(most)
}

test('the first screen', async ({ page }) => {
  const come = await onlyFirstScreen(page, 'login')
  await page.goto('/')
  await expect(page.getByLabel('Benutzername')).toBeVisible()
  budget('first screen, JavaScript, gzipped', (await come('script')).size, 100, 'KiB')
  budget('first screen, CSS, gzipped', (await come('stylesheet')).size, 12, 'KiB')
})

test('ten thousand meters', async ({ page }) => {
  await page.route(/\/api\/pro\/job(\?|$)/, (route) => {
    const { searchParams } = new URL(route.request().url())
    const first = Number(searchParams.get('cursor') ?? 0)
    const next = Math.min(first + Number(searchParams.get('limit')), METERS)
    const jobs = Array.from({ length: next - first }, (_, index) => meter(first + index))
    const json: JobPage = { jobs, nextCursor: next < METERS ? String(next) : null }
    return route.fulfill({ json })
  })
  await page.goto('/ablesung')
  await logIn(page, letters.manager)
  await expect(page.getByText('0 von 10.000 abgelesen')).toBeVisible()
  await expect(page.getByText('wird geladen...')).toBeHidden()
  const rows = page.getByRole('navigation', { name: 'Zähler' }).getByRole('link')
  await expect(rows.first()).toBeVisible()

  await page.mouse.move(200, 600)
  const pane = page.locator('.jobs')
  const longest: number[] = []
  for (let time = 0; time < TIMES; time += 1) {
    await pane.evaluate((element) => element.scrollTo(0, 0))
    await watch(page)
    for (let turn = 0; turn < 60; turn += 1) await page.mouse.wheel(0, 1200)
    await expect.poll(() => pane.evaluate((element) => element.scrollTop)).toBeGreaterThan(60_000)
    longest.push(await longestTask(page))
  }
  budget(`longest task while ${METERS} meters scroll`, Math.min(...longest), 50, 'ms')

  await watch(page)
  await page.evaluate(() => {
    const status = document.querySelector('.jobs [role=status]')
    const took = new Promise<number>((resolve) => {
      let typed = 0
      document.addEventListener('input', () => {
        typed = performance.now()
      })
      if (status)
        new MutationObserver(() => resolve(performance.now() - typed)).observe(status, {
          childList: true,
          subtree: true,
          characterData: true,
        })
    })
    Object.assign(window, { took })
  })
  await page.getByLabel('Zähler suchen').pressSequentially('lindenweg 4999')
  const took = await page.evaluate(() => (window as unknown as { took: Promise<number> }).took)
  await expect(rows).toHaveCount(1)
  budget(`search among ${METERS} meters, after the pause`, took - SEARCH_DELAY_MS, 50, 'ms')
  budget('longest task while it is searched', await longestTask(page), 50, 'ms')
})

const meter = (index: number) =>
  sampleJob({
    id: `job-${index}`,
    customer: { customerNumber: `K${index}`, firstname: 'Lena', lastname: 'Öztürk' },
    meter: {
      meterNumber: `1EBZ${String(index).padStart(10, '0')}`,
      meterAddress: { street: 'Lindenweg', houseNumber: String(index), zip: '99999', city: 'Birkenfurt' },
    },
  })

/** Notes every task of 50 ms or more from now on. */
const watch = (page: Page) =>
  page.evaluate(() => {
    const tasks: number[] = []
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    })
    Object.assign(window, { tasks })
  })

/** The longest of them; the browser names none below 50 ms, which counts as 0. */
const longestTask = (page: Page) =>
  page.evaluate(() => Math.max(0, ...(window as unknown as { tasks: number[] }).tasks))
