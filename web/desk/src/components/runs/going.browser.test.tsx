import { SWRConfig } from 'swr'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render, renderHook } from 'vitest-browser-react'
import type { Run } from '@/data/types.ts'
import type * as Session from '@/session/session.ts'
import type { Going as Shown } from './going.tsx'

const RUN: Run = {
  id: 'run-1',
  what: 'TABLE',
  state: 'WORKING',
  by: 'Jonas Reuter',
  askedAt: '2026-11-26T10:00:00Z',
  files: [],
  isOwn: true,
  isScheduled: false,
  isStopping: false,
  leftOut: [],
  of: 100,
  reached: 10,
}

const ME = { id: 'm1', name: 'Jonas Reuter', email: null, isPlatform: false, loginTenant: null, memberships: [] }
const later = () => new Date(Date.now() + 3_600_000).toISOString()

const REFUSALS = {
  busy: { status: 503, code: 'temporarily-unavailable' },
  /** Its network wants a minute. */
  tooOften: { status: 429, code: 'too-many-requests' },
  ended: { status: 401, code: 'session-ended' },
}

/** How the run stands at one look after the other, or why it cannot be had; at the end as the last time. */
let answers: (Run | keyof typeof REFUSALS)[] = []
let looks = 0

const realFetch = globalThis.fetch
let Going: typeof Shown
let { giveUp, startSession, useSession } = {} as typeof Session

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (request.url.endsWith('/api/desk/me')) return Response.json({ ...ME, idleUntil: later(), endsAt: later() })
    if (!request.url.endsWith('/runs/run-1')) return realFetch(request)
    const answer = answers[Math.min(looks, answers.length - 1)] ?? RUN
    looks += 1
    if (typeof answer !== 'string') return Response.json(answer)
    const problem = REFUSALS[answer]
    return new Response(JSON.stringify(problem), {
      status: problem.status,
      headers: { 'content-type': 'application/problem+json', ...(answer === 'tooOften' && { 'retry-after': '60' }) },
    })
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['runs', 'parts', 'common', 'desk'])
  ;({ giveUp, startSession, useSession } = await import('@/session/session.ts'))
  ;({ Going } = await import('./going.tsx'))
})

/** Shows the run, with a clock that stands until it is told to go on. */
async function show(...seen: typeof answers) {
  answers = seen
  looks = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const onOver = vi.fn<() => void>()
  await render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false, dedupingInterval: 0 }}>
      <Going tenant="birkenfurt" known={RUN} onOver={onOver} />
    </SWRConfig>,
  )
  await looked(1)
  return onOver
}

const looked = (times: number) => vi.waitFor(() => expect(looks).toBe(times), { timeout: 5_000 })

test('the end of a run is noticed though one look at it failed', async () => {
  const onOver = await show(RUN, 'busy', { ...RUN, state: 'DONE', reached: 100 })
  await vi.advanceTimersByTimeAsync(2_500)
  await expect.element(page.getByText(/gerade ausgelastet/)).toBeVisible()
  await vi.advanceTimersByTimeAsync(2_500)
  await expect.poll(() => onOver.mock.calls.length).toBe(1)
  expect(looks).toBe(3)
})

test('it is not asked for sooner than the server wants', async () => {
  await show('tooOften', RUN)
  await expect.element(page.getByText(/zu viele|zu oft|später/i).first()).toBeVisible()
  await vi.advanceTimersByTimeAsync(59_000)
  expect(looks).toBe(1)
  await vi.advanceTimersByTimeAsync(2_000)
  await looked(2)
})

test('who looks on without a session is left in peace', async () => {
  await startSession()
  const { result } = await renderHook(() => useSession())
  const phase = () => result.current.kind === 'in' && result.current.phase
  await show('ended')
  await expect.poll(phase).toBe('ended')
  giveUp()
  await expect.poll(phase).toBe('open')
  await vi.advanceTimersByTimeAsync(2_500)
  await looked(2)
  await vi.advanceTimersByTimeAsync(10_000)
  await expect.poll(() => looks).toBeGreaterThan(2)
  expect(phase()).toBe('open')
})

test('how far it is is seen at each look, and read out at each quarter only', async () => {
  const at = (reached: number): Run => ({ ...RUN, reached })
  await show(at(10), at(20), at(30))
  const status = page.getByRole('status')
  await expect.element(status).toHaveTextContent('10 von 100 Ständen')
  await vi.advanceTimersByTimeAsync(2_500)
  await expect.element(page.getByText('20 von 100 Ständen')).toBeVisible()
  await expect.element(status).toHaveTextContent('10 von 100 Ständen')
  await vi.advanceTimersByTimeAsync(2_500)
  await expect.element(status).toHaveTextContent('30 von 100 Ständen')
})
