/** Chance that is the same in every run of the same seed. */

/** Above this mean a normal distribution is as good as the one it stands for. */
const MANY = 40

export interface Random {
  /** At least 0, below 1. */
  next(): number
  /** How many come when so many are expected. */
  poisson(mean: number): number
  /** How many of so many it happens to. */
  binomial(number: number, share: number): number
  /** So many, each in one of `parts` places. */
  spread(number: number, parts: number): number[]
}

/** Mulberry32: 32 bits of state, which is enough for counts. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  const rounded = (mean: number, deviation: number) => Math.max(0, Math.round(mean + deviation * normal()))
  const poisson = (mean: number) => {
    if (mean <= 0) return 0
    if (mean > MANY) return rounded(mean, Math.sqrt(mean))
    let [count, product] = [0, next()]
    for (const limit = Math.exp(-mean); product > limit; count += 1) product *= next()
    return count
  }
  const binomial = (number: number, share: number) => {
    if (share <= 0 || number <= 0) return 0
    if (share >= 1) return number
    if (number > MANY) return Math.min(number, rounded(number * share, Math.sqrt(number * share * (1 - share))))
    let count = 0
    for (let turn = 0; turn < number; turn += 1) if (next() < share) count += 1
    return count
  }
  const spread = (number: number, parts: number) => {
    let left = number
    return Array.from({ length: parts }, (_, place) => {
      const here = binomial(left, 1 / (parts - place))
      left -= here
      return here
    })
  }
  return { next, poisson, binomial, spread }
}
