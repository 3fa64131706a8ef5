import { SWRConfig } from 'swr'
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { FieldError, MeterRateTask } from '@shared/contract/types.ts'
import { sampleJob } from '@shared/testing/sample-job.ts'
import { samplePlausibility } from '@shared/testing/sample-plausibility.ts'
import type { DeskJob, Entry, FoundCustomer, Reading } from '@/data/types.ts'
import type { EntryPage as Shown } from './entry-page.tsx'

interface Refusal {
  status: number
  code: string
  fieldErrors?: FieldError[]
}

const BUSY: Refusal = { status: 503, code: 'temporarily-unavailable' }
const READ: Refusal = {
  status: 409,
  code: 'read-already',
  fieldErrors: [{ field: 'values[0].value', message: 'HT 1.8.1: schon abgelesen: 4711 am 20.11.2026' }],
}
const REJECTED: Refusal = {
  status: 409,
  code: 'entered-before',
  fieldErrors: [
    {
      field: 'values[0].value',
      message: 'HT 1.8.1: schon eingetragen und dann abgelehnt: Ziffer unklar',
    },
  ],
}
const WARNED: Refusal = {
  status: 422,
  code: 'confirmation-required',
  fieldErrors: [
    { field: 'values', message: 'es fehlt ein Zählwerk des Zählers', code: 'INCOMPLETE', severity: 'warning' },
  ],
}

const server = {
  /** Why the next readings are not taken. */
  refusals: [] as Refusal[],
  sent: [] as Entry[],
  found: [] as FoundCustomer[],
  /** There is another page of what was found. */
  hasMore: false,
  /** The numbers that were searched for. */
  searched: [] as string[],
  /** Until when what is sent has no answer. */
  answering: undefined as Promise<void> | undefined,
  job: undefined as DeskJob | undefined,
  /** What the job is once a reading was refused. */
  overtaken: undefined as DeskJob | undefined,
  /** No job can be had. */
  isAway: false,
}

const refuse = (problem: Refusal) =>
  new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json' },
  })

const register = (taskId: string, obis: string, rateName: string): MeterRateTask => ({
  taskId,
  obis,
  rateName,
  postDecimals: 0,
  readingEvents: [],
  readingResults: [],
})

/** With what a colleague entered of HT meanwhile. */
function withReading(job: DeskJob, id: string, readingValue: string): DeskJob {
  const read = { readingDate: '2026-11-20', readingValue, created: '2026-11-21T10:00:00Z' }
  const { file } = job
  const [first, ...others] = file.job.meter.meterRateTasks
  if (!first) throw new Error('the job has no register')
  const task = { ...first, readingResults: [{ ...read, readingResultImages: [] }] }
  const reading: Reading = {
    ...read,
    id,
    version: 'v1',
    taskId: first.taskId,
    obis: first.obis,
    meterNumber: '4711',
    channel: 'PHONE',
    state: 'counts',
    doubts: [],
    confirmed: [],
    images: [],
    sent: [],
  }
  const meter = { ...file.job.meter, meterRateTasks: [task, ...others] }
  return { ...job, file: { ...file, job: { ...file.job, meter }, readings: [...file.readings, reading] } }
}

const { meter } = sampleJob()
/** Of HT and NT, without a reading as far as this page knows. */
const JOB: DeskJob = {
  account: 'k-1',
  name: 'Anna Sommer',
  rules: { plausibility: samplePlausibility, today: '2026-11-26' },
  file: {
    job: sampleJob({
      id: 'j-1',
      meter: { ...meter, meterRateTasks: [register('t-ht', '1-0:1.8.1', 'HT'), register('t-nt', '1-0:1.8.2', 'NT')] },
    }),
    readings: [],
    expected: {},
    place: {},
    season: 'default',
    state: 'open',
  },
}

/** The job whose HT had 4711, which does not hold any more: rejected for a reason, or taken back without one. */
function rejected(reason: string | undefined): DeskJob {
  const { file } = withReading(JOB, 'r-1', '4711')
  const readings = file.readings.map((reading) => ({
    ...reading,
    readingDate: '2026-11-26',
    state: 'rejected' as const,
    decision: { kind: 'reject' as const, at: '2026-11-26T10:00:00Z', ...(reason && { reason }) },
  }))
  return { ...JOB, file: { ...JOB.file, readings } }
}

