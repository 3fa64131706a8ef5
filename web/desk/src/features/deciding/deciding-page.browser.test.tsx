import { type Cache, SWRConfig } from 'swr'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { Doubt, Reading, WaitingItem } from '@/data/types.ts'
import type { DecidingPage as Shown } from './deciding-page.tsx'

const PAGE = 60

/** How much waits, whether it can be had, and which pages were asked for. */
const server = { waiting: PAGE, isAway: false, asked: [] as (string | null)[] }

const item = (number: string, doubt: Doubt): WaitingItem => ({
  job: `j-${number}`,
  account: `a-${number}`,
  name: `Kunde ${number}`,
  meterType: 'WATER_METER',
  reading: {
    id: `r-${number}`,
    version: 'v1',
    taskId: 't1',
    obis: '8-0:1.0.0',
    meterNumber: number,
    readingDate: '2026-11-20',
    readingValue: '965',
    channel: 'PORTAL',
    created: '2026-11-21T10:00:00Z',
    state: 'waits',
    doubts: [doubt],
    confirmed: [],
    images: [],
    sent: [],
  } satisfies Reading,
})

function respond(request: Request): Response {
  const { searchParams } = new URL(request.url)
  const doubt = searchParams.get('reason') as Doubt | null
  const cursor = searchParams.get('cursor')
  server.asked.push(cursor)
  if (server.isAway)
    return new Response(JSON.stringify({ status: 503, code: 'temporarily-unavailable' }), {
      status: 503,
      headers: { 'content-type': 'application/problem+json' },
    })
  const waiting = searchParams.has('season') ? 0 : server.waiting
  const all = Array.from({ length: waiting }, (_, index) => item(`${doubt}-${index}`, doubt ?? 'ROLLOVER'))
  const items = cursor === null ? all.slice(0, PAGE) : all.slice(PAGE)
  return Response.json({ items, count: all.length, nextCursor: cursor === null && all.length > PAGE ? 'more' : null })
}

/** The first customer has an address. */
async function decide(request: Request): Promise<Response> {
  const { items } = (await request.json()) as { items: { job: string; reading: string }[] }
  return Response.json({ items: items.map(({ job, reading }, index) => ({ job, reading, mailed: index === 0 })) })
}

const realFetch = globalThis.fetch
let DecidingPage: typeof Shown

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    if (pathname.endsWith('/waiting/decisions')) return decide(request)
    if (pathname.endsWith('/season')) return Response.json({ seasons: [{ id: '2026', name: 'Ablesung 2026' }] })
    return pathname.endsWith('/waiting') ? respond(request) : realFetch(request)
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['deciding', 'common'])
  ;({ DecidingPage } = await import('./deciding-page.tsx'))
})

beforeEach(() => {
  Object.assign(server, { waiting: PAGE, isAway: false, asked: [] })
})

afterEach(cleanup)

async function open(cache: Cache = new Map()) {
  await show('reason=ROLLOVER', cache)
  await expect.element(choice('ROLLOVER-0')).toBeVisible()
}

async function show(searchPath: string, cache: Cache = new Map()) {
  const { hook, searchHook } = memoryLocation({ path: '/', searchPath })
  await render(
    <SWRConfig value={{ provider: () => cache, revalidateOnFocus: false, shouldRetryOnError: false }}>
      <Router hook={hook} searchHook={searchHook}>
        <DecidingPage tenant="birkenfurt" />
      </Router>
    </SWRConfig>,
  )
}

const choice = (number: string) => page.getByRole('checkbox', { name: `Zähler ${number} auswählen`, exact: true })
const filter = (reason: string) => page.getByLabelText('Grund').selectOptions(reason)

test('a list that is opened again, or by a filter that was there before, has what came and went meanwhile', async () => {
  const cache: Cache = new Map()
  await open(cache)
  await cleanup()
  server.waiting = PAGE + 1
  await open(cache)
  await expect.element(page.getByText('61 Ablesungen warten')).toBeVisible()
  expect(server.asked).toEqual([null, null])
  await page.getByRole('button', { name: 'Weitere zeigen' }).click()
  await expect.element(choice('ROLLOVER-60')).toBeVisible()
  expect(server.asked, 'what is there is not fetched again').toEqual([null, null, 'more'])
  await filter('außerhalb des Bereichs')
  await expect.element(choice('OUTSIDE_RANGE-0')).toBeVisible()
  server.waiting = 1
  await filter('Zähler übergelaufen')
  await expect.element(page.getByText('Eine Ablesung wartet')).toBeVisible()
})

test('a season to which the list is narrowed is seen and taken away, and that it is empty says nothing of the rest', async () => {
  await show('season=2026')
  await expect.element(page.getByRole('status').getByText('In dieser Auswahl wartet nichts.')).toBeVisible()
  await expect.element(page.getByLabelText('Ablesesaison')).toHaveDisplayValue('Ablesung 2026')
  await page.getByLabelText('Ablesesaison').selectOptions('alle')
  await expect.element(page.getByText('60 Ablesungen warten')).toBeVisible()
})

