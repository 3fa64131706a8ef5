import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { sampleJob } from '@shared/testing/sample-job.ts'
import { startTexts } from '@/texts/texts.ts'
import { exportJobs, fileName } from './export-jobs.ts'
import type { ToWorker } from './xlsx.worker.ts'

beforeAll(() => startTexts({ language: 'de-FORMAL', overlay: {} }))

afterEach(() => vi.unstubAllGlobals())

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

/** Counts the page's turns from now on; the returned functions tell how many there were, and end it. */
function countTurns(): { turns: () => number; end: () => void } {
  const { port1, port2 } = new MessageChannel()
  let turns = 0
  port1.addEventListener('message', () => {
    turns += 1
    port2.postMessage(undefined)
  })
  port1.start()
  port2.postMessage(undefined)
  return { turns: () => turns, end: () => port1.close() }
}

// How long it takes is measured by `make bench`: on a busy machine that says more about the machine.
test('ten thousand rows go to the worker in small parts, and the page gets its turn between them', async () => {
  const { turns, end } = countTurns()
  const parts: { rows: number; turn: number }[] = []
  vi.stubGlobal(
    'Worker',
    class extends Worker {
      override postMessage(message: ToWorker) {
        if (message !== 'end' && 'rows' in message) parts.push({ rows: message.rows.length, turn: turns() })
        super.postMessage(message)
      }
    },
  )
  const file = await exportJobs(jobs)
  end()
  expect(file.size).toBeGreaterThan(100_000)
  expect(parts.reduce((sum, { rows }) => sum + rows, 0)).toBe(jobs.length)
  expect(Math.max(...parts.map(({ rows }) => rows))).toBeLessThanOrEqual(100)
  expect(new Set(parts.map(({ turn }) => turn)).size).toBe(parts.length)
})

test('the file is named by day and account', () => {
  expect(fileName('2026-03-09', 'Hausverwaltung Bergmann & Partner')).toBe(
    '2026-03-09 Hausverwaltung Bergmann & Partner.xlsx',
  )
  expect(fileName('2026-03-09', 'A/B: "C"')).toBe('2026-03-09 A B C.xlsx')
})
