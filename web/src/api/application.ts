import useSWR from 'swr'
import { type ApiError, api, unwrap } from './client.ts'
import { keys } from './keys.ts'
import type { Application } from './types.ts'

/** The tenant's settings; fetched once a visit. */
export const useApplicationQuery = () =>
  useSWR<Application, ApiError>(keys.application, fetchApplication, {
    revalidateOnFocus: false,
    revalidateIfStale: false,
  })

const fetchApplication = () => unwrap(api.GET('/api/public/application'))

/** The tenant's settings, on every screen that appears after they have arrived. */
export function useApplication(): Application {
  const { data } = useApplicationQuery()
  if (!data) throw new Error('rendered before the application was loaded')
  return data
}
