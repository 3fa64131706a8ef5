import type { ReactNode } from 'react'
import { mutate, SWRConfig } from 'swr'
import { beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { Application, Job } from '@shared/contract/types.ts'
import { deferred } from '@shared/testing/deferred.ts'
import { sampleJob, sampleReading } from '@shared/testing/sample-job.ts'
import type { SendTaskResults } from '@/device/entry.ts'

const PERIOD = { earliestExecution: '2020-01-01', latestExecution: '2099-12-31' }

const jobOf = (id: string, job: Partial<Job> = {}): Job =>
  sampleJob({ id, login: 'a1', jobConstraints: PERIOD, ...job, meter: { meterNumber: id, ...job.meter } })

const done = (id: string): Job =>
  jobOf(id, {
    done: true,
    meter: { ...sampleJob().meter, meterNumber: id, meterRateTasks: [sampleReading('2026-11-01')] },
  })

/** The API as far as a list of two pages needs it. */
const server = {
  first: [] as Job[],
  second: [] as Job[],
  isAway: false,
  /** What the second page waits for. */
  held: Promise.resolve(),
}

async function respond(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  if (!searchParams.has('cursor')) return Response.json({ jobs: server.first, nextCursor: 'second' })
  await server.held
  if (server.isAway)
    return new Response(JSON.stringify({ status: 500, code: 'internal-error' }), {
      status: 500,
      headers: { 'content-type': 'application/problem+json' },
    })
  return Response.json({ jobs: server.second, nextCursor: null })
}

const realFetch = globalThis.fetch
let JobsPage: typeof import('./jobs-page.tsx').JobsPage
let EvaluationPage: typeof import('./evaluation-page.tsx').EvaluationPage
let Onward: typeof import('@/features/jobs/onward.tsx').Onward
let OfflineStatus: typeof import('@/offline/offline-status.tsx').OfflineStatus
let outbox: typeof import('@/offline/outbox.ts')
let jobs: typeof import('@/data/jobs.ts')

beforeAll(async () => {
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).pathname === '/api/pro/job' ? respond(request) : realFetch(request)
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts({ language: 'de-FORMAL', overlay: {} })
  await loadTexts(['jobs', 'offline', 'reading', 'evaluation'])
  const { addSession } = await import('@/auth/sessions.ts')
  const { fresh } = await import('@/auth/access-token.ts')
  const info = { id: 'a1', name: 'Hausverwaltung', parentId: null, parentName: null, language: null }
  const session = { accountId: 'a1', username: null, login: 'token', roles: [], refreshToken: 'r', info } as const
  await addSession({ ...session, roles: [] }, fresh('h.c.s', 900_000), true)
  ;({ JobsPage } = await import('./jobs-page.tsx'))
  ;({ EvaluationPage } = await import('./evaluation-page.tsx'))
  ;({ Onward } = await import('@/features/jobs/onward.tsx'))
  ;({ OfflineStatus } = await import('@/offline/offline-status.tsx'))
  outbox = await import('@/offline/outbox.ts')
  jobs = await import('@/data/jobs.ts')
})

beforeEach(async () => {
  Object.assign(server, { first: [jobOf('job-1')], second: [jobOf('job-2')], isAway: true, held: Promise.resolve() })
  await jobs.forgetData()
  const features = { xlsxExportEnabled: true, evaluationEnabled: true } as Application['features']
  const evaluation = { showOnlyDoneJobs: true, useHistoricReadings: true, showCurrentReadings: true }
  await mutate('/api/public/application', { timeZone: 'UTC', features, evaluation } as Partial<Application>, {
    revalidate: false,
  })
})

async function show(screen: ReactNode) {
  const { hook, searchHook } = memoryLocation()
  await render(
    <SWRConfig value={{ shouldRetryOnError: false }}>
      <Router hook={hook} searchHook={searchHook}>
        {screen}
      </Router>
    </SWRConfig>,
  )
}

/** Brings what was missing. */
async function complete() {
  server.isAway = false
  await jobs.reloadJobs()
}

const incomplete = () => page.getByText(/Diese Liste ist unvollständig/)

