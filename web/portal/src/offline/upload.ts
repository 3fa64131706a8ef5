import { api, unwrap } from '@shared/api/client.ts'
import { PATIENCE_MS, putPhoto } from '@shared/photos/put-photo.ts'
import { type Caller, call } from '@/auth/call.ts'

/** Brings a photo to the store, unless its way is ended, and returns the id by which a reading names it. Throws [`ApiError`]. */
export async function uploadPhoto(accountId: string, bytes: ArrayBuffer, way = new AbortController()): Promise<string> {
  const body = { contentType: 'image/jpeg', contentLength: bytes.byteLength } as const
  const patiently = { patienceMs: PATIENCE_MS }
  const { uploadId, url, headers } = await call(
    accountId,
    (caller) => unwrap(api.POST('/api/pro/upload', { ...caller, body })),
    patiently,
  )
  // The store knows no account: what matters is that a logout ends this, too (D-OUTBOX-6).
  const put = ({ signal }: Caller) => {
    signal.addEventListener('abort', () => way.abort())
    return putPhoto(url, headers, bytes, way.signal)
  }
  await call(accountId, put, patiently)
  return uploadId
}
