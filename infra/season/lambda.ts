/** Instances of functions: how many work at once, how many have to start, and what there is no room for. */
import { assumed, limit } from './inputs.ts'

/** Deviations above its mean up to which the number of requests at once goes within a second. */
const DEVIATIONS = 3
/** Seconds for which the strongest of them is remembered together. */
const BUCKET = 30

/** Little's law: requests at once, of so many a second that take so long. */
export const atOnce = (requests: number, milliseconds: number) => (requests * milliseconds) / 1000

/** One function's instances. */
export class Instances {
  /** The most that worked at once, in each of the last buckets, the last one first. */
  private readonly used: number[] = []
  /** New instances that may start at this moment. */
  private tokens = limit['Lambda: new instances of a function in ten seconds']
  private readonly recent: number[] = []

  /** So many instances at once work on so many requests of a second, and no instance on more than ten of them. */
  static needed(requests: number, milliseconds: number): number {
    const mean = atOnce(requests, milliseconds)
    const busy = mean + DEVIATIONS * Math.sqrt(mean)
    return Math.ceil(Math.max(busy, requests / limit['Lambda: requests of an instance in a second']))
  }

  /** Instances that start for this second's requests, of those for which there is room; what is beyond the rate of starts is left out. */
  start(second: number, needed: number): number {
    const rate = limit['Lambda: new instances of a function in ten seconds']
    this.tokens = Math.min(rate, this.tokens + rate / 10)
    const keep = (60 / BUCKET) * assumed['Minutes for which an idle instance is kept']
    if (second % BUCKET === 0) this.used.unshift(0)
    this.used.length = Math.min(this.used.length, keep)
    const warm = Math.max(0, ...this.used)
    const started = Math.min(Math.max(0, needed - warm), Math.floor(this.tokens))
    this.tokens -= started
    this.used[0] = Math.max(this.used[0] ?? 0, Math.min(needed, warm + started))
    this.recent.unshift(started)
    this.recent.length = Math.min(this.recent.length, 10)
    return started
  }

  /** Instances that there are now. */
  get there(): number {
    return Math.max(0, ...this.used)
  }

  /** Instances that started in the last ten seconds. */
  get startedLately(): number {
    return this.recent.reduce((sum, started) => sum + started, 0)
  }
}

/** Of a gateway: so many a second, and as many at once after a rest. */
export class Bucket {
  private tokens: number
  private readonly rate: number
  private readonly most: number

  constructor(rate: number, burst = rate) {
    this.rate = rate
    this.tokens = burst
    this.most = burst
  }

  /** The share of so many requests that is let through in this second. */
  admit(requests: number): number {
    this.tokens = Math.min(this.most, this.tokens + this.rate)
    const share = requests <= 0 ? 1 : Math.min(1, this.tokens / requests)
    this.tokens -= requests * share
    return share
  }
}
