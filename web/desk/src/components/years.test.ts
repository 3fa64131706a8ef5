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

test('an exchange ends the series, and the last period of the old meter counts', () => {
  const day = '2025-11-02'
  const stands = [
    { readingDate: '2024-11-02', readingValue: '8000' },
    { readingDate: day, readingValue: '9600', reason: 'METER_CHANGE' },
    { readingDate: day, readingValue: '0', reason: 'INITIAL_READING' },
    { readingDate: '2026-11-02', readingValue: '1500' },
  ]
  expect(periods(stands).map(({ to, used }) => [to, used])).toEqual([
    [day, 1600],
    ['2026-11-02', 1500],
  ])
  // A new meter may be installed with any counter.
  const higher = stands.with(2, { readingDate: day, readingValue: '9700', reason: 'INITIAL_READING' })
  expect(periods(higher.slice(0, 3)).map(({ used }) => used)).toEqual([1600])
})

test('what the reader says of an exchange holds also where the new meter shows more', () => {
  const stands = [{ readingDate: '2025-01-01', readingValue: '8900' }]
  const higher = { readingDate: '2026-01-01', readingValue: '9100' }
  expect(lastPeriod(stands, { ...higher, lowerReason: 'METER_CHANGE' })).toBeUndefined()
  expect(periods([...stands, { ...higher, lowerReason: 'METER_CHANGE' }])).toEqual([])
  expect(lastPeriod(stands, { ...higher, lowerReason: 'ROLLOVER' })?.used).toBe(200)
})

test('digits that were not asked for are no consumption', () => {
  const stands = [{ readingDate: '2025-01-01', readingValue: '01234.567' }]
  expect(lastPeriod(stands, { readingDate: '2026-01-01', readingValue: '1234' })?.used).toBe(0)
  expect(lastPeriod(stands, { readingDate: '2026-01-01', readingValue: '1235.000' })?.used).toBe(0.433)
  expect(lastPeriod(stands, { readingDate: '2026-01-01', readingValue: '1235' })?.used).toBe(0.433)
})

test('a further reading has a period of its own, and takes none of the others where it has none', () => {
  const stands = [
    { readingDate: '2024-01-02', readingValue: '1000' },
    { readingDate: '2025-01-01', readingValue: '1365' },
  ]
  expect(lastPeriod(stands, { readingDate: '2025-12-31', readingValue: '1400' })?.used).toBe(35)
  // Another meter, whose counter began anew.
  expect(lastPeriod(stands, { readingDate: '2025-12-31', readingValue: '12' })).toBeUndefined()
  expect(lastPeriod(stands, { readingDate: '2025-01-01', readingValue: '1400' })).toBeUndefined()
})
