import { expect, test } from 'vitest'
import { sampleJob, sampleReading } from '@shared/testing/sample-job.ts'
import { orderJobs } from './order.ts'
import { periodOf } from './period.ts'

const TODAY = '2026-03-10'

const open = (id: string, earliestExecution: string | null, latestExecution: string | null) =>
  sampleJob({ id, jobConstraints: { earliestExecution, latestExecution } })

const done = (id: string, day: string) => sampleJob({ id, done: true, meter: { meterRateTasks: [sampleReading(day)] } })

test('what can be read comes first, the nearest deadline before the others', () => {
  const jobs = [
    open('expired', null, '2026-03-09'),
    open('any time', null, null),
    done('read first', '2026-03-01'),
    open('not yet', '2026-03-20', '2026-03-25'),
    open('today', null, '2026-03-10'),
    done('read last', '2026-03-08'),
    open('next week', '2026-03-01', '2026-03-17'),
  ]
  const ids = (list: { id: string }[]) => list.map(({ id }) => id)
  const ordered = orderJobs(jobs, TODAY)
  expect(ids(ordered.open)).toEqual(['today', 'next week', 'any time', 'not yet', 'expired'])
  expect(ids(ordered.done)).toEqual(['read last', 'read first'])
})

test.each([
  [null, null, { kind: 'any' }],
  ['2026-03-01', null, { kind: 'from', from: '2026-03-01' }],
  [null, '2026-03-16', { kind: 'until', until: '2026-03-16' }],
  ['2026-03-01', '2026-03-16', { kind: 'between', from: '2026-03-01', until: '2026-03-16' }],
  ['2026-03-01', '2026-03-15', { kind: 'soon', days: 5 }],
  ['2026-03-01', '2026-03-10', { kind: 'soon', days: 0 }],
  ['2026-03-01', '2026-03-09', { kind: 'expired' }],
  ['2026-03-11', '2026-03-12', { kind: 'notOpen', from: '2026-03-11' }],
])('a job from %s to %s stands like %j', (from, until, period) => {
  expect(periodOf(open('job', from, until), TODAY)).toEqual(period)
})

test('a done job shows the day of its reading', () => {
  expect(periodOf(done('job', '2026-03-08'), TODAY)).toEqual({ kind: 'done', on: '2026-03-08' })
})

test('days before and after the window on which sending is allowed count as open', () => {
  const job = open('job', '2026-03-12', '2026-03-09')
  const features = {
    ...job.config.features,
    durationSendingReadingValuesBasedOnEarliestExecutionIsAllowed: 3,
    durationSendingReadingValuesBasedOnLatestExecutionIsAllowed: 3,
  }
  expect(periodOf({ ...job, config: { ...job.config, features } }, TODAY)).toEqual({
    kind: 'overdue',
    until: '2026-03-12',
  })
  const early = open('job', '2026-03-12', '2026-03-20')
  expect(periodOf({ ...early, config: { ...early.config, features } }, TODAY).kind).toBe('between')
})
