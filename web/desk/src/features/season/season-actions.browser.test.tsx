import { beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { SeasonName } from '@/data/types.ts'
import type { SeasonActions as Shown } from './season-actions.tsx'

const SEASON: SeasonName = {
  id: '2026',
  name: 'Ablesung 2026',
  firstDay: '2026-11-01',
  lastDay: '2026-11-30',
  meterTypes: [],
  districts: [],
  exportedUntil: '2027-03-02',
}

const server = { asked: [] as string[], hasJobs: true, isThere: true }

const realFetch = globalThis.fetch
let SeasonActions: typeof Shown

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/api/desk/')) return realFetch(request)
    server.asked.push(`${request.method} ${pathname.split('/').slice(-2).join('/')}`)
    if (!server.hasJobs) return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
    const problem = server.isThere ? { status: 409, code: 'conflict' } : { status: 404, code: 'not-found' }
    return new Response(JSON.stringify(problem), {
      status: problem.status,
      headers: { 'content-type': 'application/problem+json' },
    })
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['season', 'parts', 'common'])
  ;({ SeasonActions } = await import('./season-actions.tsx'))
})

test('a season to which jobs belong stays, and it is said why; one without goes', async () => {
  let isGone = false
  await render(
    <SeasonActions
      tenant="birkenfurt"
      season={SEASON}
      reload={async () => undefined}
      onGone={() => {
        isGone = true
      }}
    />,
  )
  await page.getByRole('button', { name: 'Ablesesaison löschen …' }).click()
  const dialog = page.getByRole('dialog', { name: 'Ablesesaison „Ablesung 2026“ löschen?' })
  await dialog.getByRole('button', { name: 'Löschen' }).click()
  await expect.element(dialog.getByText(/^Zu dieser Saison gehören Aufträge/)).toBeVisible()
  expect(isGone).toBe(false)
  server.hasJobs = false
  await dialog.getByRole('button', { name: 'Löschen' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect([isGone, server.asked]).toEqual([true, ['DELETE seasons/2026', 'DELETE seasons/2026']])
})

test('a season that is not there any more is deleted', async () => {
  Object.assign(server, { hasJobs: true, isThere: false })
  let isGone = false
  await render(
    <SeasonActions
      tenant="birkenfurt"
      season={SEASON}
      reload={async () => undefined}
      onGone={() => {
        isGone = true
      }}
    />,
  )
  await page.getByRole('button', { name: 'Ablesesaison löschen …' }).click()
  await page.getByRole('button', { name: 'Löschen', exact: true }).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(isGone).toBe(true)
})
