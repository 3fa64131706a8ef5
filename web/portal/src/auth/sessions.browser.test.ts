import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deferred } from '@shared/testing/deferred.ts'
import type { StoredSession } from '@/device/db.ts'
import { type AccessToken, fresh } from './access-token.ts'

type Sessions = typeof import('./sessions.ts')

const MINUTE = 60_000

/** What the server knows: the refresh tokens that are still good, and what it was asked. */
const server = {
  valid: new Set<string>(),
  presented: [] as string[],
  loggedOut: [] as string[],
  /** What every account may do. */
  roles: [] as string[],
  answer: 'rotate' as 'rotate' | 'nothing' | 'overloaded' | 'later' | 'much later' | 'stranger',
  /** Answers wait for this. */
  gate: Promise.resolve(),
}

let issued = 0

function accessTokenFor(accountId: string): string {
  issued += 1
  const claims = { accountId, roles: server.roles, login: 'token', jti: issued }
  return `h.${btoa(JSON.stringify(claims)).replaceAll('=', '')}.s`
}

/** What a login has just brought. */
const accessFor = (accountId: string): AccessToken => fresh(accessTokenFor(accountId), 15 * MINUTE)

async function respond(request: Request): Promise<Response> {
  const body = (await request.json()) as { refreshToken: string }
  if (request.url.endsWith('/auth/logout')) {
    server.loggedOut.push(body.refreshToken)
    return new Response(null, { status: 204 })
  }
  server.presented.push(body.refreshToken)
  await Promise.race([server.gate, given(request.signal)])
  if (server.answer === 'nothing') throw new TypeError('Failed to fetch')
  if (server.answer === 'later') return problem(429, 'too-many-renewals', { 'retry-after': '600' })
  if (server.answer === 'much later') return problem(429, 'too-many-renewals', { 'retry-after': '2592000' })
  if (server.answer === 'stranger')
    return new Response('<h1>Later</h1>', {
      status: 503,
      headers: { 'content-type': 'text/html', 'retry-after': '2592000' },
    })
  if (server.answer === 'overloaded') return problem(503, 'temporarily-unavailable')
  if (!server.valid.delete(body.refreshToken)) return problem(401, 'refresh-invalid')
  const [accountId = '', count = '0'] = body.refreshToken.split('.')
  const refreshToken = `${accountId}.${Number(count) + 1}`
  server.valid.add(refreshToken)
  return Response.json({ token: accessTokenFor(accountId), refreshToken, username: null, expiresIn: 900 })
}

/** Rejects when the caller gives up. */
const given = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new DOMException('', 'AbortError')))
  })

const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ code, status }), {
    status,
    headers: { 'content-type': 'application/problem+json', ...headers },
  })

const session = (accountId: string): StoredSession => ({
  accountId,
  username: null,
  login: 'token',
  roles: [],
  refreshToken: `${accountId}.0`,
  info: { id: accountId, name: accountId, parentId: null, parentName: null, language: null },
})

const channels: BroadcastChannel[] = []
const Channel = globalThis.BroadcastChannel
let tabs = 0
let store: typeof import('./store.ts')

/** A tab of its own: the module once more, over the same database, locks and channel. */
async function openTab(): Promise<Sessions> {
  tabs += 1
  const tab = (await import(/* @vite-ignore */ `./sessions.ts?tab=${tabs}`)) as Sessions
  await tab.startSessions('demo')
  return tab
}

beforeEach(async () => {
  // The clock stands still unless a test moves it: how fast the machine is plays no part.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  vi.stubGlobal('fetch', vi.fn(respond))
  vi.stubGlobal(
    'BroadcastChannel',
    class extends Channel {
      constructor(name: string) {
        super(name)
        channels.push(this)
      }
    },
  )
  Object.assign(server, {
    valid: new Set(),
    presented: [],
    loggedOut: [],
    roles: [],
    answer: 'rotate',
    gate: Promise.resolve(),
  })
  store = await import('./store.ts')
  for (const { accountId } of await store.readSessions()) await store.deleteSession(accountId)
})

