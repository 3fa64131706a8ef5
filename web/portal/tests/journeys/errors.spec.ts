/** What is told of uncaught errors in the page. */
import { randomBytes } from 'node:crypto'
import { letters } from '../demo.ts'
import { browserErrors, withFault } from '../log.ts'
import { expect, follow, logIn, test } from '../portal.ts'

/** Of no other journey's page. */
const newVersion = () => randomBytes(6).toString('hex')

/** What an error may have in it that must not be told. */
const SECRET = `${letters.anna.username} ${letters.anna.password} 1EBZ0100000620`
const later = (what: string) => `setTimeout(()=>{${what}})`

test.use({ expectedErrors: [/^uncaught: |status of 500 .*\/api\/public\/browser-errors/] })

test('each is a line of the log, once, and has nothing of a person', { tag: '@chromium' }, async ({ page }) => {
  const version = newVersion()
  const thrown = later(`throw new TypeError("${SECRET}")`)
  await withFault(
    page,
    version,
    /help-page-.*\.js/,
    `for(let n=0;n<3;n++)${thrown};Promise.reject(new Error("${SECRET}"))`,
  )
  await page.goto('/')
  await logIn(page, letters.anna)
  await expect(page.getByRole('link', { name: 'Jetzt ablesen' })).toBeVisible()
  await follow(page, '/help?q=Sommer#Sommer')
  await expect.poll(() => browserErrors(version).length).toBe(2)
  const told = browserErrors(version)
  expect(told.map(({ operation }) => operation)).toEqual(['browser_error_create', 'browser_error_create'])
  expect(told.map(({ error }) => error).toSorted((one, other) => (one.kind < other.kind ? -1 : 1))).toEqual([
    {
      kind: 'error',
      name: 'TypeError',
      stack: [expect.stringMatching(/^help-page-[\w-]+\.js:1:\d+$/)],
      page: '/help',
      version,
      browser: 'chrome',
      browserVersion: expect.any(Number),
    },
    expect.objectContaining({ kind: 'rejection', name: 'Error' }),
  ])
  for (const { line } of told) {
    for (const secret of [...SECRET.split(' '), 'Sommer'])
      expect(line.toLowerCase()).not.toContain(secret.toLowerCase())
  }
})

test('a screen that cannot be drawn is told by its address without what is in it', { tag: '@chromium' }, async ({
  page,
}) => {
  const version = newVersion()
  await withFault(page, version, /registration-page-.*\.js/, `throw new RangeError("${SECRET}")`)
  await page.goto('/registrierung/m/geheimes-zeichen')
  await expect(page.getByRole('heading', { name: 'Das hat nicht geklappt' })).toBeVisible()
  await expect
    .poll(() => browserErrors(version).map(({ error: { kind, name, page } }) => [kind, name, page]))
    .toEqual([['error', 'RangeError', '/registrierung/m/:selfServiceToken']])
  expect(browserErrors(version)[0]?.line).not.toContain('geheimes')
})

test('five at most, none without a network, and none of what fails in telling', { tag: '@chromium' }, async ({
  page,
  context,
}) => {
  const version = newVersion()
  const faults = Array.from({ length: 8 }, () => later(`throw new Error()`)).join(';')
  await withFault(page, version, /help-page-.*\.js/, `globalThis.again=()=>{${faults}};${later('throw new Error()')}`)
  let told = 0
  await page.route('**/api/public/browser-errors', (route) => {
    told += 1
    return route.fulfill({ status: 500, body: '' })
  })
  await page.goto('/help')
  await expect.poll(() => told).toBe(1)
  const again = () => page.evaluate(() => (globalThis as unknown as { again: () => void }).again())
  await context.setOffline(true)
  await again()
  await context.setOffline(false)
  await page.reload()
  await expect.poll(() => told).toBe(2)
  await again()
  await expect.poll(() => told).toBe(6)
  await again()
  // What was asked for before this answer came.
  await page.evaluate(() => fetch('/api/public/application'))
  expect(told).toBe(6)
})
