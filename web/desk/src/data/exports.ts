import useSWR from 'swr'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'

/** The last exports of readings. */
export function useExports(tenant: string) {
  const { data, error, mutate } = useSWR(['exports', tenant], async () =>
    unwrap(api.GET('/api/desk/tenants/{tenant}/exports', { params: { path: { tenant } }, ...byPerson })),
  )
  return { exports: data?.exports, error: error as unknown, reload: () => void mutate() }
}
