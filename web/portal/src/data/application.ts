import useSWR from 'swr'
import { type ApiError, api, unwrap } from '@shared/api/client.ts'
import type { Application } from '@shared/contract/types.ts'
import { lastSeen } from '@/device/last-seen.ts'
import { call, early } from '@/early/early.ts'
import { keys } from './keys.ts'

/** Fetches the tenant's settings; without a network, those of the last visit. Throws [`ApiError`]. */
export const fetchApplication = (): Promise<Application> =>
  lastSeen(keys.application, () => unwrap(api.GET('/api/public/application', { fetch: early(call.application) })))

/** The tenant's settings, which the start has put into the cache before the first screen. */
export function useApplication(): Application {
  const { data } = useSWR<Application, ApiError>(keys.application, null)
  if (!data) throw new Error('rendered before the settings were there')
  return data
}