test('a list that cannot be had for a new filter says so above the rows of the old one', async () => {
  await open()
  server.isAway = true
  await filter('außerhalb des Bereichs')
  await expect.element(page.getByRole('alert').getByText(/gerade ausgelastet/)).toBeVisible()
  await expect.element(choice('ROLLOVER-0')).toBeVisible()
  server.isAway = false
  await page.getByRole('button', { name: 'Erneut versuchen' }).click()
  await expect.element(choice('OUTSIDE_RANGE-0')).toBeVisible()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

test('fifty are chosen at once, which is said, and what another filter hides does not count', async () => {
  await open()
  await choice('ROLLOVER-0').click()
  await choice('ROLLOVER-59').click({ modifiers: ['Shift'] })
  await expect.element(page.getByText('50 ausgewählt; mehr gehen nicht auf einmal.')).toBeVisible()
  await expect.element(choice('ROLLOVER-50')).toBeDisabled()
  await choice('ROLLOVER-49').click()
  await expect.element(page.getByText('49 ausgewählt')).toBeVisible()
  await choice('ROLLOVER-50').click()
  await filter('außerhalb des Bereichs')
  await choice('OUTSIDE_RANGE-3').click()
  await expect.element(choice('OUTSIDE_RANGE-3')).toBeChecked()
  await expect.element(page.getByText('Eine ausgewählt')).toBeVisible()
})

test('whoever rejects several hears how many customers are told by mail', async () => {
  await open()
  await page.getByRole('checkbox').nth(0).click()
  await page.getByRole('checkbox').nth(1).click()
  await page.getByRole('button', { name: 'Ablehnen' }).click()
  await page.getByLabelText('Was soll der Kunde lesen?').fill('Bitte noch einmal.')
  await page.getByRole('button', { name: 'Ablehnen und mitteilen' }).click()
  await expect.element(page.getByText(/^2 Ablesungen entschieden;.* Eine E-Mail geht an einen Kunden\.$/)).toBeVisible()
})

test('what can be done with the chosen ones is in sight of each row, and covers none that is focused', async () => {
  await open()
  const bar = page.getByRole('group', { name: 'Mehrere auf einmal' })
  await choice('ROLLOVER-0').click()
  expect(document.documentElement.scrollHeight).toBeGreaterThan(2 * innerHeight)
  await expect.poll(() => bar.element().getBoundingClientRect().bottom).toBeLessThanOrEqual(innerHeight)
  for (const box of document.querySelectorAll<HTMLInputElement>('td input')) {
    box.focus()
    expect(box.getBoundingClientRect().top).toBeLessThan(bar.element().getBoundingClientRect().top)
  }
  scrollTo(0, document.documentElement.scrollHeight)
  const last = document.querySelector('tbody tr:last-child')
  await expect
    .poll(() => bar.element().getBoundingClientRect().top - (last?.getBoundingClientRect().bottom ?? 0))
    .toBeGreaterThanOrEqual(0)
})

test('neither what was said of several nor the form for them covers what is focused, and a choice ends what was said', async () => {
  await open()
  await choice('ROLLOVER-0').click()
  await page.getByRole('button', { name: 'Freigeben' }).click()
  const said = page.getByText(/^Eine Ablesung entschieden/)
  await expect.element(said).toBeVisible()
  await expect.poll(distanceFromBar).toBeGreaterThanOrEqual(0)

  await choice('ROLLOVER-20').click()
  await expect.element(said).not.toBeInTheDocument()
  await expect.poll(distanceFromBar).toBeGreaterThanOrEqual(0)
  await page.getByRole('button', { name: 'Ablehnen' }).click()
  await expect.poll(distanceFromBar).toBeGreaterThanOrEqual(0)
  const before = scrollY
  for (const control of document.querySelectorAll<HTMLElement>('.several :is(button, textarea)')) {
    control.focus()
    expect(scrollY, 'the rows stay where they are').toBe(before)
    const bar = document.querySelector('.several')?.getBoundingClientRect()
    expect(control.getBoundingClientRect().left - (bar?.left ?? 0), 'a focus ring has room').toBeGreaterThanOrEqual(5)
  }
})

/** How far above the bar a link is that lay just behind its upper edge when it was focused. */
function distanceFromBar(): number {
  const [bar, link] = [document.querySelector('.several'), document.querySelector<HTMLElement>('tr:nth-child(20) a')]
  if (!bar || !link) return NaN
  link.blur()
  scrollBy(0, link.getBoundingClientRect().top - bar.getBoundingClientRect().top - 4)
  link.focus()
  return bar.getBoundingClientRect().top - link.getBoundingClientRect().bottom
}
