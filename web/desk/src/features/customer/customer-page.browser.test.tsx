import { SWRConfig } from 'swr'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { sampleJob } from '@shared/testing/sample-job.ts'
import type { Customer, JobFile, Reading } from '@/data/types.ts'
import type { CustomerPage as Shown } from './customer-page.tsx'

const ME = { id: 'm1', name: 'Jonas Reuter', email: null, isPlatform: false, loginTenant: null }

/** The member's role, and the customer's jobs. */
const server = { role: 'clerk', jobs: [] as JobFile[] }

const customer = (nextCursor: string | null): Customer => ({
  account: 'a1',
  name: 'Anna Sommer',
  isCut: false,
  jobs: server.jobs,
  letters: [],
  loginTries: { failed: 0 },
  mails: [],
  nextCursor,
  noReminders: false,
  registersHere: true,
  sessions: [],
  shares: [],
  suppressed: [],
  withoutJob: 0,
})

function respond(request: Request): Response {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname.includes('/customers/')) return Response.json(customer(searchParams.has('cursor') ? null : 'more'))
  const end = new Date(Date.now() + 3_600_000).toISOString()
  const memberships = [{ tenant: 'birkenfurt', name: 'Birkenfurt', roles: [server.role], isInRehearsal: false }]
  return Response.json({ ...ME, memberships, idleUntil: end, endsAt: end })
}

const realFetch = globalThis.fetch
let CustomerPage: typeof Shown

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).pathname.startsWith('/api/desk/') ? respond(request) : realFetch(request)
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['customer', 'parts', 'common'])
  ;({ CustomerPage } = await import('./customer-page.tsx'))
})

afterEach(cleanup)

async function open(role: string, jobs: JobFile[]) {
  Object.assign(server, { role, jobs })
  const { startSession } = await import('@/session/session.ts')
  await startSession()
  const { hook, searchHook } = memoryLocation()
  await render(
    <SWRConfig value={{ provider: () => new Map(), revalidateOnFocus: false, shouldRetryOnError: false }}>
      <Router hook={hook} searchHook={searchHook}>
        <CustomerPage tenant="birkenfurt" id="a1" />
      </Router>
    </SWRConfig>,
  )
}

test('that a customer has no jobs is said at the end of the list, and not before', async () => {
  await open('clerk', [])
  const none = page.getByText('Dieser Kunde hat keine Aufträge.')
  const more = page.getByRole('button', { name: 'Weitere Zähler zeigen' })
  await expect.element(more).toBeVisible()
  await expect.element(none).not.toBeInTheDocument()
  await more.click()
  await expect.element(none).toBeVisible()
})

test('whoever decides comes to a reading that holds or waits, also of a closed job, and support does not', async () => {
  const readingOf = (id: string, state: Reading['state']): Reading => ({
    id,
    version: 'v1',
    taskId: 't1',
    obis: '8-0:1.0.0',
    meterNumber: '8WAS0100000001',
    readingDate: '2026-11-20',
    readingValue: '965',
    channel: 'PORTAL',
    created: '2026-11-21T10:00:00Z',
    state,
    doubts: [],
    confirmed: [],
    images: [],
    sent: [],
  })
  const states = ['rejected', 'corrected', 'counts', 'waits'] as const
  const readings = states.map((state, index) => readingOf(`r${index}`, state))
  const file: JobFile = {
    job: sampleJob({ id: 'j1' }),
    readings,
    expected: {},
    place: {},
    season: 'default',
    state: 'closed',
  }
  const anew = page.getByRole('link', { name: /^Neu entscheiden: Zähler 8WAS0100000001,/ })
  await open('clerk', [file])
  await expect.element(anew).toHaveAttribute('href', '/t/birkenfurt/deciding/anew/j1%20r2')
  const first = page.getByRole('link', { name: /^Entscheiden: Zähler 8WAS0100000001,/ })
  await expect.element(first).toHaveAttribute('href', '/t/birkenfurt/deciding/one/j1%20r3')
  await cleanup()
  await open('support', [file])
  await expect.element(page.getByText('gilt', { exact: true })).toBeVisible()
  await expect.element(anew).not.toBeInTheDocument()
  await expect.element(first).not.toBeInTheDocument()
})
