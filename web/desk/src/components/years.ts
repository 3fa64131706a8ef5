import type { LowerReason } from '@shared/rules/reading.ts'
import { asReadBefore, billionths } from '@shared/rules/value.ts'

/** A counter on a day. */
export interface Stand {
  readonly readingDate: string
  readonly readingValue: string
  readonly reason?: string | null | undefined
  /** Why a reading that was sent is lower than the one before; with an exchanged meter it need not be. */
  readonly lowerReason?: LowerReason | null | undefined
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

/** The use between readings that follow each other, the oldest first; none to another meter's counter, or where the counter went back. */
export function periods(stands: readonly Stand[]): Period[] {
  const sorted = inOrder(stands)
  return sorted.slice(1).flatMap((to, index) => between(sorted[index], to) ?? [])
}

/** The use from the last of the readings to a further one; none where nothing can be said. */
export function lastPeriod(stands: readonly Stand[], further: Stand): Period | undefined {
  return between(inOrder(stands).at(-1), further)
}

/** The oldest first; an exchange's two counters of one day keep their order. */
function inOrder(stands: readonly Stand[]): Stand[] {
  return stands.toSorted((a, b) => (a.readingDate < b.readingDate ? -1 : Number(a.readingDate > b.readingDate)))
}

function between(from: Stand | undefined, to: Stand): Period | undefined {
  if (!from || to.reason === 'INITIAL_READING' || to.lowerReason === 'METER_CHANGE') return undefined
  const days = (Date.parse(to.readingDate) - Date.parse(from.readingDate)) / DAY
  const used = Number(billionths(to.readingValue) - asReadBefore(from.readingValue, to.readingValue)) / 1e9
  if (days < 1 || used < 0) return undefined
  return {
    from: from.readingDate,
    to: to.readingDate,
    used,
    perYear: (used / days) * 365,
    isEstimated: to.reason === 'ESTIMATED_READING',
  }
}
