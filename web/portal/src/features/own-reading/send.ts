import { type Attempt, nextAttempt } from '@shared/api/attempts.ts'
import type { ApiError } from '@shared/api/client.ts'
import type { Fault, FaultCode } from '@shared/rules/visitor-reading.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import type { Photo } from '@/device/photo.ts'
import { type Delivery, deliver } from '@/offline/replay.ts'
import { contentOf, keptBegunOf } from './draft.ts'

/** A reading that is ready to go. */
export interface Outgoing {
  readonly accountId: string
  readonly meterNumber: string
  readonly readingValue: string
  readonly readingDate: IsoDate
  readonly comment: string | undefined
  readonly photos: readonly Photo[]
}

/** The faults that the form has words for. */
export const FAULTS = [
  'REQUIRED',
  'TOO_SHORT',
  'TOO_LONG',
  'CHARACTERS',
  'PRE_DECIMALS',
  'DECIMALS_TOO_MANY',
  'IMAGE_REQUIRED',
  'IMAGE_TOO_MANY',
  'DATE_TOO_EARLY',
  'DATE_TOO_LATE',
] as const satisfies readonly FaultCode[]

/** A fault with words. */
export type KnownFault = Fault & { readonly code: (typeof FAULTS)[number] }

export const isKnown = (fault: { readonly code: string }): fault is KnownFault =>
  FAULTS.some((code) => code === fault.code)

/** Hands a reading over to the outbox, and tells what became of it and by which attempt. */
export async function sendUnknown(
  { accountId, comment, photos, ...values }: Outgoing,
  last: Attempt | undefined,
): Promise<{ delivery: Delivery; attempt: Attempt }> {
  const reading = { ...values, ...(comment !== undefined && { comment }), photoIds: photos.map(({ id }) => id) }
  const attempt = nextAttempt(last, contentOf(accountId, reading))
  const { meterNumber } = values
  const entry = { kind: 'unknown-reading', accountId, meterNumber, reading, key: attempt.key } as const
  return { delivery: await deliver(entry, photos, keptBegunOf), attempt }
}

/** The server's remarks, each at the field that it is about. */
export const serverFaults = (error: ApiError): KnownFault[] =>
  error.fieldErrors
    .map(({ field, code, limit }) => ({
      code: code as FaultCode,
      field: field.replace(/[[.].*$/, ''),
      ...(typeof limit === 'string' && { limit }),
    }))
    .filter(isKnown)
