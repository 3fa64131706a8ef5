/** What is told of uncaught errors at the desk. */
import { randomBytes } from 'node:crypto'
import { browserErrors, withFault } from '../../../portal/tests/log.ts'
import { expect, follow } from '../../../portal/tests/portal.ts'
import { heading, test } from '../desk.ts'

test.use({
  expectedErrors: [
    /^uncaught: (Uwe Ahrens|RangeError|unreachable)$|\/customers\/ahrens-0815|\/assets\/members-page-[^/]*\.js/,
  ],
})

test('each is a line of the log, with the screen and without the tenant or the member', async ({ page }) => {
  const version = randomBytes(6).toString('hex')
  await withFault(page, version, /customer-page-.*\.js/, 'setTimeout(()=>{throw new TypeError("Uwe Ahrens")})')
  await page.goto('/')
  await heading(page, 'Kunden suchen')
  await follow(page, '/t/birkenfurt/customers/ahrens-0815')
  await expect.poll(() => browserErrors(version).length).toBe(1)
  const [told] = browserErrors(version)
  expect(told).toMatchObject({
    operation: 'desk_browser_error_create',
    error: { kind: 'error', name: 'TypeError', page: '/t/:tenant/customers/:id', version },
  })
  expect(told?.line).not.toMatch(/ahrens|birkenfurt|jonas|reuter/i)
})

test('a screen whose files were lost is there when it is opened again, and no fault of ours', async ({ page }) => {
  const version = randomBytes(6).toString('hex')
  // A fault of ours, by which it is known that what was told has come.
  await withFault(page, version, /audit-page-.*\.js/, 'setTimeout(()=>{throw new RangeError()})')
  await page.goto('/t/birkenfurt/customers')
  await heading(page, 'Kunden suchen')
  const files = /\/assets\/members-page-[^/]*\.js$/
  await page.route(files, (route) => route.abort())
  const open = (area: string) => page.getByRole('navigation').getByRole('link', { name: area }).click()
  await open('Mitglieder')
  await expect(page.getByRole('heading', { name: 'Das hat nicht geklappt' })).toBeVisible()
  await page.unroute(files)
  // What did not come counts as missing for a second.
  await expect(async () => {
    await open('Kunden')
    await heading(page, 'Kunden suchen')
    await open('Mitglieder')
    await expect(page.getByRole('heading', { level: 1, name: 'Mitglieder' })).toBeVisible({ timeout: 500 })
  }).toPass()
  await open('Nachweise')
  await expect.poll(() => browserErrors(version).map(({ error }) => error.name)).toEqual(['RangeError'])
})
