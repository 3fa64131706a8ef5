/**
 * The arithmetic of `docs/capacity.md`: peak and bill for a number of meters, from `prices.json` (US dollars in eu-central-1 without
 * tax; look them up before a decision), from the counted units of `functions/tests/costs.md`, and from assumptions.
 *
 *     npm run capacity --workspace infra   puts the tables into the page
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { PAUSES } from '../web/portal/src/device/pauses.ts'
import metrics from './metrics.json' with { type: 'json' }
import { count, money, precise, type Refreshed, refreshedPage, small, table, tell } from './page.ts'
import prices from './prices.json' with { type: 'json' }
import firstVisit from './visit.json' with { type: 'json' }
import { everyMinutes, workers } from './worker-list.ts'

const MILLION = 1e6

/** What CloudFront gives every month for nothing, what DynamoDB keeps and SQS takes for nothing, and what watching costs nothing. */
const FREE = {
  gigabytes: 1_000,
  requests: 10 * MILLION,
  runs: 2 * MILLION,
  tableGigabytes: 25,
  queue: MILLION,
  alarmMetrics: 10,
  lineMetrics: 10,
}
/** What a deployment with one name and a desk is watched by: metrics of alarms, alarms on alarms, metrics made of log lines, checks from outside. */
export const WATCHED = { alarmMetrics: 68, composites: 2, lineMetrics: 15, checks: 5 }
/** Checks of these that ask for something, that look for words in it, and that reach the API; the others ask for a page, or add up. */
const ASKING = { all: 4, words: 3, api: 2 }
/** Requests of a check in a month: two checkers in each of three places, every 30 s. */
const LOOKS = 2 * 3 * 2 * 60 * 24 * 30
/** What another tenant of a deployment gets of it that the first have used up. */
const NOTHING_FREE: typeof FREE = {
  gigabytes: 0,
  requests: 0,
  runs: 0,
  tableGigabytes: 0,
  queue: 0,
  alarmMetrics: 0,
  lineMetrics: 0,
}

/** What readers do. */
export const behaviour = {
  'Share of meters read in the portal each season': 0.6,
  'Meters read in a visit': 1.3,
  'Photos with a reading': 0.4,
  'Mails of a visit: receipts, shares': 0.25,
  'Reminders for a visit': 0.2,
  'Minutes that the portal is in sight in a visit': 10,
  'Minutes of these in which somebody does something': 1.5,
  'Hours of a day in which visits come': 14,
  'Share of the season in its strongest month': 0.7,
  'Share of the season on its strongest day': 0.1,
  'Share of that day in its strongest hour': 0.15,
  'Strongest minute against that hour’s average': 2,
} as const

interface Operation {
  /** Calls in a visit. */
  calls: number
  /** Megabytes of the function. */
  memory: number
  /** Billed milliseconds: assumed until the dashboard knows better. */
  milliseconds: number
  readUnits: number
  writeUnits: number
}

/** Read and write units of each row of a table of counted costs. */
function units(file: string) {
  return new Map(
    readFileSync(path.resolve(import.meta.dirname, '../functions', file), 'utf8')
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter((cells) => cells.length === 7)
      .map(([, name = '', , readUnits, writeUnits]) => [
        name,
        { readUnits: Number(readUnits), writeUnits: Number(writeUnits) },
      ]),
  )
}

/** What operations cost. */
export const counted = units('tests/costs.md')

/** What workers cost that go through 100 accounts with a job each. */
export const countedOfWorkers = units('workers/tests/costs.md')
const COUNTED_ACCOUNTS = 100

/** An operation whose units were counted; `beyond` are read units that the tests' small items do not show. */
function operation(row: string, calls: number, memory: number, milliseconds: number, beyond = 0): Operation {
  const units = counted.get(row)
  if (units === undefined) throw new Error(`functions/tests/costs.md does not know ${row}.`)
  return { calls, memory, milliseconds, readUnits: units.readUnits + beyond, writeUnits: units.writeUnits }
}

