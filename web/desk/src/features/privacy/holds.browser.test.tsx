import { beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Hold } from '@/data/types.ts'
import type * as HoldsModule from './holds.tsx'

const MARA: Hold = {
  account: 'k-30079',
  reason: 'Klage 12/26',
  by: 'Mara Lindner',
  since: '2026-11-26T07:15:00.123456Z',
}

/** What holds on the server, and what was asked of it: a reason in the place of a hold, or its end. */
const server = { hold: undefined as Hold | undefined, asked: [] as unknown[] }

const realFetch = globalThis.fetch
let module: typeof HoldsModule

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    if (!url.pathname.endsWith('/holds/k-30079')) return realFetch(request)
    const asked =
      request.method === 'POST'
        ? ((await request.json()) as { seen?: string })
        : { seen: url.searchParams.get('since') ?? undefined }
    server.asked.push(asked)
    if (asked.seen === server.hold?.since) return new Response(null, { status: 204 })
    return new Response(JSON.stringify({ status: 409, code: 'conflict' }), {
      status: 409,
      headers: { 'content-type': 'application/problem+json' },
    })
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['privacy', 'desk'])
  module = await import('./holds.tsx')
})

beforeEach(() => {
  server.asked = []
})

test('whoever holds somebody whom a colleague holds meanwhile sees the hold before their own takes its place', async () => {
  const onClose = vi.fn<() => void>()
  server.hold = MARA
  await render(
    <module.HoldDialog
      tenant="birkenfurt"
      account="k-30079"
      shown={undefined}
      look={async () => server.hold}
      onClose={onClose}
    />,
  )
  await page.getByLabelText('Warum').fill('Klage 12/26 und Schlichtung')
  await page.getByRole('button', { name: 'Sperren' }).click()
  await expect.element(page.getByRole('alert').getByText(/Jemand anderes hat diese Sperre/)).toBeVisible()
  await expect
    .element(page.getByText(/gesetzt von Mara Lindner am .*: Klage 12\/26\. Was Sie hier schreiben/))
    .toBeVisible()
  expect(onClose).not.toHaveBeenCalled()
  await page.getByRole('button', { name: 'Sperren' }).click()
  await expect.poll(() => onClose.mock.calls.length).toBe(1)
  const reason = 'Klage 12/26 und Schlichtung'
  expect(server.asked).toEqual([{ reason }, { reason, seen: MARA.since }])
})

test('a hold that a colleague renewed goes on, and is ended as it was shown only', async () => {
  const onClose = vi.fn<() => void>()
  server.hold = { ...MARA, since: '2026-11-26T11:00:00Z' }
  await render(<module.EndHoldDialog tenant="birkenfurt" hold={MARA} onClose={onClose} />)
  await expect.element(page.getByText(/Gesetzt von Mara Lindner am .*: Klage 12\/26/)).toBeVisible()
  expect(server.asked).toEqual([])
  await page.getByRole('button', { name: 'Sperre aufheben' }).click()
  await expect.element(page.getByRole('alert').getByText(/sie gilt weiter/)).toBeVisible()
  server.hold = MARA
  await page.getByRole('button', { name: 'Sperre aufheben' }).click()
  await expect.poll(() => onClose.mock.calls.length).toBe(1)
  expect(server.asked).toEqual([{ seen: MARA.since }, { seen: MARA.since }])
})
