import { beforeEach, expect, test, vi } from 'vitest'

const DAY = 86_400_000

/** Whether the server is there, and takes every refresh token. */
let isThere = false

vi.stubGlobal('fetch', async (request: Request) => {
  if (!isThere) throw new TypeError('Failed to fetch')
  const { refreshToken } = (await request.json()) as { refreshToken: string }
  return Response.json({ token: 'h.c.s', refreshToken: `${refreshToken}'`, username: null, expiresIn: 900 })
})

// The client keeps the fetch that it finds when it is made.
const sessions = await import('./sessions.ts')
const { endOldSessions } = await import('./old-sessions.ts')
const { readSessions, writeSession } = await import('./store.ts')

/** What other tabs are told of one login; other tests' pages speak here, too. */
const told: string[] = []
let heardAll = () => {}
const otherTab = new BroadcastChannel('zaehlwerk-sessions')
otherTab.addEventListener('message', ({ data }: MessageEvent<{ kind: string; accountId: string }>) => {
  if (data.accountId === 'forgotten') told.push(data.kind)
  if (data.kind === 'last') heardAll()
})

beforeEach(async () => {
  isThere = false
  await sessions.logout()
  told.splice(0)
})

/** What is left, on opening the portal, of a login that was renewed last so many days ago, and of which ends is heard. */
async function openAfter(accountId: string, days: number) {
  const info = { id: accountId, name: accountId, parentId: null, parentName: null, language: null }
  const renewed = Date.now() - days * DAY
  await writeSession({ accountId, username: null, login: 'token', roles: [], refreshToken: 'r', renewed, info })
  await sessions.startSessions('demo')
  await endOldSessions()
  const heard: string[] = []
  sessions.onSessionEnded((ended) => heard.push(ended.accountId))()
  return { shown: sessions.currentSessions().map((shown) => shown.accountId), kept: await readSessions(), heard }
}

// D-SECURITY-5
test('a login that was not renewed for 30 days is gone, also without a network', async () => {
  expect(await openAfter('forgotten', 31)).toEqual({ shown: [], kept: [], heard: ['forgotten'] })
  // What is typed in another tab is kept there: its owner has not logged out.
  const all = new Promise<void>((resolve) => {
    heardAll = resolve
  })
  // What comes after it, too: messages keep their order.
  const tab = new BroadcastChannel('zaehlwerk-sessions')
  tab.postMessage({ kind: 'last', accountId: '' })
  await all
  tab.close()
  expect(told).toEqual(['ended'])
})

test('a younger one is there without a network', async () => {
  expect(await openAfter('remembered', 29)).toMatchObject({ shown: ['remembered'], heard: [] })
})

test('the server knows better than a clock that is wrong', async () => {
  isThere = true
  const { shown, kept, heard } = await openAfter('jumped', 700)
  expect([shown, heard]).toEqual([['jumped'], []])
  expect(kept).toMatchObject([{ refreshToken: "r'" }])
  expect(Date.now() - (kept[0]?.renewed ?? 0)).toBeLessThan(DAY)
})
