import { ApiError, api, unwrap } from '@/api/client.ts'
import { call } from '@/auth/call.ts'
import type { Photo } from '@/offline/photo.ts'
import { uploadPhoto } from '@/offline/upload.ts'
import type { Fault, FaultCode } from '@/rules/unknown-reading.ts'
import type { IsoDate } from '@/rules/window.ts'

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

/** Sends one form's readings: the same content goes under the same key, and no photo travels twice. */
export class Sender {
  #content: string | undefined
  #key = ''
  #uploads = new Map<string, string>()

  /** Throws [`ApiError`]. */
  async send({ photos, ...reading }: Outgoing): Promise<void> {
    const { accountId, comment, ...values } = reading
    const content = JSON.stringify([reading, photos.map(({ id }) => id)])
    if (content !== this.#content) this.#key = crypto.randomUUID()
    this.#content = content
    const readingImages: { uploadId: string }[] = []
    for (const photo of photos) readingImages.push({ uploadId: await this.#upload(accountId, photo) })
    const body = { ...values, ...(comment !== undefined && { comment }), readingImages }
    try {
      await call(accountId, (bearer) =>
        unwrap(
          api.POST('/api/pro/unknown-reading', {
            params: { header: { 'Idempotency-Key': this.#key } },
            headers: bearer,
            body,
          }),
        ),
      )
    } catch (error) {
      // What was sent ahead is kept for a while only.
      if (error instanceof ApiError && error.code === 'upload-missing') this.#uploads.clear()
      throw error
    }
  }

  async #upload(accountId: string, photo: Photo): Promise<string> {
    const name = `${accountId}/${photo.id}`
    const uploadId = this.#uploads.get(name) ?? (await uploadPhoto(accountId, await photo.blob.arrayBuffer()))
    this.#uploads.set(name, uploadId)
    return uploadId
  }
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