/** Meters of the tenant whose costs are shown. */
const TENANT_METERS = 100_000

const readings = behaviour['Meters read in a visit']
const photos = readings * behaviour['Photos with a reading']
/** The tenant's documents, which a function reads once a minute. */
const TENANT = 0.1
/** A logo of 30 KB instead of the tests' 8 bytes. */
const LOGO = 3.5

/** How often a first visit makes a call, as its journey counts it (`web/portal/tests/journeys/cost.spec.ts`). */
const made = firstVisit.calls

/** What a visit costs. */
export const operations: Record<string, Operation> = {
  application_get: operation('application_get', made.application_get, 256, 15, TENANT),
  application_logo: operation('application_logo', made.application_logo, 256, 15, LOGO),
  // Not every browser asks for it, and the journey's does not.
  application_manifest: operation('application_manifest', 1, 256, 15),
  help_languages: operation('help_languages', made.help_languages, 256, 15),
  contact_get: operation('contact_get', made.contact_get, 256, 15),
  instructions_get: operation('instructions_get', made.instructions_get, 256, 15),
  auth_token: operation('auth_token (password)', made.auth_token, 1024, 120),
  auth_logout: operation('auth_logout', 0.3, 256, 20),
  account_info: operation('account_info', made.account_info, 256, 15),
  // Its writes are those of an account's first visit, which most are.
  crm_registration_info: operation('crm_registration_info', made.crm_registration_info, 256, 15),
  // Once more by who stays for longer than half a minute.
  job_list: operation('job_list', made.job_list + 1, 512, 20),
  upload_create: operation('upload_create', photos, 256, 15),
  result_create: operation('result_create (photo ahead)', readings, 1024, 60),
  reading_receipts: operation('reading_receipts', behaviour['Mails of a visit: receipts, shares'], 512, 80),
}

/** What an edge answers by itself for so many seconds, as deployed; a test holds it and the deployment together. */
export const kept = {
  seconds: 120,
  operations: [
    'application_get',
    'application_logo',
    'application_manifest',
    'contact_get',
    'help_languages',
    'instructions_get',
  ],
}

/** Reading the counter in a photo, where deployment and tenant have that on: no part of a visit's costs. */
export const photoReading = operation('photo_reading_create', 0, 512, 1_500)

const access = operation('share_mail', behaviour['Reminders for a visit'], 0, 0)
/** A reminder takes what an access that is sent by mail takes, its turn, and a note that it was sent; a command sends it. */
export const reminder: Operation = { ...access, writeUnits: access.writeUnits + 2 }

/** What hearing of a mail's fate takes. */
export const FATE = { writeUnits: 2, memory: 256, milliseconds: 15 }

interface Pass {
  /** Of what it looks at each. */
  of: 'accounts' | 'meters' | 'photos'
  /** Milliseconds for one of these: round trips of 5 ms, divided by how many there are in a step. */
  milliseconds: number
}

/** Workers that go through everything once a week, one step after the other. */
export const passes: Record<string, Pass> = {
  account_expiry: { of: 'accounts', milliseconds: (3 * 5) / 50 },
  retention: { of: 'meters', milliseconds: (5 * 5) / 50 },
  orphan_photos: { of: 'photos', milliseconds: 2 * 5 },
}
const WORKER_MEMORY = 256
/** Photos in a list of the bucket. */
const LISTED = 250
const PASSES_OF_A_MONTH = 30 / 7

/** How many of what there are to go through after `years` seasons. */
function stock(meters: number, years: number): Record<Pass['of'], number> {
  const photographed = behaviour['Share of meters read in the portal each season'] * behaviour['Photos with a reading']
  return { accounts: meters / readings, meters, photos: meters * photographed * years }
}

/** Hours of a worker's pass. */
export function hours(pass: Pass, meters: number, years: number): number {
  return (stock(meters, years)[pass.of] * pass.milliseconds) / 3_600_000
}

