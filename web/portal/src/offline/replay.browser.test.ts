import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { renderHook } from 'vitest-browser-react'
import type { NewEntry, OutboxEntry, SendTaskResults, TaskEntry } from '@/device/entry.ts'
import type { DraftKind } from '@/forms/draft.ts'
import edge from '../../../../functions/testing/recorded/edge.json' with { type: 'json' }

type Replay = typeof import('./replay.ts')

interface Refusal {
  status: number
  code: string
  retryAfter?: number
}

/** What a machine between here and the API answers. */
interface Page {
  status: number
  body: string
  headers: Record<string, string>
}

/** The API, and what it was asked. */
const server = {
  reachable: true,
  sent: [] as { key: string; at: number; text: string; images: number; meterNumber: string | undefined }[],
  puts: [] as number[],
  /** Answers to single readings, by key, each given once. */
  refusals: new Map<string, (Refusal | Page | 'no answer')[]>(),
  brokenPuts: 0,
  /** What is not answered: the API, when it is asked where a photo may go, or the store. */
  holds: undefined as 'permission' | 'photo' | undefined,
  /** How many calls are, or were, held so. */
  held: 0,
  probes: 0,
  /** What becomes of photos on their way to the store, while the portal can be reached. */
  faultyPuts: undefined as 'cut' | 'unanswered' | undefined,
  /** The network goes while a photo is on its way. */
  goesWithPuts: false,
}

async function respond(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const request = new Request(input, init)
  const { pathname } = new URL(request.url)
  if (!server.reachable) throw new TypeError('Failed to fetch')
  if (pathname === '/api/public/application') {
    server.probes += 1
    return new Response(null)
  }
  if (pathname === '/auth/token') return problem({ status: 401, code: 'refresh-invalid' })
  if (pathname === '/auth/logout') return new Response(null, { status: 204 })
  if (pathname === '/api/pro/upload') {
    if (server.holds === 'permission') await untilAborted(request)
    const { contentLength } = (await request.json()) as { contentLength: number }
    return Response.json({
      uploadId: `u${contentLength}`,
      url: `${location.origin}/store/${contentLength}`,
      headers: {},
    })
  }
  if (pathname.startsWith('/store/')) {
    server.puts.push((await request.arrayBuffer()).byteLength)
    if (server.holds === 'photo') await untilAborted(request)
    if (server.faultyPuts === 'cut') return new Response('<h1>Too large</h1>', { status: 413, headers: html })
    if (server.goesWithPuts) server.reachable = false
    if (server.faultyPuts || server.goesWithPuts) throw new TypeError('Failed to fetch')
    if (server.brokenPuts > 0 && server.puts.length === 2) {
      server.brokenPuts -= 1
      return new Response(null, { status: 500 })
    }
    return new Response(null)
  }
  const key = request.headers.get('idempotency-key') ?? ''
  const text = await request.text()
  const { results, meterNumber } = JSON.parse(text) as {
    results?: { readingImages?: unknown[] }[]
    meterNumber?: string
  }
  server.sent.push({ key, at: performance.now(), text, images: results?.[0]?.readingImages?.length ?? 0, meterNumber })
  const refusal = server.refusals.get(key)?.shift()
  if (refusal === 'no answer') throw new TypeError('Failed to fetch')
  if (refusal && 'body' in refusal) return new Response(refusal.body, refusal)
  if (refusal) return problem(refusal)
  return Response.json({ id: key, login: 'a1', meter: { meterRateTasks: [] } })
}

function untilAborted({ signal }: Request): Promise<never> {
  server.held += 1
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new TypeError())))
}

const problem = ({ status, code, retryAfter }: Refusal) =>
  Response.json(
    { code, status },
    {
      status,
      headers: {
        'content-type': 'application/problem+json',
        ...(retryAfter && { 'retry-after': String(retryAfter) }),
      },
    },
  )

const keysSent = () => server.sent.map(({ key }) => key)

