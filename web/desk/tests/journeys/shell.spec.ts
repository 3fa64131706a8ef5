/** What surrounds every screen. */
import { gzipSync } from 'node:zlib'
import {
  expect,
  expectAccessible,
  expectNoViolation,
  refusedWith,
  test,
  widerBy,
} from '../../../portal/tests/portal.ts'
import { pretendLogin } from '../desk.ts'

const search = {
  customers: [{ account: 'K-1', name: 'Anna Acker', street: 'Ahornweg', houseNumber: '3', city: 'Ort' }],
}

test.describe('without a session', () => {
  test.use({ expectedErrors: [refusedWith(401)] })

  test('a button leads to the login and back to this page', async ({ page }) => {
    await page.goto('/t/birkenfurt/season?season=s1')
    const login = page.getByRole('link', { name: 'Anmelden' })
    await expect(login).toHaveAttribute('href', '/desk/login?return=%2Ft%2Fbirkenfurt%2Fseason%3Fseason%3Ds1')
    await expectNoViolation(page)
    await page.goto('/login?reason=logout')
    await expect(page.getByText('Sie haben sich abgemeldet.')).toBeVisible()
  })
})

test.describe('with one', () => {
  test.beforeEach(({ page }) => pretendLogin(page, { tenants: ['birkenfurt', 'nachbar'] }))

  test('the first screen is light', async ({ page }) => {
    let weight = 0
    page.on('response', (response) => {
      if (response.url().endsWith('.js')) void response.body().then((body) => (weight += gzipSync(body).length))
    })
    await page.goto('/')
    await expect(page.getByRole('heading', { name: 'Kunden suchen' })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(weight).toBeGreaterThan(20 * 1024)
    expect(weight).toBeLessThan(150 * 1024)
  })

  test('keys find from everywhere, list themselves, and can be switched off', async ({ page }) => {
    await page.route('**/api/desk/tenants/birkenfurt/search', (route) => route.fulfill({ json: search }))
    await page.goto('/t/birkenfurt/nowhere')
    await expect(page.getByRole('heading', { name: 'Diese Seite gibt es nicht' })).toBeVisible()
    await page.keyboard.press('/')
    const field = page.getByRole('dialog').getByRole('combobox')
    await expect(field).toBeFocused()
    // Typing decides nothing: no key of the page is pressed by it.
    await field.pressSequentially('ack?')
    await expect(page.getByRole('option', { name: /Anna Acker/ })).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(1)
    expect(page.url()).not.toContain('ack')
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
    await page.getByLabel('Versorger').selectOption('Stadtwerke nachbar')
    await expect(page).toHaveURL(/\/t\/nachbar\/customers$/)
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
  })

  test('nothing is wider than the window, and a contrast theme leaves everything to be told', async ({ page }) => {
    await page.emulateMedia({ forcedColors: 'active' })
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const width of [320, 390, 768, 1280, 1920]) {
      await page.setViewportSize({ width, height: 800 })
      expect(await widerBy(page)).toBeLessThanOrEqual(0)
    }
    await expectNoViolation(page)
  })

  test('no network is said', async ({ page, context }) => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    await context.setOffline(true)
    await expect(page.getByText('Keine Verbindung.')).toBeVisible()
    await context.setOffline(false)
    await expect(page.getByText('Keine Verbindung.')).toBeHidden()
  })
})

test('an invitation says who invites to what and who would accept, and only a button accepts', async ({ page }) => {
  await pretendLogin(page)
  let accepted = 0
  await page.route('**/api/desk/invitations/birkenfurt/secret', (route) => {
    if (route.request().method() === 'POST') {
      accepted += 1
      return route.fulfill({ status: 204 })
    }
    const invitation = {
      tenant: 'birkenfurt',
      name: 'Stadtwerke Birkenfurt',
      roles: ['clerk'],
      invitedBy: 'Lena Leitung',
    }
    return route.fulfill({ json: { ...invitation, expiresAt: '2026-11-29T10:00:00Z', acceptedBy: 'Carla Clerk' } })
  })
  await page.goto('/invitation/birkenfurt/secret')
  await expect(page.getByText('Lena Leitung lädt Sie ein, für Stadtwerke Birkenfurt zu arbeiten.')).toBeVisible()
  await expect(page.getByText('Sie sind angemeldet als Carla Clerk.')).toBeVisible()
  await expectAccessible(page)
  expect(accepted).toBe(0)
  await page.getByRole('button', { name: 'Einladung annehmen' }).click()
  await expect(page).toHaveURL(/\/t\/birkenfurt\/customers$/)
  expect(accepted).toBe(1)
})

test.describe('logging out', () => {
  test.use({ expectedErrors: [/status of (401|503)/] })

  test('leads to the login, and says so where it did not work', async ({ page }) => {
    await pretendLogin(page)
    const problem = (status: number, code: string) => ({
      status,
      contentType: 'application/problem+json',
      json: { code },
    })
    await page.route('**/desk/logout', (route) => route.fulfill(problem(503, 'temporarily-unavailable')))
    await page.goto('/')
    await page.getByRole('button', { name: 'Abmelden' }).click()
    await expect(page.getByText('gerade ausgelastet')).toBeVisible()
    await page.route('**/desk/logout', (route) => route.fulfill(problem(401, 'session-ended')))
    await page.getByRole('button', { name: 'Abmelden' }).click()
    await expect(page.getByText('Sie haben sich abgemeldet.')).toBeVisible()
  })
})

test.describe('when it ends', () => {
  test.use({ expectedErrors: [refusedWith(401)] })

  test('two minutes before it is said, and one press goes on', async ({ page }) => {
    let asked = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/api/desk/me') && request.headers()['x-desk-active']) asked += 1
    })
    await page.clock.install()
    await pretendLogin(page, { minutes: 1 })
    await page.goto('/')
    await page.clock.runFor(2_000)
    await expect(page.getByRole('dialog', { name: 'Sie werden gleich abgemeldet' })).toBeVisible()
    await expectNoViolation(page)
    await pretendLogin(page)
    await page.getByRole('button', { name: 'Angemeldet bleiben' }).click()
    await expect(page.getByRole('dialog', { name: 'Sie werden gleich abgemeldet' })).toBeHidden()
    expect(asked).toBe(2)
  })

  test('what was typed stays, and the call is made once more after a login in a second window', async ({
    page,
    context,
  }) => {
    await pretendLogin(page)
    let calls = 0
    await page.route('**/api/desk/tenants/birkenfurt/search', (route) => {
      calls += 1
      const problem = { status: 401, contentType: 'application/problem+json', json: { code: 'session-ended' } }
      return route.fulfill(calls === 1 ? problem : { json: search })
    })
    await page.goto('/')
    await page.getByRole('combobox', { name: /Name, Straße/ }).fill('acker')
    const dialog = page.getByRole('dialog', { name: 'Ihre Sitzung ist beendet' })
    await expect(dialog).toBeVisible()
    await expect(dialog.getByRole('link')).toHaveAttribute('href', '/desk/login?return=%2Flogin%2Fdone')
    const second = await context.newPage()
    await pretendLogin(second)
    await second.goto('/login/done')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('option', { name: /Anna Acker/ })).toBeVisible()
    await expect(page.getByRole('combobox', { name: /Name, Straße/ })).toHaveValue('acker')
    expect(calls).toBe(2)
  })
})
