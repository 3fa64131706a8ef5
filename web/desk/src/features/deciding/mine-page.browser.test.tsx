import { SWRConfig } from 'swr'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { Made, Reading } from '@/data/types.ts'
import type { MinePage as Shown } from './mine-page.tsx'

const PAGE = 200

/** How many decisions there are today, what more is known of each, and whether they can be had. */
const server = { made: PAGE + 1, more: {} as Partial<Made>, isAway: false }

const decided = (number: number) => ({
  job: `j-${number}`,
  account: `a-${number}`,
  reading: {
    id: `r-${number}`,
    version: 'v1',
    taskId: 't1',
    obis: '8-0:1.0.0',
    meterNumber: `Z-${number}`,
    readingDate: '2026-11-20',
    readingValue: '965',
    channel: 'PORTAL',
    created: '2026-11-21T10:00:00Z',
    state: 'counts',
    doubts: ['EXPECTED_HIGH'],
    confirmed: [],
    images: [],
    sent: [],
  } satisfies Reading,
  decision: { kind: 'release', by: 'Jonas Reuter', at: '2026-11-26T10:00:00Z', ...server.more },
})

function respond(request: Request): Response {
  const { pathname, searchParams } = new URL(request.url)
  if (server.isAway)
    return new Response(JSON.stringify({ status: 503, code: 'temporarily-unavailable' }), {
      status: 503,
      headers: { 'content-type': 'application/problem+json' },
    })
  if (request.method === 'DELETE') {
    server.made -= 1
    return new Response(null, { status: 204 })
  }
  if (!pathname.endsWith('/decisions')) return Response.json({})
  const all = Array.from({ length: searchParams.has('day') ? 1 : server.made }, (_, index) => decided(index))
  const cursor = searchParams.get('cursor')
  const decisions = cursor === null ? all.slice(0, PAGE) : all.slice(PAGE)
  return Response.json({
    day: '2026-11-26',
    decisions,
    nextCursor: cursor === null && all.length > PAGE ? 'more' : null,
  })
}

const realFetch = globalThis.fetch
let MinePage: typeof Shown

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).pathname.startsWith('/api/desk/') ? respond(request) : realFetch(request)
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['deciding', 'parts', 'common'])
  ;({ MinePage } = await import('./mine-page.tsx'))
})

beforeEach(() => {
  Object.assign(server, { made: PAGE + 1, more: {}, isAway: false })
})

afterEach(cleanup)

async function open() {
  const { hook, searchHook } = memoryLocation()
  await render(
    <SWRConfig value={{ provider: () => new Map(), revalidateOnFocus: false, shouldRetryOnError: false }}>
      <Router hook={hook} searchHook={searchHook}>
        <MinePage tenant="birkenfurt" />
      </Router>
    </SWRConfig>,
  )
}

const more = () => page.getByRole('button', { name: 'Weitere zeigen' })
const row = (number: number) => page.getByRole('rowheader', { name: `Z-${number}`, exact: true })

test('each decision of the day can be taken back, however many there are', async () => {
  await open()
  await expect.element(row(PAGE - 1)).toBeVisible()
  await expect.element(row(PAGE)).not.toBeInTheDocument()
  server.isAway = true
  await more().click()
  await expect.element(page.getByRole('alert').getByText(/gerade ausgelastet/)).toBeVisible()
  await expect.element(row(0)).toBeVisible()
  server.isAway = false
  await page.getByRole('button', { name: 'Erneut versuchen' }).click()
  await expect.element(row(PAGE)).toBeVisible()
  await expect.element(more()).not.toBeInTheDocument()
  await page.getByRole('button', { name: new RegExp(`^Zurücknehmen: Z-${PAGE},`) }).click()
  await expect.element(row(PAGE)).not.toBeInTheDocument()
  await expect.element(row(PAGE - 1)).toBeVisible()
})

test('what went out leads to where it is decided anew, at the reading that counts', async () => {
  const anew = page.getByRole('link', { name: /^Neu entscheiden: Z-0,/ })
  Object.assign(server, { made: 1, more: { taken: { destination: 'TABLE', export: 7 } } })
  await open()
  await expect.element(page.getByText(/^Ging mit Export 7 hinaus\. Entscheiden Sie neu:/)).toBeVisible()
  await expect.element(anew).toHaveAttribute('href', '/t/birkenfurt/deciding/anew/j-0%20r-0')
  await cleanup()
  server.more = { kind: 'correct', correctedBy: 'r-new', taken: { destination: 'WEBHOOK' } }
  await open()
  await expect.element(anew).toHaveAttribute('href', '/t/birkenfurt/deciding/anew/j-0%20r-new')
})
