import type { Locator, Page } from '@playwright/test'
import type { components } from '../../../shared/contract/schema.d.ts'
import { sampleJob } from '../../../shared/testing/sample-job.ts'
import { day } from '../day.ts'
import { letters, meters } from '../demo.ts'
import { besideBrowser, plausible, wasOpen } from '../ledger.ts'
import { expect, expectAccessible, logIn, test } from '../portal.ts'

type JobPage = components['schemas']['JobPage']

test('on a phone the longest names and values are broken, not cut off', async ({ page }) => {
  const word = 'Niederspannungshauptverteilungszaehlwerk'.repeat(3)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.route('**/api/pro/job?*', async (route) => {
    const { 'if-none-match': _, ...headers } = route.request().headers()
    const response = await route.fetch({ headers })
    const answer = (await response.json()) as JobPage
    for (const { meter } of answer.jobs) {
      Object.assign(meter.meterAddress, { street: word, company: word, locationDescription: word, hint: word })
      for (const task of meter.meterRateTasks) {
        Object.assign(task, { rateName: word, preDecimals: 15, postDecimals: 6 })
        for (const event of task.readingEvents) event.readingValue = '100000000000000.123456'
        for (const result of task.readingResults) result.readingValue = '999999999999999.123456'
      }
    }
    await route.fulfill({ response, json: answer })
  })
  const cutOff = () =>
    page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('dialog[open]')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((element) => element.className || element.tagName),
    )
  const expectNothingCut = () => expect.poll(cutOff).toEqual([])
  await page.goto('/ablesung')
  await logIn(page, letters.anna)
  await expect(page.getByRole('link', { name: meters.done.number })).toBeVisible()
  await expectNothingCut()
  await page.goto(`/ablesung/${meters.done.id}`)
  await expect(page.getByText(/^999999999999999,123456/)).toBeVisible()
  await expectNothingCut()
  await page.goto(`/auswertung/${meters.done.id}`)
  await expect(page.getByText(/^999\.999\.999\.999\.999,123456/).first()).toBeVisible()
  await expectNothingCut()
  await page.goto(`/auswertung/${meters.doubleTariff.id}`)
  await expect(page.getByRole('heading', { name: /^Ablesehistorie/ }).first()).toBeVisible()
  await expectNothingCut()
  await page.goto(`/ablesung/${meters.doubleTariff.id}`)
  await page
    .getByRole('textbox', { name: /Ziffern vor dem Komma/ })
    .first()
    .fill('999999999999999')
  await page
    .getByRole('textbox', { name: /Ziffern nach dem Komma/ })
    .first()
    .fill('123456')
  await expectNothingCut()
  await page.getByRole('button', { name: 'Zählerstände senden' }).click()
  await expect(page.getByRole('dialog', { name: 'Bitte prüfen Sie Ihre Angaben' })).toBeVisible()
  await expectNothingCut()
})

test('the overview counts, warns, sorts and finds', async ({ page }) => {
  await page.goto('/ablesung')
  await logIn(page, letters.mehmet)
  await expect(page.getByRole('heading', { level: 1, name: 'Ablesung' })).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Fortschritt der Ablesung' })).toHaveAttribute('max', '6')
  await expect(page.getByRole('button', { name: 'Frist in höchstens 5 Tagen: 1 Zähler' })).toBeVisible()
  const list = page.getByRole('navigation', { name: 'Zähler' })
  await expect(list.getByRole('link').first()).toContainText(meters.due.number)
  // One day less when midnight has passed since the demo was filled.
  await expect(list.getByRole('link').first()).toContainText(/Noch [23] Tage/)

  await page.getByLabel('Zähler suchen').fill('7gmt')
  await expect(list.getByRole('link')).toHaveCount(1)
  await expect(page.getByRole('status').filter({ hasText: '1 Zähler gefunden' })).toBeAttached()
  await page.getByLabel('Zähler suchen').fill('gibt es nicht')
  await expect(page.getByText(/^Kein Zähler zu/)).toBeVisible()
})

