import { SWRConfig } from 'swr'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
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

const SEASON = {
  firstDay: '2026-11-01',
  lastDay: '2027-01-31',
  exportedUntil: '2027-05-03',
  meterTypes: [],
  districts: [],
}
const SEASONS = [2026, 2025].map((year) => ({ ...SEASON, id: `s${year}`, name: `Ablesung ${year}` }))

const server = { seasons: [] as typeof SEASONS, asked: [] as URLSearchParams[], found: [] as OpenRow[] }

function respond(request: Request): Response {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname.endsWith('/season')) return Response.json({ seasons: server.seasons, season: server.seasons[0] })
  if (pathname.endsWith('/open')) server.asked.push(searchParams)
  else {
    const end = new Date(Date.now() + 3_600_000).toISOString()
    const memberships = [{ tenant: 'birkenfurt', roles: ['lead'] }]
    return Response.json({ id: 'm1', name: 'Jonas Reuter', memberships, idleUntil: end, endsAt: end })
  }
  // Of a district the list knows words, which others have, too.
  if (searchParams.has('inDistrict')) {
    if (!searchParams.has('cursor')) return Response.json({ rows: [], count: null, isMore: false, nextCursor: 'more' })
    return Response.json({ rows: server.found, count: null, isMore: false, nextCursor: null })
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
  await loadTexts(['open', 'parts', 'common'])
  const { startSession } = await import('@/session/session.ts')
  await startSession()
  ;({ OpenPage } = await import('./open-page.tsx'))
})

const refusals = [
  { name: 'a district that is refused', ask: () => page.getByLabelText(/beginnt mit/).fill('-') },
  { name: 'a next page that does not come', ask: () => page.getByRole('button', { name: 'Weitere zeigen' }).click() },
]
afterEach(cleanup)

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

test('the list begins with the season that is read, and another one or all can be chosen', async () => {
  server.seasons = SEASONS
  server.asked = []
  const { hook, searchHook } = memoryLocation()
  await render(
    <SWRConfig value={{ provider: () => new Map(), revalidateOnFocus: false, shouldRetryOnError: false }}>
      <Router hook={hook} searchHook={searchHook}>
        <OpenPage tenant="birkenfurt" />
      </Router>
    </SWRConfig>,
  )
  await expect.element(page.getByRole('row', { name: /Anna Sommer/ })).toBeVisible()
  expect(server.asked.map((asked) => asked.get('season'))).toEqual(['s2026'])
  const field = page.getByRole('combobox', { name: 'Ablesesaison' })
  await expect.element(field).toHaveValue('s2026')
  for (const [chosen, season] of [
    ['Ablesung 2025', 's2025'],
    ['alle', null],
    ['Ablesung 2026', 's2026'],
  ] as const) {
    await field.selectOptions(chosen)
    await expect.poll(() => server.asked.at(-1)?.get('season')).toBe(season)
    await expect.element(field).toHaveValue(season ?? '')
  }
})

for (const { found, number } of [
  { found: [ROW], number: 'Ein Zähler ist offen' },
  { found: [], number: 'Nichts ist offen' },
])
  test(`a district of which none was found yet is said to be so, and can be written to: ${number}`, async () => {
    server.found = found
    const { hook, searchHook } = memoryLocation({ path: '/?inDistrict=Birkenfurt' })
    await render(
      <SWRConfig value={{ provider: () => new Map(), revalidateOnFocus: false, shouldRetryOnError: false }}>
        <Router hook={hook} searchHook={searchHook}>
          <OpenPage tenant="birkenfurt" />
        </Router>
      </SWRConfig>,
    )
    await expect.element(page.getByRole('status')).toMatchTextContent(/keiner offen, der dazu passt/)
    await expect.element(page.getByRole('link', { name: 'Briefe an diese Auswahl' })).toBeVisible()
    await page.getByRole('button', { name: 'Weitere zeigen' }).click()
    await expect.element(page.getByRole('status')).toHaveTextContent(number)
    expect(page.getByRole('row', { name: /Anna Sommer/ }).elements()).toHaveLength(found.length)
    expect(page.getByRole('link', { name: 'Briefe an diese Auswahl' }).elements()).toHaveLength(found.length)
  })
