import { type Attempt, nextAttempt } from '@shared/api/attempts.ts'
import { ApiError, api, unwrap } from '@shared/api/client.ts'
import type { VisitorReading } from '@shared/contract/types.ts'
import { PATIENCE_MS, putPhoto } from '@shared/photos/put-photo.ts'
import type { Photo } from '@/device/photo.ts'
import type { Outgoing } from './draft.ts'

/** Sends a visitor's reading; what has already arrived is not sent again by the next try. */
export class Sender {
  #attempt: Attempt | undefined
  readonly #uploads = new Map<string, string>()

  /** Sends the photos, then the reading, and returns it as it was sent, with its key. Throws [`ApiError`]. */
  async send(token: string, { readingValues, ...reading }: Outgoing): Promise<{ result: VisitorReading; key: string }> {
    const headers = { Authorization: `Bearer ${token}` }
    const values = []
    for (const { photos, ...value } of readingValues) {
      const readingImages = []
      for (const photo of photos) readingImages.push({ uploadId: await this.#upload(token, headers, photo) })
      values.push({ ...value, readingImages })
    }
    const photoIds = readingValues.map(({ photos }) => photos.map(({ id }) => id))
    const plain = values.map(({ obis, value }) => [obis, value])
    this.#attempt = nextAttempt(this.#attempt, JSON.stringify([reading, plain, photoIds]))
    const { key } = this.#attempt
    const result = { ...reading, readingValues: values }
    try {
      await unwrap(
        api.POST('/api/unknown-readings/results', {
          headers,
          params: { header: { 'Idempotency-Key': key } },
          body: result,
          signal: AbortSignal.timeout(PATIENCE_MS),
        }),
      )
      // Who sends the same once more, such as after a clerk's refusal, means another reading.
      this.#attempt = undefined
      return { result, key }
    } catch (error) {
      // Photos are kept for a while only; the next try brings them again.
      if (error instanceof ApiError && error.code === 'upload-missing') this.#uploads.clear()
      throw error
    }
  }

  /** Brings a photo to the store, once for each session: another session may not name it. */
  async #upload(token: string, headers: { Authorization: string }, photo: Photo): Promise<string> {
    const name = `${token}/${photo.id}`
    const known = this.#uploads.get(name)
    if (known !== undefined) return known
    const bytes = await photo.blob.arrayBuffer()
    const body = { contentType: 'image/jpeg', contentLength: bytes.byteLength } as const
    const ticket = await unwrap(
      api.POST('/api/unknown-readings/upload', { headers, body, signal: AbortSignal.timeout(PATIENCE_MS) }),
    )
    await putPhoto(ticket.url, ticket.headers, bytes)
    this.#uploads.set(name, ticket.uploadId)
    return ticket.uploadId
  }
}

/** Asks for the receipt of a reading that was sent under this key, be it by the session before (D-VISITORS-4). Throws [`ApiError`]. */
export async function requestReceipt(token: string, result: VisitorReading, key: string): Promise<void> {
  await unwrap(
    api.POST('/api/pro/unknown-readings/receipts', {
      headers: { Authorization: `Bearer ${token}` },
      params: { header: { 'Idempotency-Key': key } },
      body: result,
      signal: AbortSignal.timeout(PATIENCE_MS),
    }),
  )
}
