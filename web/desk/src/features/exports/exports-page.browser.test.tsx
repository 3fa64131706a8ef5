import { SWRConfig } from 'swr'
import { beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Exports } from '@/data/types.ts'
import type { ExportsPage as Shown } from './exports-page.tsx'

const FILE = { name: 'MSCONS_VL.txt', bytes: 1, rows: 2, number: 1, missing: 0, replaced: 0, shortened: 2 }
const EXPORTS = {
  exports: [],
  runs: [
    {
      id: 'r1',
      what: 'MARKET',
      state: 'DONE',
      by: 'Jonas Reuter',
      askedAt: '2026-11-26T10:00:00Z',
      filesUntil: '2026-12-26T10:00:00Z',
      files: [FILE],
      leftOut: [],
    },
  ],
  presets: [],
  seasons: [],
  scheduled: [{ what: 'MARKET', every: 'DAY', hour: 6 }],
  hasMarket: true,
} as unknown as Exports

function respond(path: string): Response {
  if (path.endsWith('/exports'))
    return Response.json(path.includes('operating') ? { ...EXPORTS, runs: [], hasMarket: false } : EXPORTS)
  const end = new Date(Date.now() + 3_600_000).toISOString()
  const lead = { name: 'Stadtwerke', roles: ['lead'] }
  const memberships = [
    { ...lead, tenant: 'rehearsing', isInRehearsal: true },
    { ...lead, tenant: 'operating', isInRehearsal: false },
  ]
  return Response.json({ id: 'm1', name: 'Jonas Reuter', memberships, idleUntil: end, endsAt: end })
}

const realFetch = globalThis.fetch
let ExportsPage: typeof Shown

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    return pathname.startsWith('/api/desk/') ? respond(pathname) : realFetch(request)
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['exports', 'runs', 'common'])
  const { startSession } = await import('@/session/session.ts')
  await startSession()
  ;({ ExportsPage } = await import('./exports-page.tsx'))
})

const shown = (tenant: string) => (
  <SWRConfig value={{ provider: () => new Map() }}>
    <ExportsPage tenant={tenant} />
  </SWRConfig>
)

test('messages to the market say what they left out of counters, and where their answers are read', async () => {
  await render(shown('rehearsing'))
  await expect.element(page.getByText(/^2 Zählerstände stehen darin mit drei Nachkommastellen/)).toBeVisible()
  await expect.element(page.getByText(/„zaehlwerk market receive“/)).toBeVisible()
})

test('a schedule says that nothing of it begins in rehearsal', async () => {
  const { rerender } = await render(shown('rehearsing'))
  await expect.element(page.getByText('täglich um 6 Uhr: Marktnachrichten (MSCONS)')).toBeVisible()
  await expect.element(page.getByText(/^Im Probebetrieb beginnt keiner davon/)).toBeVisible()
  await rerender(shown('operating'))
  await expect.element(page.getByText('täglich um 6 Uhr: Marktnachrichten (MSCONS)')).toBeVisible()
  await expect.element(page.getByText(/^Im Probebetrieb|market receive/)).not.toBeInTheDocument()
})
