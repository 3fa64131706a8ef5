import type { Page } from '@playwright/test'

/** A session as the API describes it, for journeys that are about the page alone. */
export async function pretendLogin(page: Page, { minutes = 30, tenants = ['birkenfurt'] } = {}): Promise<void> {
  await page.route('**/api/desk/me', (route) => {
    const until = new Date(Date.now() + minutes * 60_000).toISOString()
    const memberships = tenants.map((tenant) => ({ tenant, name: `Stadtwerke ${tenant}`, roles: ['lead'] }))
    return route.fulfill({
      json: { id: 'm1', name: 'Lena Leitung', email: 'lena@example.org', memberships, idleUntil: until, endsAt: until },
    })
  })
}