async function respond(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname.endsWith('/search')) {
    server.searched.push(((await request.json()) as { words: string }).words)
    return Response.json({ customers: server.found, nextCursor: server.hasMore ? 'next' : null })
  }
  if (pathname.includes('/jobs/')) return server.isAway ? refuse(BUSY) : Response.json(server.job ?? JOB)
  server.sent.push((await request.json()) as Entry)
  await server.answering
  const refusal = server.refusals.shift()
  if (refusal?.status === 409) server.job = server.overtaken
  return refusal
    ? refuse(refusal)
    : Response.json({ outcome: 'stored', job: 'j-1', readings: ['r1'], done: false, doubts: [], remarks: [] })
}

const realFetch = globalThis.fetch
let EntryPage: typeof Shown

beforeAll(async () => {
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).pathname.startsWith('/api/desk/') ? respond(request) : realFetch(request)
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['entry', 'common', 'parts'])
  ;({ EntryPage } = await import('./entry-page.tsx'))
})

beforeEach(() => {
  Object.assign(server, {
    refusals: [],
    sent: [],
    found: [],
    hasMore: false,
    searched: [],
    answering: undefined,
    job: undefined,
    overtaken: withReading(JOB, 'r-1', '4711'),
    isAway: false,
  })
})

afterEach(cleanup)

async function open(id: string) {
  const { hook, searchHook } = memoryLocation()
  await render(
    <SWRConfig value={{ provider: () => new Map(), revalidateOnFocus: false, shouldRetryOnError: false }}>
      <Router hook={hook} searchHook={searchHook}>
        <EntryPage tenant="birkenfurt" id={id} />
      </Router>
    </SWRConfig>,
  )
  if (id) await page.getByLabelText('Ablesetag').fill('2026-11-26')
}

const ht = page.getByLabelText(/^HT/)
const nt = page.getByLabelText(/^NT/)
const why = page.getByLabelText('Warum stimmt der Wert trotzdem?')
const again = page.getByLabelText('Warum tritt der Stand an die Stelle des vorhandenen?')
const press = (key: string) => userEvent.keyboard(key)

test('what one refusal asked for goes with the answer to the next one, too', async () => {
  server.refusals = [READ, BUSY, WARNED]
  await open('j-1')
  await ht.fill('4720')
  await press('{Enter}')
  // A register that is left out is asked about before anything is sent.
  await expect.element(nt).toHaveFocus()
  await expect.element(page.getByText('Es sind nicht alle Zählwerke eingegeben.')).toBeVisible()
  await why.fill('NT ist nicht zugänglich')
  await press('{Enter}')
  await again.fill('am Telefon berichtigt')
  await press('{Enter}')
  await expect.element(page.getByRole('alert').getByText(/gerade ausgelastet/)).toBeVisible()
  await expect.element(again).toHaveValue('am Telefon berichtigt')
  await press('{Enter}')
  await expect.element(page.getByText('es fehlt ein Zählwerk des Zählers')).toBeVisible()
  await press('{Enter}')
  await expect.element(page.getByText(/gespeichert/)).toBeVisible()
  expect(server.sent.map(({ confirmed, late, replaces }) => [confirmed, late, replaces])).toEqual([
    ['NT ist nicht zugänglich', undefined, []],
    ['NT ist nicht zugänglich', 'am Telefon berichtigt', ['r-1']],
    ['NT ist nicht zugänglich', 'am Telefon berichtigt', ['r-1']],
    ['NT ist nicht zugänglich', 'am Telefon berichtigt', ['r-1']],
  ])
})

const late = page.getByLabelText('Warum wird außerhalb der Frist eingegeben?')
const OVER = { earliestExecution: '2026-09-01', latestExecution: '2026-10-31' }

test('why a reading is late is no reason to take the place of one that came meanwhile, nor is what was said of another one', async () => {
  server.job = { ...JOB, file: { ...JOB.file, job: { ...JOB.file.job, jobConstraints: OVER } } }
  const [first, second] = [withReading(server.job, 'r-1', '4711'), withReading(server.job, 'r-12', '4712')]
  server.refusals = [READ, READ]
  server.overtaken = first
  await open('j-1')
  await ht.fill('4811')
  await nt.fill('310')
  await late.fill('Karte lag im Eingang')
  await press('{Enter}')
  await expect.element(again).toHaveValue('')
  await expect.element(ht).toHaveAccessibleDescription(/schon abgelesen: 4711.kWh am 20\.11\.2026/)
  await expect.element(late).not.toBeInTheDocument()
  server.overtaken = second
  await again.fill('HT war vertauscht')
  await press('{Enter}')
  await expect.element(ht).toHaveAccessibleDescription(/schon abgelesen: 4712/)
  await expect.element(again).toHaveValue('')
  await again.fill('beide waren vertauscht')
  await press('{Enter}')
  await expect.element(page.getByText(/gespeichert/)).toBeVisible()
  expect(server.sent.map(({ late, replaces }) => [late, replaces])).toEqual([
    ['Karte lag im Eingang', []],
    ['HT war vertauscht', ['r-1']],
    ['beide waren vertauscht', ['r-12']],
  ])
})

