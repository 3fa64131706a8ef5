import { SWRConfig } from 'swr'
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { FieldError } from '@shared/contract/types.ts'
import { deferred } from '@shared/testing/deferred.ts'
import { sampleJob } from '@shared/testing/sample-job.ts'
import { samplePlausibility } from '@shared/testing/sample-plausibility.ts'
import type { DeskJob, FoundCustomer, Made, Proposal, Reading, ReadingWithoutJob } from '@/data/types.ts'
import type { DecisionPage as Shown, DecideAnewPage as ShownAnew } from './decision-page.tsx'

const ME = { id: 'm1', name: 'Jonas Reuter', email: null, isPlatform: false, loginTenant: null, memberships: [] }
const CLARA: Made = {
  kind: 'reject',
  by: 'Clara Brandt',
  at: '2026-11-26T10:00:00Z',
  reason: 'Bitte noch einmal ablesen.',
}
const MADE = '2026-11-26T11:00:00Z'
const BUSY = { status: 503, code: 'temporarily-unavailable' }

interface Sent {
  kind: string
  register?: string
  value?: string
  job?: string
  reason?: string
  confirmed?: boolean
  late?: string
  replaces?: string[]
  lang?: string
}

interface Refusal {
  status: number
  code: string
  decision?: Made
  fieldErrors?: FieldError[]
}

/** The API as far as deciding needs it: readings that wait, each of a job of its own. */
const server = {
  /** Those that wait, by the numbers of their meters. */
  waiting: [] as string[],
  /** So many calls before them look at nothing but what was put aside. */
  aside: 0,
  /** Instead of them, one without a job. */
  withoutJob: undefined as ReadingWithoutJob | undefined,
  /** What a colleague decided meanwhile. */
  decided: new Map<string, Made>(),
  /** Of all of them an exchange was told. */
  isToldOfExchange: false,
  /** What nobody decided about never waited. */
  isCounting: false,
  /** What a colleague proposed of all of them. */
  proposal: undefined as Proposal | undefined,
  /** Decisions about all others are not taken. */
  isBroken: false,
  /** After which one was asked for the next one; null: for the oldest. */
  asked: [] as (string | null)[],
  sent: [] as { reading: string; body: Sent }[],
  /** What the job of one register has once that was said. */
  overtaken: undefined as Reading | undefined,
  /** Why the next decisions are not taken. */
  refusals: [] as Refusal[],
  /** What a search finds; undefined: it is refused. */
  found: [] as FoundCustomer[] | undefined,
  undone: [] as { reading: string; made: string | null }[],
  /** The next one cannot be had. */
  isAway: false,
  /** What the answers to this wait for. */
  held: { next: undefined as Promise<void> | undefined, decision: undefined as Promise<void> | undefined },
}

const refuse = (problem: Refusal) =>
  new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json' },
  })

function stateOf(decision?: Made): Reading['state'] {
  if (decision) return decision.kind === 'reject' ? 'rejected' : 'counts'
  return server.isCounting ? 'counts' : 'waits'
}

const readingOf = (number: string): Reading => ({
  id: `r-${number}`,
  version: server.decided.has(number) ? 'v2' : 'v1',
  taskId: 't1',
  obis: '8-0:1.0.0',
  meterNumber: number,
  readingDate: '2026-11-20',
  readingValue: '965',
  channel: 'PORTAL',
  created: '2026-11-21T10:00:00Z',
  state: stateOf(server.decided.get(number)),
  decision: server.decided.get(number) ?? null,
  proposal: server.proposal ?? null,
  doubts: server.isToldOfExchange ? ['METER_CHANGE'] : ['EXPECTED_HIGH'],
  confirmed: [],
  images: [],
  sent: [],
})

const jobOf = (number: string): DeskJob => ({
  account: `a-${number}`,
  name: `Kunde ${number}`,
  rules: { plausibility: samplePlausibility, today: '2026-11-26' },
  file: {
    job: sampleJob({ id: `j-${number}`, meter: { meterNumber: number } }),
    readings: [readingOf(number)],
    expected: {},
    place: {},
    season: 'default',
    state: 'open',
  },
})

