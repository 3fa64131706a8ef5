/**
 * The strongest hour of a season, second by second: what comes by tenant and operation, what firewall, gateway, functions, mail service and
 * table take of it, and when the rest comes again.
 */
import { forwardedShare, gigabytes, operations } from '../capacity.ts'
import { Demand, LOOKED_AT, placesOf } from './demand.ts'
import { assumed, backOff, limit } from './inputs.ts'
import {
  doubtPlacement,
  failurePlacement,
  fatePlacement,
  hotKey,
  hotKeysOf,
  type KeyName,
  keyNames,
  looking,
  type Placement,
  placements,
  reminderPlacement,
} from './keys.ts'
import { atOnce, Bucket, Instances } from './lambda.ts'
import { leftByNetwork } from './network.ts'
import { heldBy, type Obstacle, Outcome } from './outcome.ts'
import { Partitions, Throughput } from './partitions.ts'
import { type Random, seeded } from './random.ts'
import { PATIENCE, type Room, throughAt, waits } from './repeats.ts'
import type { Scenario } from './scenarios.ts'
import { Tallies } from './tallies.ts'
import { FROM, ofHour, STRONGEST_MINUTE, sizesOfTenants, strength, strongestDay, UNTIL } from './tenants.ts'

const names = Object.keys(operations)
const operation = (name: string) => {
  const found = operations[name]
  if (found === undefined) throw new Error(`There is no operation ${name}.`)
  return found
}
const placement = (name: string): Placement => placements[name] ?? { apart: { reads: 0, writes: 0 } }
const [LOGIN, READING, RECEIPT] = ['auth_token', 'result_create', 'reading_receipts']

/** Requests of one operation and tenant that come together. */
interface Group {
  tenant: number
  name: string
  count: number
  /** How often they were refused; 0: they are new. */
  refusals: number
  /** Seconds since they came first. */
  waited: number
  /** Their functions have tried the table once. */
  isRepeated: boolean
}

class Hour {
  private readonly scenario: Scenario
  private readonly random: Random
  /** Visits a second, by tenant, the strongest first; the small ones together. */
  private readonly rates: number[]
  private readonly outcome: Outcome
  /** What comes again, by second: from clients, and from functions that are at work on it. */
  private readonly again = new Queue()
  private readonly repeated = new Queue()
  private readonly functions = new Map(names.map((name) => [name, new Instances()]))
  private readonly gateway = new Bucket(limit['API Gateway: requests a second, ours'])
  private readonly loginsAtGateway = new Bucket(limit['API Gateway: logins a second, ours'])
  private readonly mails: Bucket
  private readonly table: { reads: Throughput; writes: Throughput; indexWrites: Throughput }
  private readonly partitions: { reads: Partitions; writes: Partitions; indexWrites: Partitions }
  private readonly tallies: Tallies

  constructor(scenario: Scenario, seed: number) {
    this.scenario = scenario
    this.random = seeded(seed)
    this.outcome = new Outcome(scenario)
    const sizes = sizesOfTenants(scenario.giant)
    const { visits, share } = strongestDay(sizes, scenario.letterDays)
    this.outcome.largest = Math.max(...sizes)
    this.outcome.shareOfDay = share
    const byVisits = [...visits].sort((one, other) => other - one)
    const small = byVisits.slice(LOOKED_AT).reduce((sum, here) => sum + here, 0)
    this.rates = [...byVisits.slice(0, LOOKED_AT), small].map(ofHour)
    const { reads, writes, mails } = scenario.preparation
    this.mails = new Bucket(mails)
    this.table = {
      reads: new Throughput(reads, reads),
      writes: new Throughput(writes, writes),
      indexWrites: new Throughput(writes, writes),
    }
    const ofWrites = limit['DynamoDB: write units of a partition']
    const stored = gigabytes(assumed.Meters, 0, 0) / limit['DynamoDB: gigabytes of a partition']
    const number = Math.ceil(Math.max(writes / ofWrites, stored))
    this.partitions = {
      reads: new Partitions(number, limit['DynamoDB: read units of a partition']),
      writes: new Partitions(number, ofWrites),
      // It has little of what the table has.
      indexWrites: new Partitions(Math.ceil(writes / ofWrites), ofWrites),
    }
    this.tallies = new Tallies(this.random)
  }