const entry = (key: string, more: Partial<SendTaskResults> = {}): SendTaskResults & { key: string } => ({
  kind: 'send-task-results',
  accountId: 'a1',
  jobId: key,
  meterNumber: '1EBZ',
  key,
  reading: { readingDate: '2026-11-01', results: [{ taskId: 't', readingValue: '1', photoIds: [] }] },
  ...more,
})

const photo = (id: string, size: number) => ({ id, blob: new Blob([new Uint8Array(size)]) })

let replay: Replay
let outbox: typeof import('./outbox.ts')
let drafts: typeof import('@/device/drafts.ts')
let database: typeof import('@/device/db.ts').database
let sessions: typeof import('@/auth/sessions.ts')

async function logIn(accountId: string): Promise<void> {
  const { fresh } = await import('@/auth/access-token.ts')
  const info = { id: accountId, name: accountId, parentId: null, parentName: null, language: null }
  const session = { accountId, username: null, login: 'token', roles: [], refreshToken: 'r', info } as const
  await sessions.addSession({ ...session, roles: [] }, fresh('h.c.s', 900_000), true)
}

beforeAll(async () => {
  vi.stubGlobal('fetch', vi.fn(respond))
  ;({ database } = await import('@/device/db.ts'))
  outbox = await import('./outbox.ts')
  drafts = await import('@/device/drafts.ts')
  replay = await import('./replay.ts')
  sessions = await import('@/auth/sessions.ts')
})

beforeEach(async () => {
  Object.assign(server, {
    reachable: true,
    sent: [],
    puts: [],
    refusals: new Map(),
    brokenPuts: 0,
    holds: undefined,
    held: 0,
    probes: 0,
    faultyPuts: undefined,
    goesWithPuts: false,
  })
  const db = await database()
  await Promise.all([db.clear('outbox'), db.clear('photos'), db.clear('drafts')])
  await logIn('a1')
})

const right = Object.getOwnPropertyDescriptors(IDBObjectStore.prototype)

afterEach(() => {
  vi.useRealTimers()
  Object.defineProperties(IDBObjectStore.prototype, right)
})

/** The device's database fails so many times. */
function failing(method: 'put' | 'delete' | 'getAll', times: number): void {
  let left = times
  const fail = function (this: IDBObjectStore, ...given: unknown[]): unknown {
    if (left === 0) return Reflect.apply(right[method].value as () => unknown, this, given)
    left -= 1
    throw new DOMException('no room', 'QuotaExceededError')
  }
  Object.assign(IDBObjectStore.prototype, { [method]: fail })
}

const waiting = async (): Promise<OutboxEntry[]> => (await database()).getAll('outbox')

test('what waits goes in order, 300 ms apart, and is gone afterwards', async () => {
  for (const key of ['k1', 'k2', 'k3']) await outbox.enqueue(entry(key), [])
  expect(server.sent).toEqual([])
  await expect(replay.replay(false)).resolves.toBe(true)
  expect(keysSent()).toEqual(['k1', 'k2', 'k3'])
  const [first = 0, second = 0, third = 0] = server.sent.map(({ at }) => at)
  expect(second - first).toBeGreaterThanOrEqual(299)
  expect(third - second).toBeGreaterThanOrEqual(299)
  expect(await waiting()).toEqual([])
})

test('two tabs that wake up together send everything once', async () => {
  const otherTab: string = './replay.ts?tab=2'
  const other = (await import(/* @vite-ignore */ otherTab)) as Replay
  for (const key of ['k1', 'k2', 'k3']) await outbox.enqueue(entry(key), [])
  await Promise.all([replay.replay(false), other.replay(false), replay.replay(true), other.replay(true)])
  expect(keysSent()).toEqual(['k1', 'k2', 'k3'])
})

test('without a network nothing is lost, a try ends in failure after 2 s, and the order stays', async () => {
  server.reachable = false
  for (const key of ['k1', 'k2']) await outbox.enqueue(entry(key), [])
  const begin = performance.now()
  await expect(replay.replay(true)).resolves.toBe(false)
  expect(performance.now() - begin).toBeGreaterThanOrEqual(1_990)
  server.reachable = true
  await expect(replay.replay(true)).resolves.toBe(true)
  expect(keysSent()).toEqual(['k1', 'k2'])
})