async function next(request: Request): Promise<Response> {
  const { after = null } = (await request.json()) as { after?: string | null }
  server.asked.push(after)
  await server.held.next
  if (server.isAway) return refuse(BUSY)
  const suggestion = {
    account: 'a-HT',
    job: 'j-HT',
    name: 'Anna Sommer',
    because: ['METER_NUMBER'],
    meterNumber: 'HT',
    meterType: 'ELECTRIC_METER',
    place: {},
    season: 'default',
    state: 'open',
  }
  if (server.withoutJob)
    return Response.json({
      reading: null,
      withoutJob: server.withoutJob,
      suggestions: [suggestion],
      isWithAnother: false,
    })
  if (server.aside > 0) {
    server.aside -= 1
    return Response.json({ reading: null, place: `aside-${server.aside}`, suggestions: [], isWithAnother: false })
  }
  const number = server.waiting.find((other) => after === null || other > after)
  if (number === undefined) return Response.json({ reading: null, suggestions: [], isWithAnother: false })
  return Response.json({
    reading: `r-${number}`,
    job: jobOf(number),
    place: number,
    suggestions: [],
    isWithAnother: false,
  })
}

async function decision(request: Request, reading: string): Promise<Response> {
  if (request.method === 'DELETE') {
    const refusal = server.refusals.shift()
    if (refusal) return refuse(refusal)
    server.undone.push({ reading, made: new URL(request.url).searchParams.get('made') })
    return Response.json({})
  }
  const body = (await request.json()) as { kind: string; version: string }
  server.sent.push({ reading, body })
  await server.held.decision
  const refusal = server.refusals.shift()
  if (refusal) return refuse(refusal)
  if (server.isBroken) return refuse(BUSY)
  const made = server.decided.get(reading.slice(2))
  if (made && body.version === 'v1') return refuse({ status: 409, code: 'decided-already', decision: made })
  return Response.json({ at: MADE, proposed: false, mailed: body.kind === 'reject' && !server.withoutJob })
}

async function respond(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  const [, job, reading] = /\/jobs\/([^/]+)(?:\/readings\/([^/]+)\/decision)?$/.exec(pathname) ?? []
  if (pathname.endsWith('/waiting/next')) return next(request)
  if (pathname.endsWith('/search'))
    return server.found ? Response.json({ customers: server.found, nextCursor: null }) : refuse(BUSY)
  if (reading) return decision(request, reading)
  if (job) return Response.json(job === 'j-HT' ? jobOfOneRegister() : jobOf(job.slice(2)))
  const end = new Date(Date.now() + 3_600_000).toISOString()
  return Response.json({ ...ME, idleUntil: end, endsAt: end })
}

const { meter } = sampleJob()
function jobOfOneRegister(): DeskJob {
  const readings = server.overtaken && server.sent.length > 0 ? [server.overtaken] : []
  const readingResults = readings
    .filter(({ state }) => state !== 'rejected')
    .map((reading) => ({ ...reading, readingResultImages: [] }))
  const task = { taskId: 't-ht', obis: '1-0:1.8.1', rateName: 'HT', readingEvents: [], readingResults }
  const job = sampleJob({ id: 'j-HT', meter: { ...meter, meterRateTasks: [task] } })
  return { ...jobOf('HT'), file: { ...jobOf('HT').file, job, readings } }
}

const realFetch = globalThis.fetch
let DecisionPage: typeof Shown
let DecideAnewPage: typeof ShownAnew

beforeAll(async () => {
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).pathname.startsWith('/api/desk/') ? respond(request) : realFetch(request)
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['deciding', 'common', 'search'])
  const { startSession } = await import('@/session/session.ts')
  await startSession()
  const { startKeys } = await import('@/keys/actions.ts')
  startKeys()
  ;({ DecisionPage, DecideAnewPage } = await import('./decision-page.tsx'))
})

