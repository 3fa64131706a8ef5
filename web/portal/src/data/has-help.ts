/** Whether there is a help (`content.ts`), which every page asks for. */
import useSWR from 'swr'
import { ApiError, api, unwrap } from '@shared/api/client.ts'
import { lastSeen } from '@/device/last-seen.ts'
import { useApplication } from './application.ts'
import { keys } from './keys.ts'

/** Everything that is asked for once per visit: the tenant seldom changes it. */
export const CALM = { revalidateOnFocus: false, dedupingInterval: 60_000 }

/** What the tenant does not have is an answer, too. */
export async function orElse<T>(call: Promise<T>, none: T): Promise<T> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return none
    throw error
  }
}

/** Whether the tenant has a help. */
export function useHasHelp(): boolean {
  const { applicationId, features } = useApplication()
  const { data } = useSWR<string[], ApiError>(
    features.helpEnabled ? keys.helpLanguages(applicationId) : null,
    (key: string) =>
      lastSeen(key, () =>
        orElse(
          unwrap(api.GET('/api/public/help/{applicationId}', { params: { path: { applicationId } } })).then(
            ({ languages }) => languages,
          ),
          [],
        ),
      ),
    CALM,
  )
  return features.helpEnabled && data !== undefined && data.length > 0
}
