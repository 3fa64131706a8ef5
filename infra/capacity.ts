/**
 * The arithmetic of `docs/capacity.md`: peak and bill for a number of meters, from prices and assumptions.
 *
 *     node infra/capacity.ts           prints the tables
 *     node infra/capacity.ts --write   puts them into the page
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const MILLION = 1e6

/** US dollars in eu-central-1 without tax; look them up before a decision. */
export const prices = {
  'API Gateway, HTTP API, a million requests': 1.2,
  'Lambda, a million requests': 0.2,
  'Lambda, arm64, a million GB-seconds': 13.33,
  'DynamoDB on demand, a million write units': 0.7625,
  'DynamoDB on demand, a million read units': 0.1525,
  'DynamoDB, GB and month': 0.306,
  'DynamoDB, GB and month of point-in-time recovery': 0.244,
  'S3, GB and month': 0.0245,
  'S3, a million PUT': 5.4,
  'S3, a million GET': 0.43,
  'CloudFront, GB to readers': 0.085,
  'CloudFront, a million HTTPS requests': 1.2,
  'CloudFront Functions, a million runs': 0.1,
  'CloudFront key-value store, a million reads': 0.03,
  'CloudWatch Logs, GB taken in': 0.63,
  'WAF, month': 6,
  'WAF, a million requests': 0.6,
} as const

/** What CloudFront gives every month for nothing. */
const FREE = { gigabytes: 1_000, requests: 10 * MILLION, runs: 2 * MILLION }
/** Gigabytes that DynamoDB keeps for nothing. */
const FREE_TABLE_GIGABYTES = 25

/** What readers do. */
export const behaviour = {
  'Share of meters read in the portal each season': 0.6,
  'Meters read in a visit': 1.3,
  'Photos with a reading': 0.4,
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

const readings = behaviour['Meters read in a visit']
const photos = readings * behaviour['Photos with a reading']

/** What a visit costs; units as the store's tests measure them, for items of the usual size. */
export const operations: Record<string, Operation> = {
  application_get: { calls: 1, memory: 256, milliseconds: 15, readUnits: 0.1, writeUnits: 0 },
  application_logo: { calls: 1, memory: 256, milliseconds: 15, readUnits: 4, writeUnits: 0 },
  application_manifest: { calls: 1, memory: 256, milliseconds: 15, readUnits: 0.1, writeUnits: 0 },
  auth_token: { calls: 1, memory: 1024, milliseconds: 120, readUnits: 1.5, writeUnits: 5 },
  auth_logout: { calls: 0.3, memory: 256, milliseconds: 20, readUnits: 0.5, writeUnits: 1 },
  account_info: { calls: 1, memory: 256, milliseconds: 15, readUnits: 0.5, writeUnits: 0 },
  job_list: { calls: 2, memory: 512, milliseconds: 20, readUnits: 1, writeUnits: 0 },
  upload_create: { calls: photos, memory: 256, milliseconds: 15, readUnits: 0.5, writeUnits: 0 },
  result_create: { calls: readings, memory: 1024, milliseconds: 60, readUnits: 1.5, writeUnits: 12 },
}

/** Sizes in bytes. */
export const sizes = {
  'Items of a meter: job, account, credential, list entry': 3_000,
  'A reading for good: ledger and index': 1_400,
  'Idempotency record of a reading, 35 days': 2_500,
  'A photo': 200_000,
  'Portal, first visit': 250_000,
  'Log lines of an API request': 650,
} as const
const FILES = 20

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

/** The strongest minute, by the second. */
export function peak(meters: number) {
  const season = (meters * behaviour['Share of meters read in the portal each season']) / readings
  const hour =
    season *
    behaviour['Share of the season on its strongest day'] *
    behaviour['Share of that day in its strongest hour']
  const visits = (hour / 3600) * behaviour['Strongest minute against that hour’s average']
  const login = operations['auth_token']
  return {
    visits,
    requests: visits * visit.requests,
    concurrency: visits * visit.seconds,
    logins: visits * ((login.calls * login.milliseconds) / 1000),
    readUnits: visits * visit.readUnits,
    writeUnits: visits * visit.writeUnits,
    photos: visits * photos,
  }
}

/** Dollars of a month by service, in which this many visits come after `years` seasons. */
function bill(meters: number, visits: number, years: number): Record<string, number> {
  const yearly = meters * behaviour['Share of meters read in the portal each season']
  const recent = visits * readings * sizes['Idempotency record of a reading, 35 days']
  const perMeter = sizes['Items of a meter: job, account, credential, list entry']
  const items = meters * perMeter + yearly * years * sizes['A reading for good: ledger and index'] + recent
  const tableGigabytes = items / 1e9
  const photoGigabytes = (yearly * years * behaviour['Photos with a reading'] * sizes['A photo']) / 1e9
  const api = (visits * visit.requests) / MILLION
  const edge = visits * (visit.requests + FILES)
  const over = (value: number, free: number) => Math.max(0, value - free)
  return {
    'API Gateway': api * prices['API Gateway, HTTP API, a million requests'],
    Lambda:
      api * prices['Lambda, a million requests'] +
      ((visits * visit.gigabyteSeconds) / MILLION) * prices['Lambda, arm64, a million GB-seconds'],
    'DynamoDB requests':
      ((visits * visit.writeUnits) / MILLION) * prices['DynamoDB on demand, a million write units'] +
      ((visits * visit.readUnits) / MILLION) * prices['DynamoDB on demand, a million read units'],
    'DynamoDB storage and recovery':
      over(tableGigabytes, FREE_TABLE_GIGABYTES) * prices['DynamoDB, GB and month'] +
      tableGigabytes * prices['DynamoDB, GB and month of point-in-time recovery'],
    'S3 (photos)':
      photoGigabytes * prices['S3, GB and month'] +
      ((visits * photos) / MILLION) * (2 * prices['S3, a million PUT'] + prices['S3, a million GET']),
    CloudFront:
      over((visits * sizes['Portal, first visit']) / 1e9, FREE.gigabytes) * prices['CloudFront, GB to readers'] +
      (over(edge, FREE.requests) / MILLION) * prices['CloudFront, a million HTTPS requests'] +
      (over(edge, FREE.runs) / MILLION) * prices['CloudFront Functions, a million runs'] +
      // A request reads the routes, the route's data and, for a file, its entry.
      ((edge * 3) / MILLION) * prices['CloudFront key-value store, a million reads'],
    Logs: api * MILLION * (sizes['Log lines of an API request'] / 1e9) * prices['CloudWatch Logs, GB taken in'],
    Firewall: prices['WAF, month'] + (edge / MILLION) * prices['WAF, a million requests'],
  }
}

const count = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 })
const small = new Intl.NumberFormat('en', { maximumSignificantDigits: 3 })