/** Dollars of a month for the workers' passes. */
function ofWorkers(meters: number, years: number): number {
  const ofPasses = Object.entries(passes).map(([worker, pass]) => {
    const cost = countedOfWorkers.get(worker)
    if (cost === undefined) throw new Error(`functions/workers/tests/costs.md does not know ${worker}.`)
    const gigabyteSeconds = hours(pass, meters, years) * 3_600 * (WORKER_MEMORY / 1024)
    const items = stock(meters, years)[pass.of] / COUNTED_ACCOUNTS
    return (
      ((items * cost.readUnits) / MILLION) * prices['DynamoDB on demand, a million read units'] +
      ((items * cost.writeUnits) / MILLION) * prices['DynamoDB on demand, a million write units'] +
      (gigabyteSeconds / MILLION) * prices['Lambda, arm64, a million GB-seconds']
    )
  })
  const lists = stock(meters, years).photos / LISTED
  const pass = ofPasses.reduce((a, b) => a + b, 0) + (lists / MILLION) * prices['S3, a million PUT']
  return PASSES_OF_A_MONTH * pass
}

/** Dollars for mails beside their requests, and for hearing what became of them. */
function ofMails(mails: number, free: { queue: number }): number {
  const gigabyteSeconds = (mails * FATE.memory * FATE.milliseconds) / 1024 / 1000
  // A message is sent, received and deleted.
  const queue = Math.max(0, 3 * mails - free.queue)
  return (
    (mails / MILLION) *
      (prices['SES, a million mails'] +
        prices['SNS, a million messages'] +
        prices['Lambda, a million requests'] +
        FATE.writeUnits * prices['DynamoDB on demand, a million write units']) +
    (queue / MILLION) * prices['SQS, a million requests'] +
    (gigabyteSeconds / MILLION) * prices['Lambda, arm64, a million GB-seconds']
  )
}

/** Sizes in bytes. */
export const sizes = {
  'Items of a meter: job, account, credential, list entry, entries of the search': 4_000,
  'A reading for good: ledger and index': 1_400,
  'Idempotency record of a reading, 35 days': 900,
  'A photo': 200_000,
  'Portal and answers, first visit': 1_000 * firstVisit.kilobytes,
  'Log lines of an API request: of the gateway and the function': 950,
  'The log line of a worker’s run': 400,
} as const
/** Files of a first visit. */
const FILES = firstVisit.files
const MINUTE = 60_000
const deeds = behaviour['Minutes of these in which somebody does something']
/**
 * Looks whether the server is there, which the edge answers (D-OUTBOX-9), in two pauses (D-OUTBOX-12). After the login and a reading's answer the
 * pause begins anew, which saves half a look each.
 */
const probes =
  (MINUTE * deeds) / PAUSES.wanted +
  (MINUTE * (behaviour['Minutes that the portal is in sight in a visit'] - deeds)) / PAUSES.idle -
  (1 + readings) / 2

const calls = Object.values(operations)
const total = (of: (operation: Operation) => number) => calls.reduce((sum, operation) => sum + of(operation), 0)

/** What one visit takes. */
export const visit = {
  requests: total(({ calls: n }) => n),
  readUnits: total(({ calls: n, readUnits }) => n * readUnits),
  writeUnits: total(({ calls: n, writeUnits }) => n * writeUnits),
  gigabyteSeconds: total(({ calls: n, memory, milliseconds }) => (n * memory * milliseconds) / 1024 / 1000),
  seconds: total(({ calls: n, milliseconds }) => (n * milliseconds) / 1000),
}

/** Visits of a season. */
export const season = (meters: number): number =>
  (meters * behaviour['Share of meters read in the portal each season']) / readings

/**
 * The share of calls that go on from the edge when a tenant has so many visits a second: the first visit after an answer's time is over asks
 * anew for all visits within it.
 */
