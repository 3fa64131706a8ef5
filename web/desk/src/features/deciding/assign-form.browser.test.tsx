import { SWRConfig } from 'swr'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { ApiError } from '@shared/api/client.ts'
import { sampleJob } from '@shared/testing/sample-job.ts'
import { samplePlausibility } from '@shared/testing/sample-plausibility.ts'
import type { Decision, DeskJob, FoundCustomer, ReadingWithoutJob, Suggestion } from '@/data/types.ts'
import type { AssignForm as Shown } from './assign-form.tsx'
import type { CaseWithoutJob } from './use-queue.ts'
import type { WithoutJobView as ShownView } from './without-job-view.tsx'

const SUGGESTION: Suggestion = {
  account: 'k-1',
  job: 'j-2026',
  name: 'Anna Sommer',
  because: ['METER_NUMBER'],
  meterNumber: '1EBZ0100000611',
  meterType: 'ELECTRIC_METER',
  place: {},
  season: '2026',
  state: 'open',
}

const found = (job: string, season: string, state: Suggestion['state']): FoundCustomer => ({
  ...SUGGESTION,
  job,
  season,
  state,
})

const server = {
  /** What the pages of a search find. */
  pages: [] as FoundCustomer[][],
  asked: [] as { words: string; jobs?: boolean; cursor?: string }[],
  /** The codes of the job's registers, which showed 8900. */
  registers: ['1-0:1.8.0'],
}

const jobOf = (id: string): DeskJob => ({
  account: 'k-1',
  name: 'Anna Sommer',
  rules: { plausibility: samplePlausibility, today: '2026-11-26' },
  file: {
    job: sampleJob({
      id,
      meter: {
        meterRateTasks: server.registers.map((obis, index) => ({
          taskId: `t${index + 1}`,
          obis,
          readingEvents: [{ readingDate: '2025-11-20', readingValue: '8900' }],
          readingResults: [],
        })),
      },
    }),
    readings: [],
    expected: {},
    place: {},
    season: '2026',
    state: 'open',
  },
})

async function respond(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (!pathname.endsWith('/search')) return Response.json(jobOf(pathname.split('/').at(-1) ?? ''))
  const body = (await request.json()) as (typeof server.asked)[number]
  server.asked.push(body)
  const place = Number(body.cursor ?? 0)
  const isLast = place + 1 >= server.pages.length
  return Response.json({ customers: server.pages[place] ?? [], nextCursor: isLast ? null : String(place + 1) })
}

const realFetch = globalThis.fetch
let AssignForm: typeof Shown
let WithoutJobView: typeof ShownView

beforeAll(async () => {
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).pathname.startsWith('/api/desk/') ? respond(request) : realFetch(request)
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['deciding', 'common', 'search', 'parts'])
  ;({ AssignForm } = await import('./assign-form.tsx'))
  ;({ WithoutJobView } = await import('./without-job-view.tsx'))
})

beforeEach(() => {
  Object.assign(server, { pages: [], asked: [], registers: ['1-0:1.8.0'] })
})

afterEach(cleanup)

/** A reading of this value. */
function caseOf(value: string, read: Partial<ReadingWithoutJob>, suggestions = [SUGGESTION]): CaseWithoutJob {
  return {
    kind: 'withoutJob',
    job: 'w1',
    reading: 'w1',
    version: 'v1',
    number: '1EBZ0100000611',
    day: '2026-11-20',
    images: [],
    email: undefined,
    place: undefined,
    suggestions,
    read: {
      id: 'w1',
      version: 'v1',
      meterNumber: '1EBZ0100000611',
      meterType: 'ELECTRIC_METER',
      readingDate: '2026-11-20',
      created: '2026-11-21T10:00:00Z',
      loginKind: 'public',
      exports: [],
      values: [{ obis: '1-0:1.8.0', value, images: [] }],
      ...read,
    },
  }
}

/** Shows the form for a reading of this value; what it sends. */
async function open(
  value: string,
  read: Partial<ReadingWithoutJob> = {},
  refusals: readonly ApiError[] = [],
  suggestions = [SUGGESTION],
): Promise<Decision[]> {
  const sent: Decision[] = []
  await render(
    <SWRConfig value={{ provider: () => new Map(), revalidateOnFocus: false }}>
      <AssignForm
        tenant="birkenfurt"
        item={caseOf(value, read, suggestions)}
        isSending={false}
        onSend={async (decision) => refusals[sent.push(decision) - 1]}
        onCancel={() => undefined}
      />
    </SWRConfig>,
  )
  return sent
}

const reason = page.getByLabelText('Zähler gewechselt oder übergelaufen?')
const assign = page.getByRole('button', { name: 'Zuordnen' })
const rollover = page.getByRole('option', { name: /^Zählerüberlauf/ })

test('why a visitor read is said beside what they read', async () => {
  await render(<WithoutJobView tenant="birkenfurt" item={caseOf('12', { readingReason: 'METER_CHANGE' })} />)
  await expect.element(page.getByText('Grund der Ablesung: Zählerwechsel')).toBeVisible()
})

test('what a visitor said of a new meter is what the form begins with', async () => {
  const sent = await open('9100', { readingReason: 'METER_CHANGE' })
  await expect.element(reason).toHaveValue('METER_CHANGE')
  await expect.element(reason).toHaveAccessibleDescription(/wartet dann auf Klärung, bis der Wechsel/)
  await expect.element(rollover).not.toBeInTheDocument()
  await assign.click()
  await expect.poll(() => sent).toMatchObject([{ job: 'j-2026', lowerReason: 'METER_CHANGE' }])
})