function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, column) => (column === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

/** The page's tables. */
export function report(): string {
  const sizesOfTenants = [100_000, 50 * MILLION]
  const heads = sizesOfTenants.map((meters) => `${count.format(meters)} meters`)
  const peaks = sizesOfTenants.map(peak)
  const peakRow = (label: string, key: keyof ReturnType<typeof peak>) => [
    label,
    ...peaks.map((values) => small.format(values[key])),
  ]
  const season = (meters: number) => (meters * behaviour['Share of meters read in the portal each season']) / readings
  const month = (meters: number) => season(meters) * behaviour['Share of the season in its strongest month']
  const bills = sizesOfTenants.flatMap((meters) => [bill(meters, 0, 3), bill(meters, month(meters), 3)])
  const services = Object.keys(bills[0] ?? {})
  const sum = (values: Record<string, number>) => Object.values(values).reduce((a, b) => a + b, 0)
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
      Object.entries(operations).map(([name, { calls: n, memory, milliseconds, readUnits, writeUnits }]) => [
        `\`${name}\``,
        small.format(n),
        String(memory),
        ...[milliseconds, readUnits, writeUnits].map((value) => small.format(value)),
      ]),
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
        peakRow('photos', 'photos'),
        peakRow('table: read units', 'readUnits'),
        peakRow('table: write units', 'writeUnits'),
        peakRow('functions at once', 'concurrency'),
        peakRow('of these, logins', 'logins'),
      ],
    ),
    '### The bill, after three seasons',
    table(
      ['US dollars a month', ...heads.flatMap((head) => [`${head}: nobody reads`, 'strongest month'])],
      [
        ...services.map((service) => [service, ...bills.map((values) => money.format(values[service]))]),
        ['**together**', ...bills.map((values) => `**${money.format(sum(values))}**`)],
      ],
    ),
  ].join('\n\n')
}

const page = path.resolve(import.meta.dirname, '../docs/capacity.md')
const MARKS = ['<!-- computed by infra/capacity.ts -->', '<!-- end of what is computed -->'] as const

/** The page with fresh tables. */
export function refreshed(): { before: string; after: string } {
  const before = readFileSync(page, 'utf8')
  const [head, rest] = before.split(MARKS[0])
  const tail = rest?.split(MARKS[1])[1]
  if (head === undefined || tail === undefined) throw new Error(`${page} has no place for the tables.`)
  return { before, after: `${head}${MARKS[0]}\n\n${report()}\n\n${MARKS[1]}${tail}` }
}

if (import.meta.main) {
  if (process.argv.includes('--write')) writeFileSync(page, refreshed().after)
  else console.log(report())
}