beforeEach(() => {
  Object.assign(server, {
    waiting: ['A', 'B', 'C'],
    aside: 0,
    withoutJob: undefined,
    decided: new Map(),
    isToldOfExchange: false,
    isCounting: false,
    proposal: undefined,
    asked: [],
    sent: [],
    overtaken: undefined,
    refusals: [],
    found: [],
    undone: [],
    isBroken: false,
    isAway: false,
    held: {},
  })
})

afterEach(cleanup)

/** What waits; or one reading to decide anew. */
async function open(anew?: string) {
  const { hook, searchHook } = memoryLocation()
  await render(
    <SWRConfig value={{ provider: () => new Map() }}>
      <Router hook={hook} searchHook={searchHook}>
        {anew ? <DecideAnewPage tenant="birkenfurt" id={anew} /> : <DecisionPage tenant="birkenfurt" id="" />}
      </Router>
    </SWRConfig>,
  )
}

const button = (name: string) => page.getByRole('button', { name })
/** The reading of this meter is the one to decide about. */
const stands = (number: string) =>
  expect.element(page.getByRole('region', { name: 'Ablesung' }).getByText(number, { exact: true })).toBeVisible()
/** So many readings were fetched, shown or ahead. */
const fetched = (times: number) => expect.poll(() => server.asked.length).toBe(times)
const press = (key: string) => userEvent.keyboard(key)

/** Lets answers wait until they are released, at the latest with the end of the test. */
function hold(what: 'next' | 'decision'): () => void {
  const { promise, resolve } = deferred()
  server.held[what] = promise
  onTestFinished(resolve)
  return () => {
    delete server.held[what]
    resolve()
  }
}

async function reject() {
  await press('a')
  await userEvent.type(page.getByLabelText('Was soll der Kunde lesen?'), 'Bitte noch einmal.')
  await button('Ablehnen und mitteilen').click()
}

test('while a decision is sent, no other reading comes, and a refusal is told', async () => {
  await open()
  await stands('A')
  await fetched(2)
  server.decided.set('A', CLARA)
  const release = hold('decision')
  await reject()
  await expect.element(button('Nächste')).toHaveAccessibleDescription('Die Entscheidung wird gerade gesendet.')
  await userEvent.click(page.getByRole('heading', { name: 'Entscheiden', level: 1 }))
  await press('n')
  await stands('A')
  release()
  await expect.element(page.getByRole('alert').getByText(/abgelehnt von Clara Brandt/)).toBeVisible()
  await expect.element(page.getByLabelText('Was soll der Kunde lesen?')).toHaveValue('Bitte noch einmal.')
  await stands('A')
})

test('who decided meanwhile is told to whoever had to log in again, too', async () => {
  await open()
  await stands('A')
  server.decided.set('A', CLARA)
  server.refusals = [{ status: 401, code: 'session-ended' }]
  await press('f')
  await expect.poll(() => server.sent.length).toBe(1)
  const { loggedInElsewhere } = await import('@/session/session.ts')
  await loggedInElsewhere()
  await expect.element(page.getByRole('alert').getByText(/abgelehnt von Clara Brandt/)).toBeVisible()
})

test('a decision that is taken shows the next reading, and not the one after it', async () => {
  await open()
  await stands('A')
  const release = hold('decision')
  await reject()
  await userEvent.click(page.getByRole('heading', { name: 'Entscheiden', level: 1 }))
  await press('n')
  release()
  await expect.element(page.getByText('Zähler A abgelehnt; der Kunde bekommt eine E-Mail.')).toBeVisible()
  await stands('B')
  await fetched(3)
  expect(server.asked).toEqual([null, 'A', 'B'])
})

test('the key for the next reading brings one, however often it is pressed before it comes', async () => {
  const release = hold('next')
  await open()
  release()
  await stands('A')
  await fetched(2)
  const ahead = hold('next')
  await press('n')
  await stands('B')
  await press('n')
  await press('n')
  ahead()
  await stands('C')
  await expect.poll(() => server.asked).toEqual([null, 'A', 'B', 'C'])
})

