/** What DynamoDB takes: a table's or an index's units a second, and those of each of its partitions. */
import { assumed, limit } from './inputs.ts'
import type { Lie } from './keys.ts'

/** What a table takes as a whole: twice the peak of half an hour ago, never less than it was warmed to, never more than it may; and what was left over lately. */
export class Throughput {
  private kept = 0
  /** Peaks of minutes, the last one first. */
  private readonly peaks: number[] = []

  private readonly warm: number
  private readonly most: number

  constructor(warm: number, most: number) {
    this.warm = warm
    this.most = most
  }

  /** Units that it takes at once now, beside what is kept. */
  get capacity(): number {
    const settled = this.peaks.slice(30)
    const grown = limit['DynamoDB: times the peak of half an hour ago'] * Math.max(0, ...settled)
    return Math.min(this.most, Math.max(this.warm, grown))
  }

  /** The share of these units that is taken in this second. */
  admit(second: number, units: number): number {
    const { capacity } = this
    const share = units <= 0 ? 1 : Math.min(1, (capacity + this.kept) / units)
    const taken = units * share
    const longest = capacity * limit['DynamoDB: seconds of unused units that are kept']
    this.kept = Math.min(longest, Math.max(0, this.kept + capacity - taken))
    if (second % 60 === 0) this.peaks.unshift(0)
    this.peaks[0] = Math.max(this.peaks[0] ?? 0, taken)
    return share
  }
}

/** Units of a second under one partition key. */
export interface Load {
  key: string
  units: number
  lie: Lie
}

/** A text's number, the same in every run. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (const letter of text) value = Math.imul(value ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return value
}

/** How near to its limit a partition is hot. */
const HOT = 0.8

/**
 * Partitions with hot keys on them. Each takes so many units and no more; one that is hot for a while is parted, first between its keys and then
 * within a key, where that helps.
 */
export class Partitions {
  /** Into how many partitions a key was parted; 1: it has one to itself. */
  private readonly parts = new Map<string, number>()
  private readonly heat = new Map<string, number>()
  /** On which partition a key lies that has none to itself. */
  private readonly places = new Map<string, number>()

  private readonly count: number
  private readonly most: number

  constructor(count: number, most: number) {
    this.count = count
    this.most = most
  }

  private placeOf(key: string): number {
    const known = this.places.get(key)
    if (known !== undefined) return known
    const place = hash(key) % this.count
    this.places.set(key, place)
    return place
  }

  /** By key, how much a partition under it is asked for in this second; `everywhere` are units that are spread over all of them. */
  loads(everywhere: number, loads: readonly Load[]): Map<string, number> {
    const together = new Map<number, number>()
    const placeOf = (key: string) => (this.parts.has(key) ? undefined : this.placeOf(key))
    for (const { key, units } of loads) {
      const place = placeOf(key)
      if (place !== undefined) together.set(place, (together.get(place) ?? everywhere / this.count) + units)
    }
    return new Map(
      loads.map(({ key, units }) => {
        const place = placeOf(key)
        const load = place === undefined ? units / (this.parts.get(key) ?? 1) : (together.get(place) ?? units)
        return [key, load]
      }),
    )
  }

  /** By key, the share that is taken; what was hot for long enough is parted. */
  admit(everywhere: number, loads: readonly Load[]): Map<string, number> {
    const asked = this.loads(everywhere, loads)
    for (const { key, lie } of loads) {
      const isHot = (asked.get(key) ?? 0) > HOT * this.most
      const heat = isHot ? (this.heat.get(key) ?? 0) + 1 : 0
      this.heat.set(key, heat)
      if (heat < 60 * assumed['Minutes of heat until a partition is parted']) continue
      const before = this.parts.get(key)
      // From its neighbours first; within itself only where what comes next lies at another place.
      if (before === undefined || lie === 'apart') this.parts.set(key, before === undefined ? 1 : 2 * before)
      this.heat.set(key, 0)
    }
    return new Map([...asked].map(([key, load]) => [key, Math.min(1, this.most / load)]))
  }
}
