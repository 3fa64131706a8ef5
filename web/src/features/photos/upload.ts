import { ApiError, api, UNREACHABLE, unwrap } from '@/api/client.ts'
import { call } from '@/auth/call.ts'

/** The uploads that went through, so that a second attempt to send does not carry the photos again. */
const uploads = new WeakMap<Blob, string>()

/** Brings a photo to the store, unless it is there already, and returns the id by which a reading names it. Throws [`ApiError`]. */
export async function uploadPhoto(accountId: string, photo: Blob): Promise<string> {
  const known = uploads.get(photo)
  if (known) return known
  const body = { contentType: 'image/jpeg', contentLength: photo.size } as const
  const { uploadId, url, headers } = await call(accountId, (bearer) =>
    unwrap(api.POST('/api/pro/upload', { headers: bearer, body })),
  )
  await put(url, headers, photo)
  uploads.set(photo, uploadId)
  return uploadId
}

/** The store no longer has the photo (`upload-missing`): the next attempt brings it again. */
export function forgetUpload(photo: Blob): void {
  uploads.delete(photo)
}

async function put(url: string, headers: Record<string, string>, photo: Blob): Promise<void> {
  let response: Response
  try {
    response = await fetch(url, { method: 'PUT', headers, body: photo })
  } catch {
    throw new ApiError(UNREACHABLE)
  }
  if (!response.ok) throw new ApiError('temporarily-unavailable', { status: response.status })
}
