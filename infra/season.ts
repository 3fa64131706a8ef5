/**
 * A season of 50 million meters of 200 tenants, played through: the tables of `docs/scale.md`. Visits, operations and their units are those of
 * `capacity.ts`; `season/inputs.ts` has what is assumed beside that, and the limits of AWS.
 *
 *     npm run season --workspace infra   puts the tables into the page
 */
import { operations } from './capacity.ts'
import { count, precise, type Refreshed, refreshedPage, small, table, tell } from './page.ts'
import { simulate } from './season/hour.ts'
import { assumed, assumptions, backOff, GOAL, limits, nothing } from './season/inputs.ts'
import { hotKey } from './season/keys.ts'
import { addressesNeeded } from './season/network.ts'
import type { Obstacle, Outcome } from './season/outcome.ts'
import { prepared, scenarios } from './season/scenarios.ts'

const seconds = (value: number) => (Number.isFinite(value) ? count.format(value) : 'over the hour')
const percent = (share: number) => small.format(100 * share)

/** Milliseconds within which a share of an operation's answers came. */
const quantile = ({ answers }: Outcome, name: string, share: number) => answers.get(name)?.quantile(share) ?? 0

/** The slowest operation's milliseconds for 99 of 100. */
const slowest = (outcome: Outcome) => Math.max(...Object.keys(operations).map((name) => quantile(outcome, name, 0.99)))

/** Hot keys of which a partition was asked for more than it takes. */
const over = ({ heat }: Outcome) => heat.filter((one) => one.over > 0).map(({ key }) => key)

/** What a season has to show; a scenario that must not fail shows all of it. */
export const goals: Record<string, (outcome: Outcome) => boolean> = {
  'every operation: 99 of 100 answers within a second': (outcome) => slowest(outcome) <= GOAL,
  'nobody waits for longer than a client’s longest back-off': ({ longest }) => longest <= backOff.longest,
  'no partition is asked for more than it takes': (outcome) => over(outcome).length === 0,
}

const OBSTACLES: Record<Obstacle, string> = {
  firewall: 'firewall',
  'failed logins': 'failed logins of an address',
  gateway: 'gateway',
  functions: 'functions at once',
  'mail service': 'mail service',
  table: 'table as a whole',
  partition: 'a partition',
}

const inputs = (values: Record<string, { value: number; source: string }>, head: string, source: string) =>
  table(
    [head, 'value', source],
    Object.entries(values).map(([name, input]) => [name, precise.format(input.value), input.source]),
  )

function ofScenarios(outcomes: Outcome[]): string {
  const rows: Record<string, (outcome: Outcome) => string> = {
    'meters of the largest tenant': ({ largest }) => count.format(largest),
    'share of the season on this day, %': ({ shareOfDay }) => percent(shareOfDay),
    'strongest minute: visits a second': ({ minute }) => small.format(minute.visits),
    'requests a second, with those that came again': ({ minute }) => small.format(minute.requests),
    'functions at once': ({ minute }) => small.format(minute.atOnce),
    'strongest second: requests': ({ second }) => count.format(second.requests),
    'of these, logins': ({ second }) => count.format(second.logins),
    'read units': ({ second }) => count.format(second.reads),
    'write units': ({ second }) => count.format(second.writes),
    'write units of the index': ({ second }) => count.format(second.indexWrites),
    mails: ({ second }) => count.format(second.mails),
    'instances that are there': ({ instances }) => count.format(instances.there),
    'of one function, started within ten seconds': ({ instances }) => count.format(instances.started),
    'refused at the first try, %': ({ refusedShare }) => percent(refusedShare),
    ...Object.fromEntries(
      Object.entries(OBSTACLES).map(([obstacle, name]) => [
        `by: ${name}`,
        ({ refused }: Outcome) => count.format(refused.get(obstacle as Obstacle) ?? 0),
      ]),
    ),
    'the last of these waited, s': ({ longest }) => seconds(longest),
    ...Object.fromEntries(
      Object.entries(goals).map(([goal, isMet]) => [goal, (outcome: Outcome) => (isMet(outcome) ? 'yes' : '**no**')]),
    ),
  }
  return table(
    ['', ...outcomes.map(({ scenario }) => scenario.name)],
    Object.entries(rows).map(([name, value]) => [name, ...outcomes.map(value)]),
  )
}