export const forwardedShare = (name: string, visits: number): number =>
  kept.operations.includes(name) ? 1 / (1 + visits * kept.seconds) : 1

/** Visits a second of the tenant whose costs are shown, on its strongest day. */
const onStrongestDay =
  (season(TENANT_METERS) * behaviour['Share of the season on its strongest day']) /
  (behaviour['Hours of a day in which visits come'] * 3_600)

const forwardedTotal = (of: (operation: Operation) => number) =>
  Object.entries(operations).reduce(
    (sum, [name, one]) => sum + forwardedShare(name, onStrongestDay) * one.calls * of(one),
    0,
  )

/** What of a visit goes on from the edge, on a day of a tenant that is as strong as most of its visits' days are (docs/scale.md has them stronger), and the table's units with the reminders that lead to it. */
const paid = {
  requests: forwardedTotal(() => 1),
  readUnits: forwardedTotal(({ readUnits }) => readUnits) + reminder.calls * reminder.readUnits,
  writeUnits: forwardedTotal(({ writeUnits }) => writeUnits) + reminder.calls * reminder.writeUnits,
  gigabyteSeconds: forwardedTotal(({ memory, milliseconds }) => (memory * milliseconds) / 1024 / 1000),
}

/** The strongest minute, by the second. */
export function peak(meters: number) {
  const hour =
    season(meters) *
    behaviour['Share of the season on its strongest day'] *
    behaviour['Share of that day in its strongest hour']
  const visits = (hour / 3600) * behaviour['Strongest minute against that hour’s average']
  const login = operations['auth_token']
  return {
    visits,
    requests: visits * visit.requests,
    probes: visits * probes,
    concurrency: visits * visit.seconds,
    logins: visits * ((login.calls * login.milliseconds) / 1000),
    readUnits: visits * visit.readUnits,
    writeUnits: visits * visit.writeUnits,
    photos: visits * photos,
    mails: visits * behaviour['Mails of a visit: receipts, shares'],
  }
}

const OF_REQUEST = 'Log lines of an API request: of the gateway and the function'
const OF_RUN = 'The log line of a worker’s run'
/** Months for which logs are kept. */
const LOG_MONTHS = 3

/** Dollars of so many lines of logs, until they are gone. */
function ofLogs(lines: number, of: typeof OF_REQUEST | typeof OF_RUN): number {
  const gigabytes = (lines * sizes[of]) / 1e9
  return (
    gigabytes * (prices['CloudWatch Logs, GB taken in'] + LOG_MONTHS * prices['CloudWatch Logs, GB kept and month'])
  )
}

/** Runs of a month of the workers that the clock starts. */
export const runs = workers
  .flatMap(({ trigger }) => ('schedule' in trigger ? (30 * 24 * 60) / everyMinutes(trigger.schedule) : []))
  .reduce((a, b) => a + b, 0)

/** Dollars of a month for looking whether portal, API and desk are there. */
function ofChecks(): number {
  const asked = (ASKING.api * LOOKS) / MILLION
  return (
    ASKING.all * prices['Route 53, a check over HTTPS and month'] +
    ASKING.words * prices['Route 53, looking for words in a check and month'] +
    (WATCHED.checks - ASKING.all) * prices['Route 53, a check of checks and month'] +
    ((ASKING.all * LOOKS) / MILLION) * ofEdge() +
    asked * (ofCalls(operations['application_get'] as Operation) - ofEdge())
  )
}

/** Hours of a month: a metric is paid for in those in which it is told. */
const HOURS = 720

/** Dollars of a month for metrics that are told by this many calls each. */
function ofMetrics(told: number[]): number {
  const hours = told.reduce((sum, calls) => sum + Math.min(calls, HOURS), 0)
  return (hours / HOURS) * prices['CloudWatch, a metric of one’s own and month']
}

