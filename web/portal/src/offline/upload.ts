import { api, unwrap } from '@shared/api/client.ts'
import { PATIENCE_MS, putPhoto } from '@shared/photos/put-photo.ts'
import { call } from '@/auth/call.ts'

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
