import { ApiError, api, unwrap } from '@/api/client.ts'
import type { Job, ResultSubmission } from '@/api/types.ts'
import { call } from '@/auth/call.ts'
import type { NewEntry } from './entry.ts'
import { uploadPhoto } from './upload.ts'

/** A connection that died in silence must not hold up the others for ever. */
const PATIENCE_MS = 60_000

/** Where the photos of an entry are, and what is known about them. */
export interface Photos {
  read: (id: string) => Promise<{ bytes: ArrayBuffer; uploadId?: string }>
  /** Notes under which id the photo store has a photo; undefined when it has it no longer. */
  note: (id: string, uploadId: string | undefined) => Promise<void>
}

/**
 * Brings the photos to the store, one by one, as far as they are not there, then the reading to the API; returns the job
 * as it is afterwards. Throws [`ApiError`].
 */
export async function sendEntry(entry: NewEntry, photos: Photos): Promise<Job> {
  try {
    return await attempt(entry, photos)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'upload-missing') throw error
    for (const { photoIds } of entry.reading.results) for (const id of photoIds) await photos.note(id, undefined)
    return attempt(entry, photos)
  }
}

async function attempt({ accountId, jobId, key, reading }: NewEntry, photos: Photos): Promise<Job> {
  const results: ResultSubmission['results'] = []
  for (const { photoIds, ...result } of reading.results) {
    const readingImages: { uploadId: string }[] = []
    for (const id of photoIds) readingImages.push({ uploadId: await uploaded(accountId, id, photos) })
    results.push({ ...result, ...(readingImages.length > 0 && { readingImages }) })
  }
  return call(accountId, (bearer) =>
    unwrap(
      api.POST('/api/pro/job/{id}/meterRateTask/result', {
        params: { path: { id: jobId }, header: { 'Idempotency-Key': key } },
        headers: bearer,
        body: { ...reading, results },
        signal: AbortSignal.timeout(PATIENCE_MS),
      }),
    ),
  )
}

async function uploaded(accountId: string, photoId: string, photos: Photos): Promise<string> {
  const { bytes, uploadId } = await photos.read(photoId)
  if (uploadId !== undefined) return uploadId
  const fresh = await uploadPhoto(accountId, bytes)
  await photos.note(photoId, fresh)
  return fresh
}