/** How often the metrics are told that each tenant has for itself: how long all its answers took, and how those went that are counted. */
function toldOfTenant(visits: number): number[] {
  const counted = Object.entries(operations).filter(([name]) => metrics.counted.includes(name))
  return [visits * visit.requests, ...counted.map(([, { calls: n }]) => visits * n)]
}

/** Dollars for a million requests at the edge that go on from there, beside their bytes. */
function ofEdge(): number {
  return (
    prices['CloudFront, a million HTTPS requests'] +
    prices['CloudFront Functions, a million runs'] +
    3 * prices['CloudFront key-value store, a million reads'] +
    prices['WAF, a million requests']
  )
}

/** Gigabytes of table and index with this many visits in the last month, after `years` seasons. */
export function gigabytes(meters: number, visits: number, years: number): number {
  const yearly = meters * behaviour['Share of meters read in the portal each season']
  const recent = visits * readings * sizes['Idempotency record of a reading, 35 days']
  const perMeter = sizes['Items of a meter: job, account, credential, list entry, entries of the search']
  return (meters * perMeter + yearly * years * sizes['A reading for good: ledger and index'] + recent) / 1e9
}

/** Dollars of a month by service, in which this many visits come after `years` seasons. */
function bill(meters: number, visits: number, years: number, free = FREE): Record<string, number> {
  const yearly = meters * behaviour['Share of meters read in the portal each season']
  const tableGigabytes = gigabytes(meters, visits, years)
  const photoGigabytes = (yearly * years * behaviour['Photos with a reading'] * sizes['A photo']) / 1e9
  const api = (visits * paid.requests) / MILLION
  const forwarded = visits * (visit.requests + FILES)
  const edge = forwarded + visits * probes
  const tenants = Math.max(1, meters / TENANT_METERS)
  const over = (value: number, allowance: number) => Math.max(0, value - allowance)
  return {
    'API Gateway': api * prices['API Gateway, HTTP API, a million requests'],
    Lambda:
      api * prices['Lambda, a million requests'] +
      ((visits * paid.gigabyteSeconds) / MILLION) * prices['Lambda, arm64, a million GB-seconds'],
    'DynamoDB requests':
      ((visits * paid.writeUnits) / MILLION) * prices['DynamoDB on demand, a million write units'] +
      ((visits * paid.readUnits) / MILLION) * prices['DynamoDB on demand, a million read units'],
    'DynamoDB storage and recovery':
      over(tableGigabytes, free.tableGigabytes) * prices['DynamoDB, GB and month'] +
      tableGigabytes * prices['DynamoDB, GB and month of point-in-time recovery'],
    'S3 (photos)':
      photoGigabytes * prices['S3, GB and month'] +
      ((visits * photos) / MILLION) * (2 * prices['S3, a million PUT'] + prices['S3, a million GET']),
    CloudFront:
      over((visits * sizes['Portal and answers, first visit']) / 1e9, free.gigabytes) *
        prices['CloudFront, GB to readers'] +
      (over(edge, free.requests) / MILLION) * prices['CloudFront, a million HTTPS requests'] +
      (over(edge, free.runs) / MILLION) * prices['CloudFront Functions, a million runs'] +
      // A request reads the routes, the route's data and, for a file, its entry.
      ((forwarded * 3) / MILLION) * prices['CloudFront key-value store, a million reads'],
    Mails: ofMails(visits * (behaviour['Mails of a visit: receipts, shares'] + reminder.calls), free),
    Workers: ofWorkers(meters, years),
    Logs: ofLogs(api * MILLION, OF_REQUEST),
    'Workers, starts': (runs / MILLION) * prices['Lambda, a million requests'] + ofLogs(runs, OF_RUN),
    Alarms:
      over(WATCHED.alarmMetrics, free.alarmMetrics) * prices['CloudWatch, a metric of an alarm and month'] +
      WATCHED.composites * prices['CloudWatch, an alarm on alarms and month'] +
      over(WATCHED.lineMetrics, free.lineMetrics) * prices['CloudWatch, a metric of one’s own and month'],
    // A fault is told when there is one.
    'Metrics of operations': ofMetrics(calls.map(({ calls: n }) => visits * n)),
    'Metrics of tenants': tenants * ofMetrics(toldOfTenant(visits / tenants)),
    'Checks from outside': ofChecks(),
    'Firewall, requests': (edge / MILLION) * prices['WAF, a million requests'],
    'Firewall, fee': prices['WAF, month'],
  }
}