test('what was decided is taken back once the next reading stands there, and that one comes after it', async () => {
  const release = hold('next')
  await open()
  release()
  await stands('A')
  await fetched(2)
  const ahead = hold('next')
  await press('n')
  await stands('B')
  await press('f')
  await press('z')
  expect(server.sent.map(({ reading }) => reading)).toEqual(['r-B'])
  ahead()
  await stands('C')
  await expect.element(page.getByText(/^Zähler B freigegeben\./)).toBeVisible()
  expect(server.undone).toEqual([])
  await press('z')
  await stands('B')
  expect(server.undone).toEqual([{ reading: 'r-B', made: MADE }])
  await press('n')
  await stands('C')
  await fetched(5)
})

test('a reading that could not be fetched ahead is fetched when it is wanted, from where one was', async () => {
  await open()
  await stands('A')
  await fetched(2)
  server.isAway = true
  await press('n')
  await stands('B')
  await fetched(3)
  await press('f')
  // It is not decided about twice.
  await expect.element(page.getByRole('alert').getByText(/gerade ausgelastet/)).toBeVisible()
  await expect.element(page.getByRole('region', { name: 'Ablesung' })).not.toBeInTheDocument()
  await expect.element(page.getByText(/^Zähler B freigegeben\./)).toBeVisible()
  server.isAway = false
  await button('Erneut versuchen').click()
  await stands('C')
  await expect.poll(() => server.asked).toEqual([null, 'A', 'B', 'B', 'B', 'C'])
})

test('who looks again at a reading sees what a colleague decided about it', async () => {
  await open()
  await stands('A')
  server.decided.set('A', CLARA)
  await press('f')
  await button('Noch einmal ansehen').click()
  await stands('A')
  const note = page.getByText(/abgelehnt von Clara Brandt/)
  await expect.element(note).toBeVisible()
  await expect.element(page.getByText('Bitte noch einmal ablesen.')).toBeVisible()
  await press('n')
  await stands('B')
  await expect.element(note).not.toBeInTheDocument()
})

const WITHOUT_JOB: ReadingWithoutJob = {
  id: 'w1',
  version: 'v1',
  meterNumber: 'HT',
  meterType: 'ELECTRIC_METER',
  readingDate: '2026-11-20',
  created: '2026-11-21T10:00:00Z',
  loginKind: 'public',
  exports: [],
  values: [{ obis: '1-0:1.8.0', rateName: 'Verbrauch', value: '4711', images: [] }],
}

test('a reading whose release failed is not given out once more when it is released', async () => {
  server.waiting = ['A']
  await open()
  await stands('A')
  server.isBroken = true
  await press('f')
  const told = page.getByRole('alert').filter({ hasText: 'Zähler A:' })
  await expect.element(told).toBeVisible()
  server.isBroken = false
  await told.getByRole('button', { name: 'Noch einmal ansehen' }).click()
  await expect.element(told).not.toBeInTheDocument()
  await stands('A')
  server.waiting = []
  await press('f')
  await expect.element(page.getByText(/^Alles geklärt/)).toBeVisible()
})

test('each release that fails is told until somebody looks at its reading again or dismisses it', async () => {
  await open()
  await stands('A')
  server.isBroken = true
  const release = hold('decision')
  await press('f')
  await stands('B')
  await press('f')
  await stands('C')
  release()
  const told = (number: string) => page.getByRole('alert').getByText(new RegExp(`Zähler ${number}:`))
  await expect.element(told('A')).toBeVisible()
  await expect.element(told('B')).toBeVisible()
  server.isBroken = false
  await press('f')
  await expect.element(page.getByText(/^Zähler C freigegeben\./)).toBeVisible()
  await expect.element(told('A')).not.toBeInTheDocument()
  await stands('A')
  await expect.element(told('B')).toBeVisible()
  await page.getByRole('alert').filter({ hasText: 'Zähler B:' }).getByRole('button', { name: 'Ausblenden' }).click()
  await expect.element(told('B')).not.toBeInTheDocument()
})

test('of what was put aside one takes back that it was, and not what a colleague did about it since', async () => {
  await open()
  await stands('A')
  await press('b')
  await userEvent.type(page.getByLabelText('Was ist noch zu klären?'), 'Kundin ruft zurück')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText(/^Zähler A zurückgestellt\./)).toBeVisible()
  await press('z')
  await stands('A')
  expect(server.undone).toEqual([{ reading: 'r-A', made: MADE }])
  expect(server.sent.map(({ body }) => body.kind)).toEqual(['aside'])
})