test('what a device has no room for goes a second time as the same request', async () => {
  server.refusals.set('full', ['no answer'])
  const results = [{ taskId: 't', readingValue: '1', photoIds: ['p-full'] }]
  const full = entry('full', { reading: { readingDate: '2026-11-01', results } })
  failing('put', 99)
  const deliver = () => replay.deliver(full, [photo('p-full', 5)], () => ({}))
  expect((await deliver()).state).toBe('unkept')
  expect((await deliver()).state).toBe('sent')
  expect(keysSent()).toEqual(['full', 'full'])
  expect(server.puts).toEqual([5])
})

test('an answer that got lost is asked for again under the same key', async () => {
  server.refusals.set('k1', ['no answer'])
  await outbox.enqueue(entry('k1'), [])
  await replay.replay(false)
  expect(await waiting()).toMatchObject([{ key: 'k1', delays: 1 }])
  await replay.replay(true)
  expect(keysSent()).toEqual(['k1', 'k1'])
  expect(await waiting()).toEqual([])
})

/** The page is updated: of the same reading, the new one builds another text. */
async function updatePage(): Promise<void> {
  const [kept] = await waiting()
  if (!kept) throw new Error('nothing waits')
  const reading = Object.fromEntries(Object.entries(kept.reading).toReversed())
  await (await database()).put('outbox', { ...kept, reading } as OutboxEntry)
}

const textsSent = () => server.sent.map(({ text }) => text)

// D-OUTBOX-3
test.each<NewEntry>([
  entry('k1'),
  {
    kind: 'unknown-reading',
    accountId: 'a1',
    meterNumber: '2',
    key: 'k1',
    reading: { meterNumber: '2', readingDate: '2026-11-01', registers: [], photoIds: [] } as never,
  },
])('a lost answer to a $kind is asked for in the same words by a page that was updated since', async (added) => {
  server.refusals.set('k1', ['no answer', { status: 500, code: 'internal-error' }])
  await outbox.enqueue(added, [])
  await replay.replay(true)
  await updatePage()
  await replay.replay(true)
  await replay.replay(true)
  const [first] = textsSent()
  expect(textsSent()).toEqual([first, first, first])
  expect(await waiting()).toEqual([])
})

// D-OUTBOX-3
test('photos that are no longer there make another text, which stays in its turn', async () => {
  const reading = { readingDate: '2026-11-01', results: [{ taskId: 't', readingValue: '1', photoIds: ['p1'] }] }
  server.refusals.set('k1', ['no answer', { status: 422, code: 'upload-missing' }, 'no answer'])
  await outbox.enqueue(entry('k1', { reading }), [photo('p1', 10)])
  await replay.replay(true)
  await updatePage()
  await replay.replay(true)
  await updatePage()
  await replay.replay(true)
  const [first, , second] = textsSent()
  expect(second).not.toBe(first)
  expect(textsSent()).toEqual([first, first, second, second])
  expect(server.puts).toEqual([10, 10])
})

// D-OUTBOX-3
test.each<[string, Refusal | 'no answer', boolean]>([
  ['lost', 'no answer', true],
  ['a refusal', { status: 422, code: 'reading-invalid' }, false],
])('taken back and sent unchanged while the answer was %s', async (_, answer, isSame) => {
  const { contentOfEntry, stateOf } = await import('@/forms/draft.ts')
  const { useEntry } = await import('@/forms/use-entry.ts')
  const kind: DraftKind<string, TaskEntry> = {
    empty: '',
    isEmpty: (draft) => draft === '',
    photosOf: () => [],
    withPhotos: (draft) => draft,
    draftOf: ({ reading }) => reading.readingDate,
  }
  server.refusals.set('k1', [answer])
  await outbox.enqueue(entry('k1'), [])
  await replay.replay(true)
  await updatePage()
  const [kept] = (await waiting()) as TaskEntry[]
  if (!kept) throw new Error('nothing waits')
  const back = await outbox.takeBack(kept, (entry) => contentOfEntry(kind, entry))
  const { reading } = kept
  const { result } = await renderHook(() =>
    useEntry(
      kind,
      () => stateOf(kind, back),
      () => ['a1', 'k1'],
    ),
  )
  await expect(result.current.send({ ...entry('k1'), reading } as TaskEntry)).resolves.toEqual({ state: 'sent' })
  expect(keysSent()).toEqual(['k1', 'k1'])
  expect(textsSent()[0] === textsSent()[1]).toBe(isSame)
})

