import { SWRConfig } from 'swr'
import { afterEach, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { deferred } from '@shared/testing/deferred.ts'
import type { Settings } from '@/data/types.ts'
import type { SettingsPage as Shown } from './settings-page.tsx'

const TENANT = {
  name: 'Stadtwerke',
  languages: [{ name: 'de-FORMAL', readableName: 'Deutsch' }],
  accessibility: { companyName: 'Stadtwerke', legals: [{ text: 'BITV 2.0' }] },
}

/** The API as far as settings need it: files in effect, and over them drafts. */
const server = {
  live: {} as Record<string, string>,
  drafts: {} as Record<string, string | undefined>,
  /** What was shown when drafts were put into effect. */
  applied: '',
  /** How often the member wanted to look at the portal. */
  looks: 0,
  /** What is wrong with the drafts. */
  faults: [] as Settings['faults'],
  /** What it takes to leave the rehearsal. */
  opening: {} as Pick<Settings, 'opening' | 'openingReadings'>,
  /** The network is away. */
  isAway: false,
  /** So many of the next changes are made, and their answers lost. */
  lost: 0,
  /** What the next answer waits for. */
  held: undefined as Promise<void> | undefined,
}

const contentOf = (file: string): string | undefined =>
  Object.hasOwn(server.drafts, file) ? server.drafts[file] : server.live[file]
const hashOf = (file: string) => contentOf(file) && `hash of ${contentOf(file)}`

/** What another member keeps at the same time. */
const theyKeep = (file: string, content: string) => {
  server.drafts[file] = content
}

function settings(): Settings {
  const names = [...new Set([...Object.keys(server.live), ...Object.keys(server.drafts)])].toSorted()
  return {
    ...server.opening,
    faults: server.faults,
    versions: [],
    state: JSON.stringify(server.drafts),
    files: names.map((name) => {
      const draft = { by: 'Clara Brandt', at: '2026-11-26T10:00:00Z', isOutdated: false }
      return {
        name,
        content: server.live[name] ?? null,
        hash: hashOf(name) ?? null,
        ...(Object.hasOwn(server.drafts, name) && { draft: { ...draft, content: server.drafts[name] ?? null } }),
      }
    }),
  }
}

const conflict = () =>
  new Response(JSON.stringify({ code: 'conflict', status: 409 }), {
    status: 409,
    headers: { 'content-type': 'application/problem+json' },
  })

async function respond(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url)
  await server.held
  if (server.isAway) throw new TypeError('Failed to fetch')
  if (pathname.endsWith('/preview')) {
    server.looks += 1
    return Response.json({ url: 'about:blank' })
  }
  if (request.method === 'POST' && pathname.endsWith('/settings')) {
    const { state } = (await request.json()) as { state: string }
    if (state !== settings().state && state !== server.applied) return conflict()
    Object.assign(server.live, server.drafts)
    Object.assign(server, { drafts: {}, applied: state })
  } else if (request.method === 'POST') {
    const { file, content, seen } = (await request.json()) as { file: string; content?: string; seen?: string }
    // The same request comes again when its answer was lost.
    if (seen !== hashOf(file) && content !== contentOf(file)) return conflict()
    server.drafts[file] = content
  }
  if (request.method === 'DELETE') {
    if (new URL(request.url).searchParams.get('state') !== settings().state) return conflict()
    server.drafts = {}
  }
  if (request.method !== 'GET' && server.lost > 0) {
    server.lost -= 1
    throw new TypeError('Failed to fetch')
  }
  return Response.json(settings())
}

const realFetch = globalThis.fetch
let SettingsPage: typeof Shown

beforeAll(async () => {
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init)
    return new URL(request.url).pathname.startsWith('/api/desk/') ? respond(request) : realFetch(request)
  }
  const { loadTexts } = await import('@shared/i18n/i18n.ts')
  const { startTexts } = await import('@/texts/texts.ts')
  await startTexts('de-FORMAL')
  await loadTexts(['settings', 'exports', 'common'])
  ;({ SettingsPage } = await import('./settings-page.tsx'))
})