test('a manager sees ten meters and more at once, and nothing scrolls inside of what scrolls', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await page.goto('/ablesung')
  await logIn(page, letters.manager)
  const rows = page.getByRole('navigation', { name: 'Zähler' }).getByRole('link')
  await expect(rows.first()).toBeVisible()
  const inSight = () =>
    rows.evaluateAll(
      (links) =>
        links.filter((link) => {
          const { top, bottom } = link.getBoundingClientRect()
          return top >= 0 && bottom <= window.innerHeight
        }).length,
    )
  await expect.poll(inSight).toBeGreaterThanOrEqual(10)
  await rows.nth(2).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Zählernummer/ })).toBeVisible()
  await expect.poll(inSight).toBeGreaterThanOrEqual(10)
  const nested = () =>
    rows.first().evaluate((row) => {
      const scrolls = (element: Element) => element.scrollHeight > element.clientHeight + 1
      const around: Element[] = []
      for (let element = row.parentElement; element; element = element.parentElement) around.push(element)
      const panes = around.filter((element) => scrolls(element) && getComputedStyle(element).overflowY !== 'visible')
      return { panes: panes.map((pane) => pane.className), page: scrolls(document.documentElement) }
    })
  await expect.poll(nested).toEqual({ panes: ['jobs'], page: false })
})

test('the warnings lead to what they count, and an address to its meters', async ({ page }) => {
  await page.goto('/ablesung')
  await logIn(page, letters.manager)
  const list = page.getByRole('navigation', { name: 'Zähler' })
  const soon = page.getByRole('button', { name: /^Frist in höchstens 5 Tagen: \d+ Zähler$/ })
  const count = Number(/\d+ Z/.exec(await soon.innerText())?.[0].slice(0, -2))
  await soon.click()
  await expect(soon).toHaveAttribute('aria-pressed', 'true')
  await expect(list.getByRole('heading', { name: `Noch abzulesen ${count}` })).toBeVisible()
  await expect(page.getByText(`${count} Zähler gefunden`)).toBeAttached()
  await expectAccessible(page)
  // It stays through a reload and goes by another press.
  await page.reload()
  await expect(list.getByRole('heading', { name: `Noch abzulesen ${count}` })).toBeVisible()
  await soon.click()
  await expect(list.getByRole('heading', { name: `Noch abzulesen ${count}` })).toBeHidden()
  const address = page.getByLabel('Adresse', { exact: true })
  await address.selectOption({ label: 'Schulstraße 5, 99999 Birkenfurt' })
  await expect(list.getByRole('link').first()).toContainText('Schulstraße 5 ·')
  await expect(list.getByRole('link').last()).toContainText('Schulstraße 5 ·')
})

test('a meter past its deadline that can still be sent is marked, counted and found', async ({ page }) => {
  await page.goto('/ablesung')
  await logIn(page, letters.rosa)
  const rows = page.getByRole('navigation', { name: 'Meters' }).getByRole('link')
  await expect(rows.first()).toContainText(meters.overdue.number)
  await expect(rows.first()).toContainText(/Overdue, still possible until \d/)
  await page.getByRole('button', { name: 'Overdue: 1 meter' }).click()
  await expect(rows).toHaveCount(1)
})

/** A row well in sight, once the list has come to rest: the number of its meter, and how far down it is. */
async function rowInSight(list: Locator): Promise<{ number: string; top: number }> {
  let row = { number: '', top: 0 }
  const look = () =>
    list.evaluate((nav) => {
      const rows = [...nav.querySelectorAll('a')].map((link) => ({
        number: link.querySelector('strong')?.innerText ?? '',
        top: link.getBoundingClientRect().top,
      }))
      return rows.find(({ top }) => top > window.innerHeight / 2) ?? { number: '', top: 0 }
    })
  await expect(async () => {
    const before = row
    row = await look()
    expect(row).toEqual(before)
    expect(row.number).not.toBe('')
  }).toPass({ intervals: [100] })
  return row
}

