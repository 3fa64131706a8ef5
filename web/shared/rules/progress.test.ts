import { expect, test } from 'vitest'
import { sampleJob } from '@shared/testing/sample-job.ts'
import { expiringJobs, overdueJobs, progressOf } from './progress.ts'

const jobs = (done: number, open: number) => [
  ...Array.from({ length: done }, () => sampleJob({ done: true })),
  ...Array.from({ length: open }, () => sampleJob()),
]

test.each([
  [0, 0, 0],
  [0, 3, 0],
  [1, 2, 33.3],
  [2, 1, 66.6],
  [3, 0, 100],
  [999, 1, 99.9],
  [9999, 1, 99.9],
  [1, 9999, 0],
  [29, 71, 29],
  [57, 43, 57],
])('%i done and %i open are %f percent', (done, open, percent) => {
  expect(progressOf(jobs(done, open))).toEqual({ total: done + open, done, open, percent })
})

test.each([
  ['2026-03-09', false],
  ['2026-03-10', true],
  ['2026-03-15', true],
  ['2026-03-16', false],
])('an unread job with the deadline %s is expiring on 10 March: %s', (latestExecution, isExpiring) => {
  const job = sampleJob({ jobConstraints: { earliestExecution: null, latestExecution } })
  expect(expiringJobs([job], '2026-03-10')).toHaveLength(isExpiring ? 1 : 0)
  expect(expiringJobs([{ ...job, done: true }], '2026-03-10')).toHaveLength(0)
})

test('an unread job is overdue while it can still be sent', () => {
  const job = sampleJob({ jobConstraints: { earliestExecution: null, latestExecution: '2026-03-09' } })
  const features = { ...job.config.features, durationSendingReadingValuesBasedOnLatestExecutionIsAllowed: 1 }
  const open = { ...job, config: { ...job.config, features } }
  expect(overdueJobs([job, open, { ...open, done: true }], '2026-03-10')).toEqual([open])
})
