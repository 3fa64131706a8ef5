import { SWRConfig } from 'swr'
import { beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { sampleJob } from '@shared/testing/sample-job.ts'
import { samplePlausibility } from '@shared/testing/sample-plausibility.ts'
import type { DeskJob, Reading } from '@/data/types.ts'
import type { CaseView as Shown } from './case-view.tsx'

let CaseView: typeof Shown

beforeAll(async () => {
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['deciding', 'parts', 'desk', 'common'])
  ;({ CaseView } = await import('./case-view.tsx'))
})

const event = (readingDate: string, readingValue: string) => ({ readingDate, readingValue, reason: null })

test('a counter that went back has no bar that says that nothing was used', async () => {
  const readingEvents = [event('2024-11-27', '760'), event('2025-11-27', '880')]
  const task = { taskId: 't1', obis: '8-0:1.0.0', readingEvents, readingResults: [] }
  const read: Reading = {
    id: 'r1',
    version: 'v1',
    taskId: 't1',
    obis: '8-0:1.0.0',
    meterNumber: '4711',
    readingDate: '2026-11-20',
    readingValue: '856',
    channel: 'PORTAL',
    created: '2026-11-21T10:00:00Z',
    state: 'waits',
    doubts: ['LOWER_UNEXPLAINED'],
    confirmed: [],
    images: [],
    sent: [],
  }
  const file: DeskJob = {
    account: 'k-1',
    name: 'Anna Sommer',
    rules: { plausibility: samplePlausibility, today: '2026-11-26' },
    file: {
      job: sampleJob({ meter: { meterType: 'WATER_METER', meterRateTasks: [task] } }),
      readings: [read],
      expected: {},
      place: {},
      season: 'default',
      state: 'open',
    },
  }
  const item = { kind: 'ofJob', job: 'job-1', reading: 'r1', version: 'v1', file, read } as const
  await render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <CaseView tenant="birkenfurt" item={item as unknown as Parameters<typeof CaseView>[0]['item']} />
    </SWRConfig>,
  )
  await expect.element(page.getByText(/^.24.m³ seit dem 27\.11\.2025/)).toBeVisible()
  const bars = page.getByRole('figure', { name: 'Menge, auf ein Jahr gerechnet' })
  await expect.element(bars).toMatchTextContent('120')
  await expect.element(bars).not.toMatchTextContent('neu')
})
