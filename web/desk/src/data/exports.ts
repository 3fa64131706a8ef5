import useSWR from 'swr'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import type { ExportRequest, Run } from './types.ts'

/** The last exports of readings, those that were asked for here, and what a new one can be. */
export function useExports(tenant: string) {
  const { data, error, mutate } = useSWR(['exports', tenant], async () =>
    unwrap(api.GET('/api/desk/tenants/{tenant}/exports', { params: { path: { tenant } }, ...byPerson })),
  )
  return { data, error: error as unknown, reload: async () => mutate() }
}

/** Has an export written; it goes on without the page. */
export const startExport = async (tenant: string, wanted: ExportRequest): Promise<Run> =>
  unwrap(api.POST('/api/desk/tenants/{tenant}/exports', { params: { path: { tenant } }, body: wanted, ...byPerson }))
