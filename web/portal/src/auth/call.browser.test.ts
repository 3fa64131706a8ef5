import { beforeEach, expect, test, vi } from 'vitest'
import { fresh } from './access-token.ts'

/** What the server saw, in its order. */
const seen: string[] = []

/** It answers no call of an account. */
function respond(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  seen.push(pathname)
  if (pathname === '/auth/logout') return Promise.resolve(new Response(null, { status: 204 }))
  return new Promise((_, reject) =>
    request.signal.addEventListener('abort', () => {
      seen.push(`${pathname} given up`)
      reject(new DOMException('aborted', 'AbortError'))
    }),
  )
}

// The client keeps the `fetch` that it finds when it is loaded.
vi.stubGlobal('fetch', respond)
const { api, unwrap } = await import('@shared/api/client.ts')
const { call } = await import('./call.ts')
const { addSession, logout } = await import('./sessions.ts')

// Other files' tests leave their logins in this browser.
beforeEach(async () => {
  await logout()
  seen.splice(0)
})

const logIn = (accountId: string) =>
  addSession(
    {
      accountId,
      username: null,
      login: 'token',
      roles: [],
      refreshToken: `${accountId}-refresh`,
      info: { id: accountId, name: accountId, parentId: null, parentName: null, language: null },
    },
    fresh('access', 900_000),
    true,
  )

const devices = (accountId: string, patience?: { patienceMs: number }) =>
  call(accountId, (caller) => unwrap(api.GET('/api/pro/session', caller)), patience)

test('a logout ends what is under way before it ends the session', async () => {
  await logIn('leaving')
  const answer = devices('leaving')
  await expect.poll(() => seen).toEqual(['/api/pro/session'])
  void logout()
  await expect(answer).rejects.toMatchObject({ code: 'session-ended' })
  await expect.poll(() => seen).toEqual(['/api/pro/session', '/api/pro/session given up', '/auth/logout'])
  await expect(devices('leaving')).rejects.toMatchObject({ code: 'session-ended' })
  expect(seen).toHaveLength(3)
})

test('so does a login that takes the place of the others', async () => {
  await logIn('replaced')
  const answer = devices('replaced')
  await expect.poll(() => seen).toEqual(['/api/pro/session'])
  void logIn('new')
  await expect(answer).rejects.toMatchObject({ code: 'session-ended' })
  await expect.poll(() => seen).toEqual(['/api/pro/session', '/api/pro/session given up', '/auth/logout'])
  await logout()
})

test('what nobody answers is given up after a while', async () => {
  await logIn('waiting')
  await expect(devices('waiting', { patienceMs: 20 })).rejects.toMatchObject({ code: 'unreachable' })
  await logout()
})
