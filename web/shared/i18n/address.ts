/** A meter's address in one line each, as lists of meters show it; what is not known is left out. */
import type { Job } from '@shared/contract/types.ts'

type Part = string | null | undefined

/** The parts that are there. */
export const joined = (separator: string, ...parts: readonly Part[]): string => parts.filter(Boolean).join(separator)

/** Street and house number, then place: as on an envelope. */
export function addressLine({ meter: { meterAddress: a } }: Job): string {
  return joined(', ', joined(' ', a.street, a.houseNumber), joined(' ', a.zip, a.city))
}

/** The street without its houses. */
export function streetLine({ meter: { meterAddress: a } }: Job): string {
  return joined(', ', a.street, joined(' ', a.zip, a.city))
}

/** Who lives or works there, and where in the house the meter hangs: without the town that meters of one owner share. */
export function shortAddressLine({ meter: { meterAddress: a } }: Job): string {
  const person = joined(' ', a.company, a.firstname, a.lastname)
  return joined(' · ', joined(' ', a.street, a.houseNumber), person, a.locationDescription)
}

/** The same, and the town: what may be cut off comes last. */
export function longAddressLine(job: Job): string {
  const { zip, city } = job.meter.meterAddress
  return joined(' · ', shortAddressLine(job), joined(' ', zip, city))
}