afterEach(() => {
  for (const channel of channels.splice(0)) channel.close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function holdAnswers(): () => void {
  const { promise, resolve } = deferred()
  server.gate = promise
  return resolve
}

const inRealTime = globalThis.setTimeout

/** Waits without moving the tests' clock, as `expect.poll` does. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => inRealTime(resolve, 10))
}

async function stored(accountId: string): Promise<void> {
  server.valid.add(`${accountId}.0`)
  await store.writeSession(session(accountId))
}

test('calls at the same time share one refresh', async () => {
  await stored('one')
  const tab = await openTab()
  const tokens = await Promise.all([1, 2, 3].map(() => tab.accessToken('one')))
  expect(new Set(tokens).size).toBe(1)
  expect(server.presented).toEqual(['one.0'])
  expect((await store.readSession('one'))?.refreshToken).toBe('one.1')
})

test('calls at the same time share a failure, too', async () => {
  const open = holdAnswers()
  server.answer = 'nothing'
  await stored('shared-failure')
  const tab = await openTab()
  const calls = [1, 2, 3].map(() => tab.accessToken('shared-failure'))
  open()
  for (const call of await Promise.allSettled(calls)) expect(call.status).toBe('rejected')
  expect(server.presented).toHaveLength(1)
})

test('two tabs never spend the same refresh token', async () => {
  const open = holdAnswers()
  await stored('two')
  const [a, b] = [await openTab(), await openTab()]
  const calls = [a.accessToken('two'), b.accessToken('two')]
  await expect.poll(async () => (await navigator.locks.query()).pending?.length).toBe(1)
  open()
  await Promise.all(calls)
  expect(new Set(server.presented).size).toBe(server.presented.length)
  expect(a.currentSessions()).toHaveLength(1)
  expect(b.currentSessions()).toHaveLength(1)
})

test('a token is replaced in the background 60 s before its end', async () => {
  const tab = await openTab()
  server.valid.add('ahead.0')
  await tab.addSession(session('ahead'), accessFor('ahead'), false)
  await vi.advanceTimersByTimeAsync(13 * MINUTE)
  expect(server.presented).toEqual([])
  await vi.advanceTimersByTimeAsync(MINUTE + 5000)
  await expect.poll(() => server.presented).toEqual(['ahead.0'])
  await expect.poll(async () => (await store.readSession('ahead'))?.refreshToken).toBe('ahead.1')
  expect(await tab.accessToken('ahead')).toBeTruthy()
})

test('the roles are those of the last token, in all tabs and after a reload', async () => {
  await stored('promoted')
  const [here, there] = [await openTab(), await openTab()]
  const mayRead = (tab: Sessions) => tab.currentSessions().some((session) => tab.hasRoles(session, 'ROLE_READER'))
  const first = await here.accessToken('promoted')
  await expect.poll(() => there.accessToken('promoted')).toBe(first)
  expect([here, there].map(mayRead)).toEqual([false, false])
  server.roles = ['ROLE_READER']
  await vi.advanceTimersByTimeAsync(5000)
  await here.replaceToken('promoted', first)
  expect(mayRead(here)).toBe(true)
  await expect.poll(() => mayRead(there)).toBe(true)
  expect(mayRead(await openTab())).toBe(true)
})

test('a call replaces a token that has less than 30 s left', async () => {
  const tab = await openTab()
  server.valid.add('demand.0')
  const first = accessFor('demand')
  await tab.addSession(session('demand'), first, false)
  expect(await tab.accessToken('demand')).toBe(first.token)
  server.answer = 'nothing'
  await vi.advanceTimersByTimeAsync(14.2 * MINUTE)
  expect(await tab.accessToken('demand')).toBe(first.token)
  await vi.advanceTimersByTimeAsync(0.5 * MINUTE)
  server.answer = 'rotate'
  expect(await tab.accessToken('demand')).not.toBe(first.token)
})

test('without an answer the session stays and is tried again every 30 s', async () => {
  server.answer = 'nothing'
  await stored('offline')
  const tab = await openTab()
  /** Goes on until an attempt has come to its end, and the next one has its time. */
  const attempt = async (milliseconds: number, count: number) => {
    await vi.advanceTimersByTimeAsync(milliseconds)
    await until(() => server.presented.length === count && vi.getTimerCount() === 1)
  }
  await attempt(0, 1)
  await vi.advanceTimersByTimeAsync(29_999)
  expect(vi.getTimerCount()).toBe(1)
  expect(server.presented).toHaveLength(1)
  await attempt(1, 2)
  expect(tab.currentSessions()).toHaveLength(1)
  server.answer = 'rotate'
  await attempt(30_000, 3)
  expect(await tab.accessToken('offline')).toBeTruthy()
  expect(server.presented).toHaveLength(3)
})

test('a connection that died in silence holds nobody up for ever', async () => {
  const limit = new AbortController()
  const patience = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  await stored('silent')
  const tab = await openTab()
  holdAnswers()
  const token = tab.accessToken('silent')
  const outcome = token.then(
    () => 'a token',
    (error: { code: string }) => error.code,
  )
  await until(() => server.presented.length > 0)
  expect(patience).toHaveBeenCalledWith(30_000)
  limit.abort()
  patience.mockRestore()
  expect(await outcome).toBe('unreachable')
  expect(tab.currentSessions()).toHaveLength(1)
  server.gate = Promise.resolve()
  expect(await tab.accessToken('silent')).toBeTruthy()
})

