import { ApiError, isPage, PHOTO_STUCK } from '@shared/api/client.ts'

/** A photo on a slow network takes long; a connection that died in silence must not hold up the others for ever. */
export const PATIENCE_MS = 120_000

/** Puts a photo where its permission says, unless the signal ends that. Throws [`ApiError`]. */
export async function putPhoto(
  url: string,
  headers: Record<string, string>,
  bytes: ArrayBuffer,
  signal: AbortSignal = AbortSignal.timeout(PATIENCE_MS),
): Promise<void> {
  let response: Response
  try {
    response = await fetch(url, { method: 'PUT', headers, body: bytes, signal })
  } catch {
    throw new ApiError(PHOTO_STUCK)
  }
  // A permission is good for one photo: what is there already is this one, whose answer was lost (D-PHOTOS-2).
  if (response.status === 412) return
  // The permission may have run out on the way; a new attempt asks for a new one.
  // The store answers with nothing; what comes with a page comes from a machine in between (D-OUTBOX-8).
  if (!response.ok || isPage(response.headers)) throw new ApiError(PHOTO_STUCK)
}