/** Dollars by service of so many photos in which the counter is read, beside what sending them costs anyway. */
export function ofPhotoReadings(count: number): Record<string, number> {
  const millions = count / MILLION
  const { memory, milliseconds, readUnits, writeUnits } = photoReading
  return {
    Textract: millions * prices['Textract, a million photos'],
    'API Gateway, CloudFront, firewall': millions * (prices['API Gateway, HTTP API, a million requests'] + ofEdge()),
    Lambda:
      millions * prices['Lambda, a million requests'] +
      ((count * memory * milliseconds) / 1024 / 1000 / MILLION) * prices['Lambda, arm64, a million GB-seconds'],
    DynamoDB:
      millions *
      (readUnits * prices['DynamoDB on demand, a million read units'] +
        writeUnits * prices['DynamoDB on demand, a million write units']),
    S3: millions * prices['S3, a million GET'],
    Logs: ofLogs(count, OF_REQUEST),
  }
}

/** What lets a flood through and no more, as deployed without a setting, a second; a test holds it and the deployment together. */
export const bounds = {
  /** Calls that one address may make before the firewall refuses it: in five minutes, of the API and to get a session. */
  address: { calls: 3_000, sessions: 600 },
  /** Requests that the gateway lets through, and of these the ones that get a session. */
  gateway: 5_000,
  sessions: 500,
  /** Units of the table. */
  reads: 12_000,
  writes: 4_000,
}
/** Requests a second that no bound of ours stops: CloudFront's quota is 25 times as high. */
const REFUSED = 10_000

interface Flood {
  /** Requests a second. */
  requests: number
  /** Addresses that it takes to make them. */
  addresses: number
  /** Dollars an hour. */
  dollars: number
}

/** What a million calls of an operation cost, edge and all. */
function ofCalls({ memory, milliseconds, readUnits, writeUnits }: Operation): number {
  return (
    ofEdge() +
    prices['API Gateway, HTTP API, a million requests'] +
    prices['Lambda, a million requests'] +
    ((memory * milliseconds) / 1024 / 1000) * prices['Lambda, arm64, a million GB-seconds'] +
    readUnits * prices['DynamoDB on demand, a million read units'] +
    writeUnits * prices['DynamoDB on demand, a million write units'] +
    ofLogs(MILLION, OF_REQUEST)
  )
}

/** What a flood costs that goes up to a bound, by what comes. */
export function floods(): Record<string, Flood> {
  const flood = (requests: number, perMillion: number, limit: number): Flood => ({
    requests,
    addresses: Math.ceil((requests * 300) / limit),
    dollars: ((requests * 3_600) / MILLION) * perMillion,
  })
  const { auth_token, application_get } = operations as Record<'auth_token' | 'application_get', Operation>
  const table =
    ((bounds.reads * prices['DynamoDB on demand, a million read units'] +
      bounds.writes * prices['DynamoDB on demand, a million write units']) *
      3_600) /
    MILLION
  return {
    'Calls that reach a function, up to the gateway’s bound': flood(
      bounds.gateway,
      ofCalls(application_get),
      bounds.address.calls,
    ),
    'Passwords tried, up to the route’s bound': flood(bounds.sessions, ofCalls(auth_token), bounds.address.sessions),
    'Calls that the firewall refuses, or an edge answers by itself': flood(REFUSED, ofEdge(), bounds.address.calls),
    'Beside them the table, up to its bound': { requests: 0, addresses: 0, dollars: table },
  }
}

