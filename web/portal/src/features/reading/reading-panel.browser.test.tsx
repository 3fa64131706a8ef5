import { mutate } from 'swr'
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { cleanup, render, renderHook } from 'vitest-browser-react'
import type { Application, Job, MeterRateTask, ResultSubmission } from '@shared/contract/types.ts'
import { deferred } from '@shared/testing/deferred.ts'
import { sampleJob } from '@shared/testing/sample-job.ts'
import { samplePlausibility } from '@shared/testing/sample-plausibility.ts'
import type {
  deleteDraft as DeleteDraft,
  deleteDrafts as DeleteDrafts,
  readDraft as ReadDraft,
  writeDraft as WriteDraft,
} from '@/device/drafts.ts'
import type { currentEntries as CurrentEntries, discard as Discard } from '@/offline/outbox.ts'
import type { replay as Replay } from '@/offline/replay.ts'
import type { ReadingPanel as Panel } from './index.tsx'

const DAY = 86_400_000
const day = (offset: number) => new Date(Date.now() + offset * DAY).toISOString().slice(0, 10)

const rate = (taskId: string, more: Partial<MeterRateTask> = {}): MeterRateTask => ({
  taskId,
  obis: '1-0:1.8.0',
  preDecimals: 6,
  postDecimals: 0,
  readingEvents: [{ readingDate: '2025-01-31', readingValue: '5000' }],
  readingResults: [],
  ...more,
})

const { features, meterReading } = sampleJob().config

const jobWith = (tasks: MeterRateTask[], flags: Partial<typeof features> = {}): Job =>
  sampleJob({
    id: 'j1',
    login: 'a1',
    meter: { meterRateTasks: tasks },
    jobConstraints: { earliestExecution: day(-5), latestExecution: day(5) },
    config: {
      features: { ...features, ...flags },
      meterReading: { ...meterReading, defaultComments: ['meterWasChanged'], validationFeedbackDelay: 50 },
    },
  })

/** The API as far as a reading needs it, and what it was asked. */
const server = {
  sent: [] as { key: string | null; body: ResultSubmission }[],
  uploads: 0,
  puts: 0,
  /** Answers of the next submissions; after them, success. */
  refusals: [] as ({ status: number; code: string; fieldErrors?: unknown[] } | 'no answer')[],
  job: jobWith([]),
  /** What the next answer waits for. */
  held: undefined as Promise<void> | undefined,
}

const refuse = (problem: { status: number; code: string }) =>
  new Response(JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json' },
  })

async function respond(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  if (pathname === '/api/pro/upload') {
    server.uploads += 1
    const url = `${location.origin}/store/${server.uploads}`
    const expiresAt = new Date(Date.now() + DAY).toISOString()
    return Response.json(
      { uploadId: `u${server.uploads}`, url, method: 'PUT', headers: {}, expiresAt },
      { status: 201 },
    )
  }
  if (pathname.startsWith('/store/')) {
    server.puts += 1
    return new Response(null, { status: 200 })
  }
  if (!pathname.endsWith('/result')) return refuse({ code: 'not-found', status: 404 })
  const body = (await request.json()) as ResultSubmission
  server.sent.push({ key: request.headers.get('idempotency-key'), body })
  const refusal = server.refusals.shift()
  await server.held
  if (refusal === 'no answer') throw new TypeError('Failed to fetch')
  if (refusal) return refuse(refusal)
  const tasks = server.job.meter.meterRateTasks.map((task) => {
    const result = body.results.find(({ taskId }) => taskId === task.taskId)
    if (!result) return task
    const { readingValue, comment } = result
    const { readingDate } = body
    const reading = { readingDate, readingValue, created: `${readingDate}T10:00:00Z`, readingResultImages: [] }
    return { ...task, readingResults: [...task.readingResults, { ...reading, ...(comment && { comment }) }] }
  })
  const done = tasks.every(({ readingResults }) => readingResults.length > 0)
  return Response.json({ ...server.job, done, meter: { ...server.job.meter, meterRateTasks: tasks } })
}

const realFetch = globalThis.fetch
let ReadingPanel: typeof Panel
let Notifications: typeof import('@shared/ui/notifications.tsx').Notifications
let useNotices: typeof import('@/offline/use-notices.ts').useNotices
let currentEntries: typeof CurrentEntries
let discard: typeof Discard
let deleteDraft: typeof DeleteDraft
let deleteDrafts: typeof DeleteDrafts
let readDraft: typeof ReadDraft
let writeDraft: typeof WriteDraft
let replay: typeof Replay
let useJob: typeof import('@/data/jobs.ts').useJob
let useIsInForm: typeof import('@/sw/unsent.ts').useIsInForm

beforeAll(async () => {
  // The client keeps the fetch that it finds when it is made, so everything that uses it comes afterwards.
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init)
    return /\/(api|auth|store)\//.test(new URL(request.url).pathname) && !/\/(src|shared)\//.test(request.url)
      ? respond(request)
      : realFetch(request)
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts({ language: 'de-FORMAL', overlay: {} })
  await loadTexts(['reading', 'photos', 'offline'])
  const { addSession } = await import('@/auth/sessions.ts')
  const { fresh } = await import('@/auth/access-token.ts')
  const info = { id: 'a1', name: 'Erika Muster', parentId: null, parentName: null, language: null }
  const session = { accountId: 'a1', username: null, login: 'token', roles: [], refreshToken: 'r', info } as const
  await addSession({ ...session, roles: [] }, fresh('h.c.s', 900_000), true)
  const config = { plausibility: samplePlausibility } as Application['config']
  await mutate('/api/public/application', { timeZone: 'UTC', features: {}, config } as Partial<Application>, {
    revalidate: false,
  })
  ;({ ReadingPanel } = await import('./index.tsx'))
  ;({ Notifications } = await import('@shared/ui/notifications.tsx'))
  ;({ useNotices } = await import('@/offline/use-notices.ts'))
  ;({ currentEntries, discard } = await import('@/offline/outbox.ts'))
  ;({ replay } = await import('@/offline/replay.ts'))
  ;({ deleteDraft, deleteDrafts, readDraft, writeDraft } = await import('@/device/drafts.ts'))
  ;({ useJob } = await import('@/data/jobs.ts'))
  ;({ useIsInForm } = await import('@/sw/unsent.ts'))
})

