import { expect, test } from 'vitest'
import type { Job } from '@shared/contract/types.ts'
import { sampleJob } from '@shared/testing/sample-job.ts'
import { leftAfter } from './next.ts'

const TODAY = '2026-03-10'

const at = (id: string, houseNumber: string, more: Partial<Job> = {}): Job => ({
  ...sampleJob({ id, meter: { meterAddress: { street: 'Lindenweg', houseNumber } } }),
  ...more,
})

const jobs = [at('a1', '1'), at('b1', '2'), at('a2', '1'), at('b2', '2'), at('a3', '1')]
const read = (id: string) => jobs.map((job) => (job.id === id ? { ...job, done: true } : job))

const after = (id: string, all: readonly Job[] = read(id), waiting: string[] = []) => {
  const current = all.find((job) => job.id === id)
  if (!current) throw new Error(`there is no job ${id}`)
  const { next, count } = leftAfter(current, all, new Set(waiting), TODAY)
  return [next?.id, count]
}

test('the next meter at the same address goes before the next one of the list', () => {
  expect(after('a1')).toEqual(['a2', 4])
  expect(after('b1')).toEqual(['b2', 4])
})

test('what was passed over comes after the others, and does not come back each time', () => {
  expect(after('a2')).toEqual(['a3', 4])
  expect(after('a3')).toEqual(['a1', 4])
})

test('when a house is done, the list goes on', () => {
  const house = read('a3').map((job) => (job.id.startsWith('a') ? { ...job, done: true } : job))
  expect(after('a3', house)).toEqual(['b1', 2])
  expect(after('a2', house)).toEqual(['b2', 2])
})

test('what waits to be sent, and what cannot be sent today, is not left', () => {
  const later = { earliestExecution: '2026-03-11', latestExecution: null }
  const all = read('a1').map((job) => (job.id === 'a2' ? { ...job, jobConstraints: later } : job))
  expect(after('a1', all, ['a3'])).toEqual(['b1', 2])
})

test('after the last one nothing is left', () => {
  expect(after('a1', [at('a1', '1', { done: true }), at('a2', '1', { done: true })])).toEqual([undefined, 0])
})