test('on a wide screen the list stays beside the meter, on a small one it comes back as it was left', async ({
  page,
}) => {
  await page.goto('/ablesung')
  await logIn(page, letters.manager)
  const list = page.getByRole('navigation', { name: 'Zähler' })
  await list.getByRole('link').nth(2).click()
  await expect(list).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

  await page.setViewportSize({ width: 390, height: 844 })
  await expect(list).toBeHidden()
  await page.getByRole('button', { name: 'Zurück' }).click()
  await expect(list).toBeVisible()
  await page.mouse.wheel(0, 4000)
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(3000)
  const { number, top } = await rowInSight(list)
  const row = list.getByRole('link', { name: new RegExp(number) })
  await row.dispatchEvent('click')
  await expect(page.getByRole('heading', { level: 1, name: number })).toBeVisible()
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(0)
  await page.goBack()
  await expect.poll(() => row.evaluate((link) => link.getBoundingClientRect().top)).toBeCloseTo(top, 0)
})

test('the keyboard goes on in the meter that was opened, not in front of the list', async ({ page }) => {
  await page.goto('/ablesung')
  await logIn(page, letters.mehmet)
  const list = page.getByRole('navigation', { name: 'Zähler' })
  const row = list.getByRole('link').first()
  await row.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: meters.due.number })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('region', { name: meters.due.number }).locator(':focus')).toBeVisible()
})

// D-PORTAL-2
test('the list shows the meter that an address opens, and comes back as it was left', async ({ page }) => {
  await page.goto('/ablesung')
  await logIn(page, letters.manager)
  const list = page.getByRole('navigation', { name: 'Zähler' })
  const pane = page.locator('.jobs')
  await expect(list.getByRole('link').first()).toBeVisible()
  await pane.evaluate((element) => element.scrollTo(0, 4000))
  const { number } = await rowInSight(list)
  await list.getByRole('link', { name: new RegExp(number) }).click()
  await expect(page.getByRole('heading', { level: 1, name: number })).toBeVisible()
  const left = await pane.evaluate((element) => element.scrollTop)

  await page.getByRole('link', { name: 'Start' }).first().click()
  await expect(list).toBeHidden()
  await page.goBack()
  await expect.poll(() => pane.evaluate((element) => element.scrollTop)).toBeCloseTo(left, -1)

  await page.reload()
  await expect(list.locator('[aria-current]')).toBeInViewport()

  const address = page.url()
  await page.goto('/ablesung')
  await page.goto(address)
  await expect(list.locator('[aria-current]')).toBeInViewport()
})