test('before a reading begins no reason helps', async () => {
  const jobConstraints = { earliestExecution: '2026-12-01', latestExecution: '2026-12-31' }
  server.job = { ...JOB, file: { ...JOB.file, job: { ...JOB.file.job, jobConstraints } } }
  await open('j-1')
  await ht.fill('4811')
  await nt.fill('310')
  await expect.element(page.getByText('Die Ablesung beginnt erst am 01.12.2026', { exact: false })).toBeVisible()
  await nt.fill('')
  await press('{Enter}')
  await expect.element(page.getByText('Die Ablesung beginnt erst am 01.12.2026', { exact: false })).toHaveFocus()
  await expect.element(late).not.toBeInTheDocument()
  await expect.element(why).not.toBeInTheDocument()
  expect(server.sent).toEqual([])
})

test('a register that was read already is shown, and asked about only where it would show something else', async () => {
  server.job = withReading(JOB, 'r-1', '4711')
  await open('j-1')
  await page.getByLabelText('Ablesetag').fill('2026-11-20')
  await ht.fill('4711')
  await nt.fill('310')
  await expect.element(ht).toHaveAccessibleDescription(/schon abgelesen/)
  await expect.element(again).not.toBeInTheDocument()
  await ht.fill('4712')
  await expect.element(again).toBeVisible()
})

test('a warning that only the server knows is asked about until other values stand there', async () => {
  server.refusals = [READ, WARNED]
  await open('j-1')
  await ht.fill('4720')
  await nt.fill('310')
  await press('{Enter}')
  await again.fill('am Telefon berichtigt')
  await press('{Enter}')
  await expect.element(why).toBeVisible()
  await ht.fill('4721')
  await expect.element(why).not.toBeInTheDocument()
  await ht.fill('4720')
  await why.fill('am Zähler gesehen')
  // A screen reader tells what changes in a region that is there.
  const status = document.querySelector('.page > [role=status]')
  await press('{Enter}')
  await expect.element(page.getByText(/gespeichert/)).toBeVisible()
  expect(status?.textContent).toContain('gespeichert')
  expect(server.sent.at(-1)).toMatchObject({
    confirmed: 'am Zähler gesehen',
    late: 'am Telefon berichtigt',
    lang: 'de',
  })
})

test('what is wrong with a value is said at its field', async () => {
  const message = 'HT 1.8.1: das Zählwerk hat 4 Stellen vor dem Komma'
  server.refusals = [
    {
      status: 422,
      code: 'reading-invalid',
      fieldErrors: [{ field: 'values[0].value', message, code: 'PRE_DECIMALS' }],
    },
  ]
  await open('j-1')
  await ht.fill('47,20,1')
  await nt.fill('310')
  await expect.element(ht).toHaveAccessibleDescription(/Das ist keine Zahl/)
  await press('{Enter}')
  await expect.element(ht).toHaveFocus()
  await expect.element(ht).toHaveAttribute('aria-invalid', 'true')
  await ht.fill('47200')
  await expect.element(ht).not.toHaveAttribute('aria-invalid', 'true')
  await press('{Enter}')
  await expect.element(ht).toHaveAttribute('aria-invalid', 'true')
  await expect.element(ht).toHaveAccessibleDescription(message)
  await ht.fill('4720')
  await expect.element(ht).toHaveAccessibleDescription('')
})

const found = { account: 'k-1', name: 'Anna Sommer', meterNumber: '1EBZ0100004711' }
const periods = [
  { job: 'j-0', earliest: '2025-11-01', deadline: '2025-12-31' },
  { job: 'j-1', earliest: '2026-11-01', deadline: '2026-12-31' },
]

test.each([
  ['was', ['done', 'open']],
  ['was not', ['open', 'done']],
] as const)('a meter that %s read last season is opened for this one', async (_, states) => {
  server.found = periods.map((period, index) => ({ ...found, ...period, state: states[index] ?? 'open' }))
  await open('')
  await page.getByLabelText('Zählernummer').fill('4711')
  await press('{Enter}')
  await expect.element(ht).toBeVisible()
})