// D-OUTBOX-5
test('an overloaded server is left alone for as long as it says, with all that is behind', async () => {
  server.refusals.set('k1', [{ status: 429, code: 'too-many-attempts', retryAfter: 40 }])
  for (const key of ['k1', 'k2']) await outbox.enqueue(entry(key), [])
  const begin = Date.now()
  await replay.replay(false)
  const end = Date.now()
  await replay.replay(false)
  expect(keysSent()).toEqual(['k1'])
  const [first] = await waiting()
  expect(first?.notBefore).toBeGreaterThanOrEqual(begin + 40_000)
  expect(first?.notBefore).toBeLessThanOrEqual(end + 40_000)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 41_000 })
  await replay.replay(false)
  expect(keysSent()).toEqual(['k1', 'k1', 'k2'])
})

// D-OUTBOX-8
// What each of the edge's answers is taken for, the client's tests say; here one of each kind.
const { firewallDefault, firewallOurs, gatewayNoFunction, gatewayBrokenFunction } = edge
const html = { 'content-type': 'text/html' }
const BETWEEN: Record<string, Page> = {
  firewallDefault,
  firewallOurs,
  gatewayNoFunction,
  proxy: { status: 500, body: '<h1>Proxy error</h1>', headers: html },
  loginOfNetwork: { status: 200, body: '<form action="/login">', headers: html },
}
test.each(Object.entries(BETWEEN))('%s holds everything up, and it goes in order afterwards', async (_, answer) => {
  server.refusals.set('k1', [answer])
  for (const key of ['k1', 'k2']) await outbox.enqueue(entry(key), [])
  await expect(replay.replay(false)).resolves.toBe(false)
  expect(keysSent()).toEqual(['k1'])
  // Until when the firewall says, or five seconds.
  const again = Number(answer.headers['retry-after'] ?? 5) * 1000
  expect((await waiting())[0]).toMatchObject({ key: 'k1', holdsUp: true })
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + again + 1_000 })
  await replay.replay(false)
  expect(keysSent()).toEqual(['k1', 'k1', 'k2'])
  expect(await waiting()).toEqual([])
})

// D-OUTBOX-8
test('nobody is obeyed for longer than an hour, for which they are', async () => {
  server.refusals.set('k1', [{ status: 503, code: 'temporarily-unavailable', retryAfter: 86_400 }])
  await outbox.enqueue(entry('k1'), [])
  const begin = Date.now()
  await replay.replay(false)
  const [first] = await waiting()
  expect(first?.notBefore).toBeGreaterThanOrEqual(begin + 3_600_000)
  expect(first?.notBefore).toBeLessThanOrEqual(Date.now() + 3_600_000)
})

test.each<[string, Refusal | Page]>([
  ['conflict', { status: 409, code: 'conflict' }],
  ['internal-error', { status: 500, code: 'internal-error' }],
  ['the gateway’s word for a broken function', gatewayBrokenFunction],
])('an entry that fails with %s is put off alone', async (_, refusal) => {
  server.refusals.set('k1', [refusal])
  for (const key of ['k1', 'k2']) await outbox.enqueue(entry(key), [])
  await replay.replay(false)
  expect(keysSent()).toEqual(['k1', 'k2'])
  expect(await waiting()).toMatchObject([{ key: 'k1', delays: 1 }])
})

