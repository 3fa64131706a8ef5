import { api, unwrap } from '@shared/api/client.ts'
import { PATIENCE_MS, putPhoto } from '@shared/photos/put-photo.ts'
import { type Caller, call } from '@/auth/call.ts'

/** Brings a photo to the store, unless its way is ended, and returns the id by which a reading names it. Throws [`ApiError`]. */
export async function uploadPhoto(accountId: string, bytes: ArrayBuffer, way = new AbortController()): Promise<string> {
  const body = { contentType: 'image/jpeg', contentLength: bytes.byteLength } as const
  // The store knows no account: a logout ends what goes there, too (D-OUTBOX-6).
  const onItsWay = <T>(make: (caller: Caller) => Promise<T>): Promise<T> =>
    call(
      accountId,
      ({ headers, signal }) => {
        signal.addEventListener('abort', () => way.abort())
        return make({ headers, signal: way.signal })
      },
      { patienceMs: PATIENCE_MS },
    )
  const permission = await onItsWay((caller) => unwrap(api.POST('/api/pro/upload', { ...caller, body })))
  await onItsWay(({ signal }) => putPhoto(permission.url, permission.headers, bytes, signal))
  return permission.uploadId
}
