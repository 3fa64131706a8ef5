import { type Attempt, nextAttempt } from '@shared/api/attempts.ts'
import { ApiError, api, unwrap } from '@shared/api/client.ts'
import { PATIENCE_MS, putPhoto } from '@shared/photos/put-photo.ts'
import { byPerson, byPersonWithin } from '@/session/session.ts'
import type { Entered, Entry } from './types.ts'

let last: Attempt | undefined
/** What photos are called that have arrived: the next try does not send them again. */
const uploads = new WeakMap<Blob, string>()

/** Sends a photo of a job's reading ahead, once. */
async function upload(tenant: string, job: string, photo: Blob): Promise<{ uploadId: string }> {
  const known = uploads.get(photo)
  if (known !== undefined) return { uploadId: known }
  const bytes = await photo.arrayBuffer()
  const { uploadId, url, headers } = await unwrap(
    api.POST('/api/desk/tenants/{tenant}/jobs/{job}/upload', {
      params: { path: { tenant, job } },
      body: { contentType: 'image/jpeg', contentLength: bytes.byteLength },
      ...byPersonWithin(PATIENCE_MS),
    }),
  )
  await putPhoto(url, headers, bytes)
  uploads.set(photo, uploadId)
  return { uploadId }
}

/** Sends the photos of a job's reading ahead, for the reading to name them. */
export async function sendPhotos(
  tenant: string,
  job: string,
  photos: readonly Blob[],
): Promise<{ uploadId: string }[]> {
  const images = []
  for (const photo of photos) images.push(await upload(tenant, job, photo))
  return images
}

/** Sends a reading with photos that were sent ahead; the same content again, after a lost answer, is the same reading. */
export async function sendReading(tenant: string, entry: Entry, photos: readonly Blob[]): Promise<Entered> {
  last = nextAttempt(last, JSON.stringify([tenant, entry]))
  try {
    const entered = await unwrap(
      api.POST('/api/desk/tenants/{tenant}/readings', {
        params: { path: { tenant }, header: { 'Idempotency-Key': last.key } },
        body: entry,
        ...byPerson,
      }),
    )
    last = undefined
    return entered
  } catch (error) {
    // Photos are kept for a while only; the next try brings them again.
    if (error instanceof ApiError && error.code === 'upload-missing') for (const photo of photos) uploads.delete(photo)
    throw error
  }
}
