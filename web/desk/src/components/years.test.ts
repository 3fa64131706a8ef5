import { expect, test } from 'vitest'
import { lastPeriod, periods } from './years.ts'

test('the use of readings that follow each other, whatever their order', () => {
  const found = periods([
    { readingDate: '2025-01-01', readingValue: '1365' },
    { readingDate: '2024-01-02', readingValue: '1000' },
  ])
  expect(found).toEqual([{ from: '2024-01-02', to: '2025-01-01', used: 365, perYear: 365, isEstimated: false }])
})

test('nothing is said across an exchange, of a counter that went back, or within a day', () => {
  const at = (readingDate: string, readingValue: string, reason?: string) => ({ readingDate, readingValue, reason })
  expect(periods([at('2024-01-01', '900'), at('2024-06-01', '0', 'INITIAL_READING')])).toEqual([])
  expect(periods([at('2024-01-01', '900'), at('2024-06-01', '899')])).toEqual([])
  expect(periods([at('2024-01-01', '900'), at('2024-01-01', '910')])).toEqual([])
})

test('a further reading has a period of its own, and takes none of the others where it has none', () => {
  const stands = [
    { readingDate: '2024-01-02', readingValue: '1000' },
    { readingDate: '2025-01-01', readingValue: '1365' },
  ]
  expect(lastPeriod(stands, { readingDate: '2025-12-31', readingValue: '1400' })?.used).toBe(35)
  // Another meter, whose counter began anew.
  expect(lastPeriod(stands, { readingDate: '2025-12-31', readingValue: '12' })).toBeUndefined()
})
