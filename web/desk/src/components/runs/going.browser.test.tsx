import { SWRConfig } from 'swr'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Run } from '@/data/types.ts'
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

/** How the run stands at one look after the other; none: it cannot be had. */
const answers: (Run | undefined)[] = [RUN, undefined, { ...RUN, state: 'DONE', reached: 100 }]
let looks = 0

const realFetch = globalThis.fetch
let Going: typeof Shown

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (!request.url.endsWith('/runs/run-1')) return realFetch(request)
    const answer = answers[looks]
    looks += 1
    if (answer) return Response.json(answer)
    return new Response(JSON.stringify({ status: 503, code: 'temporarily-unavailable' }), {
      status: 503,
      headers: { 'content-type': 'application/problem+json' },
    })
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['runs', 'parts', 'common'])
  ;({ Going } = await import('./going.tsx'))
})

test('the end of a run is noticed though one look at it failed', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const onOver = vi.fn<() => void>()
  await render(
    <SWRConfig value={{ provider: () => new Map(), shouldRetryOnError: false, dedupingInterval: 0 }}>
      <Going tenant="birkenfurt" known={RUN} onOver={onOver} />
    </SWRConfig>,
  )
  const seen = (times: number) => vi.waitFor(() => expect(looks).toBe(times), { timeout: 5_000 })
  await seen(1)
  await vi.advanceTimersByTimeAsync(2_500)
  await expect.element(page.getByText(/gerade ausgelastet/)).toBeVisible()
  await vi.advanceTimersByTimeAsync(2_500)
  await expect.poll(() => onOver.mock.calls.length).toBe(1)
  expect(looks).toBe(3)
})