test('a token that is refused at once is replaced some seconds after it came', async () => {
  await stored('refused-at-once')
  const tab = await openTab()
  const first = await tab.accessToken('refused-at-once')
  const replaced = tab.replaceToken('refused-at-once', first)
  await vi.advanceTimersByTimeAsync(4000)
  expect(server.presented).toEqual(['refused-at-once.0'])
  await vi.advanceTimersByTimeAsync(1000)
  expect(await replaced).not.toBe(first)
  expect(server.presented).toEqual(['refused-at-once.0', 'refused-at-once.1'])
})

test('who is told to come later does', async () => {
  server.answer = 'later'
  await stored('patient')
  const tab = await openTab()
  await vi.advanceTimersByTimeAsync(0)
  await until(() => server.presented.length === 1 && vi.getTimerCount() === 1)
  for (let calls = 0; calls < 3; calls += 1)
    await expect(tab.accessToken('patient')).rejects.toMatchObject({ code: 'too-many-renewals', retryAfter: 600 })
  expect(server.presented).toHaveLength(1)
  expect(tab.currentSessions()).toHaveLength(1)
  server.answer = 'rotate'
  await vi.advanceTimersByTimeAsync(599_000)
  expect(server.presented).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(2000)
  await expect.poll(() => server.presented).toHaveLength(2)
})

// D-LOGIN-11
test('whoever stands in between does not say when an account may come again', async () => {
  server.answer = 'stranger'
  await stored('hasty')
  const tab = await openTab()
  for (let calls = 0; calls < 2; calls += 1)
    await expect(tab.accessToken('hasty')).rejects.toMatchObject({ code: 'temporarily-unavailable' })
  expect(server.presented.length).toBeGreaterThan(1)
  server.answer = 'rotate'
  await expect(tab.accessToken('hasty')).resolves.toMatch(/^h\./)
})

test('nobody is told to come later than in an hour', async () => {
  server.answer = 'much later'
  await stored('overdue')
  const tab = await openTab()
  await expect(tab.accessToken('overdue')).rejects.toMatchObject({ code: 'too-many-renewals' })
  await until(() => vi.getTimerCount() === 1)
  server.answer = 'rotate'
  await vi.advanceTimersByTimeAsync(3_500_000)
  expect(server.presented).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(101_000)
  await expect.poll(() => server.presented).toHaveLength(2)
})

test('who listens later learns what ended before', async () => {
  await store.writeSession(session('ended-early'))
  const tab = await openTab()
  await expect(tab.accessToken('ended-early')).rejects.toMatchObject({ code: 'session-ended' })
  const heard: string[] = []
  for (const name of ['first', 'second']) tab.onSessionEnded(({ accountId }) => heard.push(`${name}: ${accountId}`))
  expect(heard).toEqual(['first: ended-early'])
})

test('who has logged in again by then hears of no end', async () => {
  await store.writeSession(session('returning'))
  const tab = await openTab()
  await expect(tab.accessToken('returning')).rejects.toMatchObject({ code: 'session-ended' })
  await tab.addSession(session('returning'), accessFor('returning'), false)
  const heard: string[] = []
  tab.onSessionEnded(({ accountId }) => heard.push(accountId))
  expect(heard).toEqual([])
})

test('an account whose data were cleared under the page ends, once', async () => {
  await stored('cleared')
  const tab = await openTab()
  const token = await tab.accessToken('cleared')
  const heard: string[] = []
  tab.onSessionEnded(({ accountId }) => heard.push(accountId))
  await store.deleteSession('cleared')
  await vi.advanceTimersByTimeAsync(5000)
  for (let calls = 0; calls < 2; calls += 1)
    await expect(tab.replaceToken('cleared', token)).rejects.toMatchObject({ code: 'session-ended' })
  await vi.advanceTimersByTimeAsync(2100)
  await expect.poll(() => heard).toEqual(['cleared'])
  await vi.advanceTimersByTimeAsync(2100)
  expect(tab.currentSessions()).toEqual([])
  expect(heard).toEqual(['cleared'])
})

test('an overloaded server does not end a session', async () => {
  server.answer = 'overloaded'
  await stored('busy')
  const tab = await openTab()
  await expect(tab.accessToken('busy')).rejects.toMatchObject({ code: 'temporarily-unavailable' })
  expect(tab.currentSessions()).toHaveLength(1)
})

