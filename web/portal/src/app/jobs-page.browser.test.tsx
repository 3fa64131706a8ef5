import { mutate, SWRConfig } from 'swr'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { Application } from '@shared/contract/types.ts'
import { deferred } from '@shared/testing/deferred.ts'
import { sampleJob } from '@shared/testing/sample-job.ts'
import type { JobsPage as Shown } from './jobs-page.tsx'

/** The API as far as a list of two pages needs it. */
const server = {
  isAway: false,
  /** What the second page waits for. */
  held: Promise.resolve(),
}

async function respond(request: Request): Promise<Response> {
  const { searchParams } = new URL(request.url)
  if (!searchParams.has('cursor')) {
    return Response.json({ jobs: [sampleJob({ id: 'job-1', login: 'a1' })], nextCursor: 'second' })
  }
  await server.held
  if (server.isAway)
    return new Response(JSON.stringify({ status: 500, code: 'internal-error' }), {
      status: 500,
      headers: { 'content-type': 'application/problem+json' },
    })
  return Response.json({ jobs: [sampleJob({ id: 'job-2', login: 'a1' })], nextCursor: null })
}

const realFetch = globalThis.fetch
let JobsPage: typeof Shown
let reloadJobs: typeof import('@/data/jobs.ts').reloadJobs

beforeAll(async () => {
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).pathname === '/api/pro/job' ? respond(request) : realFetch(request)
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts({ language: 'de-FORMAL', overlay: {} })
  await loadTexts(['jobs', 'offline', 'reading'])
  const { addSession } = await import('@/auth/sessions.ts')
  const { fresh } = await import('@/auth/access-token.ts')
  const info = { id: 'a1', name: 'Hausverwaltung', parentId: null, parentName: null, language: null }
  const session = { accountId: 'a1', username: null, login: 'token', roles: [], refreshToken: 'r', info } as const
  await addSession({ ...session, roles: [] }, fresh('h.c.s', 900_000), true)
  const features = { xlsxExportEnabled: true } as Application['features']
  await mutate('/api/public/application', { timeZone: 'UTC', features } as Partial<Application>, { revalidate: false })
  ;({ JobsPage } = await import('./jobs-page.tsx'))
  ;({ reloadJobs } = await import('@/data/jobs.ts'))
})

test('a list of which a part is missing is no file and no progress, and says that it is incomplete', async () => {
  const { promise, resolve } = deferred()
  onTestFinished(resolve)
  Object.assign(server, { isAway: true, held: promise })
  const { hook, searchHook } = memoryLocation()
  await render(
    <SWRConfig value={{ shouldRetryOnError: false }}>
      <Router hook={hook} searchHook={searchHook}>
        <JobsPage jobId={undefined} />
      </Router>
    </SWRConfig>,
  )
  const file = page.getByRole('button', { name: 'Excel-Export' })
  const progress = page.getByRole('progressbar')
  const incomplete = page.getByText(/Diese Liste ist unvollständig/)
  await expect.element(file).toBeDisabled()
  await expect.element(file).toHaveAccessibleDescription('Die Liste ist noch nicht vollständig geladen.')
  await expect.element(progress).not.toBeInTheDocument()
  await expect.element(incomplete).not.toBeInTheDocument()
  resolve()
  await expect.element(incomplete).toBeVisible()
  await expect.element(file).toBeDisabled()
  await expect.element(progress).not.toBeInTheDocument()
  server.isAway = false
  await reloadJobs()
  await expect.element(file).toBeEnabled()
  await expect.element(page.getByText('0 von 2 abgelesen')).toBeVisible()
  await expect.element(incomplete).not.toBeInTheDocument()
})
