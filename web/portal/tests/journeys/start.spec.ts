/** What the first screens cost: sizes and numbers of files, which are the same on every machine. How long it takes is `make bench`'s. */
import type { Page } from '@playwright/test'
import { letters } from '../demo.ts'
import { onlyFirstScreen } from '../first-screen.ts'
import { expect, test } from '../portal.ts'

/** Most that the login or the introduction may weigh, in KiB, of which React's DOM alone is 64. */
const JAVASCRIPT = 100
const CSS = 12

/** Method and path of each call of the API, in the order in which they were made. */
function calls(page: Page): string[] {
  const made: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (/^\/(api|auth)\//.test(pathname)) made.push(`${request.method()} ${pathname}${search}`)
  })
  return made
}

/** Files of each kind that have come. */
function files(page: Page) {
  const come: string[] = []
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.startsWith('/assets/')) come.push(response.request().resourceType())
  })
  return (type: string) => come.filter((other) => other === type).length
}

test('the login is light', async ({ page }) => {
  const come = await onlyFirstScreen(page, 'login')
  await page.goto('/')
  await page.getByLabel('Benutzername').fill('annaSommer')
  await page.getByRole('textbox', { name: 'Passwort' }).fill('somethingLong')
  await expect(page.getByRole('button', { name: 'Anmelden' })).toBeEnabled()
  const [script, stylesheet] = [await come('script'), await come('stylesheet')]
  expect(script.size).toBeGreaterThan(0)
  expect(script.size).toBeLessThan(JAVASCRIPT)
  expect(script.number).toBe(5)
  expect(stylesheet.size).toBeLessThan(CSS)
  expect(stylesheet.number).toBe(1)
})

test('the introduction is light', async ({ page }) => {
  const come = await onlyFirstScreen(page, 'link')
  await page.goto(`/m/${letters.anna.token}`)
  await expect(page.getByRole('link', { name: 'Jetzt ablesen' })).toBeVisible()
  const script = await come('script')
  expect(script.size).toBeLessThan(JAVASCRIPT)
  expect(script.number).toBe(5)
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

test('a link leads to the introduction while the loading screen is to be seen, and what comes next is on its way', async ({
  page,
}) => {
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 60_000)
  const rest = Promise.all(
    [/\/assets\/later-[^/]*\.js$/, /\/assets\/login-[^/]*\.js$/].map((file) => page.waitForRequest(file)),
  )
  await page.goto(`/m/${letters.anna.token}`)
  await expect(page).toHaveURL('/introduction')
  await rest
  await expect(page.locator('#loading')).toBeVisible()
  await expect(page.locator('.shell')).toHaveCount(0)
  await page.clock.resume()
  await expect(page.getByRole('link', { name: 'Jetzt ablesen' })).toBeVisible()
})

test('what comes after the login is asked for at once', async ({ page }) => {
  const link = page.waitForRequest(/\/assets\/link-[^/]*\.js$/)
  // Its file names the other one.
  await page.route(/\/assets\/later-[^/]*\.js$/, () => undefined)
  await page.goto('/')
  await expect(page.getByLabel('Benutzername')).toBeVisible()
  await link
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

test.describe('what a link needs does not come', () => {
  test.use({ expectedErrors: [/status of 503|ERR_FAILED|uncaught: unreachable/] })

  for (const [what, path, answer] of [
    ['the settings', /\/api\/public\/application$/, { status: 503, json: {} }],
    ['its file', /\/assets\/link-[^/]*\.js$/, undefined],
  ] as const)
    test(`who reloads the page goes on with the link: ${what}`, async ({ page }) => {
      await page.route(path, (route) => (answer ? route.fulfill(answer) : route.abort()))
      await page.goto(`/m/${letters.anna.token}`)
      const reload = page.getByRole('button', { name: 'Seite neu laden' })
      await expect(reload).toBeVisible()
      await expect(page).toHaveURL('/')
      await page.unroute(path)
      await reload.click()
      await expect(page).toHaveURL('/introduction')
      expect(await page.evaluate(() => history.state)).toBeNull()
    })
})

test.describe('a network that goes after the portal itself has come', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] })

  test('is waited for, and the portal begins anew', async ({ page }) => {
    const rest = /\/(?:api|auth)\/|\/assets\/(?!(?:early|index|rolldown-runtime)-)[^/]*\.js$/
    let asked = 0
    await page.clock.install()
    await page.route(rest, (route) => {
      if (route.request().url().endsWith('/api/public/application')) asked += 1
      return route.abort()
    })
    await page.goto('/')
    // More often than by a page that gives up.
    await expect
      .poll(
        async () => {
          await page.clock.runFor(5_000)
          return asked
        },
        { intervals: [100] },
      )
      .toBeGreaterThan(3)
    await page.unroute(rest)
    await page.clock.runFor(5_000)
    await expect(page.getByLabel('Benutzername')).toBeVisible()
  })
})

/** So often a file is lost: twice by each of two attempts, and once by the next. */
const LOST = 5

test.describe('a file that is lost on the way', () => {
  test.use({ expectedErrors: [/ERR_FAILED/] })

  for (const part of ['later', 'texts-de-FORMAL', 'reading-texts-de-FORMAL'])
    test(`is asked for again: ${part}`, async ({ page }) => {
      await page.clock.install()
      let lost = 0
      await page.route(new RegExp(`/assets/${part}-[^/]*\\.js$`), (route) => {
        lost += 1
        return lost > LOST ? route.continue() : route.abort()
      })
      await page.goto(`/m/${letters.anna.token}`)
      // It waits for `later`, however long that takes.
      const communication = page.getByRole('button', { name: 'Digitale Kommunikation' })
      await expect
        .poll(
          async () => {
            await page.clock.runFor(1_000)
            return communication.isVisible()
          },
          { intervals: [100] },
        )
        .toBe(true)
      const list = page.getByRole('navigation', { name: 'Zähler' })
      const onward = page.getByRole('link', { name: 'Jetzt ablesen' })
      await expect
        .poll(
          async () => {
            await page.clock.runFor(1_000)
            if (await onward.isVisible()) await onward.click()
            return list.isVisible()
          },
          { intervals: [100] },
        )
        .toBe(true)
      expect(lost).toBeGreaterThan(LOST)
    })

  test('is asked for again: the style sheet of the page itself', async ({ page }) => {
    await page.clock.install()
    let lost = 0
    await page.route(/\/assets\/index-[^/]*\.css$/, (route) => {
      lost += 1
      return lost > 2 ? route.continue() : route.abort()
    })
    await page.goto('/')
    await expect(page.getByLabel('Benutzername')).toBeVisible()
    const styles = () => page.evaluate(() => [...document.styleSheets].map(({ href }) => href ?? '').join(' '))
    await expect
      .poll(
        async () => {
          await page.clock.runFor(1_000)
          return styles()
        },
        { intervals: [100] },
      )
      .toContain('/assets/index-')
  })
})

test('from a link to the list there are few files', async ({ page }) => {
  const come = files(page)
  const fetched: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch' && request.url().includes('/assets/')) fetched.push(request.url())
  })
  await page.goto(`/m/${letters.anna.token}`)
  await page.getByRole('link', { name: 'Jetzt ablesen' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Ablesung' })).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(come('script')).toBeLessThanOrEqual(12)
  // What is fetched ahead and what is fetched for an import is one.
  expect(fetched).toEqual([...new Set(fetched)])
  expect(come('stylesheet')).toBeLessThanOrEqual(4)
})