beforeEach(async () => {
  Object.assign(server, { sent: [], uploads: 0, puts: 0, refusals: [], held: undefined })
  await deleteDrafts('a1')
  for (const { key } of currentEntries()) await discard(key)
})

afterEach(() => vi.restoreAllMocks())

/** The panel over the jobs in the cache, as the portal shows it. */
function Screen() {
  const { job } = useJob('j1')
  useNotices(1, false)
  return (
    <>
      <Notifications />
      {job && <ReadingPanel job={job} />}
    </>
  )
}

async function open(job: Job) {
  server.job = job
  await mutate(['/api/pro/job', 'a1'], [job], { revalidate: false })
  await render(<Screen />)
  closeNotices()
}

/** Lets answers wait until they are released, at the latest with the end of the test. */
function holdAnswers(): () => void {
  const { promise, resolve } = deferred()
  server.held = promise
  onTestFinished(() => resolve())
  return resolve
}

/** What earlier sending said would lie over what is clicked next. */
function closeNotices() {
  for (const close of page.getByRole('button', { name: 'Schließen' }).elements())
    if (close instanceof HTMLElement) close.click()
}

const field = (name: RegExp | string = /vor dem Komma/) => page.getByRole('textbox', { name })
const submit = () => page.getByRole('button', { name: /Zählerst(and|ände) senden/ })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')

async function type(text: string, into = field()) {
  await userEvent.click(into)
  await userEvent.keyboard(text)
}

test('a plausible reading is sent, and its result takes the place of the form', async () => {
  await open(jobWith([rate('t1')]))
  await expect.element(submit()).toBeDisabled()
  await expect.element(page.getByText('Bitte geben Sie den Zählerstand ein.')).toBeVisible()
  await type('05120')
  await expect.element(page.getByText('Das ergibt einen Verbrauch von 120 kWh seit dem 31.01.2025.')).toBeVisible()
  await submit().click()
  await expect.element(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toHaveFocus()
  await expect.element(page.getByText(/Senden erfolgreich/)).toBeVisible()
  await expect.element(page.getByText('Die Ergebnisse wurden erfolgreich gesendet.')).toBeVisible()
  await expect.element(page.getByText('05120 kWh')).toBeVisible()
  expect(server.sent).toHaveLength(1)
  expect(server.sent[0]?.body).toEqual({
    meterNumber: server.job.meter.meterNumber,
    readingDate: day(0),
    results: [{ taskId: 't1', readingValue: '05120' }],
  })

  await button('Erneut senden').click()
  await expect.element(page.getByRole('heading', { name: 'Neuen Zählerstand eingeben' })).toBeVisible()
  await expect.element(field()).toHaveValue('')
})

const queued = () => page.getByRole('heading', { name: 'Bereits abgelesen' })

test('a failure says so, the reading waits, and every attempt has the same key', async () => {
  await open(jobWith([rate('t1')]))
  server.refusals = ['no answer', { status: 503, code: 'temporarily-unavailable' }]
  await type('5120')
  await submit().click()
  await expect.element(page.getByText(/Senden fehlgeschlagen/).first()).toBeVisible()
  await expect.element(page.getByText(/^Ihre Ablesung ist auf diesem Gerät gespeichert/)).toBeVisible()
  await expect.element(queued()).toHaveFocus()
  await expect.element(page.getByText(/5120\skWh/)).toBeVisible()
  closeNotices()
  await button('Ändern').click()
  await expect.element(field()).toHaveValue('5120')
  await submit().click()
  await expect.poll(() => server.sent.length).toBe(2)
  await expect.element(queued()).toBeVisible()
  await replay(true)
  await expect.element(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toBeVisible()
  expect(server.sent).toHaveLength(3)
  expect(new Set(server.sent.map(({ key }) => key)).size).toBe(1)
})

test('a reading that waits can be changed, and then has another key', async () => {
  await open(jobWith([rate('t1')]))
  server.refusals = ['no answer']
  await type('5120')
  await submit().click()
  await expect.element(queued()).toBeVisible()
  closeNotices()
  await button('Ändern').click()
  await type('{End}{Backspace}1')
  await submit().click()
  await expect.element(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toBeVisible()
  expect(server.sent.map(({ body }) => body.results[0]?.readingValue)).toEqual(['5120', '5121'])
  expect(new Set(server.sent.map(({ key }) => key)).size).toBe(2)
})

test('a reading that waits can be given up', async () => {
  await open(jobWith([rate('t1')]))
  server.refusals = ['no answer']
  await type('5120')
  await submit().click()
  await expect.element(queued()).toBeVisible()
  closeNotices()
  await button('Verwerfen').click()
  await dialog().getByRole('button', { name: 'Verwerfen' }).click()
  await expect.element(field()).toHaveValue('')
  expect(currentEntries()).toEqual([])
})

test('what the device has no room for is sent at once, and stays on the page when that fails', async () => {
  const full = new DOMException('full', 'QuotaExceededError')
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw full
  })
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
    throw full
  })
  await open(jobWith([rate('t1')]))
  server.refusals = ['no answer']
  await type('5120')
  await expect.element(page.getByText('Nicht auf diesem Gerät gesichert')).toBeVisible()
  await submit().click()
  await expect.element(page.getByText(/Senden fehlgeschlagen/).first()).toBeVisible()
  await expect.element(field()).toHaveValue('5120')
  await expect.element(page.getByText('Nicht auf diesem Gerät gesichert')).toBeVisible()
  closeNotices()
  await submit().click()
  await expect.element(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toBeVisible()
  expect(new Set(server.sent.map(({ key }) => key)).size).toBe(1)
})

test('what the device has no room for is not sent to a closed job without a word', async () => {
  vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  vi.spyOn(IDBObjectStore.prototype, 'add').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  await open(jobWith([rate('t1')]))
  server.refusals = [{ status: 422, code: 'job-closed' }]
  await type('5120')
  await submit().click()
  const notice = page.getByRole('alert').filter({ hasText: 'Senden fehlgeschlagen' })
  await expect.element(notice.getByText('Ihr Versorger nimmt zu diesem Zähler keine Ablesungen mehr an.')).toBeVisible()
})

