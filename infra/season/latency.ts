/** How long answers took: a mixture of parts whose spread is known, so that no single request has to be kept. */
import { assumed } from './inputs.ts'

/** So many answers that waited so long before the function's own time. */
interface Part {
  /** Milliseconds beside the function's own. */
  beside: number
  count: number
}

/** The share of a normal distribution below so many deviations (Abramowitz and Stegun 7.1.26). */
function below(deviations: number): number {
  const t = 1 / (1 + 0.3275911 * (Math.abs(deviations) / Math.SQRT2))
  const polynomial = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
  const half = 0.5 * (1 - polynomial * Math.exp((-deviations * deviations) / 2))
  return deviations < 0 ? 0.5 - half : 0.5 + half
}

/** The answers of an operation that takes so many milliseconds as a rule. */
export class Answers {
  private readonly parts = new Map<number, number>()
  private readonly milliseconds: number

  constructor(milliseconds: number) {
    this.milliseconds = milliseconds
  }

  /** So many answers that took so much longer than the function's own time. */
  add(count: number, beside: number): void {
    if (count > 0) this.parts.set(beside, (this.parts.get(beside) ?? 0) + count)
  }

  get count(): number {
    return [...this.parts.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Milliseconds within which this share of the answers came. */
  quantile(share: number): number {
    const edge = assumed['Milliseconds before and behind a function']
    const spread = assumed['Spread of milliseconds (log-normal)']
    const parts: Part[] = [...this.parts].map(([beside, count]) => ({ beside, count }))
    const all = this.count
    const within = (milliseconds: number) =>
      parts.reduce((sum, { beside, count }) => {
        const own = milliseconds - edge - beside
        return own <= 0 ? sum : sum + count * below(Math.log(own / this.milliseconds) / spread)
      }, 0) / all
    let [low, high] = [0, 1e7]
    while (high - low > 0.5) {
      const middle = (low + high) / 2
      if (within(middle) < share) low = middle
      else high = middle
    }
    return high
  }
}
