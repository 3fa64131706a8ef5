import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import { keepFile } from './download.ts'
import { usePages } from './pages.ts'
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
  const { pages, ...list } = usePages(['audit', tenant, filter], async (cursor) => fetchPage(tenant, filter, cursor), {
    revalidateIfStale: false,
    revalidateOnFocus: false,
    revalidateOnReconnect: false,
  })
  return { ...list, entries: pages?.flatMap(({ entries }) => entries) }
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