const street = { street: 'Lindenallee', houseNumber: '7', postcode: '09111', city: 'Birkenfurt' }

test.each([
  ['follows that of who lived there before, however its number is written', street, street, false],
  ['of somebody at another address is another meter', street, { ...street, houseNumber: '9' }, true],
  ['of which nobody knows where it is may be another one', {}, {}, true],
])('this season’s job of a number %s', async (_, before, now, isAsked) => {
  const [last, next] = periods
  server.found = [
    {
      ...found,
      ...last,
      account: 'k-0',
      name: 'Bernd Winter',
      meterNumber: '1 EBZ 0100 004711',
      place: before,
      state: 'open',
    },
    { ...found, ...next, place: now, state: 'open' },
  ]
  await open('')
  await page.getByLabelText('Zählernummer').fill('1ebz-0100-004711')
  await press('{Enter}')
  if (isAsked) await expect.element(page.getByRole('button', { name: /Bernd Winter/ })).toBeVisible()
  else await expect.element(ht).toBeVisible()
})

test('which of two jobs without periods is meant is asked', async () => {
  server.found = periods.map(({ job }) => ({ ...found, job, state: job === 'j-1' ? 'done' : 'open' }))
  await open('')
  await page.getByLabelText('Zählernummer').fill('4711')
  await press('{Enter}')
  await expect.element(page.getByRole('heading', { name: 'Welcher Zähler ist gemeint?' })).toHaveFocus()
  await expect.element(page.getByRole('button', { name: /Anna Sommer/ }).nth(1)).toBeVisible()
  await expect.element(ht).not.toBeInTheDocument()
  // Asked once more for another number that several have, it is read out again.
  await page.getByLabelText('Zählernummer').fill('0471')
  await press('{Enter}')
  await expect.element(page.getByRole('heading', { name: 'Welcher Zähler ist gemeint?' })).toHaveFocus()
})

test('that more meters end so than are shown is said', async () => {
  server.found = periods.map(({ job }) => ({ ...found, job, state: 'open' }))
  server.hasMore = true
  await open('')
  await page.getByLabelText('Zählernummer').fill('11')
  await press('{Enter}')
  await expect.element(page.getByText(/^Es gibt noch mehr/)).toBeVisible()
  // Whoever has the whole number needs no more.
  await page.getByLabelText('Zählernummer').fill('1 EBZ 0100004711')
  await press('{Enter}')
  await expect.element(page.getByRole('heading', { name: 'Welcher Zähler ist gemeint?' })).toHaveFocus()
  await expect.element(page.getByText(/^Es gibt noch mehr/)).not.toBeInTheDocument()
})

test.each([
  ['is opened once the one before is stored', []],
  ['waits where the one before is not taken', [BUSY]],
])('the next card %s', async (_, refusals) => {
  server.refusals = [...refusals]
  server.found = [{ ...found, ...periods[1], state: 'open' }]
  let answer = () => {}
  server.answering = new Promise((resolve) => (answer = resolve))
  await open('')
  const number = page.getByLabelText('Zählernummer')
  await page.getByLabelText('Ablesetag').fill('2026-11-26')
  await number.fill('4711')
  await press('{Enter}')
  await ht.fill('4711')
  await nt.fill('233')
  await press('{Enter}')
  await expect.poll(() => server.sent.length).toBe(1)
  await number.fill('0815')
  await press('{Enter}')
  await expect.element(ht).toHaveValue('4711')
  answer()
  if (refusals.length > 0) {
    await expect.element(page.getByRole('alert').getByText(/gerade ausgelastet/)).toBeVisible()
    await expect.element(ht).toHaveValue('4711')
    expect(server.searched).toEqual(['4711'])
  } else {
    await expect.element(page.getByText(/gespeichert\./)).toBeVisible()
    await expect.element(ht).toHaveValue('')
    expect(server.searched).toEqual(['4711', '0815'])
  }
  await expect.element(number).toHaveValue('0815')
})

/** Of one register, which showed so much last. */
const jobAfter = (readingValue: string): DeskJob => ({
  ...JOB,
  file: {
    ...JOB.file,
    job: sampleJob({
      id: 'j-1',
      meter: {
        ...meter,
        meterRateTasks: [
          { ...register('t-ht', '1-0:1.8.1', 'HT'), readingEvents: [{ readingDate: '2025-11-20', readingValue }] },
        ],
      },
    }),
  },
})

