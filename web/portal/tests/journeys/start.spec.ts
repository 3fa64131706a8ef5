/** What the first screens cost: sizes and numbers of files, which are the same on every machine. How long it takes is `make bench`'s. */
import { gzipSync } from 'node:zlib'
import type { Page } from '@playwright/test'
import { letters } from '../demo.ts'
import { expect, test } from '../portal.ts'

const KIB = 1024
/** Most that the login may weigh, in KiB; the goal is 100, of which React's DOM alone is 64. */
const JAVASCRIPT = 120

/** Method and path of each call of the API, in the order in which they were made. */
function calls(page: Page): string[] {
  const made: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (/^\/(api|auth)\//.test(pathname)) made.push(`${request.method()} ${pathname}${search}`)
  })
  return made
}

/** Files of a kind that have come, with their sizes in KiB, gzipped. */
function files(page: Page) {
  const come: Promise<{ type: string; size: number }>[] = []
  page.on('response', (response) => {
    const type = response.request().resourceType()
    const { pathname } = new URL(response.url())
    if (pathname.startsWith('/assets/'))
      come.push(response.body().then((body) => ({ type, size: gzipSync(body).length / KIB })))
  })
  return async (type: string) => {
    const sizes = (await Promise.all(come)).filter((file) => file.type === type).map(({ size }) => size)
    return { number: sizes.length, size: sizes.reduce((sum, size) => sum + size, 0) }
  }
}

test('the login is light', async ({ page }) => {
  const come = files(page)
  await page.goto('/', { waitUntil: 'networkidle' })
  await expect(page.getByRole('heading', { name: 'Zählerstand melden' })).toBeVisible()
  const [script, stylesheet] = [await come('script'), await come('stylesheet')]
  expect(script.size).toBeGreaterThan(0)
  expect(script.size).toBeLessThan(JAVASCRIPT)
  expect(script.number).toBeLessThanOrEqual(4)
  expect(stylesheet.size).toBeLessThan(22)
})

test('after a link the calls are made before the portal is there, and once', async ({ page }) => {
  const made = calls(page)
  const certain = [
    'GET /api/public/application',
    'POST /auth/token',
    'GET /api/pro/job?limit=500',
    'GET /api/pro/account/info',
  ]
  // The portal itself comes when its answers are there already.
  const answered = page.waitForResponse(/\/api\/pro\/account\/info/)
  await page.route(/\/assets\/index-[^/]*\.js$/, async (route) => {
    await answered
    expect(made).toEqual(certain)
    await route.continue()
  })
  await page.goto(`/m/${letters.anna.token}`)
  await expect(page.getByRole('link', { name: 'Jetzt ablesen' })).toBeVisible()
  await expect(page).toHaveURL('/introduction')
  expect(made.filter((call) => certain.includes(call))).toEqual(certain)
})

test.describe('without the portal itself', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] })

  test('who reloads before it has come is logged in all the same', async ({ page }) => {
    let isCut = true
    await page.route(/\/assets\/index-[^/]*\.js$/, (route) => (isCut ? route.abort() : route.continue()))
    await page.goto(`/m/${letters.anna.token}`)
    await expect(page).toHaveURL('/')
    isCut = false
    await page.reload()
    await expect(page).toHaveURL('/introduction')
    expect(await page.evaluate(() => history.state)).toBeNull()
  })
})

test('from a link to the list there are few files', async ({ page }) => {
  const come = files(page)
  await page.goto(`/m/${letters.anna.token}`)
  await page.getByRole('link', { name: 'Jetzt ablesen' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ablesung' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect((await come('script')).number).toBeLessThanOrEqual(12)
  expect((await come('stylesheet')).number).toBeLessThanOrEqual(4)
})