test('a list of which a part is missing is no file and no progress, and says that it is incomplete', async () => {
  const { promise, resolve } = deferred()
  onTestFinished(resolve)
  server.held = promise
  await show(<JobsPage jobId={undefined} />)
  const file = page.getByRole('button', { name: 'Excel-Export' })
  const progress = page.getByRole('progressbar')
  await expect.element(file).toBeDisabled()
  await expect.element(file).toHaveAccessibleDescription('Die Liste ist noch nicht vollständig geladen.')
  await expect.element(progress).not.toBeInTheDocument()
  await expect.element(incomplete()).not.toBeInTheDocument()
  resolve()
  await expect.element(incomplete()).toBeVisible()
  await expect.element(file).toBeDisabled()
  await expect.element(progress).not.toBeInTheDocument()
  await complete()
  await expect.element(file).toBeEnabled()
  await expect.element(page.getByText('0 von 2 abgelesen')).toBeVisible()
  await expect.element(incomplete()).not.toBeInTheDocument()
})

test('of a meter that may be among those that are missing nobody is told that it does not exist', async () => {
  await show(<JobsPage jobId="job-3" />)
  await expect.element(page.getByRole('heading', { level: 1, name: 'Aktualisierung fehlgeschlagen' })).toBeVisible()
  await complete()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Diesen Zähler gibt es nicht' })).toBeVisible()
})

test('while a part of the list is missing nobody is told that there is nothing to evaluate', async () => {
  server.second = [done('job-2')]
  await show(<EvaluationPage jobId={undefined} />)
  await expect.element(incomplete()).toBeVisible()
  await expect.element(page.getByText('Noch keine Auswertung')).not.toBeInTheDocument()
  await complete()
  await expect.element(page.getByRole('link', { name: /job-2/ })).toBeVisible()
  await expect.element(incomplete()).not.toBeInTheDocument()
})

test('while a part of the list is missing nobody is told that there is nothing more to read', async () => {
  server.first = [done('job-1'), done('job-3')]
  await show(
    <>
      <JobsPage jobId={undefined} />
      <Onward job={done('job-1')} jobPath={(id) => id} listPath="/" onNext={() => undefined} />
    </>,
  )
  await expect.element(incomplete()).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Zur Übersicht' })).toBeVisible()
  await expect.element(page.getByText('Zurzeit ist kein weiterer Zähler abzulesen.')).not.toBeInTheDocument()
  await complete()
  await expect.element(page.getByText('Noch 1 Zähler ist abzulesen.')).toBeVisible()
})

test('a refused reading of a meter that is missing leads there, and is given up only where its meter is gone', async () => {
  const action = (jobId: string): SendTaskResults & { key: string } => ({
    kind: 'send-task-results',
    accountId: 'a1',
    jobId,
    meterNumber: jobId,
    key: jobId,
    reading: { readingDate: '2026-11-01', results: [{ taskId: 'task-1', readingValue: '1', photoIds: [] }] },
  })
  for (const jobId of ['job-2', 'job-3', 'job-4']) {
    await outbox.enqueue(action(jobId), [])
    const entry = await outbox.readEntry(jobId)
    if (entry) await outbox.update({ ...entry, refusal: { code: 'reading-invalid', fieldErrors: [] } })
  }
  onTestFinished(async () => {
    for (const { key } of outbox.currentEntries()) await outbox.discard(key)
  })
  // A meter that two accounts share is in the list as that of one of them, whose screen has no reading of the other's.
  server.second = [jobOf('job-2'), jobOf('job-4', { login: 'a0' })]
  await show(
    <>
      <JobsPage jobId={undefined} />
      <OfflineStatus pathOf={({ key }) => `/${key}`} />
    </>,
  )
  await expect.element(incomplete()).toBeVisible()
  const look = (jobId: string) => page.getByRole('link', { name: `Zähler ${jobId} ansehen` })
  await expect.element(look('job-2')).toBeVisible()
  await expect.element(look('job-3')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /^Verwerfen/ })).not.toBeInTheDocument()
  await complete()
  for (const jobId of ['job-3', 'job-4']) {
    await expect.element(page.getByText(`Zähler ${jobId} ist nicht mehr in Ihrer Liste`)).toBeVisible()
    await expect.element(page.getByRole('button', { name: new RegExp(`^Verwerfen.*${jobId}`) })).toBeVisible()
  }
  await expect.element(look('job-2')).toBeVisible()
})