const reason = page.getByLabelText('Zähler gewechselt oder übergelaufen?')
const rollover = page.getByRole('option', { name: /^Zählerüberlauf/ })

test('a new meter is named whatever it shows, and is the answer to what is warned of', async () => {
  server.job = jobAfter('8900.7')
  await open('j-1')
  await ht.fill('8900')
  await expect.element(rollover).not.toBeInTheDocument()
  await ht.fill('9100')
  await expect.element(rollover).not.toBeInTheDocument()
  await userEvent.selectOptions(reason, 'METER_CHANGE')
  await expect.element(reason).toHaveAccessibleDescription(/wartet dann auf Klärung, bis der Wechsel/)
  await ht.click()
  await press('{Enter}')
  await expect.element(page.getByText(/gespeichert/)).toBeVisible()
  expect(server.sent).toMatchObject([{ lowerReason: 'METER_CHANGE', values: [{ value: '9100' }] }])
})

test('a counter that passed its last digit is asked about only while it is lower', async () => {
  server.job = jobAfter('99999')
  await open('j-1')
  await ht.fill('12')
  await expect.element(why).toBeVisible()
  await userEvent.selectOptions(reason, 'ROLLOVER')
  await expect.element(why).not.toBeInTheDocument()
  await ht.fill('99999')
  await expect.element(reason).toHaveValue('')
  await ht.fill('12')
  await press('{Enter}')
  await expect.element(page.getByText(/gespeichert/)).toBeVisible()
  expect(server.sent).toMatchObject([
    { lowerReason: 'ROLLOVER', confirmed: 'Zählerüberlauf: wieder bei null begonnen' },
  ])
})

test('that one register passed its last digit says nothing of the other one, which is below its range', async () => {
  const before = (readingValue: string) => [{ readingDate: '2025-11-20', readingValue }]
  server.job = {
    ...JOB,
    file: {
      ...JOB.file,
      job: sampleJob({
        id: 'j-1',
        meter: {
          ...meter,
          meterRateTasks: [
            { ...register('t-ht', '1-0:1.8.1', 'HT'), readingEvents: before('99990') },
            {
              ...register('t-nt', '1-0:1.8.2', 'NT'),
              readingValueValidation: { minimumValue: '400', strictValidation: false },
              readingEvents: before('300'),
            },
          ],
        },
      }),
    },
  }
  await open('j-1')
  await ht.fill('12')
  await nt.fill('310')
  await userEvent.selectOptions(reason, 'ROLLOVER')
  await expect.element(why).toBeVisible()
  await why.fill('NT am Zähler gesehen')
  await press('{Enter}')
  await expect.element(page.getByText(/gespeichert/)).toBeVisible()
  expect(server.sent).toMatchObject([{ lowerReason: 'ROLLOVER', confirmed: 'NT am Zähler gesehen' }])
})

test('one of several meters that cannot be opened can be chosen again', async () => {
  server.found = [1, 2].map((number) => ({
    account: 'k-1',
    job: `j-${number}`,
    name: 'Anna Sommer',
    meterNumber: `${number}4711`,
  }))
  await open('')
  await page.getByLabelText('Zählernummer').fill('4711')
  await press('{Enter}')
  server.isAway = true
  await page.getByRole('button', { name: /14711/ }).click()
  await expect.element(page.getByText(/gerade ausgelastet/)).toBeVisible()
  server.isAway = false
  await page.getByRole('button', { name: /14711/ }).click()
  await expect.element(ht).toBeVisible()
  await expect.element(page.getByText(/gerade ausgelastet/)).not.toBeInTheDocument()
})

const doubted = page.getByLabelText('Dieser Stand war schon eingegeben und gilt nicht mehr. Warum gilt er doch?')

test('what was rejected since is not said to be there, and goes in with a reason', async () => {
  server.refusals = [REJECTED]
  server.overtaken = rejected('Ziffer unklar')
  await open('j-1')
  await ht.fill('4711')
  await nt.fill('233')
  await press('{Enter}')
  await expect.element(page.getByRole('alert').getByText(/abgelehnt: Ziffer unklar/)).toBeVisible()
  await expect.element(page.getByText(/stand schon so da/)).not.toBeInTheDocument()
  await doubted.fill('Kundin hat noch einmal nachgesehen')
  await press('{Enter}')
  await expect.element(page.getByText(/gespeichert\./)).toBeVisible()
  expect(server.sent.map(({ late, replaces }) => [late, replaces])).toEqual([
    [undefined, []],
    ['Kundin hat noch einmal nachgesehen', ['r-1']],
  ])
})

