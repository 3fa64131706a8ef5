import { SWRConfig } from 'swr'
import { beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { AuditPage as Shown } from './audit-page.tsx'

const at = '2026-11-20T12:00:00Z'
/** The second one was done at a newer version of the desk. */
const entries = ['desk login', 'desk tariffs'].map((action) => ({ at, by: 'Jonas Reuter', member: 'm1', action }))

function respond(request: Request): Response {
  if (new URL(request.url).pathname.endsWith('/audit')) return Response.json({ entries, nextCursor: null })
  const end = new Date(Date.now() + 3_600_000).toISOString()
  return Response.json({ id: 'm1', name: 'Jonas Reuter', memberships: [], idleUntil: end, endsAt: end })
}

const realFetch = globalThis.fetch
let AuditPage: typeof Shown

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).pathname.startsWith('/api/desk/') ? respond(request) : realFetch(request)
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['audit', 'parts', 'common'])
  const { startSession } = await import('@/session/session.ts')
  await startSession()
  ;({ AuditPage } = await import('./audit-page.tsx'))
})

test('what only a newer version can say stands under its own name', async () => {
  const { hook, searchHook } = memoryLocation()
  await render(
    <SWRConfig value={{ provider: () => new Map(), revalidateOnFocus: false, shouldRetryOnError: false }}>
      <Router hook={hook} searchHook={searchHook}>
        <AuditPage tenant="birkenfurt" />
      </Router>
    </SWRConfig>,
  )
  await expect.element(page.getByRole('cell', { name: 'meldete sich an' })).toBeVisible()
  await expect.element(page.getByRole('cell', { name: 'desk tariffs', exact: true })).toBeVisible()
})