test('what waits behind hundreds that were put aside comes, and that all is done is not said before', async () => {
  server.waiting = ['z']
  server.aside = 2
  await open()
  await stands('z')
  expect(server.asked.slice(0, 3)).toEqual([null, 'aside-1', 'aside-0'])
})

test('that all is done is not said of what came meanwhile, nor of what was passed over', async () => {
  server.waiting = ['A']
  await open()
  await stands('A')
  await fetched(2)
  server.waiting = ['A', 'B']
  await press('n')
  await stands('B')
  await fetched(4)
  server.waiting = ['A']
  await press('f')
  await stands('A')
  server.waiting = []
  await press('f')
  await expect.element(page.getByText(/^Alles geklärt/)).toBeVisible()
  server.waiting = ['D']
  await press('n')
  await stands('D')
})

test('a value whose register the job does not have is assigned to the only one that it has', async () => {
  server.withoutJob = WITHOUT_JOB
  await open()
  await stands('HT')
  await press('o')
  await expect.element(page.getByLabelText('Zählwerk')).toHaveValue('t-ht')
  await expect.element(page.getByText('In der Ablesung steht „Verbrauch 1.8.0“.')).toBeVisible()
  await press('{Enter}')
  await expect.poll(() => server.sent.map(({ body }) => body)).toMatchObject([{ kind: 'assign', register: 't-ht' }])
})

const WARNED: Refusal = {
  status: 422,
  code: 'confirmation-required',
  fieldErrors: [{ field: 'value', message: 'viel mehr als sonst', code: 'EXPECTED_HIGH', severity: 'warning' }],
}
const bodies = () => server.sent.map(({ body }) => body)

test('who types another value than the one that was warned of has not confirmed it', async () => {
  server.refusals = [WARNED, WARNED]
  await open()
  await stands('A')
  await press('k')
  const value = page.getByLabelText('Richtiger Stand')
  await value.fill('47200')
  await press('{Enter}')
  await expect.element(button('Wert stimmt trotzdem')).toBeVisible()
  await expect
    .element(page.getByRole('alert').getByText(/senden Sie ihn unten mit „Wert stimmt trotzdem“/))
    .toBeVisible()
  await value.fill('472000')
  await expect.element(button('Wert stimmt trotzdem')).not.toBeInTheDocument()
  await press('{Enter}')
  await button('Wert stimmt trotzdem').click()
  await expect
    .poll(() => bodies().map(({ value, confirmed }) => [value, confirmed]))
    .toEqual([
      ['47200', undefined],
      ['472000', undefined],
      ['472000', true],
    ])
})

const instead = page.getByLabelText('Warum tritt die Ablesung an die Stelle der bisherigen?')

test('what was said of one job is not said of another one', async () => {
  server.withoutJob = WITHOUT_JOB
  server.overtaken = { ...readingOf('HT'), taskId: 't-ht' }
  server.found = [{ account: 'a-Z', job: 'j-Z', name: 'Zora Winter', meterNumber: 'Z' }]
  server.refusals = [{ status: 409, code: 'read-already' }, WARNED, WARNED]
  await open()
  await stands('HT')
  await press('o')
  await page.getByLabelText(/^Anderen Auftrag suchen/).fill('Winter')
  await expect.element(page.getByText('Ein Treffer')).toBeVisible()
  await button('Zuordnen').last().click()
  await expect.element(instead).toHaveAccessibleDescription(/HT: bisher 965.kWh am 20\.11\.2026$/)
  await instead.fill('am Telefon berichtigt')
  await press('{Enter}')
  await page.getByLabelText('Warum stimmt der Wert?').fill('Schwimmbad')
  await page.getByText('Zora Winter').click()
  await expect.element(page.getByLabelText('Warum stimmt der Wert?')).not.toBeInTheDocument()
  await expect.element(instead).not.toBeInTheDocument()
  await button('Zuordnen').last().click()
  await expect
    .poll(() => bodies().map(({ job, reason, late, replaces }) => [job, reason, late, replaces]))
    .toEqual([
      ['j-HT', undefined, undefined, undefined],
      ['j-HT', undefined, 'am Telefon berichtigt', ['r-HT']],
      ['j-Z', undefined, undefined, undefined],
    ])
})

