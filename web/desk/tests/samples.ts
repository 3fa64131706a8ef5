/** What the desk's part of the API answers, for journeys that are about the pages alone. */
import type { Page } from '@playwright/test'
import { sampleJob } from '../../shared/testing/sample-job.ts'
import { samplePlausibility } from '../../shared/testing/sample-plausibility.ts'

const events = [
  { readingDate: '2022-11-20', readingValue: '10250.0', reason: 'PERIODIC_READING' },
  { readingDate: '2023-11-21', readingValue: '13410.4', reason: 'PERIODIC_READING' },
  { readingDate: '2024-11-19', readingValue: '16480.9', reason: 'ESTIMATED_READING' },
  { readingDate: '2025-11-22', readingValue: '19621.3', reason: 'PERIODIC_READING' },
] as const

const job = (id: string, meterNumber: string) =>
  sampleJob({
    id,
    meter: {
      meterNumber,
      meterRateTasks: [
        {
          taskId: 'task-1',
          obis: '1-0:1.8.0',
          rateName: 'Verbrauch',
          preDecimals: 6,
          postDecimals: 1,
          readingEvents: [...events],
          readingResults: [],
        },
      ],
      meterAddress: { locationDescription: 'Keller links' },
    },
  })

export const reading = (id: string, more: object = {}) => ({
  id,
  taskId: 'task-1',
  obis: '1-0:1.8.0',
  meterNumber: '1EBZ0100000619',
  readingValue: '196213.0',
  readingDate: '2026-11-20',
  created: '2026-11-20T09:12:00Z',
  channel: 'PORTAL',
  confirmed: ['EXPECTED_HIGH'],
  doubts: ['EXPECTED_HIGH'],
  images: ['photo-1'],
  state: 'waits',
  comment: 'Wir haben jetzt eine Wärmepumpe.',
  sent: [],
  version: 'v1',
  ...more,
})

const expected = {
  'task-1': { since: '2025-11-22', from: '19621.3', annual: '3140', consumption: '3123', least: '1560', most: '6250' },
}
const place = { street: 'Ahornweg', houseNumber: '3a', postcode: '12345', city: 'Birkenfurt', district: 'Nord' }

const file = (id: string, number: string, readings: object[]) => ({
  job: job(id, number),
  season: 'herbst-2026',
  state: 'open',
  place,
  readings,
  expected,
})

export const deskJob = (id: string, number: string, readings: object[] = []) => ({
  account: 'K-100200',
  name: 'Anna Acker',
  file: file(id, number, readings),
  rules: { today: '2026-11-22', plausibility: samplePlausibility },
})

const customer = {
  account: 'K-100200',
  name: 'Anna Acker',
  username: 'anna.acker',
  language: 'de-FORMAL',
  registeredEmail: 'anna@example.org',
  noReminders: false,
  invitedAt: '2026-10-01T08:00:00Z',
  link: { until: '2026-12-31T23:00:00Z', hasFurtherLinks: false },
  loginTries: { failed: 2, last: '2026-11-20T09:00:00Z' },
  sessions: [
    { login: 'credentials', device: 'phone', openedAt: '2026-11-20T09:00:00Z', usedAt: '2026-11-20T09:14:00Z' },
  ],
  shares: [{ account: 's1', name: 'Hausverwaltung Nord', jobCount: 3, created: '2026-10-05T10:00:00Z' }],
  mails: [
    { kind: 'receipt', state: 'delivered', at: '2026-11-20T09:13:00Z' },
    { kind: 'invitation', state: 'delivered', at: '2026-10-01T08:00:00Z' },
  ],
  withoutJob: 0,
  isCut: false,
  jobs: [
    file('job-1', '1EBZ0100000619', [reading('r1')]),
    file('job-2', '7GMT0000815', [
      reading('r2', {
        readingValue: '22744.1',
        state: 'counts',
        doubts: [],
        confirmed: [],
        channel: 'PHONE',
        enteredBy: 'Lena Leitung',
        images: [],
      }),
    ]),
  ],
  nextCursor: null,
}