  run(): Outcome {
    for (let second = FROM; second < UNTIL; second += 1) this.step(second)
    const left = [...this.again.left, ...this.repeated.left]
    // Of those that came in the last minutes it is not known how long they wait.
    if (left.some(({ count, waited }) => count > 0 && waited > backOff.longest))
      this.outcome.longest = Number.POSITIVE_INFINITY
    return this.outcome
  }

  private step(second: number): void {
    const groups = [...this.arrivals(second), ...this.again.take(second)]
    const requests = sum(groups)
    const logins = sum(groups.filter(({ name }) => name === LOGIN))
    this.measure(second, groups, requests, logins)
    const all = sum(this.rates.map((count) => ({ count }))) * strength(second)
    const left = leftByNetwork(
      this.scenario.network,
      all,
      Math.max(...this.rates.slice(0, LOOKED_AT)) * strength(second),
    )
    const gateway = this.gateway.admit(requests * left.calls)
    const ofLogins = this.loginsAtGateway.admit(logins * gateway * left.logins)
    for (const group of groups) {
      const isLogin = group.name === LOGIN
      this.refuse(group, second, 'firewall', isLogin ? Math.min(left.calls, left.logins) : left.calls)
      this.refuse(group, second, 'gateway', isLogin ? gateway * ofLogins : gateway)
      if (isLogin) this.refuse(group, second, 'failed logins', left.failures)
    }
    const cold = this.throughFunctions(second, groups)
    this.throughTable(second, [...groups, ...this.repeated.take(second)], cold)
  }

  /** What comes for the first time. */
  private arrivals(second: number): Group[] {
    const groups: Group[] = []
    this.rates.forEach((rate, tenant) => {
      const visits = this.random.poisson(rate * strength(second))
      if (isStrongest(second)) this.outcome.minute.visits += visits / 60
      if (visits === 0) return
      const ofTenant = (rate * strength(second)) / (tenant < LOOKED_AT ? 1 : assumed.Tenants - LOOKED_AT)
      for (const name of names) {
        const { calls } = operation(name)
        const made = Math.floor(calls) * visits + this.random.binomial(visits, calls % 1)
        const count = this.random.binomial(made, this.scenario.withoutEdge ? 1 : forwardedShare(name, ofTenant))
        if (count > 0) groups.push({ tenant, name, count, refusals: 0, waited: 0, isRepeated: false })
      }
    })
    return groups
  }

  private measure(second: number, groups: Group[], requests: number, logins: number): void {
    if (second < 0) return
    const { second: strongest, minute } = this.outcome
    strongest.requests = Math.max(strongest.requests, requests)
    strongest.logins = Math.max(strongest.logins, logins)
    this.outcome.requests += sum(groups.filter(({ refusals }) => refusals === 0))
    if (!isStrongest(second)) return
    minute.requests += requests / 60
    for (const { name, count } of groups) minute.atOnce += atOnce(count, operation(name).milliseconds) / 60
  }

  /** Takes out of a group what an obstacle leaves no room for; its clients send it again after their back-off. */
  private refuse(group: Group, second: number, obstacle: Obstacle, share: number): void {
    const count = share >= 1 ? 0 : this.random.binomial(group.count, 1 - share)
    if (count === 0) return
    group.count -= count
    const delay = Math.min(backOff.first * 2 ** group.refusals, backOff.longest)
    const { refusals, waited } = group
    if (second >= 0 && refusals === 0) this.outcome.refuse(obstacle, count)
    this.again.put(second + delay, {
      ...group,
      count,
      refusals: refusals + 1,
      waited: waited + delay,
      isRepeated: false,
    })
  }

  /** Of each operation, the share that meets an instance which starts for it. */
  private throughFunctions(second: number, groups: Group[]): Map<string, number> {
    const counts = new Map(names.map((name) => [name, 0]))
    for (const { name, count } of groups) counts.set(name, (counts.get(name) ?? 0) + count)
    const needed = new Map(
      [...counts].map(([name, count]) => [name, Instances.needed(count, operation(name).milliseconds)]),
    )
    const kept = limit['Lambda: kept for logins']
    const ofOthers = [...needed].reduce((total, [name, here]) => total + (name === LOGIN ? 0 : here), 0)
    const cold = new Map<string, number>()
    for (const name of names) {
      const [count, wanted] = [counts.get(name) ?? 0, needed.get(name) ?? 0]
      const share = name === LOGIN ? kept / wanted : (this.scenario.preparation.concurrency - kept) / ofOthers
      if (share < 1) for (const group of groups) if (group.name === name) this.refuse(group, second, 'functions', share)
      const started = this.functions.get(name)?.start(second, Math.floor(wanted * Math.min(1, share))) ?? 0
      cold.set(name, count > 0 ? Math.min(1, started / count) : 0)
    }
    if (second >= 0) {
      const all = [...this.functions.values()]
      const { instances } = this.outcome
      instances.there = Math.max(
        instances.there,
        all.reduce((total, { there }) => total + there, 0),
      )
      instances.started = Math.max(instances.started, ...all.map(({ startedLately }) => startedLately))
    }
    return cold
  }

