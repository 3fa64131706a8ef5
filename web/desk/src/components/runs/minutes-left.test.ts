import { expect, test } from 'vitest'
import type { Run } from '@/data/types.ts'
import { minutesLeft } from './minutes-left.ts'

const run = { takenAt: '2026-11-23T10:00:00Z', reached: 25, of: 100 } as Run
const after = (minutes: number) => Date.parse('2026-11-23T10:00:00Z') + minutes * 60_000

test('the rest takes as long as what is done took', () => {
  expect(minutesLeft(run, after(10))).toBe(30)
  expect(minutesLeft({ ...run, reached: 99 }, after(1))).toBe(1)
})

test('nothing is said while nothing tells', () => {
  expect(minutesLeft({ ...run, reached: 4 }, after(10))).toBeUndefined()
  expect(minutesLeft({ ...run, of: 0, reached: 0 }, after(10))).toBeUndefined()
  expect(minutesLeft(run, after(-1))).toBeUndefined()
})
