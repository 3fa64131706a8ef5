import { describe, expect, test } from 'vitest'
import { addDays, dayIn } from './window.ts'

describe('days', () => {
  test.each([
    ['2026-11-30', 1, '2026-12-01'],
    ['2026-03-01', -1, '2026-02-28'],
    ['2028-02-28', 1, '2028-02-29'],
    ['2026-10-25', 1, '2026-10-26'],
    ['2026-01-01', -30, '2025-12-02'],
  ])('%s and %i days is %s', (day, days, expected) => {
    expect(addDays(day, days)).toBe(expected)
  })

  test.each([
    ['Europe/Berlin', '2026-11-20T22:59:59Z', '2026-11-20'],
    ['Europe/Berlin', '2026-11-20T23:00:00Z', '2026-11-21'],
    ['Europe/Berlin', '2026-07-20T22:00:00Z', '2026-07-21'],
    ['America/New_York', '2026-11-21T04:59:59Z', '2026-11-20'],
    ['UTC', '2026-12-31T23:59:59Z', '2026-12-31'],
  ])('in %s it is, at %s, %s', (timeZone, instant, day) => {
    expect(dayIn(timeZone, new Date(instant))).toBe(day)
  })
})