// D-READING-16
test('a meter that was read too often today waits alone until tomorrow, and what waits says why', async () => {
  server.refusals.set('k1', [{ status: 429, code: 'too-many-readings', retryAfter: 3600 }])
  for (const key of ['k1', 'k2']) await outbox.enqueue(entry(key), [])
  const begin = Date.now()
  await replay.replay(false)
  expect(keysSent()).toEqual(['k1', 'k2'])
  const [first, ...rest] = await waiting()
  expect(rest).toEqual([])
  expect(first).toMatchObject({ key: 'k1', later: { code: 'too-many-readings' } })
  expect(first).not.toHaveProperty('refusal')
  expect(first?.later?.until).toBeGreaterThanOrEqual(begin + 3_600_000)
  expect(first?.notBefore).toBeGreaterThan(begin)
})

// D-OUTBOX-1
test('what the server refuses stays with its reason until a person gives it up', async () => {
  server.refusals.set('k1', [{ status: 422, code: 'reading-invalid' }])
  for (const key of ['k1', 'k2']) await outbox.enqueue(entry(key), [])
  await replay.replay(false)
  await replay.replay(true)
  expect(keysSent()).toEqual(['k1', 'k2'])
  expect(await waiting()).toMatchObject([{ key: 'k1', refusal: { code: 'reading-invalid', status: 422 } }])
  await outbox.discard('k1')
  expect(await waiting()).toEqual([])
})

// D-OUTBOX-1
test.each([
  { status: 422, code: 'job-closed' },
  { status: 404, code: 'not-found' },
])('of a job that is over ($code) there is no draft that nobody sees', async (refusal) => {
  server.refusals.set('k1', [refusal])
  await expect(replay.deliver(entry('k1'), [], () => 'typed')).resolves.toEqual({ state: 'kept' })
  expect(await waiting()).toMatchObject([{ key: 'k1', refusal }])
  expect(await drafts.readDrafts()).toEqual([])
})

// D-OUTBOX-13
test('a reading says which meter was read, and stays as it was typed when the job has another one', async () => {
  server.refusals.set('k1', [{ status: 422, code: 'meter-exchanged' }])
  for (const key of ['k1', 'k2']) await outbox.enqueue(entry(key, { meterNumber: `1EBZ-${key}` }), [])
  await replay.replay(false)
  expect(server.sent).toMatchObject([
    { key: 'k1', meterNumber: '1EBZ-k1' },
    { key: 'k2', meterNumber: '1EBZ-k2' },
  ])
  expect(await waiting()).toMatchObject([
    { key: 'k1', refusal: { code: 'meter-exchanged' }, reading: { results: [{ readingValue: '1' }] } },
  ])
})

test('what another account entered waits for its login; an ended login loses nothing', async () => {
  await outbox.enqueue(entry('theirs', { accountId: 'a2' }), [])
  await replay.replay(true)
  expect(server.sent).toEqual([])
  expect((await waiting())[0]).not.toHaveProperty('attempted')
  await logIn('a2')
  server.refusals.set('theirs', [{ status: 401, code: 'token-invalid' }])
  await replay.replay(true)
  expect(keysSent()).toEqual(['theirs'])
  expect(await waiting()).toMatchObject([{ key: 'theirs' }])
  await logIn('a2')
  await replay.replay(true)
  expect(keysSent()).toEqual(['theirs', 'theirs'])
  expect(await waiting()).toEqual([])
})

test('photos go one by one, and those that arrived do not go again', async () => {
  const reading = {
    readingDate: '2026-11-01',
    results: [{ taskId: 't', readingValue: '1', photoIds: ['p1', 'p2', 'p3'] }],
  }
  server.brokenPuts = 1
  await outbox.enqueue(entry('k1', { reading }), [photo('p1', 10), photo('p2', 20), photo('p3', 30)])
  await replay.replay(false)
  expect(server.puts).toEqual([10, 20])
  expect(server.sent).toEqual([])
  await replay.replay(true)
  expect(server.puts).toEqual([10, 20, 20, 30])
  expect(server.sent).toMatchObject([{ key: 'k1', images: 3 }])
  expect(await (await database()).count('photos')).toBe(0)
})

const WITH_PHOTO = { readingDate: '2026-11-01', results: [{ taskId: 't', readingValue: '1', photoIds: ['p1'] }] }

