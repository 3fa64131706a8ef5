import { SWRConfig } from 'swr'
import { beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { OpenRow } from '@/data/types.ts'
import type { OpenPage as Shown } from './open-page.tsx'

const ROW: OpenRow = {
  account: 'k-1',
  job: 'j1',
  name: 'Anna Sommer',
  place: {},
  meterType: 'WATER_METER',
  meterNumber: '8HYM1',
  email: true,
  open: true,
  season: 'default',
  overdue: false,
}

function respond(request: Request): Response {
  const { pathname, searchParams } = new URL(request.url)
  if (!pathname.endsWith('/open')) {
    const end = new Date(Date.now() + 3_600_000).toISOString()
    return Response.json({ id: 'm1', name: 'Jonas Reuter', memberships: [], idleUntil: end, endsAt: end })
  }
  if (!searchParams.has('cursor') && searchParams.get('district') !== '-')
    return Response.json({ rows: [ROW], count: 2, isMore: false, nextCursor: 'more' })
  return new Response(JSON.stringify({ status: 400, code: 'request-invalid' }), {
    status: 400,
    headers: { 'content-type': 'application/problem+json' },
  })
}

const realFetch = globalThis.fetch
let OpenPage: typeof Shown

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).pathname.startsWith('/api/desk/') ? respond(request) : realFetch(request)
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['open', 'common'])
  const { startSession } = await import('@/session/session.ts')
  await startSession()
  ;({ OpenPage } = await import('./open-page.tsx'))
})

const refusals = [
  { name: 'a district that is refused', ask: () => page.getByLabelText(/beginnt mit/).fill('-') },
  { name: 'a next page that does not come', ask: () => page.getByRole('button', { name: 'Weitere zeigen' }).click() },
]
for (const { name, ask } of refusals)
  test(`${name} is said above the rows that are there`, async () => {
    const { hook, searchHook } = memoryLocation()
    await render(
      <SWRConfig value={{ provider: () => new Map(), revalidateOnFocus: false, shouldRetryOnError: false }}>
        <Router hook={hook} searchHook={searchHook}>
          <OpenPage tenant="birkenfurt" />
        </Router>
      </SWRConfig>,
    )
    const row = page.getByRole('row', { name: /Anna Sommer/ })
    await expect.element(row).toBeVisible()
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
    await ask()
    await expect.element(page.getByRole('alert')).toBeVisible()
    await expect.element(row).toBeVisible()
  })