/** Meters of the other tenants, in whose strongest minute a flood comes. */
const METERS_OF_OTHERS = MILLION
/** Addresses of floods at one tenant. */
const FLOODING = [100, 200, 300, 500, 1_000]

/**
 * What a flood at one tenant leaves to the others, when each of its addresses stays just below its limit: calls a second, or tries of
 * passwords in place of them, and the share of everybody's that the gateway then refuses; it knows no tenants.
 */
export function neighbours(addresses: number) {
  const others = peak(METERS_OF_OTHERS)
  const { auth_token, application_get } = operations as Record<'auth_token' | 'application_get', Operation>
  const [calls, sessions] = [bounds.address.calls, bounds.address.sessions].map(
    (limit) => (addresses * limit) / 300,
  ) as [number, number]
  const refused = (coming: number, bound: number) => Math.max(0, 1 - bound / coming)
  return {
    calls,
    refused: refused(calls + others.requests, bounds.gateway),
    concurrency: others.concurrency + (Math.min(calls, bounds.gateway) * application_get.milliseconds) / 1000,
    sessions,
    sessionsRefused: refused(sessions + others.visits * auth_token.calls, bounds.sessions),
  }
}

/** Dollars of a million requests of a flood that goes through to a function. */
export const floodMillion = () => ofCalls(operations['application_get'] as Operation)

/** What a deployment costs however many tenants it has. */
const PAID_ALREADY = ['Workers, starts', 'Alarms', 'Metrics of operations', 'Checks from outside', 'Firewall, fee']

/**
 * Euros by service of what is one more in a deployment: nothing is free any more, and what all share is paid already.
 *
 * A million readings and a tenant's season are what happens then; at rest is what a month costs in which nothing happens.
 */
export function euros(): Record<'readings' | 'season' | 'rest', Record<string, number>> {
  const inEuros = (dollars: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(dollars)
        .filter(([service]) => !PAID_ALREADY.includes(service))
        .map(([service, value]) => [service, value / prices['US dollars for a euro']]),
    )
  return {
    readings: inEuros(bill(0, MILLION / readings, 0, NOTHING_FREE)),
    season: inEuros(bill(0, season(TENANT_METERS), 0, NOTHING_FREE)),
    rest: inEuros(bill(TENANT_METERS, 0, 3, NOTHING_FREE)),
  }
}

