/** Which open jobs are wanted: on the list of them, and of letters, invitations and reminders to the customers on it. */
import { METER_TYPES, type OpenFilter } from './types.ts'

/** The filter as an address has it. */
export const OPEN_FILTERS = {
  season: undefined,
  meterType: METER_TYPES,
  district: undefined,
  inDistrict: undefined,
  dueUntil: undefined,
  overdue: ['true'],
  email: ['true', 'false'],
} as const

export type OpenValues = { readonly [Name in keyof typeof OPEN_FILTERS]?: string }

/** What an address says that means all seasons where it would mean one by itself; no season has such an id. */
export const ALL_SEASONS = '*'

/** What an address says, as the API takes it. */
export function filterOf({
  season,
  meterType,
  district,
  inDistrict,
  dueUntil,
  overdue,
  email,
}: OpenValues): OpenFilter {
  const known = METER_TYPES.find((type) => type === meterType)
  return {
    ...(season && season !== ALL_SEASONS && { season }),
    ...(known && { meterTypes: [known] }),
    ...(district && { district }),
    ...(inDistrict && { inDistrict }),
    ...(dueUntil && { dueUntil }),
    ...(overdue && { overdue: true }),
    ...(email && { email: email === 'true' }),
  }
}

/** A filter as the parameters of an address, of a page or of the API. */
export function paramsOf({ season, meterTypes, district, inDistrict, dueUntil, overdue, email }: OpenFilter) {
  return {
    ...(season && { season }),
    ...(meterTypes?.[0] && { meterType: meterTypes[0] }),
    ...(district && { district }),
    ...(inDistrict && { inDistrict }),
    ...(dueUntil && { dueUntil }),
    ...(overdue && { overdue }),
    ...(typeof email === 'boolean' && { email }),
  }
}

/** Whether two filters want the same; none is none of the open jobs in particular. */
export function isSameFilter(one: OpenFilter | null | undefined, other: OpenFilter | null | undefined): boolean {
  if (!one || !other) return !one && !other
  const query = (filter: OpenFilter) => JSON.stringify(paramsOf(filter))
  return query(one) === query(other)
}
