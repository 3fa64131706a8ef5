/** The worker `tallies`: each minute it counts what changed in the one before, the tenants side by side, a transaction of each shard of a tenant in turn. */
import { type Demand, LOOKED_AT } from './demand.ts'
import { assumed } from './inputs.ts'
import { hotKey, type KeyName, tallying } from './keys.ts'
import type { Random } from './random.ts'

const CHANGES = 'changes of the counts'
const TALLY = 'the tally'
const { shards: SHARDS } = hotKey(CHANGES)
/** The share of its pace that is left to a worker whose transactions are all repeated, up to 0.4 s apart (`jitter` of `functions/store/src/random.rs`). */
const LEAST_PACE = 0.15
/** Tenants whose keys are not looked at one by one. */
const OTHERS = assumed.Tenants - LOOKED_AT

export class Tallies {
  private readonly random: Random
  /** By tenant and shard, the others' together: what changed in this minute, and what of the one before is not counted yet. */
  private changed = empty()
  private due = empty()
  /** What was counted in this second. */
  private counted = empty()

  /** By tenant, the share of the last second's transactions for which there was room. */
  private readonly shares = Array.from({ length: LOOKED_AT + 1 }, () => 1)

  constructor(random: Random) {
    this.random = random
  }

  /** Notes changes of a tenant. */
  note(tenant: number, changes: number): void {
    const ofTenant = this.changed[tenant]
    if (ofTenant === undefined) return
    this.random.spread(changes, SHARDS).forEach((here, shard) => {
      ofTenant[shard] = (ofTenant[shard] ?? 0) + here
    })
  }

  /** What the worker asks of the table in this second. */
  count(second: number, demand: Demand): void {
    if (second % 60 === 0) {
      this.due = this.due.map((shards, tenant) =>
        shards.map((left, shard) => left + (this.changed[tenant]?.[shard] ?? 0)),
      )
      this.changed = empty()
    }
    this.counted = this.due.map((shards, tenant) => {
      if (tenant === LOOKED_AT) return shards.map((changes) => this.countOthers(changes, second, demand))
      return this.transactions(shards, tenant).map((transactions, shard) => {
        const counted = Math.min(shards[shard] ?? 0, transactions * tallying.together)
        if (counted === 0) return 0
        const [ofChanges, ofTally] = [counted * tallying.ofChange, transactions * tallying.ofTally]
        demand.writes += ofChanges + ofTally
        demand.ask(CHANGES, tenant, shard, { writes: ofChanges, ofWorkers: ofChanges, transactions })
        demand.ask(TALLY, tenant, 0, { writes: ofTally, ofWorkers: ofTally, transactions })
        return counted
      })
    })
  }

  /** Transactions of this second, by shard: as many as the worker's pace has room for, and fewer where each was repeated. */
  private transactions(shards: readonly number[], tenant: number): number[] {
    const room = tallying.pace * Math.max(LEAST_PACE, this.shares[tenant] ?? 1)
    const wanted = shards.map((changes) => Math.ceil(changes / tallying.together))
    const all = wanted.reduce((sum, here) => sum + here, 0)
    return wanted.map((here) => (all > room ? (here * room) / all : here))
  }

  /** A transaction for each of the others that has changes in a shard, in the course of the minute. */
  private countOthers(changes: number, second: number, demand: Demand): number {
    const left = 60 - (((second % 60) + 60) % 60)
    const counted = changes / left
    demand.writes += counted * tallying.ofChange + (Math.min(changes, OTHERS) / left) * tallying.ofTally
    return counted
  }

  /** What of it table and partitions took is counted; the rest is tried again. */
  settle(shareOf: (name: KeyName, tenant: number) => number): void {
    this.due = this.due.map((shards, tenant) => {
      const share = tenant === LOOKED_AT ? 1 : Math.min(shareOf(CHANGES, tenant), shareOf(TALLY, tenant))
      this.shares[tenant] = share
      return shards.map((changes, shard) => changes - (this.counted[tenant]?.[shard] ?? 0) * share)
    })
  }
}

function empty(): number[][] {
  return Array.from({ length: LOOKED_AT + 1 }, () => Array.from({ length: SHARDS }, () => 0))
}