// D-OUTBOX-5
test.each(['cut', 'unanswered'] as const)('a photo that is %s on its way puts off its reading alone', async (fault) => {
  server.faultyPuts = fault
  await outbox.enqueue(entry('k1', { reading: WITH_PHOTO }), [photo('p1', 10)])
  await outbox.enqueue(entry('k2'), [])
  await expect(replay.replay(false)).resolves.toBe(true)
  expect(keysSent()).toEqual(['k2'])
  expect(await waiting()).toMatchObject([{ key: 'k1', delays: 1, isPhotoStuck: true }])
  // No form waits for it.
  await expect(replay.deliver(entry('k3'), [], () => 'typed')).resolves.toEqual({ state: 'sent' })
  expect(server.puts).toEqual([10])

  server.faultyPuts = undefined
  await replay.replay(true)
  expect(keysSent()).toEqual(['k2', 'k3', 'k1'])
  expect(await waiting()).toEqual([])
})

/** A reading waits whose photo did not get through. */
async function stick(key = 'stuck'): Promise<void> {
  server.faultyPuts = 'unanswered'
  const results = [{ taskId: 't', readingValue: '1', photoIds: [`p-${key}`] }]
  const reading = { readingDate: '2026-11-01', results }
  await outbox.enqueue(entry(key, { reading }), [photo(`p-${key}`, 10)])
  await replay.replay(false)
  expect(await outbox.readEntry(key)).toMatchObject({ isPhotoStuck: true, delays: 1 })
  server.faultyPuts = undefined
}

test('a photo that is stuck and whose time came while a form sent goes once that has sent', async () => {
  await stick()
  const [stuck] = await outbox.readEntries()
  if (!stuck) throw new Error('nothing waits')
  await outbox.update({ ...stuck, notBefore: 0 })
  await expect(replay.deliver(entry('k2'), [], () => 'typed')).resolves.toEqual({ state: 'sent' })
  await expect.poll(waiting).toEqual([])
  expect(keysSent()).toEqual(['k2', 'stuck'])
})

// D-OUTBOX-5
test.each([
  ['photo', ''],
  ['photo', '?tab=2'],
  ['permission', ''],
] as const)(
  'a form that sends ends another try at a photo that is stuck (no answer to the %s), in tab "%s"',
  async (holds, tab) => {
    const path: string = `./replay.ts${tab}`
    const { deliver } = (await import(/* @vite-ignore */ path)) as Replay
    await stick()
    server.holds = holds
    server.probes = 0
    const turn = replay.replay(true)
    await expect.poll(() => server.held).toBe(1)
    await expect(deliver(entry('k2'), [], () => 'typed')).resolves.toEqual({ state: 'sent' })
    await turn
    const [left, ...others] = await waiting()
    expect(others).toEqual([])
    // It has not failed: it is not probed whether the network is there, and it is put off no longer for it.
    expect(left).toMatchObject({ key: 'stuck', isPhotoStuck: true, delays: 1 })
    expect(left?.notBefore).toBeGreaterThan(Date.now())
    expect(server.probes).toBe(0)
    expect(left).not.toHaveProperty('refusal')
  },
)

// D-OUTBOX-5
test('a photo that is stuck goes last, and with no form that sends, though its time has come', async () => {
  await stick()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
  await expect(replay.deliver(entry('k2'), [], () => 'typed')).resolves.toEqual({ state: 'sent' })
  expect(server.puts).toEqual([10])
  await outbox.enqueue(entry('k3'), [])
  await replay.replay(false)
  expect(keysSent()).toEqual(['k2', 'k3', 'stuck'])
})

test('a photo without a network waits for it, as what comes after it does', async () => {
  server.goesWithPuts = true
  await outbox.enqueue(entry('k1', { reading: WITH_PHOTO }), [photo('p1', 10)])
  await outbox.enqueue(entry('k2'), [])
  await expect(replay.replay(false)).resolves.toBe(false)
  expect(server.sent).toEqual([])
  expect((await waiting())[0]).not.toHaveProperty('isPhotoStuck')
})