test('a value that a clerk put there and took back is as if it had never been', async () => {
  server.job = rejected(undefined)
  await open('j-1')
  await ht.fill('4711')
  await nt.fill('233')
  await press('{Enter}')
  await expect.element(page.getByText(/gespeichert\./)).toBeVisible()
  expect(server.sent).toMatchObject([{ replaces: [] }])
})

test('a rejected reading is asked about before it is sent once more, with another register, too', async () => {
  server.job = rejected('Ziffer unklar')
  await open('j-1')
  await ht.fill('4711')
  await nt.fill('233')
  await press('{Enter}')
  await expect.element(doubted).toHaveFocus()
  expect(server.sent).toEqual([])
  await doubted.fill('Kundin hat noch einmal nachgesehen')
  await press('{Enter}')
  await expect.element(page.getByText(/gespeichert\./)).toBeVisible()
  expect(server.sent).toMatchObject([{ late: 'Kundin hat noch einmal nachgesehen', replaces: ['r-1'] }])
})

test('a rejected reading is the same however its number is written', async () => {
  server.job = rejected('Ziffer unklar')
  await open('j-1')
  await ht.fill('04711')
  await nt.fill('233')
  await press('{Enter}')
  await expect.element(page.getByText(/wurde abgelehnt: Ziffer unklar$/)).toBeVisible()
  await doubted.fill('Kundin hat noch einmal nachgesehen')
  await press('{Enter}')
  await expect.element(page.getByText(/gespeichert\./)).toBeVisible()
  expect(server.sent).toMatchObject([{ replaces: ['r-1'] }])
})

test('a rejected reading is shown with what was said of it where another one is there, too', async () => {
  const { file } = withReading(rejected('anderer Zähler'), 'r-2', '4700')
  server.job = { ...JOB, file }
  await open('j-1')
  await ht.fill('4711')
  await nt.fill('233')
  await press('{Enter}')
  await expect.element(page.getByText(/wurde abgelehnt: anderer Zähler$/)).toBeVisible()
  await page.getByLabelText('Warum tritt der Stand an die Stelle des vorhandenen?').fill('noch einmal abgelesen')
  await press('{Enter}')
  await expect.element(page.getByText(/gespeichert\./)).toBeVisible()
  expect(server.sent).toMatchObject([{ replaces: ['r-1', 'r-2'] }])
})

/** The job with one register, whose range is a limit or a warning. */
function ranged(strictValidation: boolean): DeskJob {
  const readingValueValidation = { minimumValue: '100', maximumValue: '18000', strictValidation }
  const task = { ...register('t-ht', '1-0:1.8.1', 'HT'), readingValueValidation }
  return { ...JOB, file: { ...JOB.file, job: sampleJob({ id: 'j-1', meter: { ...meter, meterRateTasks: [task] } }) } }
}

test('that a value is refused reads otherwise than that it is unlikely, and asks for no reason', async () => {
  server.job = ranged(true)
  await open('j-1')
  await ht.fill('18001')
  await expect.element(page.getByText(/der bei 18000 endet\. Werte darüber nimmt er nicht an\.$/)).toBeVisible()
  await ht.fill('99')
  await expect.element(page.getByText(/der bei 100 beginnt\. Werte darunter nimmt er nicht an\.$/)).toBeVisible()
  await expect.element(why).not.toBeInTheDocument()
  await cleanup()
  server.job = ranged(false)
  await open('j-1')
  await ht.fill('18001')
  await expect.element(page.getByText(/der bei 18000 endet\.$/)).toBeVisible()
  await expect.element(why).toBeVisible()
})

test('what was entered is told in the language of the screen', async () => {
  server.found = [{ account: 'k-1', job: 'j-1', name: 'Anna Sommer', meterNumber: '4711', state: 'open' }]
  await open('')
  await page.getByLabelText('Ablesetag').fill('2026-11-26')
  await page.getByLabelText('Zählernummer').fill('4711')
  await press('{Enter}')
  await ht.fill('4720')
  await nt.fill('233')
  await press('{Enter}')
  const told = page.getByRole('listitem')
  await expect.element(told).toMatchTextContent(/: gespeichert\.$/)
  const { changeLanguage } = await import('@shared/i18n/i18n.ts')
  await changeLanguage('en-FORMAL')
  await expect.element(told).toMatchTextContent(/: saved\.$/)
  await changeLanguage('de-FORMAL')
})
