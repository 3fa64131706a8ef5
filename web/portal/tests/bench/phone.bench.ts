/** What a reader's phone makes of the portal. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { APIResponse, Browser, CDPSession, Page } from '@playwright/test'
import type { components } from '../../../shared/contract/schema.d.ts'
import { sampleJob } from '../../../shared/testing/sample-job.ts'
import { letters, meters } from '../demo.ts'
import { expectInstalled, expectSeen } from '../device.ts'
import { expect, logIn, test } from '../portal.ts'
import { tell } from './figures.ts'
import { blocked, forget, longest, noted, observe, PHONE, quantile, slowDown } from './phone.ts'
import { compressedSite } from './site.ts'

const LOADS = 5
const JOBS = 10_000
const STARTS = 3
const SCROLLS = 3

test.describe.configure({ timeout: 180_000 })

/** First visit of a page: largest paint, time blocked, kilobytes. */
async function load(browser: Browser, url: string, heading: string) {
  const context = await browser.newContext({ ...PHONE, serviceWorkers: 'block' })
  const page = await context.newPage()
  await observe(page)
  const session = await slowDown(page, { network: true })
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  await page.goto(url)
  await expect(page.getByRole('heading', { name: heading }).first()).toBeVisible({ timeout: 30_000 })
  await page.waitForLoadState('networkidle')
  const result = await noted(page)
  await context.close()
  return { largest: result.largest, blocked: blocked(result), kilobytes: bytes / 1000 }
}

test('first route, beside the same page with Amplify UI as it comes', async ({ browser }, info) => {
  const plain = info.outputPath('amplify')
  const vite = fileURLToPath(new URL('../../../../node_modules/vite/bin/vite.js', import.meta.url))
  const source = fileURLToPath(new URL('amplify', import.meta.url))
  await promisify(execFile)(process.execPath, [vite, 'build', source, '--outDir', plain, '--emptyOutDir'])
  const pages = { portal: await compressedSite(), amplify: await compressedSite(plain) }
  const loads: Record<string, Awaited<ReturnType<typeof load>>[]> = { portal: [], amplify: [] }
  for (let round = 0; round < LOADS; round++) {
    for (const [name, site] of Object.entries(pages)) {
      loads[name]?.push(await load(browser, site.url, 'Zählerstand melden'))
    }
  }
  for (const [name, results] of Object.entries(loads)) {
    for (const figure of ['largest', 'blocked', 'kilobytes'] as const) {
      tell(`${name} ${figure}`, quantile(results.map((result) => result[figure])))
    }
  }
  await Promise.all(Object.values(pages).map((site) => site.close()))
})

test('typing a reading', async ({ page }) => {
  await page.setViewportSize(PHONE.viewport)
  await observe(page)
  await page.goto(`/ablesung/${meters.doubleTariff.id}`)
  await logIn(page, letters.anna)
  const field = page.getByRole('textbox', { name: /vor dem Komma/ }).first()
  await expect(field).toBeVisible()
  await slowDown(page, { network: false })
  await forget(page)
  await field.pressSequentially('047123', { delay: 120 })
  await expect(field).toHaveValue(/123$/)
  tell('typing interaction', (await noted(page)).interaction)
})

const loginOf = async (answer: APIResponse) =>
  ((await answer.json()) as components['schemas']['JobPage']).jobs[0]?.login

/** What a row of the list has to show beside the number in most portfolios: where the meter hangs, and until when it is read. */
const FULL_ROW = {
  meterAddress: {
    street: 'Lindenweg',
    zip: '99999',
    city: 'Birkenfurt',
    lastname: 'Öztürk',
    locationDescription: 'Keller',
  },
  jobConstraints: { earliestExecution: '2026-01-01', latestExecution: '2099-12-31' },
}

/** Ten thousand jobs in place of the account's. */
async function manyJobs(page: Page, { meterAddress, jobConstraints }: Partial<typeof FULL_ROW> = {}): Promise<void> {
  let login: string | undefined
  await page.route(/\/api\/pro\/job(\?|$)/, async (route) => {
    const { searchParams } = new URL(route.request().url())
    const [first, limit] = [Number(searchParams.get('cursor') ?? 0), Number(searchParams.get('limit') ?? 500)]
    // Kept on the device are jobs of the account alone.
    login ??= await loginOf(await route.fetch())
    const jobs = Array.from({ length: Math.min(limit, JOBS - first) }, (_, index) =>
      sampleJob({
        id: `job-${first + index}`,
        ...(login && { login }),
        ...(jobConstraints && { jobConstraints }),
        meter: {
          meterNumber: `1EBZ${String(first + index).padStart(10, '0')}`,
          ...(meterAddress && { meterAddress: { ...meterAddress, houseNumber: String(index) } }),
        },
      }),
    )
    const next = first + limit
    const json: components['schemas']['JobPage'] = { jobs, nextCursor: next < JOBS ? String(next) : null }
    await route.fulfill({ json, headers: { etag: '"one"' } })
  })
}

