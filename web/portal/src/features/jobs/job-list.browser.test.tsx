import { StrictMode } from 'react'
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
