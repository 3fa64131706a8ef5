import { Profiler, StrictMode } from 'react'
import { mutate } from 'swr'
import { beforeAll, expect, test } from 'vitest'
import { render } from 'vitest-browser-react'
import type { Application } from '@shared/contract/types.ts'
import { sampleJob } from '@shared/testing/sample-job.ts'
import type { JobList as List } from './job-list.tsx'
import { remember } from './remembered.ts'
import './jobs.css'

let JobList: typeof List

beforeAll(async () => {
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts({ language: 'de-FORMAL', overlay: {} })
  await loadTexts(['jobs', 'offline'])
  await mutate('/api/public/application', { timeZone: 'UTC', features: {} } as Partial<Application>, {
    revalidate: false,
  })
  ;({ JobList } = await import('./job-list.tsx'))
})

// As `make dev` shows it: the development build mounts everything twice.
test('the meter that an address opens is in sight in the list', async () => {
  const { page } = await import('vitest/browser')
  await page.viewport(1280, 800)
  const jobs = Array.from({ length: 250 }, (_, index) =>
    sampleJob({ id: `job-${index}`, meter: { meterNumber: `1EBZ${String(index).padStart(10, '0')}` } }),
  )
  const groups = [{ key: 'open', text: 'Noch abzulesen', jobs }]
  const screen = await render(
    <StrictMode>
      <div style={{ blockSize: 600 }}>
        <div className="jobs">
          <div style={{ blockSize: 200 }} />
          <JobList
            groups={groups}
            remembered={remember('test')}
            currentId="job-200"
            jobPath={(jobId) => `/ablesung/${jobId}`}
          />
        </div>
      </div>
    </StrictMode>,
  )
  const row = screen.getByRole('link', { name: /1EBZ0000000200/ })
  const pane = () => document.querySelector('.jobs') ?? document.body
  // Where the row ends in the pane.
  const end = () => row.element().getBoundingClientRect().bottom - pane().getBoundingClientRect().top
  await expect.element(row).toBeVisible()
  await expect.poll(() => end() - pane().clientHeight).toBeLessThanOrEqual(0)
  expect(end()).toBeGreaterThan(0)
})

for (const width of [1280, 412]) {
  test(`a list that is scrolled at ${width} px draws the rows that come, and touches no other`, async () => {
    const { page } = await import('vitest/browser')
    await page.viewport(width, 800)
    const jobs = Array.from({ length: 1000 }, (_, index) =>
      sampleJob({
        id: `job-${index}`,
        meter: { meterNumber: `1EBZ${String(index).padStart(10, '0')}`, meterAddress: { street: 'Lindenweg' } },
        jobConstraints: { earliestExecution: '2026-11-01', latestExecution: '2099-12-31' },
      }),
    )
    const groups = [{ key: 'open', text: 'Noch abzulesen', jobs }]
    let commits = 0
    let drawn = 0
    const jobPath = (jobId: string) => {
      drawn += 1
      return `/ablesung/${jobId}`
    }
    const remembered = remember(`scrolled ${width}`)
    const screen = await render(
      <div style={{ blockSize: 600 }}>
        <div className="jobs">
          <Profiler id="list" onRender={() => (commits += 1)}>
            <JobList groups={groups} remembered={remembered} currentId={undefined} jobPath={jobPath} />
          </Profiler>
        </div>
      </div>,
    )
    const list = screen.getByRole('navigation').element()
    const link = () => list.querySelector('a')
    await expect.poll(link).toBeTruthy()
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const scroller = width < 640 ? document.documentElement : list.parentElement
    const scrollTo = async (place: number) => {
      scroller?.scrollTo(0, place)
      await frame()
      await frame()
    }
    await scrollTo(100)
    await expect.poll(() => list.querySelectorAll('a').length).toBeGreaterThan(10)

    const touched: string[] = []
    const observer = new MutationObserver((changes) => {
      for (const { target } of changes) touched.push((target as Element).className)
    })
    observer.observe(list, { attributes: true, subtree: true })
    ;[commits, drawn] = [0, 0]
    const STEPS = 20
    for (let step = 1; step <= STEPS; step += 1) await scrollTo(100 + step * 50)
    const height = list.querySelector('.job-list__row:nth-child(5)')?.getBoundingClientRect().height ?? 0
    expect(touched.concat(observer.takeRecords().map(() => 'late'))).toEqual([])
    // One more at either end; and one commit for the beginning.
    expect(drawn).toBeLessThanOrEqual(1000 / height + 2)
    expect(drawn).toBeGreaterThan(1000 / height - 2)
    expect(commits).toBeLessThanOrEqual(STEPS + 2)
  })
}

test('a meter whose reading was not accepted says so before its deadline, while it can be read', async () => {
  const { page } = await import('vitest/browser')
  await page.viewport(1280, 800)
  const rejectedReading = {
    readingDate: '2026-11-20',
    readingValue: '5',
    created: '2026-11-20T10:00:00Z',
    reason: 'Unscharf.',
  }
  const rates = [
    { taskId: 't1', obis: '1-0:1.8.1', readingEvents: [], readingResults: [] },
    { taskId: 't2', obis: '1-0:1.8.2', readingEvents: [], readingResults: [], rejectedReading },
  ]
  const jobUntil = (id: string, latestExecution: string, more: { done?: boolean; closed?: boolean } = {}) =>
    sampleJob({
      id,
      meter: { meterNumber: id, meterRateTasks: rates },
      jobConstraints: { earliestExecution: '2026-11-01', latestExecution },
      ...more,
    })
  const jobs = [
    jobUntil('OFFEN', '2099-12-31'),
    jobUntil('ABGELAUFEN', '2026-11-02'),
    jobUntil('GESCHLOSSEN', '2099-12-31', { closed: true }),
    jobUntil('ERLEDIGT', '2099-12-31', { done: true }),
  ]
  const screen = await render(
    <div className="jobs" style={{ blockSize: 600 }}>
      <JobList
        groups={[{ key: 'open', text: 'Noch abzulesen', jobs }]}
        remembered={remember('rejected')}
        currentId={undefined}
        jobPath={(jobId) => `/ablesung/${jobId}`}
      />
    </div>,
  )
  await expect
    .element(screen.getByRole('link', { name: /^OFFEN .*Bitte noch einmal ablesen 01\.11\.2026 bis 31\.12\.2099$/ }))
    .toBeVisible()
  await expect.element(screen.getByRole('link', { name: /ERLEDIGT/ })).toBeVisible()
  expect(screen.getByText('Bitte noch einmal ablesen').elements()).toHaveLength(1)
})