/** A page beside this one, on the same phone, with nothing to draw where the other has its list: the machine's own frames. */
async function emptyPage(page: Page): Promise<{ page: Page; session: CDPSession }> {
  const length = await page.evaluate(() => document.documentElement.scrollHeight)
  const plain = await page.context().newPage()
  await plain.setViewportSize(PHONE.viewport)
  await observe(plain)
  await plain.goto('about:blank')
  await plain.setContent(`<p style="block-size: ${length}px"></p>`)
  return { page: plain, session: await slowDown(plain, { network: false }) }
}

/** Of a hundred frames five take longer than this while the page is scrolled so, in milliseconds. */
async function slowFrame(page: Page, scroll: () => Promise<unknown>): Promise<number> {
  await page.evaluate(() => window.scrollTo(0, 0))
  await forget(page)
  await scroll()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(9_000)
  return quantile((await noted(page)).frames, 0.95)
}

/** As a thumb that is in a hurry moves it, and the fast wheel of a mouse: 4,000 pixels a second. */
async function flung(page: Page, session: CDPSession): Promise<number> {
  const gesture = { x: 200, y: 400, yDistance: -10_000, speed: 4_000, preventFling: true } as const
  return await slowFrame(page, () =>
    session.send('Input.synthesizeScrollGesture', { ...gesture, gestureSourceType: 'mouse' }),
  )
}

/** As only the bar beside the page is dragged: half a screen in every frame. */
const dragged = (page: Page) =>
  slowFrame(page, async () => {
    for (let turn = 0; turn < 60; turn++) await page.mouse.wheel(0, 500)
  })

test('ten thousand jobs: scrolling', async ({ page }) => {
  await page.setViewportSize(PHONE.viewport)
  await observe(page)
  await manyJobs(page, FULL_ROW)
  await page.goto('/ablesung')
  await logIn(page, letters.manager)
  await expect(page.getByText('0 von 10.000 abgelesen')).toBeVisible({ timeout: 60_000 })
  const list = { page, session: await slowDown(page, { network: false }) }
  const plain = await emptyPage(page)
  const figures: Record<string, number[]> = {}
  for (const [name, one] of Object.entries({ '': list, 'empty ': plain })) {
    await one.page.bringToFront()
    await one.page.mouse.move(200, 400)
    for (let round = 0; round < SCROLLS; round++) {
      for (const [way, scroll] of Object.entries({ scroll: flung, drag: dragged })) {
        const what = `${name}${way} frame p95`
        figures[what] = [...(figures[what] ?? []), await scroll(one.page, one.session)]
      }
    }
  }
  await plain.page.close()
  for (const [what, values] of Object.entries(figures)) tell(what, quantile(values))
})

test('ten thousand jobs: searching, saving', async ({ page }) => {
  await observe(page)
  await manyJobs(page)
  await page.goto('/ablesung')
  await logIn(page, letters.manager)
  await expect(page.getByText('0 von 10.000 abgelesen')).toBeVisible({ timeout: 60_000 })
  await slowDown(page, { network: false })
  await forget(page)
  const search = page.getByLabel('Zähler suchen')
  const rows = page.getByRole('navigation', { name: 'Zähler' }).getByRole('link')
  await search.pressSequentially('0000009999', { delay: 120 })
  await expect(rows).toHaveCount(1)
  const searched = await noted(page)
  tell('search interaction', searched.interaction)
  tell('search longest task', longest(searched))

  await search.fill('')
  await expect(rows.nth(5)).toBeVisible()
  await forget(page)
  const saved = page.waitForEvent('download', { timeout: 60_000 })
  const begin = Date.now()
  await page.getByRole('button', { name: 'Excel-Export' }).click()
  await saved
  tell('xlsx', Date.now() - begin)
  tell('xlsx longest task', longest(await noted(page)))
})

test.describe('installed', () => {
  test.use({ serviceWorkers: 'allow', expectedErrors: [/net::ERR_INTERNET_DISCONNECTED/] })

  for (const { what, customer, isLarge } of [
    { what: 'offline start', customer: letters.anna, isLarge: false },
    { what: 'offline start with 10,000 jobs', customer: letters.manager, isLarge: true },
  ]) {
    test(what, async ({ page, context }) => {
      await page.setViewportSize(PHONE.viewport)
      if (isLarge) await manyJobs(page)
      await page.goto('/ablesung')
      await logIn(page, customer)
      if (isLarge) await expect(page.getByText('0 von 10.000 abgelesen')).toBeVisible({ timeout: 60_000 })
      else await expect(page.getByRole('heading', { level: 1, name: 'Ablesung' })).toBeVisible()
      await expectInstalled(page)
      // The tag comes when all jobs are on the device.
      await expectSeen(page, isLarge ? String.raw`"\"one\""` : 'tag/')
      await page.close()
      await context.setOffline(true)
      const starts: number[] = []
      for (let start = 0; start < STARTS; start++) {
        const started = await context.newPage()
        await observe(started)
        await slowDown(started, { network: false })
        const begin = Date.now()
        await started.goto('/ablesung')
        await expect(started.getByRole('navigation', { name: 'Zähler' }).getByRole('link').first()).toBeVisible()
        starts.push(Date.now() - begin)
        await started.close()
      }
      tell(what, quantile(starts))
    })
  }
})