/** To another screen without a load, wherever its link is. */
const go = (page: Page, address: string) =>
  page.evaluate((to) => {
    history.pushState(null, '', to)
    dispatchEvent(new PopStateEvent('popstate'))
  }, address)

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1280, height: 860 },
]) {
  test(`the place in the list and the search outlive a reload at ${viewport.width} px, and not a logout`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport)
    await page.goto('/ablesung')
    await logIn(page, letters.manager)
    const list = page.getByRole('navigation', { name: 'Zähler' })
    await page.getByLabel('Zähler suchen').fill('a')
    await expect(page.getByRole('status').filter({ hasText: / Zähler gefunden/ })).toBeAttached()
    const top = (row: Locator) => row.evaluate((element) => element.getBoundingClientRect().top)
    const isSmall = viewport.width < 640
    const scroll = () =>
      isSmall
        ? page.evaluate(() => window.scrollTo(0, 5000))
        : page.locator('.jobs').evaluate((element) => element.scrollTo(0, 5000))
    await scroll()
    const { number, top: before } = await rowInSight(list)
    await page.reload()
    const again = list.getByRole('link', { name: new RegExp(number) })
    await expect(again).toBeInViewport()
    await expect(page.getByLabel('Zähler suchen')).toHaveValue('a')
    await expect.poll(() => top(again)).toBeCloseTo(before, -1)

    // On another screen meanwhile.
    await go(page, '/')
    await expect(list).toBeHidden()
    await page.reload()
    await expect(list).toBeHidden()
    await page.goBack()
    await expect(again).toBeInViewport()
    await expect.poll(() => top(again)).toBeCloseTo(before, -1)

    await page.getByRole('button', { name: 'Benutzermenü' }).click()
    await page.getByRole('button', { name: 'Abmelden' }).click()
    await expect(page.getByLabel('Benutzername')).toBeVisible()
    await logIn(page, letters.manager)
    await expect(page.getByRole('button', { name: 'Benutzermenü' })).toBeVisible()
    await go(page, '/ablesung')
    await expect(page.getByLabel('Zähler suchen')).toHaveValue('')
    await expect(list.getByRole('link').first()).toBeInViewport()
  })
}

test('who comes by the address of a meter gets past the list with one key', async ({ page }) => {
  await page.goto(`/ablesung/${meters.due.id}`)
  await logIn(page, letters.mehmet)
  const meter = page.getByRole('region', { name: meters.due.number })
  await expect(meter).toBeVisible()
  const skip = page.getByRole('link', { name: 'Zum geöffneten Zähler' })
  await page.reload()
  await expect(meter).toBeVisible()
  let keys = 0
  for (; keys < 20 && !(await skip.evaluate((link) => link === document.activeElement)); keys += 1)
    await page.keyboard.press('Tab')
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(meter).toBeFocused()
  const value = page.getByRole('textbox', { name: /^Zählerstand/ }).first()
  for (; keys < 30 && !(await value.evaluate((field) => field === document.activeElement)); keys += 1)
    await page.keyboard.press('Tab')
  expect(keys).toBeLessThan(20)
})

test('at 200 % zoom of a small laptop the meter beside the list is not cut off', async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 400 })
  await page.goto(`/ablesung/${meters.due.id}`)
  await logIn(page, letters.mehmet)
  const detail = page.getByRole('region', { name: meters.due.number })
  await expect(detail).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Zähler' })).toBeVisible()
  const cutOff = () =>
    page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll('.list-and-detail__detail, .list-and-detail__detail *')]
        .filter((element) => !element.closest('.visually-hidden, .amplify-visually-hidden'))
        .filter((element) => element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1)
        .map((element) => element.className || element.tagName),
    )
  await expect.poll(cutOff).toEqual([])
})

