import type { Job } from '@shared/contract/types.ts'

/** Street and house number, then place: as on an envelope, in one line. */
export function addressLine({ meter: { meterAddress: a } }: Job): string {
  const street = [a.street, a.houseNumber].filter(Boolean).join(' ')
  const place = [a.zip, a.city].filter(Boolean).join(' ')
  return [street, place].filter(Boolean).join(', ')
}

/** Who lives or works there, and where in the house the meter hangs. */
export function placeLine({ meter: { meterAddress: a } }: Job): string {
  const person = [a.firstname, a.lastname].filter(Boolean).join(' ')
  return [a.company, person, a.locationDescription].filter(Boolean).join(' · ')
}