test('a refusal removes the account, the last one after 2 s', async () => {
  await stored('good')
  await store.writeSession(session('refused'))
  const tab = await openTab()
  const ended: string[] = []
  tab.onSessionEnded(({ accountId }) => ended.push(accountId))
  await expect(tab.accessToken('refused')).rejects.toMatchObject({ code: 'session-ended' })
  expect(tab.currentSessions().map(({ accountId }) => accountId)).toEqual(['good'])

  const token = await tab.accessToken('good')
  server.valid.clear()
  await vi.advanceTimersByTimeAsync(5000)
  await expect(tab.replaceToken('good', token)).rejects.toMatchObject({ code: 'session-ended' })
  expect(ended).toEqual(['refused', 'good'])
  expect(tab.currentSessions()).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(2100)
  expect(tab.currentSessions()).toHaveLength(0)
  expect(await store.readSessions()).toEqual([])
})

test('logging out revokes every session, in all tabs', async () => {
  await stored('a')
  await stored('b')
  const [here, there] = [await openTab(), await openTab()]
  await Promise.all(['a', 'b'].flatMap((id) => [here.accessToken(id), there.accessToken(id)]))
  await here.logout()
  expect(here.currentSessions()).toEqual([])
  await expect.poll(() => there.currentSessions()).toEqual([])
  expect(server.loggedOut.map((token) => token.split('.')[0]).toSorted()).toEqual(['a', 'b'])
  expect(await store.readSessions()).toEqual([])
})

test('who logs out while a refresh is on its way stays logged out', async () => {
  await stored('gone')
  const answer = holdAnswers()
  const tab = await openTab()
  const refused = expect(tab.accessToken('gone')).rejects.toMatchObject({ code: 'session-ended' })
  await expect.poll(() => server.presented).toEqual(['gone.0'])
  await tab.logout()
  answer()
  await refused
  expect(await store.readSessions()).toEqual([])
  expect(tab.currentSessions()).toEqual([])
  await expect.poll(() => server.loggedOut).toEqual(['gone.0', 'gone.1'])
})

test('a page that comes back from the memory of the browser knows who logged out and in meanwhile', async () => {
  await stored('left')
  const tab = await openTab()
  await tab.accessToken('left')
  const heard: [string, boolean][] = []
  tab.onSessionEnded(({ accountId }, isSure) => heard.push([accountId, isSure]))
  await store.deleteSession('left')
  await stored('came')
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  await expect.poll(() => tab.currentSessions().map(({ accountId }) => accountId)).toEqual(['came'])
  // D-LOGIN-12: who was logged out meanwhile keeps what was typed.
  expect(heard).toEqual([['left', false]])
})

test('on a device without room a login lasts as long as the page', async () => {
  await stored('before')
  const tab = await openTab()
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('', 'QuotaExceededError')
  })
  server.valid.add('full.0')
  await tab.addSession(session('full'), accessFor('full'), false)
  await tab.accessToken('before')
  expect(tab.currentSessions().map(({ accountId }) => accountId)).toEqual(['before', 'full'])
  // Each goes on with what it got last.
  for (const renewals of [1, 2]) {
    await vi.advanceTimersByTimeAsync(14.75 * MINUTE)
    await Promise.all(['before', 'full'].map((account) => tab.accessToken(account)))
    const kept = (await store.readSessions()).map(({ refreshToken }) => refreshToken).toSorted()
    expect(kept).toEqual([`before.${renewals + 1}`, `full.${renewals}`])
  }
  put.mockRestore()
  await tab.logout()
  expect(await store.readSessions()).toEqual([])
})

test('with one account only, a login takes the place of the others', async () => {
  await stored('old')
  const tab = await openTab()
  await tab.accessToken('old')
  await tab.addSession(session('new'), accessFor('new'), true)
  expect(tab.currentSessions().map(({ accountId }) => accountId)).toEqual(['new'])
  await expect.poll(() => server.loggedOut).toEqual(['old.1'])
})

test('a login in one tab is known in the other', async () => {
  const [here, there] = [await openTab(), await openTab()]
  await here.addSession(session('shared'), accessFor('shared'), false)
  await expect.poll(() => there.currentSessions().length).toBe(1)
  expect(await there.accessToken('shared')).toBe(await here.accessToken('shared'))
  expect(server.presented).toEqual([])
})

test('a logout that follows a login at once is not overtaken by it in the other tab', async () => {
  const there = await openTab()
  await store.writeSession(session('brief'))
  await store.writeSession(session('stays'))
  const here = new BroadcastChannel('zaehlwerk-sessions')
  const added = (accountId: string) => {
    here.postMessage({ kind: 'added', accountId, token: accessTokenFor(accountId), lifeMs: 15 * MINUTE })
  }
  added('brief')
  here.postMessage({ kind: 'removed', accountId: 'brief' })
  added('stays')
  await expect.poll(() => there.currentSessions().map(({ accountId }) => accountId)).toContain('stays')
  expect(there.currentSessions()).toHaveLength(1)
})