test('a counter below the last one may have passed its last digit', async () => {
  const sent = await open('12')
  await expect.element(rollover).toBeInTheDocument()
  await userEvent.selectOptions(reason, 'ROLLOVER')
  await assign.click()
  await expect.poll(() => sent).toMatchObject([{ lowerReason: 'ROLLOVER' }])
})

const asks = (...codes: ('HISTORIC_LOWER' | 'EXPECTED_HIGH' | 'RANGE_BELOW')[]) =>
  new ApiError('confirmation-required', {
    status: 422,
    problem: { fieldErrors: codes.map((code) => ({ field: 'readings[0].value', message: code, code })) },
  })
const why = page.getByLabelText('Warum stimmt der Wert?')

test('the reason answers whether the counter may be lower, and nothing else that is asked', async () => {
  const sent = await open('12', {}, [asks('HISTORIC_LOWER')])
  await userEvent.selectOptions(reason, 'ROLLOVER')
  await assign.click()
  await expect
    .poll(() => sent)
    .toMatchObject([{}, { confirmed: true, reason: expect.stringMatching(/^Zählerüberlauf/) }])
  await expect.element(why).not.toBeInTheDocument()
  await cleanup()
  const asked = await open('12', {}, [asks('HISTORIC_LOWER', 'EXPECTED_HIGH')])
  await userEvent.selectOptions(reason, 'ROLLOVER')
  await assign.click()
  await expect.element(why).toBeVisible()
  expect(asked).toHaveLength(1)
})

test.each([
  ['is no answer for a register below its range that did not', '9100', 1],
  ['is the answer for one below its range that did, too', '13', 2],
])('that a counter passed its last digit %s', async (_, other, calls) => {
  server.registers = ['1-0:1.8.1', '1-0:1.8.2']
  const values = [
    { obis: '1-0:1.8.1', value: '12', images: [] },
    { obis: '1-0:1.8.2', value: other, images: [] },
  ]
  const sent = await open('12', { values }, [asks('HISTORIC_LOWER', 'RANGE_BELOW')])
  await userEvent.selectOptions(reason, 'ROLLOVER')
  await assign.click()
  if (calls === 1) await expect.element(why).toBeVisible()
  await expect.poll(() => sent).toHaveLength(calls)
})

test('without a reason none is sent', async () => {
  const sent = await open('9100')
  await assign.click()
  await expect.poll(() => sent).toHaveLength(1)
  expect(sent[0]).not.toHaveProperty('lowerReason')
})

test('each job that is found is told by its season and by whether it was read, and there are more', async () => {
  server.pages = [[found('j-2027', '2027', 'open'), found('j-2025', '2025', 'done')], [found('j-2024', '2024', 'done')]]
  const sent = await open('9100')
  const words = page.getByLabelText(/^Anderen Auftrag suchen/)
  await words.fill('0611')
  await expect.element(page.getByRole('radio', { name: /2027 · noch offen/ })).toBeInTheDocument()
  await expect.element(page.getByRole('radio', { name: /2025 · schon abgelesen/ })).toBeInTheDocument()
  await page.getByRole('button', { name: 'Weitere zeigen' }).click()
  const last = page.getByText(/2024 · schon abgelesen/)
  await last.click()
  expect(server.asked).toEqual([
    { words: '0611', jobs: true },
    { words: '0611', jobs: true, cursor: '1' },
  ])
  // What was chosen stands there after any other search.
  server.pages = []
  await words.fill('Niemand')
  await expect.element(page.getByText(/^Nichts gefunden\./)).toBeVisible()
  await expect.element(last).toBeVisible()
  await assign.click()
  await expect.poll(() => sent).toMatchObject([{ job: 'j-2024' }])
})

test('that no job is chosen is said where one is searched for, and then where one is chosen', async () => {
  server.pages = [[found('j-2027', '2027', 'open')]]
  const sent = await open('9100', {}, [], [])
  const words = page.getByLabelText(/^Anderen Auftrag suchen/)
  await expect.element(words).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(words).toHaveAttribute('aria-invalid', 'true')
  await expect.element(words).toHaveAccessibleDescription(/^Bitte suchen Sie den Auftrag/)
  await expect.element(page.getByRole('alert').getByText(/^Bitte suchen Sie den Auftrag/)).toBeVisible()
  await assign.click()
  await expect.element(words).toHaveFocus()
  await words.fill('0611')
  const radio = page.getByRole('radio', { name: /2027/ })
  await expect.element(radio).toBeInTheDocument()
  await assign.click()
  await expect.element(radio).toHaveFocus()
  await expect.element(page.getByRole('radiogroup')).toHaveAccessibleDescription(/^Bitte wählen Sie einen Auftrag/)
  await userEvent.keyboard(' ')
  await assign.click()
  await expect.poll(() => sent).toMatchObject([{ job: 'j-2027' }])
})

test('a code with its billing period is that of its register', async () => {
  server.registers = ['1-0:1.8.0*255']
  await open('12')
  await expect.element(rollover).toBeInTheDocument()
  await expect.element(page.getByLabelText('Zählwerk')).not.toBeInTheDocument()
})

test('of several registers one is chosen before anything is sent', async () => {
  server.registers = ['1-0:1.8.1', '1-0:1.8.2']
  const sent = await open('9100')
  const register = page.getByLabelText('Zählwerk')
  await expect.element(register).toBeVisible()
  await assign.click()
  await expect.element(register).toHaveFocus()
  await expect.element(register).toHaveAccessibleDescription(/Bitte angeben\./)
  expect(sent).toEqual([])
  await userEvent.selectOptions(register, 't2')
  await assign.click()
  await expect.poll(() => sent).toMatchObject([{ register: 't2' }])
})