const figures = {
  tenant: 'Stadtwerke Birkenfurt',
  today: '2026-11-22',
  asOf: '2026-11-22T10:04:00Z',
  jobs: 1240,
  done: 812,
  byDay: { '2026-11-02': 210, '2026-11-05': 180, '2026-11-10': 222, '2026-11-18': 200 },
  byChannel: { PORTAL: 700, PHONE: 62, CARD: 50 },
  byLogin: {},
  withoutJob: {},
  byMeterType: { ELECTRIC_METER: { jobs: 800, done: 560 }, GAS_METER: { jobs: 440, done: 252 } },
  byDistrict: { Nord: { jobs: 600, done: 420 } },
  nearDeadline: { '2026-11-30': 31 },
  overdue: 12,
  waitingForClearing: 2,
}
const season = (id: string, year: number) => ({
  id,
  name: `Herbst ${year}`,
  firstDay: `${year}-11-01`,
  lastDay: `${year}-12-15`,
})

/** Answers every call of the desk with samples; what a journey says goes before that. */
export async function pretendDesk(page: Page): Promise<void> {
  const waiting = [
    {
      job: 'job-1',
      account: 'K-100200',
      name: 'Anna Acker',
      season: 'herbst-2026',
      meterType: 'ELECTRIC_METER',
      district: 'Nord',
      reading: reading('r1'),
    },
    {
      job: 'job-3',
      account: 'K-100300',
      name: 'Bert Birke',
      season: 'herbst-2026',
      meterType: 'GAS_METER',
      reading: reading('r3', { meterNumber: '7GMT0000816' }),
    },
  ]
  const answers: [RegExp, object][] = [
    [
      /\/search$/,
      {
        customers: [{ account: 'K-100200', name: 'Anna Acker', job: 'job-1', meterNumber: '1EBZ0100000619', place }],
        nextCursor: null,
      },
    ],
    [/\/customers\//, customer],
    [/\/photos\//, { url: '/icon.svg', expiresAt: '2026-11-22T12:00:00Z' }],
    [/\/jobs\/[^/]+$/, deskJob('job-1', '1EBZ0100000619')],
    [/\/waiting\?|\/waiting$/, { items: waiting, count: 2, nextCursor: null }],
    [
      /\/decisions$/,
      {
        day: '2026-11-22',
        decisions: [
          {
            job: 'job-1',
            account: 'K-100200',
            reading: reading('r1', { state: 'counts' }),
            decision: { kind: 'release', by: 'Lena Leitung', at: '2026-11-22T10:00:00Z' },
          },
        ],
      },
    ],
    [
      /\/season(\?|$)/,
      {
        seasons: [season('h26', 2026), season('h25', 2025)],
        season: season('h26', 2026),
        figures,
        before: {
          season: season('h25', 2025),
          figures: { ...figures, done: 1100, byDay: { '2025-11-03': 500, '2025-11-20': 400, '2025-12-01': 200 } },
        },
      },
    ],
    [
      /\/open(\?|$)/,
      {
        count: 1,
        nextCursor: null,
        rows: [
          {
            job: 'job-1',
            account: 'K-100200',
            name: 'Anna Acker',
            season: 'h26',
            meterNumber: '1EBZ0100000619',
            meterType: 'ELECTRIC_METER',
            place,
            deadline: '2026-11-20',
            overdue: true,
            open: true,
            email: false,
          },
        ],
      },
    ],
  ]
  await page.route('**/api/desk/tenants/**', (route) => {
    const url = route.request().url()
    if (url.endsWith('/waiting/next')) {
      const { after } = (route.request().postDataJSON() ?? {}) as { after?: string }
      const id = after === undefined ? 1 : after === 'p1' ? 3 : undefined
      if (id === undefined) return route.fulfill({ json: { reading: null } })
      const number = `1EBZ010000061${id}`
      return route.fulfill({
        json: {
          reading: `r${id}`,
          place: `p${id}`,
          job: deskJob(`job-${id}`, number, [reading(`r${id}`, { meterNumber: number })]),
          email: 'anna@example.org',
        },
      })
    }
    const json = answers.find(([pattern]) => pattern.test(url))?.[1]
    return json ? route.fulfill({ json }) : route.fulfill({ json: {} })
  })
}
