import useSWR, { mutate } from 'swr'
import { ApiError, api, unwrap } from '@shared/api/client.ts'
import type { DeviceSession } from '@shared/contract/types.ts'
import { call } from '@/auth/call.ts'
import { leave } from '@/auth/sessions.ts'
import { keys } from './keys.ts'

/** Where an account is logged in, the device used last first. */
export function useDeviceSessions(accountId: string): {
  devices: readonly DeviceSession[] | undefined
  error: ApiError | undefined
} {
  const { data, error } = useSWR<DeviceSession[], ApiError>(keys.deviceSessions(accountId), () =>
    call(accountId, async (caller) => (await unwrap(api.GET('/api/pro/session', caller))).sessions),
  )
  return { devices: data, error }
}

/** Logs an account out on one device. Throws [`ApiError`]. */
export async function endDeviceSession(accountId: string, sessionId: string): Promise<void> {
  try {
    await call(accountId, (caller) =>
      unwrap(api.DELETE('/api/pro/session/{sessionId}', { params: { path: { sessionId } }, ...caller })),
    )
  } catch (error) {
    // It has ended, as the one before may have done whose answer was lost.
    if (!(error instanceof ApiError) || error.code !== 'not-found') throw error
  } finally {
    await mutate(keys.deviceSessions(accountId)).catch(() => undefined)
  }
}

/** Logs an account out on every device, and here once that is done. */
export async function endAllDeviceSessions(accountId: string): Promise<void> {
  await call(accountId, (caller) => unwrap(api.DELETE('/api/pro/session', caller)))
  await leave(accountId)
}
