import { expect, test } from 'vitest'
import { curve, lineOf, shareUntil } from './curve.ts'

test('the share grows day by day, whatever order the days come in', () => {
  expect(curve({ '2026-10-03': 1, '2026-10-02': 2 }, 4, '2026-10-01')).toEqual([
    { day: 0, share: 0 },
    { day: 1, share: 0.5 },
    { day: 2, share: 0.75 },
  ])
})

test('without jobs nothing is done, and what came before the season counts from its beginning', () => {
  expect(curve({ '2026-09-01': 3 }, 0, '2026-10-01')).toEqual([
    { day: 0, share: 0 },
    { day: 0, share: 0 },
  ])
})

test('until a day there is what came last before it', () => {
  const points = curve({ '2026-10-03': 1, '2026-10-10': 2 }, 4, '2026-10-01')
  expect([0, 2, 6, 9, 99].map((day) => shareUntil(points, day))).toEqual([0, 0.25, 0.25, 0.75, 0.75])
})

test('a line goes from the lower left to as high as the share', () => {
  expect(
    lineOf(
      [
        { day: 0, share: 0 },
        { day: 10, share: 1 },
      ],
      10,
      100,
      50,
    ),
  ).toBe('0.0,50.0 100.0,0.0')
})
