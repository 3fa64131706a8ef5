import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

type Connectivity = typeof import('./connectivity.ts')

/** The calls that wait for an answer, oldest first. */
const calls: { answer: () => void; fail: () => void }[] = []

let connectivity: Connectivity

beforeAll(async () => {
  vi.stubGlobal(
    'fetch',
    () =>
      new Promise<Response>((resolve, reject) => {
        calls.push({
          answer: () => resolve(new Response(null)),
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

afterAll(() => vi.unstubAllGlobals())

/** Looks whether the server is there; what comes back answers, or fails, that call. */
async function look() {
  const result = connectivity.probe()
  await expect.poll(() => calls.length).toBeGreaterThan(0)
  const { answer, fail } = calls.pop() ?? { answer: () => undefined, fail: () => undefined }
  const settle = (how: () => void) => {
    how()
    return result
  }
  return { answer: () => settle(answer), fail: () => settle(fail) }
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