function ofKeys(outcomes: Outcome[]): string {
  const [asPlanned] = outcomes
  const rows = [...(asPlanned?.heat ?? [])].sort((one, other) => other.second / other.limit - one.second / one.limit)
  return table(
    ['partition key', 'made by', 'counted in', 'takes', ...outcomes.map(({ scenario }) => scenario.name)],
    rows.map(({ key, limit: most, isOfTransactions }) => {
      const { made, shards, isRead } = hotKey(key)
      const of = (outcome: Outcome) => outcome.heat.find((one) => one.key === key)
      return [
        key + (shards > 1 ? `, of ${shards}` : ''),
        `\`${made}\``,
        isOfTransactions ? 'transactions' : isRead ? 'read units' : 'write units',
        count.format(most),
        ...outcomes.map((outcome) => {
          const { second = 0, minute = 0, over: seconds = 0 } = of(outcome) ?? {}
          const text = `${count.format(second)} (${count.format(minute)})`
          return seconds > 0 ? `**${text}**` : text
        }),
      ]
    }),
  )
}

function ofAnswers(outcomes: Outcome[]): string {
  return table(
    ['milliseconds: half of them, 99 of 100', ...outcomes.map(({ scenario }) => scenario.name)],
    Object.keys(operations).map((name) => [
      `\`${name}\``,
      ...outcomes.map((outcome) => {
        const [half, most] = [quantile(outcome, name, 0.5), quantile(outcome, name, 0.99)]
        const text = `${count.format(half)}, ${count.format(most)}`
        return most > GOAL ? `**${text}**` : text
      }),
    ]),
  )
}

/** What is raised by when, so many weeks before the first letters: what there is without, what the strongest second asks for, and what it becomes. */
function ofPreparation({ second, instances }: Outcome): string {
  const rows: [weeks: number, what: string, where: string, is: number, asked: number, becomes: number][] = [
    [12, 'SES: mails a second', 'Service Quotas', nothing.mails, second.mails, prepared.mails],
    [8, 'Lambda: executions at once', 'Service Quotas', nothing.concurrency, instances.there, prepared.concurrency],
    [4, 'DynamoDB: write units at once', '`ZAEHLWERK_WARM_WRITES`', nothing.writes, second.writes, prepared.writes],
    [4, 'DynamoDB: read units at once', '`ZAEHLWERK_WARM_READS`', nothing.reads, second.reads, prepared.reads],
    [
      2,
      'reminders a second of the largest tenant',
      '`desk.reminders.perSecond`',
      1,
      assumed['Reminders a second of the largest tenant'],
      assumed['Reminders a second of the largest tenant'],
    ],
  ]
  return table(
    ['weeks before', 'what', 'where', 'is', 'strongest second', 'becomes'],
    rows.map(([weeks, what, where, ...values]) => [
      String(weeks),
      what,
      where,
      ...values.map((one) => count.format(one)),
    ]),
  )
}

/** Addresses behind which a share of all visits may be before a bound of one address refuses one of them, by the share. */
function ofNetworks({ minute, heat }: Outcome): string {
  const logins = heat.find(({ key }) => key === 'failed logins of a network')?.minute ?? 0
  const shares = [0.05, 0.1, assumed['Share of the visits behind a carrier’s network'], 1]
  return table(
    ['share of the visits, %', 'visits a second', 'of these, at the largest tenant', 'addresses needed'],
    shares.map((share) => [
      percent(share),
      small.format(share * minute.visits),
      // A login reads the failures of its network once.
      small.format(share * logins),
      count.format(addressesNeeded(share, minute.visits, logins)),
    ]),
  )
}

/** Plays all of it. */
export const outcomes = (): Outcome[] => scenarios.map((scenario) => simulate(scenario))

/** The page's tables. */
export function report(played = outcomes()): string {
  const [asPlanned] = played
  if (asPlanned === undefined) throw new Error('There is no scenario.')
  return [
    '### Inputs: assumptions, beside those of docs/capacity.md',
    inputs(assumptions, 'assumption', 'why'),
    '### Inputs: limits of AWS, and ours',
    inputs(limits, 'limit', 'page of AWS’s documentation, or setting'),
    '### The strongest hour',
    ofScenarios(played),
    '### The hottest keys: one partition key’s strongest second (and minute, on its average)',
    ofKeys(played),
    '### How long answers take',
    ofAnswers(played),
    '### What is raised, and by when',
    ofPreparation(asPlanned),
    '### From how many addresses a network’s visits have to come',
    ofNetworks(asPlanned),
  ].join('\n\n')
}

/** The page with fresh tables. */
export const refreshed = (): Refreshed => refreshedPage('scale.md', 'season.ts', report())

if (import.meta.main) tell(report(), refreshed)
