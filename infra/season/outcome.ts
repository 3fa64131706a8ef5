/** What a simulated hour showed. */
import { operations } from '../capacity.ts'
import { type Asked, type Demand, placesOf } from './demand.ts'
import { assumed, limit } from './inputs.ts'
import { hotKey, type KeyName, keyNames } from './keys.ts'
import { Answers } from './latency.ts'
import type { Scenario } from './scenarios.ts'

/** What stands in the way of a request. */
export type Obstacle = 'firewall' | 'failed logins' | 'gateway' | 'functions' | 'mail service' | 'table' | 'partition'

/** What was asked of a hot key, of that of its partition keys that was asked for most: units, or transactions where an item takes one after the other. */
export interface Heat {
  key: KeyName
  /** In the strongest second, and on the average of the strongest minute. */
  second: number
  minute: number
  limit: number
  /** Whether the limit is one of transactions. */
  isOfTransactions: boolean
  /** Seconds in which it was asked for more. */
  over: number
}

export class Outcome {
  readonly scenario: Scenario
  /** Meters of the largest tenant. */
  largest = 0
  /** Share of the season's visits on this day. */
  shareOfDay = 0
  /** On the average of the strongest minute, a second. */
  readonly minute = { visits: 0, requests: 0, atOnce: 0 }
  /** In the strongest second. */
  readonly second = { requests: 0, logins: 0, reads: 0, writes: 0, indexWrites: 0, mails: 0 }
  /** Instances of all functions together, and the most that one function started within ten seconds. */
  readonly instances = { there: 0, started: 0 }
  readonly heat: Heat[]
  /** By operation. */
  readonly answers: Map<string, Answers>
  /** Requests that an obstacle refused at their first try. */
  readonly refused = new Map<Obstacle, number>()
  /** Requests that came for the first time. */
  requests = 0
  /** Seconds that the last of those waited that were refused; infinite: the hour was over before. */
  longest = 0
  private readonly byKey: Map<KeyName, Heat>
  /** Sums of this minute, by partition key. */
  private sums = new Map<string, number>()

  constructor(scenario: Scenario) {
    this.scenario = scenario
    this.answers = new Map(
      Object.entries(operations).map(([name, { milliseconds }]) => [name, new Answers(milliseconds)]),
    )
    this.heat = keyNames.map((key) => {
      const isOfTransactions = isHeld(key)
      return { key, second: 0, minute: 0, limit: limitOf(key), isOfTransactions, over: 0 }
    })
    this.byKey = new Map(this.heat.map((heat) => [heat.key, heat]))
  }

  /** Counts requests that were refused. */
  refuse(obstacle: Obstacle, count: number): void {
    this.refused.set(obstacle, (this.refused.get(obstacle) ?? 0) + count)
  }

  /** The share of all requests that were refused at their first try. */
  get refusedShare(): number {
    return [...this.refused.values()].reduce((sum, count) => sum + count, 0) / this.requests
  }

  /** Notes what a second asked. */
  measure(second: number, demand: Demand): void {
    const strongest = this.second
    strongest.reads = Math.max(strongest.reads, demand.reads)
    strongest.writes = Math.max(strongest.writes, demand.writes)
    strongest.indexWrites = Math.max(strongest.indexWrites, demand.indexWrites)
    if (second % 60 === 0) this.sums = new Map()
    for (const [place, asked] of demand.hot) {
      const heat = this.byKey.get(asked.key)
      if (heat === undefined) continue
      const units = heat.isOfTransactions ? asked.transactions : Math.max(asked.reads, asked.writes)
      heat.second = Math.max(heat.second, units)
      if (units > heat.limit) heat.over += 1
      const sum = (this.sums.get(place) ?? 0) + units / 60
      this.sums.set(place, sum)
      heat.minute = Math.max(heat.minute, sum)
    }
  }
}

/** Transactions that one item takes in a second. */
const TRANSACTIONS = 1000 / assumed['Milliseconds for which a transaction holds an item']

/** Whether transactions on the key's item wait for each other sooner than its partition is at its limit. */
const isHeld = (name: KeyName) => hotKey(name).oneAfterTheOther === true

function limitOf(name: KeyName): number {
  if (isHeld(name)) return TRANSACTIONS
  return limit[hotKey(name).isRead ? 'DynamoDB: read units of a partition' : 'DynamoDB: write units of a partition']
}

/** The share of a second's transactions on a key's item for which there is time, and the share of that time which they take. */
export function heldBy(
  name: KeyName,
  tenant: number,
  hot: ReadonlyMap<string, Asked>,
): { share: number; busy: number } {
  const transactions = isHeld(name) ? (hot.get(placesOf(name, tenant)[0] ?? name)?.transactions ?? 0) : 0
  if (transactions === 0) return { share: 1, busy: 0 }
  return { share: Math.min(1, TRANSACTIONS / transactions), busy: Math.min(1, transactions / TRANSACTIONS) }
}
