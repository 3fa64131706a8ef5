import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import type { ImportFile } from '@/data/types.ts'
import type { FileForm as Form } from './file-form.tsx'

const season = (id: string): ImportFile['seasons'][number] => ({
  id,
  name: `Saison ${id}`,
  firstDay: `${id}-01-01`,
  lastDay: `${id}-12-31`,
  meterTypes: [],
  districts: [],
  exportedUntil: `${id}-12-31`,
})

const FILE: ImportFile = {
  id: 'f1',
  name: 'auftraege.jsonl',
  kind: 'JOBS',
  at: '2026-11-26T10:00:00Z',
  by: 'Jonas Reuter',
  bytes: 100,
  isTable: false,
  columns: [],
  fields: [],
  kept: [],
  missing: [],
  runs: [],
  seasons: [season('2026')],
  suggested: {},
}
const TABLE: ImportFile = { ...FILE, isTable: true, seasons: [], suggested: { columns: {} } }

const server = { asked: [] as string[], field: '' }

const realFetch = globalThis.fetch
let FileForm: typeof Form

beforeAll(async () => {
  globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const { pathname } = new URL(request.url)
    if (!pathname.startsWith('/api/desk/')) return realFetch(request)
    server.asked.push(pathname.split('/').at(-1) ?? '')
    const problem = {
      status: 422,
      code: 'request-invalid',
      fieldErrors: [{ field: server.field, message: 'must be …' }],
    }
    return new Response(JSON.stringify(problem), {
      status: 422,
      headers: { 'content-type': 'application/problem+json' },
    })
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['imports'])
  ;({ FileForm } = await import('./file-form.tsx'))
})

beforeEach(() => {
  server.asked = []
})

afterEach(cleanup)

const button = (name: string) => page.getByRole('button', { name })

test('a file that lists a season completely says which, before anything is sent', async () => {
  const seasons = [season('2099'), season('2098')]
  await render(<FileForm tenant="birkenfurt" file={{ ...FILE, seasons }} reload={async () => {}} />)
  await page.getByRole('checkbox').click()
  await button('Probe starten').click()
  const field = page.getByRole('combobox', { name: 'Ablesesaison' })
  await expect.element(field).toHaveFocus()
  await expect.element(field).toHaveAccessibleDescription(/wählen Sie die Ablesesaison/)
  expect(server.asked).toEqual([])
  await field.selectOptions('Saison 2098')
  await expect.element(field).not.toHaveAttribute('aria-invalid', 'true')
})

test('next season’s file is of the season that is not over, or of the one that is chosen', async () => {
  const year = new Date().getFullYear()
  const [over, now, next] = [season(`${year - 1}`), season(`${year}`), season(`${year + 1}`)]
  const field = page.getByRole('combobox', { name: 'Ablesesaison' })
  const shown = async (seasons: ImportFile['seasons'], file: Partial<ImportFile> = {}) => {
    await cleanup()
    await render(<FileForm tenant="birkenfurt" file={{ ...TABLE, seasons, ...file }} reload={async () => {}} />)
  }
  await shown([over, now])
  await expect.element(field).toHaveValue(now.id)
  for (const seasons of [[over], [now, next]]) {
    await shown(seasons)
    await expect.element(field).toHaveDisplayValue('Bitte wählen')
    await button('Probe starten').click()
    await expect.element(field).toHaveFocus()
    await expect.element(field).toHaveAccessibleDescription(/wählen Sie die Ablesesaison/)
    expect(server.asked).toEqual([])
  }
  for (const seasons of [[over, now], [over]]) {
    await shown(seasons, { suggested: { columns: { season: 'Saison' } } })
    await expect.element(field).toHaveDisplayValue('steht in den Zeilen')
  }
  await button('Probe starten').click()
  await expect.poll(() => server.asked).toEqual(['rehearsals'])
})

test('a season that there is since the file was opened can be chosen then', async () => {
  server.field = 'season'
  const none = { ...FILE, seasons: [] }
  let isReloaded = false
  const reload = async () => {
    isReloaded = true
  }
  const shown = await render(<FileForm tenant="birkenfurt" file={none} reload={reload} />)
  await page.getByRole('checkbox').click()
  await button('Probe starten').click()
  await expect.element(page.getByRole('alert').getByText(/wählen Sie die Ablesesaison/)).toBeVisible()
  expect(isReloaded).toBe(true)
  await shown.rerender(<FileForm tenant="birkenfurt" file={FILE} reload={reload} />)
  await expect.element(page.getByRole('combobox', { name: 'Ablesesaison' })).toHaveAttribute('aria-invalid', 'true')
})

test('a mapping is kept under a name, unless there are as many as there can be', async () => {
  server.field = 'name'
  await render(<FileForm tenant="birkenfurt" file={TABLE} reload={async () => {}} />)
  await button('Zuordnung aufbewahren …').click()
  const name = page.getByRole('dialog').getByLabelText('Name')
  for (const wrong of ['', 'SAP/2026']) {
    await name.fill(wrong)
    await button('Aufbewahren').click()
    await expect.element(name).toHaveFocus()
    await expect.element(name).toHaveAccessibleDescription(/Namen ohne Schrägstrich/)
  }
  expect(server.asked).toEqual([])
  await name.fill('SAP 2026')
  await button('Aufbewahren').click()
  await expect.element(page.getByRole('alert').getByText(/50 Zuordnungen/)).toBeVisible()
})
