/** What surrounds every screen. */
import { gzipSync } from 'node:zlib'
import { expect, expectAccessible, expectNoViolation, refusedWith } from '../../../portal/tests/portal.ts'
import { AT_LOGIN, heading, lead, logIn, test } from '../desk.ts'

test.describe('without a session', () => {
  test.use({ member: null, expectedErrors: [refusedWith(401)] })

  test('a button leads to the login and back to this page', async ({ page }) => {
    await page.goto('/t/birkenfurt/season?season=s1')
    const login = page.getByRole('link', { name: 'Anmelden' })
    await expect(login).toHaveAttribute(
      'href',
      '/desk/login?return=%2Ft%2Fbirkenfurt%2Fseason%3Fseason%3Ds1&tenant=birkenfurt',
    )
    await expectNoViolation(page)
    await page.goto('/login?reason=logout')
    await expect(page.getByText('Sie haben sich abgemeldet.')).toBeVisible()
    // An address that a mail broke has a way in, too.
    await page.evaluate(() => history.pushState(null, '', '/invitation/a%E0%A4%A/token'))
    await expect(login).toBeVisible()
  })
})

test('the first screen is light', async ({ page }) => {
  const come: Promise<number>[] = []
  page.on('response', (response) => {
    if (response.url().endsWith('.js')) come.push(response.body().then((body) => gzipSync(body).length))
  })
  await page.goto('/')
  await heading(page, 'Kunden suchen')
  await page.waitForLoadState('networkidle')
  const weight = (await Promise.all(come)).reduce((sum, size) => sum + size, 0)
  expect(weight).toBeGreaterThan(20 * 1024)
  expect(weight).toBeLessThan(150 * 1024)
})

test('keys find from everywhere, list themselves, and can be switched off', { tag: '@firefox' }, async ({ page }) => {
  await page.goto('/t/birkenfurt/nowhere')
  await heading(page, 'Diese Seite gibt es nicht')
  await page.keyboard.press('/')
  const field = page.getByRole('dialog').getByRole('combobox')
  await expect(field).toBeFocused()
  // Typing decides nothing: no key of the page is pressed by it.
  await field.pressSequentially('ahre?')
  await field.press('Backspace')
  await expect(page.getByRole('option', { name: /Uwe Ahrens/ })).toBeVisible()
  await expect(page.getByRole('dialog')).toHaveCount(1)
  expect(page.url()).not.toContain('ahre')
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog').getByRole('term')).toHaveText(['/', '?'])
  await expectAccessible(page)
  await page.getByLabel('Einzelne Tasten lösen Aktionen aus').press('Space')
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.reload()
  await page.getByRole('button', { name: 'Tasten' }).click()
  await expect(page.getByLabel('Einzelne Tasten lösen Aktionen aus')).not.toBeChecked()
})

test('a screen that one comes to begins at its heading, in both languages and for each tenant', async ({ page }) => {
  await page.goto('/')
  const tenant = page.getByLabel('Versorger')
  const change = page.getByRole('button', { name: 'Wechseln', exact: true })
  await tenant.selectOption('Gemeindewerke Nachbarau')
  await expect(page).toHaveURL(/\/t\/birkenfurt\/customers$/)
  // The header names the one that is worked for, and another one only while the member is about to change to it.
  await tenant.focus()
  await page.keyboard.press('Tab')
  await expect(change).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(change).toBeHidden()
  await expect(tenant).toHaveValue('birkenfurt')
  await tenant.selectOption('Gemeindewerke Nachbarau')
  await change.click()
  await expect(page).toHaveURL(/\/t\/nachbar\/customers$/)
  await page.goBack()
  await expect(page).toHaveURL(/\/t\/birkenfurt\/customers$/)
  await expect(tenant).toHaveValue('birkenfurt')
  await page.goForward()
  await expect(tenant).toHaveValue('nachbar')
  const heading = page.getByRole('heading', { level: 1 })
  await page.getByRole('button', { name: 'Sprache wechseln zu English' }).click()
  await expect(heading).toHaveText('Find customers')
  await expect(page).toHaveTitle('Find customers · Desk')
  await expectAccessible(page)
  await page.goto('/t/somebody-else/customers')
  await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible()
  await page.getByRole('link', { name: 'To the start' }).click()
  await expect(heading).toHaveText('Find customers')
  await expect(heading).toBeFocused()
  await page.evaluate(() => history.pushState(null, '', '/t/%E0%A4%A/customers'))
  await expect(page.getByRole('heading', { name: 'There is no such page' })).toBeVisible()
})

