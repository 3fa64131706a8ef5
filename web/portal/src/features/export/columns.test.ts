import { expect, test } from 'vitest'
import type { MeterRateTask } from '@shared/contract/types.ts'
import { sampleJob } from '@shared/testing/sample-job.ts'
import { rateNameWidth } from './columns.ts'

const named = (...names: (string | null)[]) =>
  sampleJob({ meter: { meterRateTasks: names.map((rateName) => ({ rateName }) as MeterRateTask) } })

test.each([
  [[], 40],
  [[named(null)], 40],
  [[named('HT', 'Verbrauch'), named('NT')], 157],
  [[named('Einspeisung Dach Süd')], 280],
])('the column of the rates is as wide as the longest name needs: %#', (jobs, width) => {
  expect(rateNameWidth(jobs)).toBe(width)
})
