/** What one second asks of table and index. */
import { type HotKey, hotKey, hotKeysOf, type KeyName, type Placement } from './keys.ts'
import type { Load } from './partitions.ts'
import type { Random } from './random.ts'

/** Tenants whose keys are looked at one by one; those of the others are as good as spread over all partitions. */
export const LOOKED_AT = 6

/** What is asked of one partition key. */
export interface Asked {
  key: KeyName
  reads: number
  writes: number
  transactions: number
  /** Of the written units, those of workers. */
  ofWorkers: number
}

/** The partition keys of a tenant, by shard. */
export function placesOf(name: KeyName, tenant: number): readonly string[] {
  const known = places.get(name)?.[tenant]
  if (known !== undefined) return known
  const { shards, ofAll } = hotKey(name)
  const made = Array.from({ length: shards }, (_, shard) => `${name}#${ofAll ? 'all' : tenant}#${shard}`)
  const ofTenants = places.get(name) ?? []
  ofTenants[tenant] = made
  places.set(name, ofTenants)
  return made
}

const places = new Map<KeyName, (readonly string[])[]>()

export class Demand {
  reads = 0
  writes = 0
  indexWrites = 0
  /** By partition key. */
  readonly hot = new Map<string, Asked>()
  private readonly random: Random

  constructor(random: Random) {
    this.random = random
  }

  /** So many operations of a tenant. */
  add(placement: Placement, tenant: number, count: number): void {
    if (count === 0) return
    const { apart, reads = {}, writes = {} } = placement
    this.reads += count * apart.reads
    this.writes += count * apart.writes
    for (const name of hotKeysOf(placement)) {
      const [read, written] = [reads[name] ?? 0, writes[name] ?? 0]
      const { shards, ofIndex, ofAll }: HotKey = hotKey(name)
      this.reads += count * read
      if (ofIndex) this.indexWrites += count * written
      else this.writes += count * written
      if (tenant >= LOOKED_AT && !ofAll) continue
      this.random.spread(count, shards).forEach((here, shard) => {
        this.ask(name, tenant, shard, { reads: here * read, writes: here * written, transactions: here })
      })
    }
  }

  /** Asks so much of one partition key, which the caller counts for the table. */
  ask(name: KeyName, tenant: number, shard: number, units: Partial<Omit<Asked, 'key'>>): void {
    const place = placesOf(name, tenant)[shard] ?? name
    const asked = this.hot.get(place) ?? { key: name, reads: 0, writes: 0, transactions: 0, ofWorkers: 0 }
    asked.reads += units.reads ?? 0
    asked.writes += units.writes ?? 0
    asked.transactions += units.transactions ?? 0
    asked.ofWorkers += units.ofWorkers ?? 0
    this.hot.set(place, asked)
  }

  /** Units under the hot keys of the table or of the index, and those that are spread over everything. */
  loads(units: 'reads' | 'writes', ofIndex: boolean): { loads: Load[]; everywhere: number } {
    const loads = [...this.hot]
      .filter(([, { key }]) => (hotKey(key).ofIndex ?? false) === ofIndex)
      .map(([place, asked]) => ({ key: place, units: asked[units], lie: hotKey(asked.key).lie }))
      .filter((load) => load.units > 0)
    const all = ofIndex ? this.indexWrites : this[units]
    return { loads, everywhere: Math.max(0, all - loads.reduce((sum, load) => sum + load.units, 0)) }
  }
}