/** The page's tables. */
export function report(): string {
  const sizesOfTenants = [TENANT_METERS, 50 * MILLION]
  const heads = sizesOfTenants.map((meters) => `${count.format(meters)} meters`)
  const peaks = sizesOfTenants.map(peak)
  const peakRow = (label: string, key: keyof ReturnType<typeof peak>) => [
    label,
    ...peaks.map((values) => small.format(values[key])),
  ]
  const month = (meters: number) => season(meters) * behaviour['Share of the season in its strongest month']
  const bills = sizesOfTenants.flatMap((meters) => [bill(meters, 0, 3), bill(meters, month(meters), 3)])
  const services = Object.keys(bills[0] ?? {})
  const sum = (values: Record<string, number>) => Object.values(values).reduce((a, b) => a + b, 0)
  const more = Object.values(euros())
  const ofPhotos = [1, ...sizesOfTenants.map((meters) => month(meters) * photos)].map(ofPhotoReadings)
  const photoServices = Object.keys(ofPhotos[0] ?? {})
  return [
    '### Inputs: prices',
    table(
      ['US dollars', 'price'],
      Object.entries(prices).map(([name, value]) => [name, String(value)]),
    ),
    '### Inputs: readers',
    table(
      ['assumption', 'value'],
      Object.entries(behaviour).map(([name, value]) => [name, String(value)]),
    ),
    '### Inputs: operations',
    table(
      ['operation', 'calls a visit', 'MB', 'ms', 'read units', 'write units'],
      Object.entries({ ...operations, photo_reading_create: photoReading, 'a reminder': reminder }).map(
        ([name, { calls: n, memory, milliseconds, readUnits, writeUnits }]) => [
          name.includes(' ') ? name : `\`${name}\``,
          small.format(n),
          String(memory),
          ...[milliseconds, readUnits, writeUnits].map((value) => small.format(value)),
        ],
      ),
    ),
    '### Inputs: sizes',
    table(
      ['bytes', 'size'],
      Object.entries(sizes).map(([name, value]) => [name, count.format(value)]),
    ),
    '### The strongest minute',
    table(
      ['a second', ...heads],
      [
        peakRow('visits', 'visits'),
        peakRow('API requests', 'requests'),
        peakRow('probes, answered at the edge', 'probes'),
        peakRow('photos', 'photos'),
        peakRow('mails', 'mails'),
        peakRow('table: read units', 'readUnits'),
        peakRow('table: write units', 'writeUnits'),
        peakRow('functions at once', 'concurrency'),
        peakRow('of these, logins', 'logins'),
      ],
    ),
    '### The workers’ passes, after three seasons',
    table(
      ['hours of each week', ...heads],
      Object.entries(passes).map(([worker, pass]) => [
        `\`${worker}\``,
        ...sizesOfTenants.map((meters) => small.format(hours(pass, meters, 3))),
      ]),
    ),
    '### The bill, after three seasons',
    table(
      ['US dollars a month', ...heads.flatMap((head) => [`${head}: nobody reads`, 'strongest month'])],
      [
        ...services.map((service) => [service, ...bills.map((values) => money.format(values[service]))]),
        ['**together**', ...bills.map((values) => `**${money.format(sum(values))}**`)],
      ],
    ),
    '### The counter read in photos (`ZAEHLWERK_PHOTO_READING=textract`)',
    table(
      ['US dollars', 'a photo', ...heads.map((head) => `strongest month of ${head}`)],
      [
        ...photoServices.map((service) => [service, ...ofPhotos.map((values) => precise.format(values[service] ?? 0))]),
        ['**together**', ...ofPhotos.map((values) => `**${precise.format(sum(values))}**`)],
      ],
    ),
    '### A flood, as long as nobody does anything',
    table(
      ['US dollars', 'requests a second', 'addresses', 'an hour', 'a day'],
      Object.entries(floods()).map(([what, { requests, addresses, dollars }]) => [
        what,
        ...[requests, addresses].map((value) => (value === 0 ? '-' : count.format(value))),
        money.format(dollars),
        money.format(24 * dollars),
      ]),
    ),
    `### A flood at one tenant, in the strongest minute of ${count.format(METERS_OF_OTHERS)} meters of others`,
    table(
      [
        'addresses',
        'calls a second',
        'refused of everybody’s, %',
        'functions at once',
        'or passwords a second',
        'logins refused, %',
      ],
      FLOODING.map((addresses) => {
        const { calls, refused, concurrency, sessions, sessionsRefused } = neighbours(addresses)
        const numbers = [calls, 100 * refused, concurrency, sessions, 100 * sessionsRefused]
        return [count.format(addresses), ...numbers.map((value) => count.format(value))]
      }),
    ),
    '### One more, in euros',
    table(
      ['euros', 'a million readings', `a season of ${heads[0]}`, `${heads[0]} at rest, after three seasons, a month`],
      [
        ...Object.keys(more[0] ?? {}).map((service) => [
          service,
          ...more.map((values) => money.format(values[service])),
        ]),
        ['**together**', ...more.map((values) => `**${money.format(sum(values))}**`)],
      ],
    ),
  ].join('\n\n')
}

/** The page with fresh tables. */
export const refreshed = (): Refreshed => refreshedPage('capacity.md', 'capacity.ts', report())

if (import.meta.main) tell(report(), refreshed)
