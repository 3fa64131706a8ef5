import { joined } from '@shared/i18n/address.ts'
import type { Place } from '@/data/types.ts'

/** A place in one line; empty where nothing is known. */
export const placeLine = (place: Place | null | undefined): string =>
  place
    ? joined(
        ', ',
        joined(' ', place.street, place.houseNumber),
        joined(' ', place.postcode, place.city ?? place.district),
      )
    : ''
