import { expect, test } from 'vitest'
import { sampleJob } from '@shared/testing/sample-job.ts'
import { readingsOf } from './receipts.ts'

const [task] = sampleJob().meter.meterRateTasks
const result = (created: string) => ({
  created,
  readingDate: '2026-11-01',
  readingValue: '1',
  comment: null,
  readingResultImages: [],
})

const jobWith = (...created: string[]) =>
  sampleJob({ meter: { meterRateTasks: task ? [{ ...task, readingResults: created.map(result) }] : [] } })

test('new readings are told from those that there were', () => {
  const one = jobWith('2026-11-01T10:00:00Z')
  const other = jobWith('2026-11-02T10:00:00Z')
  const before = readingsOf([one, other])
  expect(readingsOf([other, one])).toBe(before)
  expect(readingsOf([one, jobWith('2026-11-02T10:00:00Z', '2026-11-03T10:00:00Z')])).not.toBe(before)
  // A reading of the same moment counts, too.
  expect(readingsOf([jobWith('2026-11-01T10:00:00Z', '2026-11-01T10:00:00Z'), other])).not.toBe(before)
  expect(readingsOf([])).toBe(readingsOf([jobWith()]))
})