test('ten thousand jobs arrive page by page, and only the rows in sight exist', async ({ page }) => {
  // Twenty pages of five hundred jobs each go through the test.
  test.slow()
  const total = 10_000
  const lanes = ['500-3000', '3000-5500', '5500-8000', '8000-10000']
  const calls: string[] = []
  let [waiting, together, answered] = [0, 0, 0]
  await page.route(/\/api\/pro\/job(\?|$)/, async (route) => {
    const request = route.request()
    const { searchParams } = new URL(request.url())
    const [first = 0, end = total] = searchParams.get('cursor')?.split('-').map(Number) ?? []
    const limit = Number(searchParams.get('limit'))
    const tag = request.headers()['if-none-match']
    calls.push(tag ? 'revalidated' : 'fetched')
    if (tag === '"one"') return route.fulfill({ status: 304, headers: { etag: '"one"' } })
    const jobs = Array.from({ length: Math.min(limit, end - first) }, (_, index) =>
      sampleJob({
        id: `job-${first + index}`,
        meter: { meterNumber: `1EBZ${String(first + index).padStart(10, '0')}` },
      }),
    )
    const next = first + limit
    waiting += 1
    if (lanes.some((lane) => lane.startsWith(`${first}-`))) {
      // Each lane's first page waits for those of the others.
      await expect.poll(() => waiting).toBeGreaterThan(lanes.length)
      together += 1
    }
    // The end of the first lane comes after all others: the list is in its order all the same.
    if (first === 2500) await expect.poll(() => answered).toBe(19)
    const json: JobPage = { jobs, nextCursor: next < end ? `${next}-${end}` : null, ...(first === 0 && { lanes }) }
    await route.fulfill({ json, headers: { etag: '"one"' } })
    answered += 1
  })
  await page.goto('/ablesung')
  await logIn(page, letters.manager)
  const rows = page.getByRole('navigation', { name: 'Zähler' }).getByRole('link')
  await expect(page.getByText('0 von 10.000 abgelesen')).toBeVisible({ timeout: 60_000 })
  await expect.poll(() => rows.count()).toBeLessThan(60)
  expect(calls).toEqual(Array.from({ length: 20 }, () => 'fetched'))
  expect(together).toBe(lanes.length)

  await page.getByLabel('Zähler suchen').fill('0000009999')
  await expect(rows).toHaveCount(1)
  await rows.click()
  await expect(page.getByRole('heading', { level: 1, name: '1EBZ0000009999' })).toBeVisible()

  await page.getByLabel('Zähler suchen').fill('')
  const pane = page.locator('.jobs')
  await expect(async () => {
    await pane.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expect(rows.last()).toContainText('1EBZ0000009999')
  }).toPass()
  await expect.poll(() => rows.count()).toBeLessThan(60)
})

test('a portfolio that did not change costs one small answer', async ({ page }) => {
  await page.clock.install()
  await page.goto('/ablesung')
  await page.clock.runFor(1000)
  await logIn(page, letters.manager)
  await expect(page.getByRole('progressbar', { name: 'Fortschritt der Ablesung' })).toBeVisible()
  const answer = page.waitForResponse((response) => 'if-none-match' in response.request().headers())
  await page.clock.runFor(31_000)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  expect((await answer).status()).toBe(304)
  await expect(page.getByRole('progressbar', { name: 'Fortschritt der Ablesung' })).toBeVisible()
})

test('of a portfolio that changed meanwhile only what changed comes', async ({ page, request }) => {
  await page.clock.install()
  await page.goto('/ablesung')
  await page.clock.runFor(1000)
  await logIn(page, letters.manager)
  await expect(page.getByRole('progressbar', { name: 'Fortschritt der Ablesung' })).toBeVisible()

  // A meter of the manager's is read elsewhere.
  const { headers, jobs } = await besideBrowser(request, letters.manager)
  const job = jobs.filter((one) => wasOpen(one) && one.meter.meterRateTasks.length === 1)[40]
  const [task] = job?.meter.meterRateTasks ?? []
  if (!job || !task) throw new Error('The manager has no job.')
  const results = [{ taskId: task.taskId, readingValue: plausible(job).replace(',', '.') }]
  const sent = await request.post(`${process.env['ZW_SITE'] ?? ''}/api/pro/job/${job.id}/meterRateTask/result`, {
    headers,
    data: { results, readingDate: day() },
  })
  expect(sent.status()).toBe(200)

  const answer = page.waitForResponse((response) => response.url().includes('slots='))
  await page.clock.runFor(31_000)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  const changed = (await (await answer).json()) as JobPage
  expect(changed.changedSlots).toContain(job.slot)
  expect(changed.jobs.map(({ id }) => id)).toContain(job.id)
  expect(changed.jobs.length).toBeLessThan(jobs.length / 4)
  await page.getByLabel('Zähler suchen').fill(job.meter.meterNumber)
  const row = page.getByRole('navigation', { name: 'Zähler' }).getByRole('link')
  await expect(row).toHaveCount(1)
  await expect(row.locator('.period--done')).toBeVisible()
})
