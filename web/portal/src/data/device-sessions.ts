import useSWR, { mutate } from 'swr'
import { type ApiError, api, unwrap } from '@shared/api/client.ts'
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
    call(accountId, async (headers) => (await unwrap(api.GET('/api/pro/session', { headers }))).sessions),
  )
  return { devices: data, error }
}

/** Logs an account out on one device. */
export async function endDeviceSession(accountId: string, sessionId: string): Promise<void> {
  await call(accountId, (headers) =>
    unwrap(api.DELETE('/api/pro/session/{sessionId}', { params: { path: { sessionId } }, headers })),
  )
  await mutate(keys.deviceSessions(accountId))
}

/** Logs an account out on every device, and here once that is done. */
export async function endAllDeviceSessions(accountId: string): Promise<void> {
  await call(accountId, (headers) => unwrap(api.DELETE('/api/pro/session', { headers })))
  await leave(accountId)
}