test('a reading that the job had before is assigned with the reason why it holds all the same', async () => {
  server.withoutJob = WITHOUT_JOB
  const decision = { kind: 'reject', by: 'Jonas Reuter', at: '2026-11-21T11:00:00Z', reason: 'Foto fehlt' } as const
  server.overtaken = { ...readingOf('HT'), taskId: 't-ht', readingValue: '04711.0', state: 'rejected', decision }
  server.refusals = [{ status: 409, code: 'entered-before' }]
  await open()
  await stands('HT')
  await press('o')
  await button('Zuordnen').last().click()
  await expect.element(page.getByRole('alert').getByText(/gilt nicht mehr. Gespeichert wurde nichts/)).toBeVisible()
  await expect.element(page.getByText(/wurde abgelehnt: Foto fehlt$/)).toBeVisible()
  await page.getByLabelText(/Warum gilt sie doch\?$/).fill('Foto lag bei')
  await press('{Enter}')
  await expect
    .poll(() => bodies().map(({ late, replaces }) => [late, replaces]))
    .toEqual([
      [undefined, undefined],
      ['Foto lag bei', ['r-HT']],
    ])
})

test('a search for the job that is refused says so, as does one that finds none', async () => {
  server.withoutJob = WITHOUT_JOB
  await open()
  await stands('HT')
  await press('o')
  const words = page.getByLabelText(/^Anderen Auftrag suchen/)
  await words.fill('Niemand')
  await expect.element(page.getByText(/^Nichts gefunden\./)).toBeVisible()
  server.found = undefined
  await words.fill('Herbst')
  await expect.element(page.getByRole('alert').getByText(/gerade ausgelastet/)).toBeVisible()
})

test('what is wrong with an exchange is said at its field, until that is changed', async () => {
  const message = '30.11.2026 liegt nach dem Tag der Ablesung (20.11.2026)'
  server.refusals = [{ status: 422, code: 'request-invalid', fieldErrors: [{ field: 'exchange.day', message }] }]
  await open()
  await stands('A')
  await press('t')
  await page.getByLabelText('Endstand des alten Zählers').fill('965')
  await page.getByLabelText('Anfangsstand des neuen Zählers').fill('0')
  await button('Wechsel freigeben').click()
  const day = page.getByLabelText('Tag des Wechsels')
  await expect.element(day).toHaveAttribute('aria-invalid', 'true')
  await expect.element(day).toHaveAccessibleDescription(message)
  expect(page.getByText(message).first().element().closest('[lang=en]')).toBeNull()
  await day.fill('2026-11-19')
  await expect.element(day).not.toHaveAttribute('aria-invalid', 'true')
})

test('who does not say which register is meant is not asked why it is late', async () => {
  server.withoutJob = WITHOUT_JOB
  server.refusals = [
    { status: 422, code: 'reading-invalid', fieldErrors: [{ field: 'register', message: 'nennen Sie das Zählwerk' }] },
  ]
  await open()
  await stands('HT')
  await press('o')
  await expect.element(page.getByLabelText('Zählwerk')).toHaveValue('t-ht')
  await press('{Enter}')
  await expect.element(page.getByLabelText('Zählwerk')).toHaveAttribute('aria-invalid', 'true')
  await expect.element(page.getByLabelText(/^Warum (wird|tritt)/)).not.toBeInTheDocument()
})

test('a value of a closed job is not corrected, and what can still be done is said', async () => {
  server.refusals = [{ status: 422, code: 'job-closed' }]
  await open()
  await stands('A')
  await press('k')
  await page.getByLabelText('Richtiger Stand').fill('966')
  await press('{Enter}')
  await expect
    .element(page.getByRole('alert').getByText(/Freigeben oder ablehnen können Sie diesen noch/))
    .toBeVisible()
})

