import { mutate } from 'swr'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { renderHook } from 'vitest-browser-react'
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
