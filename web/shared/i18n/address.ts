/** A meter's address in one line each, as lists of meters show it; what is not known is left out. */
import type { Job } from '@shared/contract/types.ts'

type Part = string | null | undefined

/** The parts that are there. */
export const joined = (separator: string, ...parts: readonly Part[]): string => parts.filter(Boolean).join(separator)

/** Street and house number, then place: as on an envelope. */
export function addressLine({ meter: { meterAddress: a } }: Job): string {
  return joined(', ', joined(' ', a.street, a.houseNumber), joined(' ', a.zip, a.city))
}

/** Who lives or works there, and where in the house the meter hangs. */
export function placeLine({ meter: { meterAddress: a } }: Job): string {
  return joined(' · ', a.company, joined(' ', a.firstname, a.lastname), a.locationDescription)
}

/** Both, without the town that meters of one owner share. */
export function shortAddressLine({ meter: { meterAddress: a } }: Job): string {
  const person = joined(' ', a.company, a.firstname, a.lastname)
  return joined(' · ', joined(' ', a.street, a.houseNumber), person, a.locationDescription)
}