test('no network is said', async ({ page, context }) => {
  await page.goto('/')
  await heading(page, 'Kunden suchen')
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await expect(page.getByText('Keine Verbindung.')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('Keine Verbindung.')).toBeHidden()
})

test.describe('logging out', () => {
  test.use({ member: null, expectedErrors: [new RegExp(`${AT_LOGIN.source}|status of 503`)] })

  test('leaves nothing on the screen, also where the next page does not come', async ({ page }) => {
    await logIn(page, '/', lead)
    await heading(page, 'Kunden suchen')
    await page.route('**/desk/logout', (route) => route.fulfill({ json: { location: '/stopped' } }))
    // The browser stays where it is, as after a press of "Esc".
    await page.route('**/stopped', (route) => route.fulfill({ status: 204 }))
    const stopped = page.waitForResponse('**/stopped')
    await page.getByRole('button', { name: 'Abmelden' }).click()
    await stopped
    await expect(page.locator('body')).toBeHidden()
  })

  test('says so where it did not work; after a session that has ended the provider asks again', async ({
    page,
    context,
  }) => {
    await logIn(page, '/', lead)
    await heading(page, 'Kunden suchen')
    const busy = { status: 503, contentType: 'application/problem+json', json: { code: 'temporarily-unavailable' } }
    await page.route('**/desk/logout', (route) => route.fulfill(busy))
    await page.getByRole('button', { name: 'Abmelden' }).click()
    await expect(page.getByText('gerade ausgelastet')).toBeVisible()
    await page.unroute('**/desk/logout')
    // As after half an hour in which the member did nothing: the provider's session goes on.
    await context.clearCookies({ name: '__Host-desk' })
    await page.getByRole('button', { name: 'Abmelden' }).click()
    await expect(page.getByText('Beim Anmeldedienst können Sie es noch nicht sein.')).toBeVisible()
    await expectNoViolation(page)
    const asked = page.waitForRequest(/[?&]prompt=login(&|$)/)
    await page.getByRole('link', { name: 'Anmelden' }).click()
    await asked
  })
})

test('two minutes before the end it is said, and one press goes on', async ({ page }) => {
  let asked = 0
  page.on('request', (request) => {
    if (request.url().endsWith('/api/desk/me') && request.headers()['x-desk-active']) asked += 1
  })
  await page.clock.install()
  // The test does not wait half an hour for it.
  await page.route('**/api/desk/me', async (route) => {
    const response = await route.fetch()
    const me = (await response.json()) as object
    await route.fulfill({ response, json: { ...me, idleUntil: new Date(Date.now() + 60_000).toISOString() } })
  })
  await page.goto('/')
  await page.clock.runFor(2_000)
  await expect(page.getByRole('dialog', { name: 'Sie werden gleich abgemeldet' })).toBeVisible()
  await expectNoViolation(page)
  await page.unroute('**/api/desk/me')
  await page.getByRole('button', { name: 'Angemeldet bleiben' }).click()
  await expect(page.getByRole('dialog', { name: 'Sie werden gleich abgemeldet' })).toBeHidden()
  expect(asked).toBe(2)
})

test('the end after ten hours is said once, and the minutes before it can be used', async ({ page }) => {
  await page.clock.install()
  // The test does not wait ten hours for it.
  const end = new Date(Date.now() + 60_000).toISOString()
  let passed = 0
  await page.route('**/api/desk/me', async (route) => {
    const response = await route.fetch()
    const me = (await response.json()) as object
    const headers = { ...response.headers(), date: new Date(Date.now() + passed).toUTCString() }
    await route.fulfill({ response, headers, json: { ...me, idleUntil: end, endsAt: end } })
  })
  await page.goto('/')
  await page.clock.runFor(2_000)
  const dialog = page.getByRole('dialog', { name: 'Sie werden gleich abgemeldet' })
  await expect(dialog).toContainText('zehn Stunden nach der Anmeldung')
  await expectNoViolation(page)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await page.clock.runFor(30_000)
  await expect(dialog).toBeHidden()
  passed = 90_000
  await page.clock.runFor(60_000)
  const ended = page.getByRole('dialog', { name: 'Ihre Sitzung ist beendet' })
  await expect(ended).toBeVisible()
  // Who looks on without a session is not told of it at the next key, however late that comes.
  await ended.getByRole('button', { name: 'Erst einmal ansehen' }).click()
  await page.clock.runFor(360_000)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.keyboard.press('Tab')
  await page.clock.runFor(2_000)
  await expect(ended).toBeHidden()
  expect(asked).toEqual([])
})
