/** What the simulated season is made of beside `capacity.ts`: assumptions with their reason, limits of AWS with the page that says so. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { FIRST_DELAY_MS, LONGEST_DELAY_MS } from '../../web/portal/src/offline/delays.ts'
import { bounds, FATE } from '../capacity.ts'

interface Input {
  value: number
  /** Why it is assumed, or the title of the page of AWS that says so. */
  source: string
}

const valuesOf = <Name extends string>(inputs: Record<Name, Input>): Record<Name, number> =>
  Object.fromEntries(Object.entries<Input>(inputs).map(([name, { value }]) => [name, value])) as Record<Name, number>

export const assumptions = {
  Tenants: { value: 200, source: 'a fifth of the some 900 operators of German electricity networks' },
  Meters: {
    value: 50e6,
    source: 'all of Germany’s electricity meters are some 53 million (BNetzA, Monitoringbericht)',
  },
  'Exponent of the tenants’ sizes (Zipf)': { value: 1, source: 'as of cities; the largest tenant has a sixth of all' },
  'Meters of the giant': { value: 20e6, source: 'larger than any German operator' },
  'Days on which letters go out': { value: 10, source: 'two working weeks, as docs/season.md advises' },
  'Share of a tenant’s visits on the first day of its letters': {
    value: 0.25,
    source: 'assumed: a quarter answers at once',
  },
  'Of a day’s visits, so many on the next': { value: 0.75, source: 'follows: all shares are one' },
  'Least against that hour’s average': { value: 0.5, source: 'follows from the strongest minute, eight minutes wide' },
  'Share of readings that are doubtful': { value: 0.05, source: 'as docs/capacity.md reckons with' },
  'Share of logins that fail': { value: 0.05, source: 'assumed: one of twenty is mistyped' },
  'Share of the visits behind a carrier’s network': { value: 0.3, source: 'the largest mobile carrier’s customers' },
  'Addresses of that network': { value: 256, source: 'assumed: the smallest block that a carrier routes' },
  'Bytes of a season’s tally': { value: 12_000, source: '400 cells: 3 kinds of meters, 20 districts, 60 days' },
  'Milliseconds for which a transaction holds an item': { value: 10, source: 'assumed: two phases of 5 ms' },
  'Reminders a second of the largest tenant': { value: 30, source: 'its `desk.reminders.perSecond`; without it one' },
  'Accounts that reminders look at in a second': { value: 2_500, source: 'assumed: 50 in four round trips of 5 ms' },
  'Milliseconds before and behind a function': { value: 30, source: 'assumed: edge, firewall, gateway' },
  'Spread of milliseconds (log-normal)': { value: 0.5, source: 'assumed: 1 of 100 takes 3.2 times as long' },
  'Milliseconds of a function’s start': { value: 300, source: '5 of ours (docs/benchmarks.md), the rest Lambda’s' },
  'Minutes for which an idle instance is kept': { value: 5, source: 'assumed: Amazon does not say' },
  'Minutes of heat until a partition is parted': { value: 10, source: 'assumed: Amazon does not say' },
} satisfies Record<string, Input>

/** Their values. */
export const assumed = valuesOf(assumptions)

/** Functions that note at once what became of mails, as deployed. */
export const FATES_AT_ONCE = 5

export const limits = {
  'DynamoDB: write units of a partition': { value: 1_000, source: 'DynamoDB burst and adaptive capacity' },
  'DynamoDB: read units of a partition': { value: 3_000, source: 'DynamoDB burst and adaptive capacity' },
  'DynamoDB: seconds of unused units that are kept': { value: 300, source: 'DynamoDB burst and adaptive capacity' },
  'DynamoDB: gigabytes of a partition': { value: 10, source: 'Partitions and data distribution in DynamoDB' },
  'DynamoDB: write units of a new table': { value: bounds.writes, source: 'DynamoDB on-demand capacity mode' },
  'DynamoDB: read units of a new table': { value: bounds.reads, source: 'DynamoDB on-demand capacity mode' },
  'DynamoDB: times the peak of half an hour ago': { value: 2, source: 'DynamoDB on-demand capacity mode' },
  'DynamoDB: units of a table': { value: 40_000, source: 'Quotas in Amazon DynamoDB' },
  'Lambda: executions at once': { value: 1_000, source: 'Lambda quotas' },
  'Lambda: new instances of a function in ten seconds': { value: 1_000, source: 'Lambda scaling behavior' },
  'Lambda: requests of an instance in a second': { value: 10, source: 'Understanding Lambda function scaling' },
  'Lambda: kept for logins': { value: 100, source: 'ours: `ZAEHLWERK_LOGIN_CONCURRENCY`' },
  'API Gateway: requests a second': { value: 10_000, source: 'Quotas for configuring and running an HTTP API' },
  'API Gateway: requests a second, ours': { value: bounds.gateway, source: 'ours: `infra/api.ts`' },
  'API Gateway: logins a second, ours': { value: bounds.sessions, source: 'ours: `infra/api.ts`' },
  'CloudFront: requests a second': { value: 250_000, source: 'Quotas on CloudFront' },
  'Firewall: calls of an address in five minutes': {
    value: bounds.address.calls,
    source: 'ours: `ZAEHLWERK_RATE_LIMIT`',
  },
  'Firewall: logins of an address at a tenant in five minutes': {
    value: bounds.address.sessions,
    source: 'ours: a fifth of it',
  },
  'SES: mails a second, out of the sandbox': { value: 14, source: 'Service quotas in Amazon SES' },
  'Mails whose fate is noted in a second': {
    value: Math.floor((FATES_AT_ONCE * 1_000) / FATE.milliseconds),
    source: `ours: ${FATES_AT_ONCE} functions at once, ${FATE.milliseconds} ms a mail`,
  },
} satisfies Record<string, Input>

/** Their values. */
export const limit = valuesOf(limits)

/** Seconds after which a client that was refused asks again, the first time, and the longest. */
export const backOff = { first: FIRST_DELAY_MS / 1000, longest: LONGEST_DELAY_MS / 1000 }

/** Most milliseconds within which 99 of 100 answers of an operation come. */
export const GOAL = 1_000

/** What is set and raised before a season. */
export interface Preparation {
  /** Units a second that the table takes at once, and the most that it takes. */
  writes: number
  reads: number
  /** Lambda's executions at once. */
  concurrency: number
  /** Mails a second. */
  mails: number
}

/** As a fresh deployment in an account with Lambda's usual quota has it. */
export const nothing: Preparation = {
  writes: bounds.writes,
  reads: bounds.reads,
  concurrency: limit['Lambda: executions at once'],
  mails: limit['SES: mails a second, out of the sandbox'],
}

/** The value of a constant of a Rust file of `functions/`. */
export function rustConstant(file: string, name: string): number {
  const source = readFileSync(path.resolve(import.meta.dirname, '../../functions', file), 'utf8')
  const value = new RegExp(`const ${name}: \\w+ = ([\\d_]+);`).exec(source)?.[1]
  if (value === undefined) throw new Error(`functions/${file} has no constant ${name}.`)
  return Number(value.replaceAll('_', ''))
}
