import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { api } from '@shared/api/client.ts'

type Connectivity = typeof import('./connectivity.ts')

/** The calls that wait for an answer, oldest first. */
const calls: { answer: (type?: string) => void; respond: (response: Response) => void; fail: () => void }[] = []

let connectivity: Connectivity

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  vi.stubGlobal(
    'fetch',
    () =>
      new Promise<Response>((resolve, reject) => {
        calls.push({
          answer: (type) =>
            resolve(new Response(null, { headers: type === undefined ? {} : { 'content-type': type } })),
          respond: resolve,
          fail: () => reject(new TypeError('Failed to fetch')),
        })
      }),
  )
  connectivity = await import('./connectivity.ts')
  connectivity.startConnectivity()
  calls.shift()?.answer()
})

beforeEach(() => {
  calls.length = 0
})

afterAll(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Looks whether the server is there; what comes back answers, or fails, that call. */
async function look() {
  const result = connectivity.probe()
  const { answer, fail } = calls.pop() ?? { answer: () => undefined, fail: () => undefined }
  const settle = (how: () => void) => {
    how()
    return result
  }
  return { answer: (type?: string) => settle(() => answer(type)), fail: () => settle(fail) }
}

test('a server that does not answer is out of reach until it does', async () => {
  expect(await (await look()).fail()).toBe(false)
  expect(connectivity.isOnline()).toBe(false)
  expect(await (await look()).answer()).toBe(true)
  expect(connectivity.isOnline()).toBe(true)
})

test('an answer that was on its way when the network went says nothing about now', async () => {
  const before = await look()
  window.dispatchEvent(new Event('offline'))
  await before.answer()
  expect(connectivity.isOnline()).toBe(false)
  await (await look()).answer()
})

test('a call that dies after a later one was answered says nothing about now', async () => {
  const [older, newer] = [await look(), await look()]
  await newer.answer()
  await older.fail()
  expect(connectivity.isOnline()).toBe(true)
})

// D-OUTBOX-8
test('the page of a network that wants a login is none of ours', async () => {
  expect(await (await look()).answer('text/html')).toBe(false)
  expect(connectivity.isOnline()).toBe(false)
  expect(await (await look()).answer()).toBe(true)
})

/** Lets so much time pass; returns how often the server was looked for meanwhile, and fails or answers each call. */
async function pass(milliseconds: number, how: 'answer' | 'fail'): Promise<number> {
  let looked = 0
  for (let passed = 0; passed < milliseconds; passed += 1_000) {
    await vi.advanceTimersByTimeAsync(1_000)
    for (const call of calls.splice(0)) {
      looked += 1
      call[how]()
    }
  }
  return looked
}

// D-OUTBOX-12
test('it looks every five minutes, every 30 s while the server is gone, and every 5 s while something waits for it', async () => {
  await pass(301_000, 'answer')
  expect(await pass(600_000, 'answer')).toBe(2)
  const stop = connectivity.awaitNetwork()
  expect(await pass(600_000, 'answer')).toBe(2)
  await pass(301_000, 'fail')
  expect(connectivity.isOnline()).toBe(false)
  expect(await pass(30_000, 'fail')).toBe(6)
  stop()
  expect(await pass(60_000, 'fail')).toBe(2)
  await pass(31_000, 'answer')
  expect(connectivity.isOnline()).toBe(true)
})

test('who types or taps is told soon that the server is gone, and asks for it every 30 s at most', async () => {
  await pass(301_000, 'answer')
  const type = () => document.body.dispatchEvent(new InputEvent('input', { bubbles: true }))
  const tap = () => document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  await pass(20_000, 'answer')
  type()
  expect(calls).toHaveLength(0)
  await pass(20_000, 'answer')
  tap()
  type()
  expect(calls).toHaveLength(1)
  calls.pop()?.fail()
  await vi.waitFor(() => expect(connectivity.isOnline()).toBe(false))
  // From then on as long as it is gone.
  expect(await pass(31_000, 'answer')).toBe(1)
  expect(connectivity.isOnline()).toBe(true)
})

test('an answer of the API is as good as a look', async () => {
  await pass(301_000, 'answer')
  await pass(200_000, 'answer')
  const asked = api.GET('/api/public/application')
  const json = { headers: { 'content-type': 'application/json' } }
  calls.pop()?.respond(new Response('{}', json))
  await asked
  expect(await pass(299_000, 'answer')).toBe(0)
  expect(await pass(2_000, 'answer')).toBe(1)
})

test('nobody looks while the page is hidden, and at once when it is shown again', async () => {
  const state = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
  expect(await pass(600_000, 'answer')).toBe(0)
  document.dispatchEvent(new Event('visibilitychange'))
  expect(calls).toHaveLength(0)
  state.mockRestore()
  document.dispatchEvent(new Event('visibilitychange'))
  expect(calls).toHaveLength(1)
  calls.pop()?.answer()
  window.dispatchEvent(new Event('focus'))
  expect(calls).toHaveLength(1)
  calls.pop()?.answer()
})