test('who decides anew above the limit for two is not told that a proposal waits', async () => {
  server.refusals = [{ status: 409, code: 'second-member-needed' }]
  await open()
  await stands('A')
  await press('f')
  await expect.element(page.getByRole('alert').getByText(/Entschieden oder vorgeschlagen wurde nichts\./)).toBeVisible()
})

test('who agrees to what they proposed is told that somebody else has to', async () => {
  server.proposal = { at: MADE, by: 'Clara Brandt', member: 'm2', kind: 'correct', value: '966' }
  server.refusals = [{ status: 409, code: 'second-member-needed' }]
  await open()
  await stands('A')
  await press('g')
  await expect.element(page.getByRole('alert').getByText(/Das haben Sie selbst beantragt\./)).toBeVisible()
})

test('that nobody will read why is said of a visitor without a mail address', async () => {
  server.withoutJob = WITHOUT_JOB
  await open()
  await stands('HT')
  await press('a')
  await page.getByLabelText(/^Grund \(niemand bekommt ihn zu lesen/).fill('Zähler gibt es nicht')
  await page.getByRole('form', { name: 'Ablehnen' }).getByRole('button', { name: 'Ablehnen' }).click()
  await expect.element(page.getByText('Zähler HT abgelehnt, ohne E-Mail.')).toBeVisible()
})

test('who leaves out what is needed is led to it', async () => {
  await open()
  await stands('A')
  await press('a')
  await button('Ablehnen und mitteilen').click()
  const words = page.getByLabelText('Was soll der Kunde lesen?')
  await expect.element(words).toHaveFocus()
  await expect.element(words).toHaveAccessibleDescription(/Bitte angeben/)
})

test('whoever is asked something new at agreeing is told how it goes on, and what is asked', async () => {
  const proposed = { at: MADE, by: 'Clara Brandt', member: 'm2' }
  const named = { day: '2026-11-19', finalValue: '965', initialValue: '0' }
  const message = 'Endstand unter dem Stand vom 18.11.2026'
  for (const [proposal, goesOn] of [
    [{ ...proposed, kind: 'exchange', exchange: named }, /Nennen Sie den Wechsel neu und bestätigen Sie ihn;/],
    [{ ...proposed, kind: 'correct', value: '966' }, /Nennen Sie den Wert neu und bestätigen Sie ihn;/],
  ] as const) {
    server.proposal = proposal
    server.refusals = [
      { status: 422, code: 'confirmation-required', fieldErrors: [{ field: 'exchange.finalValue', message }] },
    ]
    await open()
    await stands('A')
    await press('g')
    await expect.element(page.getByRole('alert').getByText(goesOn)).toBeVisible()
    await expect.element(page.getByRole('alert').getByText(message)).toBeVisible()
    expect(bodies()).toMatchObject([{ kind: 'agree', lang: 'de' }])
    server.sent = []
    await cleanup()
  }
})

test('what was said against a form goes with it, and with what it was said of', async () => {
  const message = '30.11.2026 liegt nach dem Tag der Ablesung (20.11.2026)'
  server.refusals = [{ status: 422, code: 'request-invalid', fieldErrors: [{ field: 'exchange.day', message }] }]
  await open()
  await stands('A')
  await press('t')
  await button('Wechsel freigeben').click()
  const final = page.getByLabelText('Endstand des alten Zählers')
  await expect.element(final).toHaveAccessibleDescription('Bitte angeben.')
  await final.fill('viel')
  await expect.element(final).toHaveAccessibleDescription(/^Das ist kein Zählerstand\./)
  await final.fill('965')
  await page.getByLabelText('Anfangsstand des neuen Zählers').fill('0')
  await button('Wechsel freigeben').click()
  const alert = page.getByRole('alert').getByText(message)
  await expect.element(alert).toBeVisible()
  const day = page.getByLabelText('Tag des Wechsels')
  await day.fill('2026-11-19')
  await expect.element(alert).not.toBeInTheDocument()
  await day.fill('2026-11-20')
  await expect.element(alert).toBeVisible()
  await button('Korrigieren').click()
  await expect.element(page.getByLabelText('Richtiger Stand')).toBeVisible()
  await expect.element(alert).not.toBeInTheDocument()
})

test('what a colleague decided stays to be read, whatever is typed', async () => {
  server.decided.set('A', CLARA)
  await open()
  await stands('A')
  server.refusals = [{ status: 409, code: 'decided-already', decision: CLARA }]
  await press('k')
  const value = page.getByLabelText('Richtiger Stand')
  await value.fill('966')
  await press('{Enter}')
  const line = page.getByRole('alert').getByText(/abgelehnt von Clara Brandt/)
  await expect.element(line).toBeVisible()
  await value.fill('967')
  await expect.element(line).toBeVisible()
})

test('why a proposal could not be withdrawn is said', async () => {
  server.proposal = { kind: 'release', by: ME.name, member: ME.id, at: '2026-11-26T09:00:00Z' }
  server.refusals = [BUSY]
  await open()
  await stands('A')
  await press('w')
  await expect.element(page.getByRole('alert').getByText(/gerade ausgelastet/)).toBeVisible()
  await stands('A')
  await press('w')
  await expect.poll(() => server.undone).toEqual([{ reading: 'r-A', made: '2026-11-26T09:00:00Z' }])
})

test('what went out is decided anew, and what waits comes after it', async () => {
  server.decided.set('A', CLARA)
  server.waiting = ['B']
  await open('j-A r-A')
  await stands('A')
  await expect.element(page.getByRole('heading', { name: 'Neu entscheiden', level: 1 })).toBeVisible()
  await expect.element(page.getByText(/abgelehnt von Clara Brandt/)).toBeVisible()
  await expect.element(button('Freigeben')).toBeVisible()
  await expect.element(button('Zurückstellen')).not.toBeInTheDocument()
  await reject()
  await stands('B')
  await expect.element(page.getByRole('heading', { name: 'Entscheiden', level: 1 })).toBeVisible()
  await expect.element(button('Zurückstellen')).toBeVisible()
  expect(server.sent).toMatchObject([{ reading: 'r-A', body: { kind: 'reject', version: 'v2' } }])
})

test('what counts is said to, and is not released once more', async () => {
  server.isCounting = true
  await open('j-A r-A')
  await stands('A')
  await expect.element(page.getByText(/Die Ablesung zählt\. Was Sie hier entscheiden, berichtigt sie/)).toBeVisible()
  await expect.element(button('Korrigieren')).toBeVisible()
  await expect.element(button('Freigeben')).not.toBeInTheDocument()
  await press('f')
  await press('k')
  await expect.element(page.getByLabelText('Richtiger Stand')).toBeVisible()
  expect(server.sent).toEqual([])
})

test('what was released as of no exchange is not released once more', async () => {
  server.isToldOfExchange = true
  server.decided.set('A', { kind: 'release', by: 'Clara Brandt', at: '2026-11-26T10:00:00Z' })
  await open('j-A r-A')
  await stands('A')
  await expect.element(page.getByText(/freigegeben von Clara Brandt/)).toBeVisible()
  await expect.element(button('Zählerwechsel')).toBeVisible()
  await expect.element(button('Freigeben')).not.toBeInTheDocument()
})

test.each(['exchange', 'reject', 'correct'] as const)(
  'an exchange that was named before a decision is not passed over by one key: %s',
  async (kind) => {
    const exchange = { day: '2026-11-02', finalValue: '9500', initialValue: '0', newNumber: '1EBZ0100000999' }
    server.decided.set('A', { kind, by: 'Clara Brandt', at: '2026-11-26T10:00:00Z', exchange })
    await open('j-A r-A')
    await stands('A')
    await expect
      .element(
        page.getByText(/Wechsel am 02\.11\.2026: Endstand 9500, Anfangsstand 0\. Neuer Zähler: 1EBZ0100000999\./),
      )
      .toBeVisible()
    await press('f')
    await expect.element(page.getByText(/Wer hier freigibt, sagt: Es war keiner/)).toBeVisible()
    expect(server.sent).toEqual([])
  },
)