beforeEach(() => {
  Object.assign(server, {
    live: { 'tenant.json': JSON.stringify(TENANT) },
    drafts: {},
    faults: [],
    opening: {},
    looks: 0,
    isAway: false,
    lost: 0,
    held: undefined,
  })
})

afterEach(() => vi.restoreAllMocks())

async function open(part: string) {
  await render(
    <SWRConfig value={{ provider: () => new Map(), revalidateOnFocus: false, shouldRetryOnError: false }}>
      <SettingsPage tenant="birkenfurt" id={part} />
    </SWRConfig>,
  )
  await expect.element(page.getByRole('navigation', { name: 'Teile der Einstellungen' })).toBeVisible()
}

/** Lets answers wait until they are released, at the latest with the end of the test. */
function holdAnswers(): () => void {
  const { promise, resolve } = deferred()
  server.held = promise
  onTestFinished(() => resolve())
  return resolve
}

const field = (name: string) => page.getByLabelText(name, { exact: true })
const kept = () => expect.poll(() => document.querySelector('[role=status]')?.textContent).toBe('')
/** The page says that a change was not kept, and why. */
const says = (why: RegExp) => expect.element(page.getByRole('alert').getByText(why)).toBeVisible()
const overtaken = () => says(/Jemand anderes hat diese Stelle inzwischen geändert/)

async function type(name: string, text: string) {
  await field(name).fill(text)
  await userEvent.tab()
}

test('what could not be kept stays in its field, beside what others have', async () => {
  await open('accessibility')
  server.isAway = true
  await type('Name des Unternehmens', 'Stadtwerke Birkenfurt GmbH')
  await says(/Ob das gemerkt wurde, ist nicht bekannt.* Es besteht keine Verbindung/)
  await kept()
  await type('Website des Unternehmens', 'https://stadtwerke-birkenfurt.example')
  await kept()
  await expect.element(field('Name des Unternehmens')).toHaveValue('Stadtwerke Birkenfurt GmbH')
  await expect.element(field('Website des Unternehmens')).toHaveValue('https://stadtwerke-birkenfurt.example')

  server.isAway = false
  await field('Name des Unternehmens').click()
  await userEvent.tab()
  await expect.poll(() => contentOf('tenant.json')).toContain('Stadtwerke Birkenfurt GmbH')
})

