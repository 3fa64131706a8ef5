import { readFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { behaviour, bounds, FATE, operations, peak, reminder } from '../capacity.ts'
import { refreshedPage } from '../page.ts'
import { simulate } from '../season/hour.ts'
import { assumed, backOff, FATES_AT_ONCE, limit } from '../season/inputs.ts'
import {
  fatePlacement,
  hotKey,
  keyNames,
  type Placement,
  placements,
  reminderPlacement,
  tallying,
} from '../season/keys.ts'
import { atOnce, Bucket, Instances } from '../season/lambda.ts'
import { Answers } from '../season/latency.ts'
import { addressesNeeded, leftByNetwork } from '../season/network.ts'
import type { Outcome } from '../season/outcome.ts'
import { Partitions, Throughput } from '../season/partitions.ts'
import { seeded } from '../season/random.ts'
import { PATIENCE, throughAt } from '../season/repeats.ts'
import { prepared, scenarios } from '../season/scenarios.ts'
import { sizesOfTenants, strength } from '../season/tenants.ts'
import { goals, outcomes, report } from '../season.ts'
import { production } from './deployment.ts'

/** An hour of all scenarios takes some seconds, and more on a busy machine. */
const PATIENTLY = 240_000

const read = (file: string) => readFileSync(path.resolve(import.meta.dirname, '../..', file), 'utf8')

let played: Outcome[] = []
const of = (name: string): Outcome => {
  const found = played.find(({ scenario }) => scenario.name === name)
  if (found === undefined) throw new Error(`There is no scenario ${name}.`)
  return found
}
/** The goals that an outcome misses. */
const missed = (outcome: Outcome) => Object.keys(goals).filter((goal) => !goals[goal]?.(outcome))
const [FAST, PATIENT, COOL] = Object.keys(goals)

beforeAll(() => {
  played = outcomes()
}, PATIENTLY)

it('the page has what the simulation gives; after a change: npm run season --workspace infra', () => {
  const { before, after } = refreshedPage('scale.md', 'season.ts', report(played))
  expect(before).toBe(after)
})

it('an operation reads and writes what was counted, wherever that lies', () => {
  const sum = (units: object = {}) => Object.values(units).reduce((total, value) => total + value, 0)
  const total = ({ apart, reads, writes }: Placement) => ({
    readUnits: apart.reads + sum(reads),
    writeUnits: apart.writes + sum(writes),
  })
  expect(Object.keys(placements)).toEqual(Object.keys(operations))
  const units = ({ readUnits, writeUnits }: { readUnits: number; writeUnits: number }) => ({ readUnits, writeUnits })
  for (const [name, operation] of Object.entries(operations)) {
    const placed = total(placements[name] as Placement)
    expect(placed.readUnits, name).toBeCloseTo(operation.readUnits, 9)
    expect(placed.writeUnits, name).toBeCloseTo(operation.writeUnits, 9)
  }
  expect(total(reminderPlacement)).toEqual(units(reminder))
  expect(total(fatePlacement).writeUnits).toBe(FATE.writeUnits)
  // A change is deleted in a transaction, which is two units.
  expect(tallying.ofChange).toBe(2)
})

it('each hot key is one that the store makes', () => {
  const keys = read('functions/store/src/keys.rs')
  for (const name of keyNames) expect(keys, name).toMatch(new RegExp(`pub\\(crate\\) fn ${hotKey(name).made}\\(`))
})

it('a partition that is asked for more than it takes refuses the rest', () => {
  const partitions = new Partitions(4, 1_000)
  const load = { key: 'a', units: 2_000, lie: 'item' as const }
  expect(partitions.admit(0, [load]).get('a')).toBe(0.5)
  expect(partitions.admit(0, [{ ...load, units: 900 }]).get('a')).toBe(1)
  // What is spread over all partitions is on this one too.
  expect(partitions.admit(4_000, [{ ...load, units: 1_000 }]).get('a')).toBe(0.5)
})

it('a hot key is parted after a while, which helps where its items lie apart', () => {
  const heat = 60 * assumed['Minutes of heat until a partition is parted']
  const taken = (lie: 'apart' | 'behind') => {
    const partitions = new Partitions(4, 1_000)
    let share = 0
    for (let second = 0; second < 3 * heat; second += 1) {
      share = partitions.admit(0, [{ key: 'a', units: 1_600, lie }]).get('a') ?? 0
    }
    return share
  }
  expect(taken('apart')).toBe(1)
  expect(taken('behind')).toBeCloseTo(1_000 / 1_600, 9)
})

it('a table takes what it was warmed to, what was left over for five minutes, and twice the peak of half an hour ago', () => {
  const kept = new Throughput(100, 100)
  for (let second = 0; second < 1_000; second += 1) kept.admit(second, 0)
  expect(kept.admit(1_000, 100 + 300 * 100)).toBe(1)
  expect(kept.admit(1_001, 200)).toBe(0.5)
  const growing = new Throughput(100, 1_000)
  for (let second = 0; second < 31 * 60; second += 1) growing.admit(second, 90)
  expect(growing.capacity).toBe(180)
  const bound = new Throughput(100, 100)
  for (let second = 0; second < 31 * 60; second += 1) bound.admit(second, 90)
  expect(bound.capacity).toBe(100)
})

it('a function has as many instances as Little’s law says, and one for ten requests a second', () => {
  expect(atOnce(200, 60)).toBe(12)
  expect(Instances.needed(200, 60)).toBe(Math.ceil(12 + 3 * Math.sqrt(12)))
  expect(Instances.needed(2_000, 2)).toBe(200)
  const instances = new Instances()
  expect(instances.start(0, 10)).toBe(10)
  expect(instances.start(1, 12)).toBe(2)
  expect(instances.start(2, 3_000)).toBe(limit['Lambda: new instances of a function in ten seconds'] - 12 + 12)
})

it('as many functions are at work at once as docs/capacity.md says', () => {
  const { visits, concurrency, requests } = peak(assumed.Meters)
  const { minute, shareOfDay } = simulate({ ...of('as planned').scenario, withoutEdge: true })
  expect(minute.atOnce / minute.visits / (concurrency / visits)).toBeCloseTo(1, 1)
  expect(minute.requests / minute.visits / (requests / visits)).toBeCloseTo(1, 1)
  // What an edge answers by itself reaches no function.
  expect(of('as planned').minute.requests).toBeLessThan(0.7 * minute.requests)
  // How letters are spread gives nearly the strongest day that is assumed there.
  const assumedDay = behaviour['Share of the season on its strongest day']
  expect(Math.abs(shareOfDay / assumedDay - 1)).toBeLessThan(0.1)
  expect(Math.abs(minute.visits / visits / (shareOfDay / assumedDay) - 1)).toBeLessThan(0.05)
})

it('the strongest hour is its average, and its strongest minute as strong as assumed', () => {
  const seconds = Array.from({ length: 3_600 }, (_, second) => strength(second))
  expect(seconds.reduce((sum, here) => sum + here, 0) / 3_600).toBeCloseTo(1, 1)
  expect(Math.max(...seconds)).toBeCloseTo(behaviour['Strongest minute against that hour’s average'], 6)
})

it('all meters are some tenant’s', () => {
  for (const giant of [undefined, assumed['Meters of the giant']]) {
    const sizes = sizesOfTenants(giant)
    expect(sizes).toHaveLength(assumed.Tenants)
    expect(sizes.reduce((sum, meters) => sum + meters, 0)).toBeCloseTo(assumed.Meters, 0)
    expect(sizes.every((meters, rank) => rank === 0 || meters <= (sizes[rank - 1] ?? 0))).toBe(true)
  }
})

it('a season as planned is fast and lets nobody wait', () => {
  expect(missed(of('as planned'))).toEqual([])
  expect(of('as planned').longest).toBeLessThan(backOff.longest / 5)
  expect(missed(of('a carrier’s network'))).toEqual([])
  expect(missed(of('one giant tenant'))).toEqual([])
})

it('what must fail fails', () => {
  const nothing = of('nothing raised')
  expect(nothing.refused.get('table')).toBeGreaterThan(0)
  expect(nothing.refused.get('mail service')).toBeGreaterThan(0)
  expect(missed(nothing)).toEqual([FAST, PATIENT])
  const oneDay = of('all letters on one day')
  expect(oneDay.refused.get('gateway')).toBeGreaterThan(0)
  expect(missed(oneDay)).toEqual([FAST, PATIENT])
  const oneAddress = of('the same by one address')
  expect(oneAddress.refused.get('firewall')).toBeGreaterThan(oneAddress.requests / 4)
  expect(missed(oneAddress)).toEqual([FAST, PATIENT])
})

it(
  'the same seed plays the same hour',
  () => {
    const { scenario } = of('as planned')
    const { heat, second, minute, refused } = simulate(scenario)
    expect({ heat, second, minute, refused }).toEqual({
      heat: of('as planned').heat,
      second: of('as planned').second,
      minute: of('as planned').minute,
      refused: of('as planned').refused,
    })
  },
  PATIENTLY,
)

it('a gateway lets so many through a second, and as many at once after a rest', () => {
  const bucket = new Bucket(100)
  expect(bucket.admit(100)).toBe(1)
  expect(bucket.admit(200)).toBe(0.5)
  expect(bucket.admit(50)).toBe(1)
  expect(bucket.admit(200)).toBe(0.5)
})

it('a transaction that finds room at half of its attempts is through with most of them', () => {
  const through = throughAt([{ ofAttempts: 0.5, ofAll: 1 }])
  expect(through.slice(0, 3)).toEqual([0.5, 0.25, 0.125])
  expect(through.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1 - 0.5 ** through.length, 9)
  expect(PATIENCE).toBe(1)
  // Repeating makes no room where it is the requests themselves that are too many.
  const crowded = throughAt([{ ofAttempts: 0.5, ofAll: 0.5 }])
  expect(crowded.reduce((sum, share) => sum + share, 0)).toBeCloseTo(0.5, 9)
})

it('a quantile of answers is that of their mixture', () => {
  const answers = new Answers(100)
  answers.add(990, 0)
  expect(answers.quantile(0.5)).toBeCloseTo(130, -1)
  answers.add(20, 5_000)
  expect(answers.quantile(0.99)).toBeGreaterThan(5_000)
})

it('chance has the mean that it is asked for', () => {
  const random = seeded(7)
  const mean = (draw: () => number) => Array.from({ length: 20_000 }, draw).reduce((sum, one) => sum + one, 0) / 20_000
  for (const expected of [0.3, 5, 90]) expect(mean(() => random.poisson(expected)) / expected).toBeCloseTo(1, 1)
  expect(mean(() => random.binomial(10, 0.3))).toBeCloseTo(3, 1)
  expect(random.spread(1_000, 4).reduce((sum, one) => sum + one, 0)).toBe(1_000)
})

it('an address is refused beyond the bounds that are deployed', () => {
  expect(leftByNetwork(undefined, 1_000, 100)).toEqual({ calls: 1, logins: 1, failures: 1 })
  const needed = addressesNeeded(0.3, 200, 80)
  const left = (addresses: number) => Object.values(leftByNetwork({ share: 0.3, addresses }, 200, 80))
  expect(left(needed)).toEqual([1, 1, 1])
  expect(Math.min(...left(needed - 1))).toBeLessThan(1)
  expect(limit['Firewall: calls of an address in five minutes']).toBe(bounds.address.calls)
})

it('what becomes of mails is noted as fast as they are sent', () => {
  expect(prepared.mails).toBeLessThan(limit['Mails whose fate is noted in a second'])
  const queue = production.one('aws:sqs/queue:Queue', 'MailEventsQueue').name
  const [source] = production
    .all('aws:lambda/eventSourceMapping:EventSourceMapping')
    .filter(({ inputs }) => inputs['eventSourceArn'].endsWith(`:${queue}`))
  expect(source?.inputs['scalingConfig']).toEqual({ maximumConcurrency: FATES_AT_ONCE })
})

it('what is kept for logins is what is deployed, and what is raised is what docs/capacity.md says', () => {
  const logins = production.functions().get('auth_token')?.inputs['reservedConcurrentExecutions']
  expect(limit['Lambda: kept for logins']).toBe(logins)
  const page = read('docs/capacity.md')
  const number = new Intl.NumberFormat('en').format
  expect(page).toContain(`${number(prepared.writes)} (\`ZAEHLWERK_WARM_WRITES\`)`)
  expect(page).toContain(`${number(prepared.reads)} (\`ZAEHLWERK_WARM_READS\`)`)
  expect(page).toContain(`| SES: mails a second | 1 (sandbox), then 14 | 1 | ${prepared.mails} |`)
  expect(scenarios.map(({ name }) => name)).toHaveLength(new Set(scenarios.map(({ name }) => name)).size)
})