  private throughTable(second: number, groups: Group[], cold: Map<string, number>): void {
    const receipts = groups.filter(({ name }) => name === RECEIPT)
    const reminders = second >= 0 ? this.scenario.preparation.mails / 2 : 0
    const mails = sum(receipts) + reminders
    const mailed = this.mails.admit(mails)
    for (const group of receipts) this.refuse(group, second, 'mail service', mailed)
    const demand = new Demand(this.random)
    for (const { name, tenant, count } of groups) this.ask(demand, name, tenant, count)
    this.remind(demand, Math.round(reminders * mailed))
    this.tallies.count(second, demand)
    if (second >= 0) {
      this.outcome.measure(second, demand)
      this.outcome.second.mails = Math.max(this.outcome.second.mails, mails * mailed)
    }
    const taken = this.taken(second, demand)
    this.tallies.settle(taken.ofKey)
    for (const group of groups) this.answer(second, group, taken.ofGroup(group), cold.get(group.name) ?? 0)
  }

  private ask(demand: Demand, name: string, tenant: number, count: number): void {
    demand.add(placement(name), tenant, count)
    if (name === READING) {
      demand.add(doubtPlacement, tenant, this.random.binomial(count, assumed['Share of readings that are doubtful']))
    } else if (name === LOGIN) {
      demand.add(failurePlacement, tenant, this.random.binomial(count, assumed['Share of logins that fail']))
    } else if (name === RECEIPT) demand.add(fatePlacement, tenant, count)
    if (name === READING || name === RECEIPT) this.tallies.note(tenant, count)
  }

  /** Reminders of the tenant that has most visits, as fast as it sends them, and of the others as many as all together may. */
  private remind(demand: Demand, reminders: number): void {
    if (reminders === 0) return
    const ofLargest = Math.min(reminders, assumed['Reminders a second of the largest tenant'])
    for (const [tenant, count] of [
      [0, ofLargest],
      [LOOKED_AT, reminders - ofLargest],
    ] as const) {
      demand.add(reminderPlacement, tenant, count)
      demand.add(fatePlacement, tenant, count)
      this.tallies.note(tenant, count)
    }
    demand.reads += looking.accounts * looking.reads
    // The list of accounts is read one shard after the other.
    demand.ask('index: list of accounts', 0, 0, { reads: looking.accounts * looking.ofIndex })
  }

  /** What table and partitions take of a second, by group and by key. */
  private taken(second: number, demand: Demand) {
    const shares = (Object.keys(this.partitions) as (keyof typeof this.partitions)[]).map((kind) => {
      const { loads, everywhere } = demand.loads(kind === 'reads' ? 'reads' : 'writes', kind === 'indexWrites')
      return this.partitions[kind].admit(everywhere, loads)
    })
    const reads = this.table.reads.admit(second, demand.reads)
    // A write that the index cannot take is one that the table refuses.
    const writes = Math.min(
      this.table.writes.admit(second, demand.writes),
      this.table.indexWrites.admit(second, demand.indexWrites),
    )
    const roomAt = (place: string): Room => {
      const ofAttempts = Math.min(...shares.map((here) => here.get(place) ?? 1))
      const { writes: all = 0, ofWorkers = 0 } = demand.hot.get(place) ?? {}
      // Without the worker's share of what was asked.
      return {
        ofAttempts,
        ofAll: all > 0 ? Math.min(1, (ofAttempts * all) / Math.max(all - ofWorkers, 1e-9)) : ofAttempts,
      }
    }
    const roomsOf = this.rates.map(
      (_, tenant) => new Map(keyNames.map((name) => [name, placesOf(name, tenant).map(roomAt)])),
    )
    const known = new Map<string, Taken>()
    const ofGroup = ({ name, tenant }: Group): Taken => {
      const way = `${name} ${tenant}`
      const before = known.get(way)
      if (before !== undefined) return before
      const taken = takenOf(name, tenant)
      known.set(way, taken)
      return taken
    }
    const takenOf = (name: string, tenant: number): Taken => {
      const { readUnits, writeUnits } = operation(name)
      const table = Math.min(readUnits > 0 ? reads : 1, writeUnits > 0 ? writes : 1)
      const keys = tenant < LOOKED_AT ? hotKeysOf(placement(name)) : []
      const rooms = keys.map((key) => roomsOf[tenant]?.get(key) ?? [])
      const held = keys.map((key) => heldBy(key, tenant, demand.hot))
      return {
        table,
        rooms: rooms.toSorted((one, other) => narrowest(one) - narrowest(other))[0] ?? [],
        held: Math.min(1, ...held.map(({ share }) => share)),
        busy: Math.max(0, ...held.map(({ busy }) => busy)),
      }
    }
    const ofKey = (name: KeyName, tenant: number) => Math.min(writes, narrowest(roomsOf[tenant]?.get(name) ?? []))
    return { ofGroup, ofKey }
  }

