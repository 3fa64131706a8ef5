/** Tenants of unequal size, on the season's strongest day. */
import { behaviour, season } from '../capacity.ts'
import { assumed } from './inputs.ts'

/** Meters of each tenant, the largest first: by rank to a power; or one of a size of its own, before the others. */
export function sizesOfTenants(giant?: number): number[] {
  const others = assumed.Tenants - (giant === undefined ? 0 : 1)
  const weights = Array.from(
    { length: others },
    (_, rank) => (rank + 1) ** -assumed['Exponent of the tenants’ sizes (Zipf)'],
  )
  const all = weights.reduce((sum, weight) => sum + weight, 0)
  const left = assumed.Meters - (giant ?? 0)
  return [...(giant === undefined ? [] : [giant]), ...weights.map((weight) => (left * weight) / all)]
}

/** The share of a tenant's visits so many days after its letters. */
const answers = (days: number) =>
  days < 0
    ? 0
    : assumed['Share of a tenant’s visits on the first day of its letters'] *
      assumed['Of a day’s visits, so many on the next'] ** days

/**
 * Visits of each tenant on the day that has most of them, when letters go out on so many days: those of a tenant on one, so that each day has
 * about as many. The largest tenant's come last, when the others' readers are still busy.
 */
export function strongestDay(sizes: readonly number[], days: number): { visits: number[]; share: number } {
  const letters: number[] = Array.from({ length: days }, () => 0)
  const dayOf = sizes.map((meters) => {
    const day = letters.lastIndexOf(Math.min(...letters))
    letters[day] = (letters[day] ?? 0) + meters
    return day
  })
  const onDay = (day: number) => sizes.map((meters, tenant) => season(meters) * answers(day - (dayOf[tenant] ?? 0)))
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
  const all = Array.from({ length: days }, (_, day) => onDay(day))
  const visits = all.reduce((most, other) => (sum(other) > sum(most) ? other : most))
  return { visits, share: sum(visits) / season(sum([...sizes])) }
}

/** Seconds before the strongest hour, and of it. */
export const FROM = -600
export const UNTIL = 3_600
/** Minutes around the strongest one that are stronger than the hour. */
const WIDTH = 8

const peak = behaviour['Strongest minute against that hour’s average']
const least = assumed['Least against that hour’s average']
/** In the middle of the strongest hour. */
export const STRONGEST_MINUTE = 30

/** How strong a second of the strongest hour is against the hour's average. */
export function strength(second: number): number {
  const minutes = (second - 60 * STRONGEST_MINUTE) / 60
  return least + (peak - least) * Math.exp((-minutes * minutes) / (2 * WIDTH * WIDTH))
}

/** Visits a second, on the average of the strongest hour, of so many in a day. */
export const ofHour = (visits: number) => (visits * behaviour['Share of that day in its strongest hour']) / UNTIL
