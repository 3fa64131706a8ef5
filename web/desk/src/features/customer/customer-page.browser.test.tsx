import { SWRConfig } from 'swr'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { Customer } from '@/data/types.ts'
import type { CustomerPage as Shown } from './customer-page.tsx'

const ME = { id: 'm1', name: 'Jonas Reuter', email: null, isPlatform: false, loginTenant: null, memberships: [] }

const customer = (nextCursor: string | null): Customer => ({
  account: 'a1',
  name: 'Anna Sommer',
  isCut: false,
  jobs: [],
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
  return Response.json({ ...ME, idleUntil: end, endsAt: end })
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
  await loadTexts(['customer', 'common'])
  const { startSession } = await import('@/session/session.ts')
  await startSession()
  ;({ CustomerPage } = await import('./customer-page.tsx'))
})

afterEach(cleanup)

test('that a customer has no jobs is said at the end of the list, and not before', async () => {
  const { hook, searchHook } = memoryLocation()
  await render(
    <SWRConfig value={{ provider: () => new Map(), revalidateOnFocus: false, shouldRetryOnError: false }}>
      <Router hook={hook} searchHook={searchHook}>
        <CustomerPage tenant="birkenfurt" id="a1" />
      </Router>
    </SWRConfig>,
  )
  const none = page.getByText('Dieser Kunde hat keine Aufträge.')
  const more = page.getByRole('button', { name: 'Weitere Zähler zeigen' })
  await expect.element(more).toBeVisible()
  await expect.element(none).not.toBeInTheDocument()
  await more.click()
  await expect.element(none).toBeVisible()
})