  private answer(second: number, group: Group, taken: Taken, cold: number): void {
    if (group.count === 0) return
    // A function repeats a transaction for which the table had no room once more in the next second.
    if (group.isRepeated || operation(group.name).writeUnits === 0) this.refuse(group, second, 'table', taken.table)
    else this.repeat(group, second, taken.table)
    this.refuse(group, second, 'partition', taken.held)
    const through = taken.rooms.every(({ ofAttempts }) => ofAttempts >= 1) ? [] : throughAt(taken.rooms)
    if (through.length > 0)
      this.refuse(
        group,
        second,
        'partition',
        through.reduce((total, share) => total + share, 0),
      )
    if (second < 0) return
    const { count, waited } = group
    if (group.refusals > 0 && count > 0) this.outcome.longest = Math.max(this.outcome.longest, waited)
    const answers = this.outcome.answers.get(group.name)
    let left = count
    const add = (number: number, milliseconds: number) => {
      const here = Math.min(left, Math.round(number))
      left -= here
      answers?.add(here, 1000 * waited + milliseconds)
    }
    add(count * cold, assumed['Milliseconds of a function’s start'])
    through.forEach((share, attempt) => {
      if (attempt > 0) add(count * share, waits[attempt] ?? 0)
    })
    add(count * taken.busy, waits[1] ?? 0)
    add(left, 0)
  }

  private repeat(group: Group, second: number, share: number): void {
    const count = this.random.binomial(group.count, 1 - share)
    if (count === 0) return
    group.count -= count
    this.repeated.put(second + PATIENCE, { ...group, count, waited: group.waited + PATIENCE, isRepeated: true })
  }
}

/** What table and partitions take of a group. */
interface Taken {
  table: number
  /** Under the key that has least room. */
  rooms: readonly Room[]
  /** Of transactions on one item, the share for which there is time, and how much of the time they take. */
  held: number
  busy: number
}

/** The least room of a key's partition keys. */
const narrowest = (rooms: readonly Room[]) => Math.min(1, ...rooms.map(({ ofAttempts }) => ofAttempts))

const isStrongest = (second: number) => Math.floor(second / 60) === STRONGEST_MINUTE

const sum = (groups: readonly { count: number }[]) => groups.reduce((total, { count }) => total + count, 0)

/** Groups that are due, by second; those that were refused as often are one, which has waited as long as the longest of them. */
class Queue {
  private readonly due = new Map<number, Map<string, Group>>()

  put(second: number, group: Group): void {
    const { tenant, name, refusals, waited } = group
    const way = `${tenant} ${name} ${refusals}`
    const groups = this.due.get(second) ?? new Map<string, Group>()
    const there = groups.get(way)
    if (there === undefined) groups.set(way, group)
    else {
      there.count += group.count
      there.waited = Math.max(there.waited, waited)
    }
    this.due.set(second, groups)
  }

  take(second: number): Group[] {
    const groups = [...(this.due.get(second)?.values() ?? [])]
    this.due.delete(second)
    return groups
  }

  get left(): Group[] {
    return [...this.due.values()].flatMap((groups) => [...groups.values()])
  }
}

/** Plays a scenario; the same seed gives the same outcome. */
export const simulate = (scenario: Scenario, seed = 1): Outcome => new Hour(scenario, seed).run()