/** A reading waits because its photo did not get through. */
async function stick(jobId: string, readingValue: string): Promise<void> {
  const { enqueue, update } = await import('@/offline/outbox.ts')
  const results = [{ taskId: 't1', readingValue, photoIds: ['p1'] }]
  const reading = { readingDate: day(0), results }
  await enqueue({ kind: 'send-task-results', accountId: 'a1', jobId, meterNumber: '4711', key: jobId, reading }, [])
  const [entry] = currentEntries()
  if (entry) await update({ ...entry, isPhotoStuck: true, notBefore: Date.now() + 60_000 })
}

// D-OUTBOX-10
test('what is said of a reading that is kept is not why another one waits', async () => {
  await stick('j2', '5120')
  await open(jobWith([rate('t1')]))
  server.refusals = ['no answer']
  await type('5120')
  await submit().click()
  const notice = page.getByRole('alert').filter({ hasText: 'Senden fehlgeschlagen' })
  await expect.element(notice.getByText(/^Ihre Ablesung ist auf diesem Gerät gespeichert/)).toBeVisible()
})

test('what was refused is corrected before the way leads on', async () => {
  await stick('j1', '5120')
  const { update } = await import('@/offline/outbox.ts')
  const [entry] = currentEntries()
  if (entry) await update({ ...entry, refusal: { code: 'reading-invalid', fieldErrors: [] } })
  await render(<ReadingPanel job={jobWith([rate('t1')])} onward={<a href="#next">Nächster Zähler</a>} />)
  await expect.element(page.getByRole('heading', { name: 'Nicht angenommen' })).toBeVisible()
  const pressed = document.querySelectorAll('.result :is(button, a)')
  expect([...pressed].map(({ textContent }) => textContent)).toEqual(['Ändern', 'Verwerfen', 'Nächster Zähler'])
})

// D-OUTBOX-5
test.each([
  ['is plausible', '5120', true],
  ['needs its photo', '9000', false],
])('a reading whose photo is stuck and that %s', async (_, value, canGo) => {
  const range = { minimumValue: '5000', maximumValue: '6000', strictValidation: false }
  await stick('j1', value)
  await open(jobWith([rate('t1', { readingValueValidation: range })], { unplausibleReadingsImageRequired: true }))
  await expect.element(page.getByText(/^Die Ablesung wartet auf ihr Foto/)).toBeVisible()
  expect(page.getByText(/^Ohne das Foto geht es auch/).elements()).toHaveLength(canGo ? 1 : 0)
})