// D-OUTBOX-6
test('who deletes and logs out while a photo is on its way leaves nothing on the device', async () => {
  server.holds = 'photo'
  const reading = { readingDate: '2026-11-01', results: [{ taskId: 't', readingValue: '1', photoIds: ['p1'] }] }
  await outbox.enqueue(entry('k1', { reading }), [photo('p1', 10)])
  const turn = replay.replay(true)
  await expect.poll(() => server.puts).toEqual([10])
  await Promise.all([sessions.logout(), outbox.discard('k1')])
  expect(await waiting()).toEqual([])
  expect(await (await database()).count('photos')).toBe(0)
  await turn
  expect(server.sent).toEqual([])
})

test('a device whose clock was ahead sends what was put off once it is set right', async () => {
  server.refusals.set('k1', [{ status: 503, code: 'temporarily-unavailable' }])
  for (const key of ['k1', 'k2']) await outbox.enqueue(entry(key), [])
  await replay.replay(false)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 3 * 86_400_000 })
  await replay.replay(false)
  expect(keysSent()).toEqual(['k1', 'k1', 'k2'])
  expect(await waiting()).toEqual([])
})

test('a page that comes back from the memory of the browser shows what waits now', async () => {
  await outbox.startOutbox()
  await outbox.enqueue(entry('k1'), [])
  const shown = () => outbox.currentEntries().map(({ key }) => key)
  expect(shown()).toEqual(['k1'])
  await (await database()).clear('outbox')
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  await expect.poll(shown).toEqual([])
})

// D-OUTBOX-4
test('what waits for longer than the server remembers keys is not sent without a person', async () => {
  server.refusals.set('k1', ['no answer'])
  await outbox.enqueue(entry('k1'), [])
  await replay.replay(false)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31 * 86_400_000 })
  await replay.replay(true)
  expect(keysSent()).toEqual(['k1'])
  expect(await waiting()).toMatchObject([{ refusal: { code: 'too-old' } }])
})

// D-OUTBOX-7
test('a device that has filled up since sends what waits, with its photos', async () => {
  const reading = { readingDate: '2026-11-01', results: [{ taskId: 't', readingValue: '1', photoIds: ['p1'] }] }
  await outbox.enqueue(entry('k1', { reading }), [photo('p1', 10)])
  await outbox.enqueue(entry('k2'), [])
  failing('put', Number.POSITIVE_INFINITY)
  await expect(replay.replay(false)).resolves.toBe(true)
  expect(keysSent()).toEqual(['k1', 'k2'])
  expect(await waiting()).toEqual([])
})

test('nothing is said to be on its way after the database failed', async () => {
  const { result } = await renderHook(() => replay.useIsSending())
  for (const key of ['k1', 'k2']) await outbox.enqueue(entry(key), [])
  const turn = replay.replay(false)
  await expect.poll(keysSent).toEqual(['k1'])
  expect(result.current).toBe(true)
  failing('getAll', Number.POSITIVE_INFINITY)
  await expect(turn).rejects.toThrow()
  await expect.poll(() => result.current).toBe(false)
})

// D-OUTBOX-8
test('what the device could not delete is tried again, and not said to be refused', async () => {
  await outbox.enqueue(entry('k1'), [])
  failing('delete', 1)
  await replay.replay(false)
  const [left, ...others] = await waiting()
  expect(others).toEqual([])
  expect(left).toMatchObject({ key: 'k1', delays: 1 })
  expect(left).not.toHaveProperty('refusal')
  await replay.replay(true)
  expect(keysSent()).toEqual(['k1', 'k1'])
  expect(await waiting()).toEqual([])
})

test('a reading whose photo is gone is shown to its reader', async () => {
  const reading = { readingDate: '2026-11-01', results: [{ taskId: 't', readingValue: '1', photoIds: ['gone'] }] }
  await outbox.enqueue(entry('k1', { reading }), [])
  await replay.replay(false)
  expect(server.sent).toEqual([])
  expect(await waiting()).toMatchObject([{ refusal: { code: 'internal-error' } }])
})

