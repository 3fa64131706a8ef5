import useSWRInfinite from 'swr/infinite'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import { keepFile } from './download.ts'
import type { Action, Audit } from './types.ts'

/** What of the trail is wanted, as the API takes it; without days it is today's. */
export interface AuditFilter {
  readonly from?: string
  readonly to?: string
  readonly customer?: string
  readonly member?: string
  readonly action?: Action
}

// Without a format it is never a file.
const fetchPage = async (tenant: string, filter: AuditFilter, cursor: string | null) =>
  (await unwrap(
    api.GET('/api/desk/tenants/{tenant}/audit', {
      params: { path: { tenant }, query: { ...filter, ...(cursor && { cursor }) } },
      ...byPerson,
    }),
  )) as Audit

/** Who looked at and changed what, page by page; each look is in the trail, so that it is not looked at again by itself. */
export function useAudit(tenant: string, filter: AuditFilter) {
  const { data, error, size, setSize, isValidating, mutate } = useSWRInfinite(
    (page: number, before: Audit | null) =>
      page > 0 && !before?.nextCursor ? null : ['audit', tenant, filter, before?.nextCursor ?? null],
    async ([, tenant, filter, cursor]: [string, string, AuditFilter, string | null]) =>
      fetchPage(tenant, filter, cursor),
    {
      keepPreviousData: true,
      revalidateFirstPage: false,
      revalidateIfStale: false,
      revalidateOnFocus: false,
      revalidateOnReconnect: false,
    },
  )
  return {
    entries: data?.flatMap(({ entries }) => entries),
    error: error as unknown,
    isLoading: isValidating,
    hasMore: Boolean(data?.at(-1)?.nextCursor),
    more: () => void setSize(size + 1),
    retry: () => void mutate(),
  }
}

/** All of what is wanted as a file. */
export async function downloadAudit(tenant: string, filter: AuditFilter, name: string): Promise<void> {
  const file = await unwrap(
    api.GET('/api/desk/tenants/{tenant}/audit', {
      params: { path: { tenant }, query: { ...filter, format: 'csv' } },
      parseAs: 'blob',
      ...byPerson,
    }),
  )
  keepFile(file, `${name}.csv`)
}
