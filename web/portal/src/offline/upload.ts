import { ApiError, api, isPage, UNREACHABLE, unwrap } from '@shared/api/client.ts'
import { call } from '@/auth/call.ts'

/** A photo on a slow network takes long; a connection that died in silence must not hold up the others for ever. */
export const PATIENCE_MS = 120_000

/** Brings a photo to the store and returns the id by which a reading names it. Throws [`ApiError`]. */
export async function uploadPhoto(accountId: string, bytes: ArrayBuffer): Promise<string> {
  const body = { contentType: 'image/jpeg', contentLength: bytes.byteLength } as const
  const { uploadId, url, headers } = await call(
    accountId,
    (caller) => unwrap(api.POST('/api/pro/upload', { ...caller, body })),
    { patienceMs: PATIENCE_MS },
  )
  await putPhoto(url, headers, bytes)
  return uploadId
}

/** Puts a photo where its permission says. Throws [`ApiError`]. */
export async function putPhoto(url: string, headers: Record<string, string>, bytes: ArrayBuffer): Promise<void> {
  let response: Response
  try {
    response = await fetch(url, { method: 'PUT', headers, body: bytes, signal: AbortSignal.timeout(PATIENCE_MS) })
  } catch {
    throw new ApiError(UNREACHABLE)
  }
  // A permission is good for one photo: what is there already is this one, whose answer was lost (D-PHOTOS-2).
  if (response.status === 412) return
  // The permission may have run out on the way; a new attempt asks for a new one.
  // The store answers with nothing; what comes with a page comes from somebody in between (D-OUTBOX-8).
  if (!response.ok || isPage(response.headers)) throw new ApiError('temporarily-unavailable', { status: 503 })
}
