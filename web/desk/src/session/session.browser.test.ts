import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'

const ME = { id: 'm1', name: 'Jonas Reuter', email: null, isPlatform: false, loginTenant: null, memberships: [] }
const realFetch = globalThis.fetch
const html = document.documentElement
let session: typeof import('./session.ts')

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(new Request(input, init).url)
    const ends = new Date(Date.now() + 600_000).toISOString()
    if (pathname === '/api/desk/me') return Response.json({ ...ME, idleUntil: ends, endsAt: ends })
    // The provider is not waited for: its page is this one.
    if (pathname === '/desk/logout') return Response.json({ location: '#logged-out' })
    return realFetch(input, init)
  }
  session = await import('./session.ts')
  await session.startSession()
})

beforeEach(() => {
  document.body.textContent = 'Uwe Ahrens'
})

afterEach(() => {
  html.hidden = false
  document.body.textContent = ''
})

const isShown = () => document.body.checkVisibility()

test('who has logged out leaves nothing on the screen while the next page is on its way', async () => {
  await session.logOut()
  expect(location.hash).toBe('#logged-out')
  expect(isShown()).toBe(false)
})

test('what is not kept yet stays to be seen while the browser asks', async () => {
  const ask = (event: Event) => event.preventDefault()
  addEventListener('beforeunload', ask)
  await session.logOut()
  removeEventListener('beforeunload', ask)
  expect(isShown()).toBe(true)
})

test('a page that the browser keeps for its back button shows nothing when it comes back', () => {
  dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
  expect(isShown()).toBe(false)
})