test('a draft becomes an entry, and an entry a draft, with its photos', async () => {
  const photos = [photo('p1', 10), photo('p2', 20)]
  const reading = { readingDate: '2026-11-01', results: [{ taskId: 't', readingValue: '1', photoIds: ['p1'] }] }
  await drafts.writeDraft({ accountId: 'a1', jobId: 'j1', content: 'typed', photos })
  await outbox.enqueue(entry('k1', { jobId: 'j1', reading }), photos)
  expect(await drafts.readDrafts()).toEqual([])
  expect(await (await database()).getAllKeys('photos')).toEqual(['p1'])
  const [kept] = (await waiting()) as TaskEntry[]
  if (!kept) throw new Error('nothing waits')
  const back = await outbox.takeBack(kept, ({ reading }) => reading.results[0]?.readingValue)
  expect(back?.photos.map(({ id, blob }) => [id, blob.size])).toEqual([['p1', 10]])
  expect(await waiting()).toEqual([])
  expect(await drafts.readDrafts()).toMatchObject([{ accountId: 'a1', jobId: 'j1', content: '1' }])
})

test('a photo stays for as long as one thing needs it', async () => {
  const reading = { readingDate: '2026-11-01', results: [{ taskId: 't', readingValue: '1', photoIds: ['p1'] }] }
  await outbox.enqueue(entry('k1', { jobId: 'j1', reading }), [photo('p1', 10)])
  // Another tab still has the draft that the entry was made from.
  await drafts.writeDraft({ accountId: 'a1', jobId: 'j1', content: 'typed', photos: [photo('p1', 10)] })
  await drafts.deleteDraft('a1', 'j1')
  await replay.replay(true)
  expect(server.sent).toMatchObject([{ key: 'k1', images: 1 }])
})

test('the caller of a delivery gets a refused reading back as a draft', async () => {
  server.refusals.set('k1', [{ status: 422, code: 'reading-invalid' }])
  const delivery = await replay.deliver(entry('k1'), [], () => 'typed')
  expect(delivery).toMatchObject({ state: 'refused', refusal: { code: 'reading-invalid' } })
  expect(await waiting()).toEqual([])
  expect(await drafts.readDrafts()).toMatchObject([{ content: 'typed' }])
})

// D-OUTBOX-5
test('a photo that is stuck goes at once when the network comes back, which may be another one', async () => {
  const { probe } = await import('@/device/connectivity.ts')
  await stick()
  replay.startReplay()
  server.reachable = false
  await probe()
  server.reachable = true
  await probe()
  await expect.poll(keysSent, { timeout: 2_000 }).toEqual(['stuck'])
})

// D-OUTBOX-5
test.each(['', '?tab=2'])(
  'who discards a reading waits for no other try at a stuck photo, in tab "%s"',
  async (tab) => {
    const path: string = `./outbox.ts${tab}`
    const { discard } = (await import(/* @vite-ignore */ path)) as typeof outbox
    await outbox.startOutbox()
    replay.startReplay()
    await stick('s1')
    await stick('s2')
    server.holds = 'photo'
    const turn = replay.replay(true)
    await expect.poll(() => server.held).toBe(1)
    await discard('s2')
    await turn
    expect(await waiting()).toMatchObject([{ key: 's1', isPhotoStuck: true, delays: 1 }])
    expect(server.held).toBe(1)
    server.holds = undefined
    await expect.poll(keysSent).toEqual(['s1'])
  },
)

// D-OUTBOX-5
test('what becomes due while a stuck photo is tried goes at once', async () => {
  replay.startReplay()
  await stick()
  server.refusals.set('k1', [{ status: 500, code: 'internal-error' }])
  await outbox.enqueue(entry('k1'), [])
  await replay.replay(false)
  expect(keysSent()).toEqual(['k1'])
  const stuck = await outbox.readEntry('stuck')
  if (!stuck) throw new Error('nothing waits')
  await outbox.update({ ...stuck, notBefore: 0 })
  server.holds = 'photo'
  void replay.replay(false)
  await expect.poll(() => server.held).toBe(1)
  await expect.poll(keysSent).toEqual(['k1', 'k1'])
  server.holds = undefined
  await expect.poll(keysSent).toEqual(['k1', 'k1', 'stuck'])
})
