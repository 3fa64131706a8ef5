import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { loggedInElsewhere, startSession } from '@/session/session.ts'
import { sendPhotos } from './readings.ts'

const ME = { id: 'm1', name: 'Jonas Reuter', email: null, isPlatform: false, loginTenant: null, memberships: [] }

const server = { isLoggedIn: true, asked: 0 }

function respond(request: Request): Response {
  const { pathname, host } = new URL(request.url)
  if (pathname.endsWith('/me')) {
    const end = new Date(Date.now() + 3_600_000).toISOString()
    return Response.json({ ...ME, idleUntil: end, endsAt: end })
  }
  if (host === 'photos.example') return new Response()
  server.asked += 1
  if (server.isLoggedIn)
    return Response.json({ uploadId: 'u1', url: 'https://photos.example/u1', headers: {} }, { status: 201 })
  return new Response(JSON.stringify({ status: 401, code: 'session-ended' }), {
    status: 401,
    headers: { 'content-type': 'application/problem+json' },
  })
}

const realFetch = globalThis.fetch

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname, host } = new URL(request.url)
    if (!pathname.startsWith('/api/desk/') && host !== 'photos.example') return realFetch(request)
    request.signal.throwIfAborted()
    return respond(request)
  }
  await startSession()
})

afterEach(() => vi.restoreAllMocks())

test('a photo waits for a login in a second window for as long as that takes', async () => {
  const limits: AbortController[] = []
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => {
    const limit = new AbortController()
    limits.push(limit)
    return limit.signal
  })
  server.isLoggedIn = false
  const sent = sendPhotos('birkenfurt', 'j-1', [new Blob(['photo'])])
  await vi.waitUntil(() => server.asked === 1)
  // Three minutes later; the time of the first call is over.
  limits[0]?.abort()
  server.isLoggedIn = true
  await loggedInElsewhere()
  expect(await sent).toEqual([{ uploadId: 'u1' }])
})
