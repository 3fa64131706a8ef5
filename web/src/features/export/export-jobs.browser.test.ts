import { beforeAll, expect, test } from 'vitest'
import { startTexts } from '@/i18n/i18n.ts'
import { sampleJob } from '@/testing/sample-job.ts'
import { exportJobs, fileName } from './export-jobs.ts'

beforeAll(() => startTexts({ language: 'de-FORMAL', languages: ['de-FORMAL'], overlay: {} }))

const jobs = Array.from({ length: 10_000 }, (_, index) =>
  sampleJob({
    id: `job-${index}`,
    customer: { customerNumber: `K-${index}`, company: 'Hausverwaltung Bergmann & Partner' },
    partner: { identifier: `P-${index % 40}`, company: 'Wohnbau Birkenfurt eG' },
    meter: {
      meterNumber: `1EBZ01${String(index).padStart(8, '0')}`,
      meterAddress: { street: 'Lindenweg', houseNumber: String(index), zip: '09999', city: 'Birkenfurt' },
      meterRateTasks: [
        {
          taskId: 'task-1',
          obis: '1-0:1.8.0',
          rateName: 'Verbrauch',
          targetReadingDate: '2026-03-31',
          readingEvents: [{ readingDate: '2025-03-31', readingValue: `${index}.5` }],
          readingResults: [],
        },
      ],
    },
  }),
)

test('ten thousand rows take less than two seconds and no long task', async () => {
  const tasks: number[] = []
  const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration)))
  observer.observe({ type: 'longtask' })
  const begin = performance.now()
  const file = await exportJobs(jobs)
  const took = performance.now() - begin
  observer.disconnect()
  expect(file.size).toBeGreaterThan(100_000)
  expect(took).toBeLessThan(2000)
  expect(tasks).toEqual([])
})

test('the file is named by day and account', () => {
  expect(fileName('2026-03-09', 'Hausverwaltung Bergmann & Partner')).toBe(
    '2026-03-09 Hausverwaltung Bergmann & Partner.xlsx',
  )
  expect(fileName('2026-03-09', 'A/B: "C"')).toBe('2026-03-09 A B C.xlsx')
})