test('a draft that was not shown is not given up with the others', async () => {
  server.drafts['help/de-FORMAL.md'] = '# Hilfe'
  await open('accessibility')
  theyKeep('contact.json', '[]')
  const giveUp = async () => {
    await page.getByRole('button', { name: 'Verwerfen' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Verwerfen' }).click()
  }
  await giveUp()
  await says(/inzwischen an anderer Stelle geändert/)
  await expect.element(page.getByText('contact.json')).toBeVisible()
  await giveUp()
  await expect.element(page.getByText('contact.json')).not.toBeInTheDocument()
  expect(server.drafts).toEqual({})
})

test('whoever puts a tenant into operation is told of the readings that there are', async () => {
  server.live['tenant.json'] = JSON.stringify({ ...TENANT, rehearsal: true })
  server.opening = { opening: [{ step: 'LEADS', isDone: true }], openingReadings: 12 }
  await open('portal')
  const came = /^12 Stände sind seit dem Tag des letzten Exports \(ohne Export: insgesamt\) eingegangen\. Was davon/
  await expect.element(page.getByText(came)).toBeVisible()
  const list = page.getByRole('link', { name: 'Zu den abgelesenen Ständen' })
  await expect.element(list).toHaveAttribute('href', '/t/birkenfurt/season/readings')
})

test('a schedule says that none of it begins in rehearsal', async () => {
  const scheduled = [{ what: 'WITHOUT_JOB', preset: 'plain', every: 'DAY', hour: 6 }]
  server.live['tenant.json'] = JSON.stringify({ ...TENANT, rehearsal: true, desk: { exports: { scheduled } } })
  await open('exports')
  await expect.element(page.getByText(/^Im Probebetrieb beginnt keiner davon/)).toBeVisible()
})

const HELP = 'Hilfe in dieser Sprache'

const wholes = [
  { part: 'help', name: HELP, file: 'help/de-FORMAL.md', theirs: '# Ihre Hilfe', mine: '# Meine Hilfe' },
  { part: 'files', name: 'Inhalt von tenant.json', file: 'tenant.json', theirs: '{"name":"Ihr Name"}', mine: '{}' },
  {
    part: 'accessibility',
    name: 'Rechtsgrundlagen',
    file: 'tenant.json',
    theirs: JSON.stringify({ ...TENANT, accessibility: { legals: [{ text: 'Ihr Gesetz' }] } }),
    mine: 'Mein Gesetz',
  },
]
for (const { part, name, file, theirs, mine } of wholes)
  test(`${name}: what somebody else kept meanwhile is not overwritten`, async () => {
    await open(part)
    theyKeep(file, theirs)
    await type(name, mine)
    await overtaken()
    expect(contentOf(file)).toBe(theirs)
    await expect.element(field(name)).toHaveValue(mine)
    // Nor once the page has learnt of it.
    await field(name).click()
    await userEvent.tab()
    await kept()
    expect(contentOf(file)).toBe(theirs)
    await expect.element(field(name)).toHaveValue(mine)
  })

test('who types on while a text is being kept changes what was kept', async () => {
  await open('help')
  const release = holdAnswers()
  await type(HELP, 'Erst')
  await type(HELP, 'Erst und dann')
  release()
  await expect.poll(() => contentOf('help/de-FORMAL.md')).toBe('Erst und dann')
  await type(HELP, 'Erst, dann und zuletzt')
  await expect.poll(() => contentOf('help/de-FORMAL.md')).toBe('Erst, dann und zuletzt')
  await kept()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

test('what is in effect though its answer was lost is told so', async () => {
  server.drafts['help/de-FORMAL.md'] = '# Hilfe'
  await open('help')
  server.lost = 1
  await page.getByRole('button', { name: 'In Kraft setzen' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'In Kraft setzen' }).click()
  await expect.element(page.getByText(/^Nichts ist geändert/)).toBeVisible()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
  expect(server.live['help/de-FORMAL.md']).toBe('# Hilfe')
})

test.each([1, 2])('who types on after %i lost answers changes what was kept', async (lost) => {
  await open('help')
  server.lost = lost
  await type(HELP, 'Erst')
  await kept()
  await type(HELP, 'Erst und dann')
  await expect.poll(() => contentOf('help/de-FORMAL.md')).toBe('Erst und dann')
  await kept()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

const contacts = ['eins', 'zwei', 'drei'].map((text) => ({ language: 'de-FORMAL', path: '', text }))
const texts = () => (JSON.parse(contentOf('contact.json') ?? '[]') as { text: string }[]).map(({ text }) => text)

test('an item is changed and removed where it is by now, not at the place where it was', async () => {
  server.live['contact.json'] = JSON.stringify(contacts)
  await open('contact')
  theyKeep('contact.json', JSON.stringify(contacts.slice(1)))
  const release = holdAnswers()
  const second = page.getByRole('region', { name: 'Kontakt 2' })
  await second.getByLabelText('Text', { exact: true }).fill('zwei und mehr')
  // The button takes the focus: what was typed is kept, and then the item goes.
  await second.getByRole('button', { name: 'Entfernen' }).click()
  release()
  await expect.poll(texts).toEqual(['drei'])
  await kept()
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

test('an item that somebody else has changed is not touched', async () => {
  server.live['contact.json'] = JSON.stringify(contacts)
  await open('contact')
  const theirs = contacts.map((item) => (item.text === 'zwei' ? { ...item, text: 'ihr zwei' } : item)).slice(1)
  theyKeep('contact.json', JSON.stringify(theirs))
  const text = page.getByRole('region', { name: 'Kontakt 3' }).getByLabelText('Text', { exact: true })
  await page.getByRole('region', { name: 'Kontakt 2' }).getByRole('button', { name: 'Entfernen' }).click()
  await overtaken()
  expect(texts()).toEqual(['ihr zwei', 'drei'])
  await expect.element(text).not.toBeInTheDocument()
})

test('two fields of an item are kept, one while the other is on its way', async () => {
  server.live['contact.json'] = JSON.stringify(contacts)
  await open('contact')
  const release = holdAnswers()
  const first = page.getByRole('region', { name: 'Kontakt 1' })
  await first.getByLabelText('Nur auf dieser Seite').fill('/hilfe')
  await first.getByLabelText('Text', { exact: true }).fill('eins und mehr')
  await userEvent.tab()
  release()
  await expect.poll(texts).toEqual(['eins und mehr', 'zwei', 'drei'])
  expect(JSON.parse(contentOf('contact.json') ?? '')).toMatchObject([{ path: '/hilfe' }, {}, {}])
  await expect.element(page.getByRole('alert')).not.toBeInTheDocument()
})

const rate = (rateName: string) => ({ obis: '1-0:1.8.0', obisLabel: '1.8.0', rateName })
const subType = (subTypeLabel: string) => ({
  meterType: 'ELECTRIC_METER',
  subType: subTypeLabel,
  subTypeLabel,
  meterConfig: {},
})
const lists = [
  {
    part: 'accessibility',
    button: page.getByRole('button', { name: /^Weg entfernen: / }),
    items: ['eins', 'zwei', 'drei'].map((title) => ({ title, description: '' })),
    place: (alternatives: unknown) => ({ accessibility: { alternatives } }),
  },
  {
    part: 'exports',
    button: page.getByRole('button', { name: 'Entfernen' }),
    items: [5, 6, 7].map((hour) => ({ what: 'WITHOUT_JOB', preset: 'plain', every: 'DAY', hour })),
    place: (scheduled: unknown) => ({ desk: { exports: { scheduled } } }),
  },
  {
    part: 'visitors',
    button: page.getByRole('button', { name: /^Zählwerk .* entfernen$/ }),
    items: ['eins', 'zwei', 'drei'].map(rate),
    place: (meterRateConfigs: unknown) => ({
      unknownReading: { meters: { ELECTRIC_METER: { defaultMeterConfig: { meterRateConfigs } } } },
    }),
  },
  {
    part: 'visitors',
    button: page.getByRole('button', { name: 'Art entfernen', includeHidden: true }),
    items: ['eins', 'zwei', 'drei'].map(subType),
    place: (subTypeMeterConfigs: unknown) => ({
      unknownReading: { meters: { ELECTRIC_METER: { defaultMeterConfig: {}, subTypeMeterConfigs } } },
    }),
  },
]
for (const [number, { part, button, items, place }] of lists.entries())
  test(`the second item goes although somebody else removed the first (${part}, ${number})`, async () => {
    const withItems = (left: readonly object[]) => JSON.stringify({ ...TENANT, ...place(left) })
    server.live['tenant.json'] = withItems(items)
    await open(part)
    theyKeep('tenant.json', withItems(items.slice(1)))
    await expect.poll(() => button.elements().length).toBe(3)
    // Some are inside what is folded.
    ;(button.elements()[1] as HTMLElement).click()
    await expect.poll(() => JSON.parse(contentOf('tenant.json') ?? '')).toMatchObject(place(items.slice(2)))
    expect(JSON.parse(contentOf('tenant.json') ?? '')).toEqual(JSON.parse(withItems(items.slice(2))))
  })

test('the words of a reason that somebody else took away are not written to another one', async () => {
  const reason = (value: string) => ({ value, labelDE: value, labelEN: value })
  const withReasons = (...values: string[]) =>
    JSON.stringify({ ...TENANT, unknownReading: { readingReasons: values.map(reason) } })
  server.live['tenant.json'] = withReasons('ANNUAL_READING', 'METER_CHANGE', 'OTHER')
  await open('visitors')
  theyKeep('tenant.json', withReasons('METER_CHANGE', 'OTHER'))
  const name = document.querySelector<HTMLInputElement>('[name=METER_CHANGE-labelDE]')
  await userEvent.fill(name as HTMLInputElement, 'Neuer Zähler')
  await userEvent.tab()
  await expect.poll(() => contentOf('tenant.json')).toContain('"value":"METER_CHANGE","labelDE":"Neuer Zähler"')
  expect(contentOf('tenant.json')).toContain('"value":"OTHER","labelDE":"OTHER"')
})

test('who looks at the portal right after typing sees in the field what was typed', async () => {
  vi.spyOn(window, 'open').mockReturnValue(null)
  theyKeep('contact.json', '[]')
  await open('accessibility')
  const release = holdAnswers()
  await field('Name des Unternehmens').fill('Stadtwerke Birkenfurt GmbH')
  await page.getByRole('button', { name: 'Im Portal ansehen' }).click()
  release()
  await expect.poll(() => server.looks).toBe(1)
  await kept()
  await expect.element(field('Name des Unternehmens')).toHaveValue('Stadtwerke Birkenfurt GmbH')
  await expect.element(page.getByRole('heading', { name: /^2 Dateien sind geändert/ })).toBeVisible()
})

const apply = page.getByRole('button', { name: 'In Kraft setzen' })

test('that what was typed is wrong is said once it is kept, and why nothing can be put into effect stands at the button', async () => {
  await open('help')
  // A screen reader tells what changes in a region that is there.
  const status = document.querySelector('[role=status]')
  server.faults = [{ file: 'help/de-FORMAL.md', path: '', reason: { de: 'kein Text', en: 'no text' } }]
  await type(HELP, ' ')
  await expect.poll(() => status?.textContent).toBe('Gemerkt. Ein Fehler ist noch darin.')
  await expect.element(apply).toHaveAttribute('aria-disabled', 'true')
  await expect.element(apply).toHaveAccessibleDescription(/^So kann es nicht in Kraft treten/)
  ;(apply.element() as HTMLElement).click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('who puts drafts into effect right after typing is asked once that is kept, and not if it is not', async () => {
  theyKeep('contact.json', '[]')
  await open('help')
  const release = holdAnswers()
  await field(HELP).fill('# Hilfe')
  await apply.click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  release()
  await expect.element(page.getByRole('dialog').getByText('help/de-FORMAL.md').first()).toBeVisible()
  await userEvent.keyboard('{Escape}')

  server.isAway = true
  await field(HELP).fill('# Andere Hilfe')
  await apply.click()
  await says(/Es besteht keine Verbindung/)
  await kept()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('a place that the portal does not fill in a text is told at its field', async () => {
  await open('texts')
  await page.getByLabelText('Suchen in Texten und Schlüsseln').fill('home.welcome')
  await page.getByRole('button', { name: 'Eigenen schreiben: home.welcome', exact: true }).click()
  const own = page.getByLabelText('Eigener Text für home.welcome', { exact: true })
  await own.fill('Moin {{nam}}')
  await userEvent.tab()
  await expect
    .element(page.getByText(/^Den Platzhalter \{\{nam\}\} füllt das Portal .* Es füllt aus: \{\{name\}\}\.$/))
    .toBeVisible()
  await own.fill('Moin {{ name }} {{näme}}')
  await userEvent.tab()
  await expect
    .element(
      page.getByText('Die Platzhalter {{ name }}, {{näme}} füllt das Portal in diesem Text nicht aus. Es füllt', {
        exact: false,
      }),
    )
    .toBeVisible()
  await own.fill('Moin {{name}}')
  await userEvent.tab()
  await kept()
  await expect.element(page.getByText(/^(Den|Die) Platzhalter/)).not.toBeInTheDocument()
})