test('a value below the last one asks why, and is sent after a confirmation', async () => {
  await open(
    jobWith([
      rate('t1', {
        preDecimals: 4,
        readingEvents: [{ readingDate: '2025-01-31', readingValue: '9990' }],
        readingValueValidation: { minimumValue: '9000', maximumValue: '9999', strictValidation: false },
      }),
    ]),
  )
  await type('15')
  // The question is all that is to be seen; what it is about is read out.
  await expect.element(page.getByText(/^Der letzte Stand war höher: 9990/).last()).toBeVisible()
  await expect.element(page.getByRole('status').filter({ hasText: 'kleiner als bei der letzten' })).toBeInTheDocument()
  expect(document.querySelectorAll('.rate .message')).toHaveLength(0)
  await expect.element(page.getByText('Das ergibt einen Verbrauch von 25 kWh.')).toBeVisible()
  await page.getByText(/^Der Zähler ist über seine letzte Ziffer gelaufen/).click()
  await submit().click()
  await expect
    .element(dialog().getByRole('listitem'))
    .toMatchTextContent('15 kWhDer Zählerstand ist kleiner als bei der letzten Ablesung.')
  await expect.element(dialog().getByText(/kleiner als erwartet/)).not.toBeInTheDocument()
  await button('Korrigieren').click()
  await expect.element(field()).toHaveFocus()
  expect(server.sent).toHaveLength(0)

  await submit().click()
  await button('Trotzdem senden').click()
  await expect.element(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toBeVisible()
  expect(server.sent[0]?.body).toMatchObject({
    confirmed: true,
    results: [{ taskId: 't1', readingValue: '15', lowerReason: 'ROLLOVER' }],
  })
})

test('of a value below all that is known it is said once that it is low', async () => {
  const created = `${day(-1)}T10:00:00Z`
  const sent = { readingDate: day(-1), readingValue: '00880', created, readingResultImages: [] }
  const readingEvents = [{ readingDate: '2025-01-31', readingValue: '760' }]
  const job = { ...jobWith([rate('t1', { readingEvents, readingResults: [sent] })]), done: true }
  await open(job)
  await button('Erneut senden').click()
  await type('700')
  await page.getByText(/^Der Zähler ist über seine letzte Ziffer gelaufen/).click()
  await submit().click()
  await expect
    .element(dialog().getByRole('listitem'))
    .toMatchTextContent(/^700 kWhDer Zählerstand ist kleiner als bei der letzten Ablesung\.$/)
})

test('who mistyped begins again, and what was said of the lower value goes with it', async () => {
  await open(jobWith([rate('t1')]))
  await type('12')
  await page.getByText('Der Zähler wurde gewechselt.').click()
  await button('Ich habe mich vertippt.').click()
  await expect.element(field()).toHaveValue('')
  await expect.element(field()).toHaveFocus()
  await type('5123')
  await submit().click()
  await expect.element(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toBeVisible()
  expect(server.sent[0]?.body.results).toEqual([{ taskId: 't1', readingValue: '5123' }])
})

test('another lower value is asked about anew', async () => {
  await open(jobWith([rate('t1')]))
  await type('12')
  await page.getByText(/^Der Zähler ist über seine letzte Ziffer gelaufen/).click()
  await expect.element(page.getByRole('radio', { checked: true })).toBeInTheDocument()
  await field().fill('4800')
  await expect.element(page.getByText(/^Der letzte Stand war höher/).last()).toBeVisible()
  await expect.element(page.getByRole('radio', { checked: true })).not.toBeInTheDocument()
})

test('a value outside a strict range cannot be sent, and the range is said in words', async () => {
  const readingValueValidation = { minimumValue: '5000', maximumValue: '6000', strictValidation: true }
  await open(jobWith([rate('t1', { readingValueValidation })]))
  await type('7000')
  await expect.element(page.getByText(/Erwartet wird ein Stand zwischen 5000\skWh und 6000\skWh\./)).toBeVisible()
  await expect.element(submit()).toBeDisabled()
})

test('decimals are asked for exactly', async () => {
  await open(jobWith([rate('t1', { postDecimals: 3 })]))
  await type('5120,5')
  await expect.element(page.getByText('Bitte exakt 3 Nachkommastellen angeben.').first()).toBeVisible()
  await expect.element(submit()).toBeDisabled()
  await userEvent.keyboard('00')
  await expect.element(submit()).toBeEnabled()
})

test('an unusual value needs a comment where the tenant wants one', async () => {
  const flags = { unplausibleReadingsCommentRequired: true, showReadingCommentAllowed: false }
  await open(jobWith([rate('t1')], flags))
  await type('12')
  await expect.element(submit()).toBeDisabled()
  await type('zu', field('Bemerkung'))
  await expect.element(page.getByText('Bemerkung (freiwillig)')).not.toBeInTheDocument()
  await expect
    .element(page.getByText('Die Bemerkung ist zu kurz. Bitte schreiben Sie mindestens 5 Zeichen.').first())
    .toBeVisible()
  await button('Zähler wurde gewechselt').click()
  await expect.element(submit()).toBeEnabled()
})

test('where a photo or a comment is asked for, a comment can be entered', async () => {
  const flags = {
    unplausibleReadingsCommentRequired: true,
    unplausibleReadingsImageRequired: true,
    showReadingCommentAllowed: false,
  }
  await open(jobWith([rate('t1')], flags))
  await expect.element(button('Bemerkung hinzufügen')).not.toBeInTheDocument()
  await type('12')
  await button('Bemerkung hinzufügen').click()
  await type('Das war der Rohrbruch', field('Bemerkung (freiwillig)'))
  await expect.element(submit()).toBeEnabled()
})

test('what is wrong with the one comment is said once', async () => {
  await open(jobWith([rate('t1', { rateName: 'HT' }), rate('t2', { rateName: 'NT' })]))
  await type('5100', field(/HT 1\.8\.0: Ziffern vor/))
  await type('5100', field(/NT 1\.8\.0: Ziffern vor/))
  await button('Bemerkung hinzufügen').click()
  await type('zu', field('Bemerkung (freiwillig)'))
  const reason = page.getByText('Die Bemerkung ist zu kurz. Bitte schreiben Sie mindestens 5 Zeichen.', { exact: true })
  // At the field and at the button.
  await expect.element(reason.nth(1)).toBeVisible()
  await expect.element(page.getByText(/NT 1\.8\.0: Die Bemerkung/)).not.toBeInTheDocument()
})

test('of several rates some may be sent after a confirmation; the job stays open', async () => {
  await open(jobWith([rate('t1', { rateName: 'HT' }), rate('t2', { rateName: 'NT' })]))
  await type('5100', field(/HT 1\.8\.0: Ziffern vor/))
  await submit().click()
  await expect
    .element(dialog().getByText(/Es sind noch nicht alle Zählerstände eingegeben\. Noch offen: NT 1\.8\.0/))
    .toBeVisible()
  await button('Trotzdem senden').click()
  await expect.element(page.getByText(/^Bereits gesendet: 5100\skWh/)).toBeVisible()
  await expect.element(field(/NT 1\.8\.0: Ziffern vor/)).toHaveValue('')
})

test("the server's remarks appear at their fields", async () => {
  await open(jobWith([rate('t1', { rateName: 'HT' }), rate('t2', { rateName: 'NT' })]))
  const fieldErrors = [
    { field: 'results[1].readingValue', code: 'RANGE_ABOVE', severity: 'error', limit: '5500', message: 'too high' },
  ]
  server.refusals = [{ status: 422, code: 'reading-invalid', fieldErrors }]
  await type('5100', field(/HT 1\.8\.0: Ziffern vor/))
  await type('5600', field(/NT 1\.8\.0: Ziffern vor/))
  await submit().click()
  await expect.element(page.getByText('NT 1.8.0: Der Zählerstand ist größer als erwartet.')).toBeVisible()
  await expect.element(field(/NT 1\.8\.0: Ziffern vor/)).toHaveAttribute('aria-invalid', 'true')
  await expect.element(field(/HT 1\.8\.0: Ziffern vor/)).toHaveAttribute('aria-invalid', 'false')
  await expect.element(submit()).toBeDisabled()
})

test('warnings that only the server knows are confirmed too', async () => {
  await open(jobWith([rate('t1')]))
  const fieldErrors = [{ field: 'results[0].readingValue', code: 'RANGE_ABOVE', severity: 'warning', message: 'high' }]
  server.refusals = [{ status: 422, code: 'confirmation-required', fieldErrors }]
  await type('5100')
  await submit().click()
  await expect.element(dialog().getByText(/Der Zählerstand ist größer als erwartet\./)).toBeVisible()
  await button('Trotzdem senden').click()
  await expect.element(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toBeVisible()
  expect(server.sent.map(({ body }) => body.confirmed)).toEqual([undefined, true])
})

test('a value ten times too high is asked about with its consumption and the slip, and goes when it is confirmed', async () => {
  const readingEvents = [
    { readingDate: day(-730), readingValue: '4000' },
    { readingDate: day(-365), readingValue: '7000' },
  ]
  await open(jobWith([rate('t1', { readingEvents })]))
  await type('101000')
  const usual = /Das wären 94\.000\skWh seit dem [\d.]+, sonst sind es etwa 3\.000\skWh im Jahr\./
  const words = new RegExp(`viel höher als sonst\\. ${usual.source} Ist eine Ziffer zu viel\\?`)
  await expect.element(page.getByText(words)).toBeVisible()
  await expect.element(page.getByText(/Das ergibt einen Verbrauch/)).not.toBeInTheDocument()
  await submit().click()
  await expect.element(dialog().getByText(words)).toBeVisible()
  await button('Trotzdem senden').click()
  await expect.element(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toBeVisible()
  expect(server.sent.map(({ body }) => body.confirmed)).toEqual([true])
})

async function takePhoto(): Promise<Blob> {
  const canvas = new OffscreenCanvas(400, 300)
  canvas.getContext('2d')
  return canvas.convertToBlob({ type: 'image/jpeg' })
}

async function addPhoto() {
  const file = new File([await takePhoto()], 'meter.jpg', { type: 'image/jpeg' })
  const input = document.querySelector<HTMLInputElement>('input[type=file][multiple]')
  const files = new DataTransfer()
  files.items.add(file)
  if (!input) throw new Error('no file input')
  input.files = files.files
  input.dispatchEvent(new Event('change', { bubbles: true }))
}

test('a photo is required, sent ahead by reference, and sent once over several attempts', async () => {
  await open(jobWith([rate('t1')], { imageAlwaysRequired: true }))
  server.refusals = ['no answer']
  await type('5100')
  await expect.element(page.getByText('Bitte fügen Sie ein Foto des Zählers hinzu.')).toBeVisible()
  await addPhoto()
  await expect.element(page.getByRole('img', { name: 'Foto 1' })).toBeVisible()
  await submit().click()
  await expect.element(queued()).toBeVisible()
  await replay(true)
  await expect.element(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toBeVisible()
  expect([server.uploads, server.puts]).toEqual([1, 1])
  expect(server.sent.map(({ body }) => body.results[0]?.readingImages)).toEqual([
    [{ uploadId: 'u1' }],
    [{ uploadId: 'u1' }],
  ])
})

/** Lets photos wait for their preparation until it may go on, at the latest with the end of the test. */
function holdPhotos(): () => void {
  const { promise: ready, resolve: finish } = deferred()
  onTestFinished(() => finish())
  const post = Object.getOwnPropertyDescriptor(Worker.prototype, 'postMessage')?.value as (
    this: Worker,
    job: unknown,
  ) => void
  vi.spyOn(Worker.prototype, 'postMessage').mockImplementation(function (this: Worker, job: unknown) {
    void ready.then(() => post.call(this, job))
  })
  return finish
}

test('nothing is sent before a photo that was picked is ready to go with it', async () => {
  const finish = holdPhotos()
  await open(jobWith([rate('t1')]))
  await type('5100')
  await expect.element(submit()).toBeEnabled()
  await addPhoto()
  await expect.element(submit()).toBeDisabled()
  await expect.element(submit()).toHaveAccessibleDescription('Foto wird vorbereitet …')
  await userEvent.click(field())
  await userEvent.keyboard('{Enter}')
  finish()
  await expect.element(page.getByRole('img', { name: 'Foto 1' })).toBeVisible()
  await submit().click()
  await expect.element(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toBeVisible()
  expect(server.sent.map(({ body }) => body.results[0]?.readingImages)).toEqual([[{ uploadId: 'u1' }]])
})

test('a photo that the store has lost is brought again', async () => {
  await open(jobWith([rate('t1')]))
  server.refusals = [{ status: 422, code: 'upload-missing' }]
  await type('5100')
  await addPhoto()
  await expect.element(page.getByRole('img', { name: 'Foto 1' })).toBeVisible()
  await submit().click()
  await expect.element(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toBeVisible()
  expect(server.sent.map(({ body }) => body.results[0]?.readingImages)).toEqual([
    [{ uploadId: 'u1' }],
    [{ uploadId: 'u2' }],
  ])
})

test('a photo can be taken away again', async () => {
  await open(jobWith([rate('t1')]))
  await addPhoto()
  await button('Foto 1 entfernen').click()
  await expect.element(button('Foto hinzufügen')).toHaveFocus()
  expect(page.getByRole('img', { name: 'Foto 1' }).elements()).toHaveLength(0)
})

test('a date outside the window becomes today, with a warning', async () => {
  await open(jobWith([rate('t1')]))
  const date = page.getByLabelText('Ablesedatum')
  await date.fill('2020-01-01')
  await userEvent.click(field())
  await expect
    .element(page.getByText('Dieses Datum ist nicht möglich. Das Ablesedatum wurde auf heute gesetzt.'))
    .toBeVisible()
  await expect.element(date).toHaveValue(day(0))
})

test('Enter in the date sends nothing while the day is not possible', async () => {
  await open(jobWith([rate('t1')]))
  await type('05120')
  await page.getByLabelText('Ablesedatum').fill('2020-01-01')
  await userEvent.keyboard('{Enter}')
  await expect
    .element(page.getByText('Dieses Datum ist nicht möglich. Das Ablesedatum wurde auf heute gesetzt.'))
    .toBeVisible()
  expect(server.sent).toHaveLength(0)
  await submit().click()
  await expect.element(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toBeVisible()
  expect(server.sent[0]?.body.readingDate).toBe(day(0))
})

test('what was typed is still there after a look at another screen, until it is sent', async () => {
  const job = jobWith([rate('t1')])
  await open(job)
  await type('05120')
  await cleanup()
  await open(job)
  await expect.element(field()).toHaveValue('05120')
  await submit().click()
  await expect.element(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toBeVisible()
  await cleanup()
  await open(job)
  await expect.element(field()).toHaveValue('')
})

/** Enters something as if it were some days ago. */
async function daysAgo(days: number, job: Job, enter: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - days * DAY })
  onTestFinished(() => void vi.useRealTimers())
  await open(job)
  await enter()
  await cleanup()
  vi.useRealTimers()
}

// D-READING-8
test.each([true, false])('a value has the day on which it was typed: hidden is %s', async (hidden) => {
  const job = jobWith([rate('t1')], { hideReadingDateInput: hidden })
  await daysAgo(3, job, () => type('05120'))
  await open(job)
  await submit().click()
  await expect.poll(() => server.sent.map(({ body }) => body.readingDate)).toEqual([day(-3)])
})

// D-READING-8
test('a value that is typed anew into a queued reading has the day of that, and one that is not its own', async () => {
  const job = jobWith([rate('t1')], { hideReadingDateInput: true })
  server.refusals = [
    { status: 503, code: 'temporarily-unavailable' },
    { status: 503, code: 'temporarily-unavailable' },
  ]
  await daysAgo(3, job, async () => {
    await type('05120')
    await submit().click()
    await expect.element(queued()).toBeVisible()
  })
  await open(job)
  await button('Ändern').click()
  await submit().click()
  await expect.element(queued()).toBeVisible()
  closeNotices()
  await button('Ändern').click()
  await type('{End}{Backspace}1')
  await submit().click()
  await expect.poll(() => server.sent.map(({ body }) => body.readingDate)).toEqual([day(-3), day(-3), day(0)])
})

test('a day that a reading can no longer have becomes the day of sending', async () => {
  const job = jobWith([rate('t1')], { hideReadingDateInput: true })
  await daysAgo(3, job, () => type('05120'))
  await open({ ...job, jobConstraints: { ...job.jobConstraints, earliestExecution: day(-1) } })
  await submit().click()
  await expect.poll(() => server.sent.map(({ body }) => body.readingDate)).toEqual([day(0)])
})

test('who chooses today means that day', async () => {
  const job = jobWith([rate('t1')])
  const date = page.getByLabelText('Ablesedatum')
  await daysAgo(2, job, async () => {
    await date.fill(day(-1))
    await date.fill(day(0))
  })
  await open(job)
  await expect.element(date).toHaveValue(day(-2))
})

test('a reading whose form was left on the way is shown as waiting until it has arrived, and is not entered twice', async () => {
  const job = jobWith([rate('t1')])
  const release = holdAnswers()
  await open(job)
  await type('05120')
  await submit().click()
  await expect.poll(() => server.sent).toHaveLength(1)
  await cleanup()
  await open(job)
  await expect.element(page.getByRole('heading', { name: 'Bereits abgelesen' })).toBeVisible()
  expect(submit().elements()).toHaveLength(0)
  release()
  await expect.element(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toBeVisible()
  expect(server.sent).toHaveLength(1)
})

test('a refusal that comes after the form was left waits for the reader with what was typed', async () => {
  const job = jobWith([rate('t1')])
  const release = holdAnswers()
  server.refusals = [{ status: 422, code: 'reading-invalid' }]
  await open(job)
  await type('05120')
  await submit().click()
  await expect.poll(() => server.sent).toHaveLength(1)
  await cleanup()
  release()
  await open(job)
  await expect.element(page.getByRole('heading', { name: 'Nicht angenommen' })).toBeVisible()
  await button('Ändern').click()
  await expect.element(field()).toHaveValue('05120')
})

test('a reading that was not accepted is named with the reason, above a form that is open again', async () => {
  const job = jobWith([rate('t1')])
  const rejectedReading = {
    readingDate: day(-1),
    readingValue: '09999.5',
    created: '2026-11-20T10:00:00Z',
    reason: 'Auf dem Foto ist ein anderer Zähler.',
  }
  const meterRateTasks = job.meter.meterRateTasks.map((task) => ({ ...task, rejectedReading }))
  await open({ ...job, meter: { ...job.meter, meterRateTasks } })
  await expect.element(page.getByText('Bitte lesen Sie noch einmal ab')).toBeVisible()
  await expect.element(page.getByText(/9.?999,5\skWh .*Auf dem Foto ist ein anderer Zähler\./)).toBeVisible()
  await expect.element(field()).toHaveValue('')
})

test('of several rates it is said which was not accepted', async () => {
  const rejectedReading = { readingDate: day(-1), readingValue: '5120', created: `${day(-1)}T10:00:00Z` }
  await open(
    jobWith([
      rate('t1', { rateName: 'HT', rejectedReading: { ...rejectedReading, reason: 'Unscharf.' } }),
      rate('t2', { rateName: 'NT', rejectedReading: { ...rejectedReading, reason: 'Verdeckt.' } }),
    ]),
  )
  await expect.element(page.getByText(/^HT 1\.8\.0: Der Stand 5120\skWh .* Unscharf\.$/)).toBeVisible()
  await expect.element(page.getByText(/^NT 1\.8\.0: Der Stand 5120\skWh .* Verdeckt\.$/)).toBeVisible()
})

// D-EXPORTS-5
test('after the deadline it is named without asking for another one', async () => {
  const job = jobWith([rate('t1')])
  const rejectedReading = {
    readingDate: day(-2),
    readingValue: '5120',
    created: `${day(-2)}T10:00:00Z`,
    reason: 'Unscharf.',
  }
  const meterRateTasks = job.meter.meterRateTasks.map((task) => ({ ...task, rejectedReading }))
  const jobConstraints = { earliestExecution: day(-10), latestExecution: day(-1) }
  await open({ ...job, jobConstraints, meter: { ...job.meter, meterRateTasks } })
  await expect.element(page.getByText('Senden nicht mehr möglich')).toBeVisible()
  await expect.element(page.getByText('Der Stand wurde nicht übernommen')).toBeVisible()
  await expect.element(page.getByText(/Unscharf\./)).toBeVisible()
  await expect.element(page.getByText('Bitte lesen Sie noch einmal ab')).not.toBeInTheDocument()
})

test.each([
  ['not begun', 3, 'Senden noch nicht möglich'],
  ['expired', -30, 'Senden nicht mehr möglich'],
])('nothing can be entered while the period has %s', async (_, first, text) => {
  const job = jobWith([rate('t1')])
  await open({ ...job, jobConstraints: { earliestExecution: day(first), latestExecution: day(first + 10) } })
  await expect.element(page.getByText(text)).toBeVisible()
  expect(submit().elements()).toHaveLength(0)
})

test('before the period, where that is allowed, the reader is told what it means', async () => {
  const job = jobWith([rate('t1')], { durationSendingReadingValuesBasedOnEarliestExecutionIsAllowed: 5 })
  await open({ ...job, jobConstraints: { earliestExecution: day(3), latestExecution: day(10) } })
  await expect.element(page.getByText(/möglicherweise geschätzt/)).toBeVisible()
})

// D-OUTBOX-13
test('on a page that was left open while the meter was exchanged, the reader is told to look at the meter', async () => {
  const job = jobWith([rate('t1')])
  await open(job)
  await type('05120')
  const exchanged = { ...job, meter: { ...job.meter, meterNumber: '1EBZ0100000999' } }
  server.job = exchanged
  await mutate(['/api/pro/job', 'a1'], [exchanged], { revalidate: false })
  server.refusals = [{ status: 422, code: 'meter-exchanged' }]
  await submit().click()
  await expect.element(page.getByText(/^Der Zähler wurde inzwischen gewechselt/)).toBeVisible()
  await expect.element(field()).toHaveValue('05120')
  await type('{End}{Backspace}1')
  await submit().click()
  await expect.element(page.getByRole('heading', { name: 'Abgelesen', exact: true })).toBeVisible()
  expect(server.sent.map(({ body }) => body.meterNumber)).toEqual([job.meter.meterNumber, '1EBZ0100000999'])
  expect(new Set(server.sent.map(({ key }) => key)).size).toBe(2)
})

// D-OUTBOX-13
test.each([
  [
    'a tap into the field',
    () =>
      page
        .getByLabelText('Ablesedatum')
        .click()
        .then(() => userEvent.click(field())),
  ],
  [
    'a comment',
    () =>
      button('Bemerkung hinzufügen')
        .click()
        .then(() => field(/Bemerkung/).fill('Keller')),
  ],
  ['a look at another screen', (job: Job) => cleanup().then(() => render(<ReadingPanel job={job} />))],
])('after %s, what was typed is still of the meter that was there then', async (_, act) => {
  const job = jobWith([rate('t1')], { showReadingCommentAllowed: true })
  const exchanged = { ...job, meter: { ...job.meter, meterNumber: '1EBZ0100000999' } }
  server.job = exchanged
  const { rerender } = await render(<ReadingPanel job={job} />)
  await type('05120')
  await rerender(<ReadingPanel job={exchanged} />)
  await act(exchanged)
  server.refusals = [{ status: 422, code: 'meter-exchanged' }]
  await submit().click()
  await expect.element(page.getByText(/^Der Zähler wurde inzwischen gewechselt/)).toBeVisible()
  await submit().click()
  const sent = () => server.sent.map(({ body }) => body.meterNumber)
  await expect.poll(sent).toEqual([job.meter.meterNumber, '1EBZ0100000999'])
})

// D-OUTBOX-13
test.each([
  ['while it waits', 'temporarily-unavailable', 503, false],
  ['once its reader was told', 'meter-exchanged', 422, true],
])('a queued reading that is changed %s is of the right meter', async (_, code, status, isOfTheNewOne) => {
  const job = jobWith([rate('t1')])
  const exchanged = { ...job, meter: { ...job.meter, meterNumber: '1EBZ0100000999' } }
  const release = holdAnswers()
  await open(job)
  server.refusals = [{ status, code }]
  await type('05120')
  await submit().click()
  await expect.poll(() => server.sent).toHaveLength(1)
  await cleanup()
  release()
  await open(exchanged)
  await button('Ändern').click()
  await expect.element(field()).toHaveValue('05120')
  await submit().click()
  const sent = () => server.sent.slice(1).map(({ body }) => body.meterNumber)
  await expect.poll(sent).toEqual([isOfTheNewOne ? '1EBZ0100000999' : job.meter.meterNumber])
})

// D-OUTBOX-13
test('whoever is told to look at the meter again reads it on that day', async () => {
  const job = jobWith([rate('t1')])
  server.refusals = ['no answer', { status: 422, code: 'meter-exchanged' }]
  await daysAgo(3, job, async () => {
    await type('05120')
    await submit().click()
    await expect.element(queued()).toBeVisible()
  })
  await replay(true)
  await open({ ...job, meter: { ...job.meter, meterNumber: '1EBZ0100000999' } })
  await button('Ändern').click()
  await expect.element(field()).toHaveValue('05120')
  await expect.element(page.getByLabelText('Ablesedatum')).toHaveValue(day(0))
})

// D-OUTBOX-13
test.each([
  ['nothing is changed', () => Promise.resolve(), day(0)],
  [
    'a comment is added',
    () =>
      button('Bemerkung hinzufügen')
        .click()
        .then(() => field(/Bemerkung/).fill('Keller')),
    day(0),
  ],
  ['the day of then is chosen once more', () => page.getByLabelText('Ablesedatum').fill(day(-3)), day(-3)],
])(
  'what an open form sends again after the look at the meter is of the right day where %s',
  async (_, act, expected) => {
    const job = jobWith([rate('t1')], { showReadingCommentAllowed: true })
    const date = page.getByLabelText('Ablesedatum')
    await daysAgo(3, job, async () => {
      await date.fill(day(0))
      await type('05120')
    })
    await open({ ...job, meter: { ...job.meter, meterNumber: '1EBZ0100000999' } })
    await expect.element(date).toHaveValue(day(-3))
    server.refusals = [{ status: 422, code: 'meter-exchanged' }]
    await submit().click()
    await expect.element(page.getByText(/^Der Zähler wurde inzwischen gewechselt/)).toBeVisible()
    await expect.element(date).toHaveValue(day(0))
    await act()
    await submit().click()
    const sent = () => server.sent.map(({ body }) => [body.meterNumber, body.readingDate])
    await expect.poll(sent).toEqual([
      [job.meter.meterNumber, day(-3)],
      ['1EBZ0100000999', expected],
    ])
  },
)

// D-READING-22, D-OUTBOX-1
test('of a meter whose job was closed no more readings are asked for, and one that was typed can only be given up', async () => {
  const result = {
    readingDate: day(-1),
    readingValue: '05120',
    created: `${day(-1)}T10:00:00Z`,
    readingResultImages: [],
  }
  const job = { ...jobWith([rate('t1', { readingResults: [result] })]), done: true }
  const { rerender } = await render(<ReadingPanel job={job} />)
  await button('Erneut senden').click()
  await type('05130')
  server.refusals = [{ status: 422, code: 'job-closed' }]
  await submit().click()
  const closed = page.getByText('Ihr Versorger nimmt zu diesem Zähler keine Ablesungen mehr an.')
  const refused = page.getByRole('heading', { name: 'Nicht angenommen' })
  await expect.element(refused).toHaveFocus()
  expect(await readDraft('a1', 'j1')).toBeUndefined()
  await rerender(<ReadingPanel job={{ ...job, closed: true }} />)
  await expect.element(refused).toBeVisible()
  await expect.element(closed).toBeVisible()
  await expect.element(button('Ändern')).not.toBeInTheDocument()
  // An import opens it again.
  await rerender(<ReadingPanel job={job} />)
  await expect.element(button('Ändern')).toBeVisible()
  await expect.element(closed).not.toBeInTheDocument()
  await rerender(<ReadingPanel job={{ ...job, closed: true }} />)
  await button('Verwerfen').click()
  await dialog().getByRole('button', { name: 'Verwerfen' }).click()
  await expect.element(page.getByText('05120 kWh')).toBeVisible()
  await expect.element(closed).toBeVisible()
  expect(submit().elements()).toHaveLength(0)
  expect(button('Erneut senden').elements()).toHaveLength(0)
})

// D-OUTBOX-1
test('a reading that waits can be given up and not changed once its job was closed', async () => {
  const job = jobWith([rate('t1')])
  await open(job)
  server.refusals = ['no answer']
  await type('5120')
  await submit().click()
  await expect.element(button('Ändern')).toBeVisible()
  closeNotices()
  await cleanup()
  await render(<ReadingPanel job={{ ...job, done: true, closed: true }} />)
  await expect.element(button('Verwerfen')).toBeVisible()
  expect(button('Ändern').elements()).toHaveLength(0)
})

// D-OUTBOX-1
test.each([
  ['is over', -30],
  ['begins later', 3],
])('a reading that waits is not changed into a draft that nobody sees where its period %s', async (_, first) => {
  const job = jobWith([rate('t1')])
  await open(job)
  server.refusals = ['no answer']
  await type('5120')
  await submit().click()
  await expect.element(button('Ändern')).toBeVisible()
  closeNotices()
  await cleanup()
  const jobConstraints = { earliestExecution: day(first), latestExecution: day(first + 10) }
  const { rerender } = await render(<ReadingPanel job={{ ...job, jobConstraints }} />)
  await expect.element(button('Verwerfen')).toBeVisible()
  expect(button('Ändern').elements()).toHaveLength(0)
  await rerender(<ReadingPanel job={job} />)
  await expect.element(button('Ändern')).toBeVisible()
})

test('neither a tap into the fields nor what was deleted again is a draft', async () => {
  await open(jobWith([rate('t1', { postDecimals: 3 })]))
  const { result: isInForm } = await renderHook(useIsInForm)
  /** Whether the device has a draft, once all that was to be written is. */
  const isKept = async () => {
    await deleteDraft('a1', 'other')
    return (await readDraft('a1', 'j1')) !== undefined
  }
  await userEvent.click(field())
  await userEvent.click(field(/nach dem Komma/))
  await userEvent.click(field())
  expect(await isKept()).toBe(false)
  expect(isInForm.current).toBe(false)
  await userEvent.keyboard('5')
  await expect.poll(isKept).toBe(true)
  expect(isInForm.current).toBe(true)
  await userEvent.keyboard('{Backspace}')
  await expect.poll(isKept).toBe(false)
  expect(isInForm.current).toBe(false)
})

// D-OUTBOX-14
test('a tap into an empty form leaves what another tab has kept meanwhile', async () => {
  await open(jobWith([rate('t1', { postDecimals: 3 })]))
  await writeDraft({ accountId: 'a1', jobId: 'j1', content: 'of the other tab', photos: [] })
  await userEvent.click(field())
  await userEvent.click(field(/nach dem Komma/))
  await userEvent.click(field())
  await deleteDraft('a1', 'other')
  expect((await readDraft('a1', 'j1'))?.content).toBe('of the other tab')
})

test('a reading from outside fills in the register that it means, and an appended billing period does not count', async () => {
  await open(jobWith([rate('t1', { obis: '1-0:1.8.1*255' }), rate('t2', { obis: '1-0:1.8.2' })]))
  const results = [
    { obis: '1-0:1.8.1', readingValue: '5120' },
    { obis: '1-0:1.8.2*255', readingValue: '5230' },
  ]
  window.dispatchEvent(new CustomEvent('remote-result-received', { detail: { results } }))
  await expect.element(field().first()).toHaveValue('5120')
  await expect.element(field().last()).toHaveValue('5230')
})

// D-READING-15
test('what is typed while photos from outside are prepared stays', async () => {
  const finish = holdPhotos()
  await open(jobWith([rate('t1', { obis: '1-0:1.8.1' }), rate('t2', { obis: '1-0:1.8.2' })]))
  const bytes = new Uint8Array(await (await takePhoto()).arrayBuffer())
  const encodedImage = btoa(String.fromCharCode(...bytes))
  const results = [
    { obis: '1-0:1.8.1', readingValue: '5120', readingImages: [{ encodedImage }] },
    { obis: '1-0:1.8.2', readingValue: '5230' },
  ]
  window.dispatchEvent(new CustomEvent('remote-result-received', { detail: { results } }))
  await expect.element(field().first()).toHaveValue('5120')
  await type('{End}{Backspace}1', field().last())
  finish()
  await expect.element(page.getByText(/Ablesung übernommen$/)).toBeVisible()
  await expect.element(page.getByRole('img', { name: 'Foto 1' })).toBeVisible()
  await expect.element(field().last()).toHaveValue('5231')
})

test('a rate that the server no longer knows is named', async () => {
  await open(jobWith([rate('t1')]))
  const fieldErrors = [{ field: 'results[0].taskId', code: 'TASK_UNKNOWN', severity: 'error', message: 'unknown' }]
  server.refusals = [{ status: 422, code: 'reading-invalid', fieldErrors }]
  await type('5100')
  await submit().click()
  await expect.element(page.getByText(/^Dieser Zähler wurde inzwischen geändert\./)).toBeVisible()
})

test('a photo that the server cannot read is said at the photos of its rate', async () => {
  await open(jobWith([rate('t1')]))
  const fieldErrors = [{ field: 'results[0].readingImages[0]', message: 'not a JPEG' }]
  server.refusals = [{ status: 422, code: 'photo-invalid', fieldErrors }]
  await type('5100')
  await addPhoto()
  await expect.element(page.getByRole('img', { name: 'Foto 1' })).toBeVisible()
  await submit().click()
  const photos = page.getByRole('group', { name: 'Fotos zum Zählerstand' })
  await expect.element(photos.getByRole('status')).not.toBeEmptyDOMElement()
})
