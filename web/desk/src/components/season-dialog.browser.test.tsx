import { afterEach, beforeAll, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import type { SeasonName } from '@/data/types.ts'
import type { SeasonDialog as Shown } from './season-dialog.tsx'

const SEASON: SeasonName = {
  id: '2026',
  name: 'Ablesung 2026',
  firstDay: '2026-11-01',
  lastDay: '2026-11-30',
  meterTypes: ['GAS_METER'],
  districts: ['Nord, Altstadt'],
  exportedUntil: '2027-03-02',
}

const server = { asked: [] as unknown[], status: 200 }

const realFetch = globalThis.fetch
let SeasonDialog: typeof Shown

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (!new URL(request.url).pathname.startsWith('/api/desk/')) return realFetch(request)
    server.asked.push(await request.json())
    if (server.status === 200) return Response.json(SEASON)
    return new Response(JSON.stringify({ status: server.status, code: 'conflict' }), {
      status: server.status,
      headers: { 'content-type': 'application/problem+json' },
    })
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['parts', 'common'])
  ;({ SeasonDialog } = await import('./season-dialog.tsx'))
})

afterEach(cleanup)

test('a season is changed in the place of what was shown; somebody else’s change is shown, and what was typed stays', async () => {
  server.status = 409
  const done: string[] = []
  const others = { ...SEASON, name: 'Ablesung im Winter', lastDay: '2026-12-31', districts: [] }
  await render(
    <SeasonDialog
      tenant="birkenfurt"
      season={SEASON}
      reload={async () => others}
      onDone={async (id) => void done.push(id)}
      onClose={() => {}}
    />,
  )
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByLabelText('Name')).toHaveValue('Ablesung 2026')
  await expect.element(dialog.getByRole('checkbox', { name: 'Gas' })).toBeChecked()
  await dialog.getByLabelText('Letzter Tag').fill('2026-10-31')
  await dialog.getByRole('button', { name: 'Speichern' }).click()
  await expect.element(dialog.getByRole('alert').getByText(/der letzte Tag darf nicht vor/)).toBeVisible()
  expect(server.asked).toEqual([])
  await dialog.getByLabelText('Letzter Tag').fill('2027-02-28')
  await dialog.getByLabelText('Bezirke').fill('Nord, Altstadt\n\n Süd ')
  await dialog.getByRole('button', { name: 'Speichern' }).click()
  await expect.element(dialog.getByText(/Jemand anderes hat die Saison inzwischen geändert/)).toBeVisible()
  await expect.element(dialog.getByLabelText('Name')).toHaveValue('Ablesung im Winter')
  await expect.element(dialog.getByLabelText('Letzter Tag')).toHaveValue('2027-02-28')
  await expect.element(dialog.getByLabelText('Letzter Tag')).toHaveAccessibleDescription('Jetzt gilt: 31.12.2026')
  await expect.element(dialog.getByLabelText('Bezirke')).toHaveValue('Nord, Altstadt\n\n Süd ')
  await expect.element(dialog.getByLabelText('Bezirke')).toHaveAccessibleDescription(/Jetzt gilt: alle$/)
  server.status = 200
  await dialog.getByRole('button', { name: 'Speichern' }).click()
  await expect.poll(() => done).toEqual(['2026'])
  const { exportedUntil: _, ...seen } = others
  expect(server.asked.at(-1)).toEqual({
    seen,
    season: { ...seen, lastDay: '2027-02-28', districts: ['Nord, Altstadt', 'Süd'] },
  })
})
