import { api, unwrap } from '@shared/api/client.ts'
import { PATIENCE_MS, putPhoto } from '@shared/photos/put-photo.ts'
import { call } from '@/auth/call.ts'

/** Brings a photo to the store and returns the id by which a reading names it. Throws [`ApiError`]. */
export async function uploadPhoto(accountId: string, bytes: ArrayBuffer): Promise<string> {
  const body = { contentType: 'image/jpeg', contentLength: bytes.byteLength } as const
  const patiently = { patienceMs: PATIENCE_MS }
  const { uploadId, url, headers } = await call(
    accountId,
    (caller) => unwrap(api.POST('/api/pro/upload', { ...caller, body })),
    patiently,
  )
  // The store knows no account: what matters is that a logout ends this, too (D-OUTBOX-6).
  await call(accountId, ({ signal }) => putPhoto(url, headers, bytes, signal), patiently)
  return uploadId
}
