import { mutate } from 'swr'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { renderHook } from 'vitest-browser-react'
import { api } from '@shared/api/client.ts'
import { keys } from './keys.ts'
import { useToday } from './today.ts'

/** What the settings say of days. */
beforeAll(async () => {
  await mutate(keys.application, { timeZone: 'Europe/Berlin' }, { revalidate: false })
})

/** A page that was opened before midnight in Berlin. */
async function open() {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: new Date('2026-11-26T22:50:00Z') })
  onTestFinished(() => void vi.useRealTimers())
  const { result } = await renderHook(() => useToday())
  expect(result.current).toBe('2026-11-26')
  return result
}

const HOUR = 3_600_000

test('a page that stays open over midnight goes on to the next day', async () => {
  const today = await open()
  vi.advanceTimersByTime(9 * 60_000)
  expect(today.current).toBe('2026-11-26')
  vi.advanceTimersByTime(2 * 60_000)
  await expect.poll(() => today.current).toBe('2026-11-27')
  vi.advanceTimersByTime(24 * HOUR)
  await expect.poll(() => today.current).toBe('2026-11-28')
})

for (const event of ['visibilitychange', 'focus'])
  test(`a device that slept over midnight notices at ${event}`, async () => {
    const today = await open()
    vi.setSystemTime(new Date('2026-11-27T06:00:00Z'))
    const target = event === 'focus' ? window : document
    target.dispatchEvent(new Event(event))
    await expect.poll(() => today.current).toBe('2026-11-27')
  })

/** The server answers a call at this time; one that may be stored on the way need not be of today. */
async function answer(time: string, cacheControl = 'no-store') {
  const headers = {
    date: new Date(time).toUTCString(),
    'cache-control': cacheControl,
    'content-type': 'application/json',
  }
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('{}', { headers })))
  await api.GET('/api/public/application')
  vi.unstubAllGlobals()
}

// D-READING-29
test('today is the day of the server, whatever the clock of the device says', async () => {
  const today = await open()
  await answer('2026-11-30T12:00:00Z', 'max-age=120')
  expect(today.current).toBe('2026-11-26')
  // Its minutes are others, too.
  await answer('2026-11-30T22:58:00Z')
  await expect.poll(() => today.current).toBe('2026-11-30')
  vi.advanceTimersByTime(3 * 60_000)
  await expect.poll(() => today.current).toBe('2026-12-01')
  // The device's clock is set right; then the days are its own.
  vi.setSystemTime(new Date('2026-12-01T06:00:00Z'))
  await answer('2026-12-01T06:00:20Z')
  await expect.poll(() => today.current).toBe('2026-12-01')
})

test('some minutes are no other day', async () => {
  const today = await open()
  await answer('2026-11-26T23:10:00Z')
  expect(today.current).toBe('2026-11-26')
})
