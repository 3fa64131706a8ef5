import { billionths } from '@shared/rules/value.ts'

/** A counter on a day. */
export interface Stand {
  readonly readingDate: string
  readonly readingValue: string
  readonly reason?: string | null | undefined
}

/** What was used between two readings. */
export interface Period {
  readonly from: string
  readonly to: string
  /** In the counter's unit. */
  readonly used: number
  readonly perYear: number
  readonly isEstimated: boolean
}

const DAY = 86_400_000

/** The use between readings that follow each other, the oldest first; none across an exchange, or where the counter went back. */
export function periods(stands: readonly Stand[]): Period[] {
  const sorted = stands.toSorted((a, b) => (a.readingDate < b.readingDate ? -1 : 1))
  return sorted.slice(1).flatMap((to, index) => {
    const from = sorted[index]
    if (!from || to.reason === 'METER_CHANGE' || to.reason === 'INITIAL_READING') return []
    const days = (Date.parse(to.readingDate) - Date.parse(from.readingDate)) / DAY
    const used = Number(billionths(to.readingValue) - billionths(from.readingValue)) / 1e9
    if (days < 1 || used < 0) return []
    return [
      {
        from: from.readingDate,
        to: to.readingDate,
        used,
        perYear: (used / days) * 365,
        isEstimated: to.reason === 'ESTIMATED_READING',
      },
    ]
  })
}

/** The use from the last of the readings to a further one; none where nothing can be said. */
export function lastPeriod(stands: readonly Stand[], further: Stand): Period | undefined {
  const last = periods([...stands, further]).at(-1)
  return last?.to === further.readingDate ? last : undefined
}
