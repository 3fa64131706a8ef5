import useSWR from 'swr'
import useSWRInfinite from 'swr/infinite'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import { keepFile } from './download.ts'
import type { MailKind, Mails, MeterType, OpenList } from './types.ts'

/** A season at a glance; the one that began last when none is named. */
export function useSeason(tenant: string, season: string | undefined) {
  const { data, error, mutate } = useSWR(
    ['season', tenant, season],
    async () =>
      unwrap(
        api.GET('/api/desk/tenants/{tenant}/season', {
          params: { path: { tenant }, query: { ...(season && { season }) } },
          ...byPerson,
        }),
      ),
    { keepPreviousData: true },
  )
  return { data, error: error as unknown, retry: () => void mutate() }
}

/** What of all open jobs is wanted, as the API takes it. */
export interface OpenFilter {
  readonly season?: string
  readonly meterType?: MeterType
  readonly district?: string
  readonly dueUntil?: string
  readonly overdue?: boolean
  readonly email?: boolean
}

// Without a format it is never a file.
const open = async (tenant: string, filter: OpenFilter, cursor: string | null) =>
  (await unwrap(
    api.GET('/api/desk/tenants/{tenant}/open', {
      params: { path: { tenant }, query: { ...filter, ...(cursor && { cursor }) } },
      ...byPerson,
    }),
  )) as OpenList

/** Who has not answered, page by page; the old rows stay until the new ones are there. */
export function useOpen(tenant: string, filter: OpenFilter) {
  const { data, error, size, setSize, isValidating, mutate } = useSWRInfinite(
    (page: number, before: OpenList | null) =>
      page > 0 && !before?.nextCursor ? null : ['open', tenant, filter, before?.nextCursor ?? null],
    async ([, tenant, filter, cursor]: [string, string, OpenFilter, string | null]) => open(tenant, filter, cursor),
    { keepPreviousData: true, revalidateFirstPage: false },
  )
  return {
    rows: data?.flatMap(({ rows }) => rows),
    count: data?.[0]?.count ?? undefined,
    isMore: data?.[0]?.isMore ?? false,
    error: error as unknown,
    isLoading: isValidating,
    hasMore: Boolean(data?.at(-1)?.nextCursor),
    more: () => void setSize(size + 1),
    retry: () => void mutate(),
  }
}

/** The whole list as a file, which the browser then keeps under this name. */
export async function downloadOpen(
  tenant: string,
  filter: OpenFilter,
  format: 'csv' | 'xlsx',
  name: string,
): Promise<void> {
  const file = await unwrap(
    api.GET('/api/desk/tenants/{tenant}/open', {
      params: { path: { tenant }, query: { ...filter, format } },
      parseAs: 'blob',
      ...byPerson,
    }),
  )
  keepFile(file, `${name}.${format}`)
}

/** What mails are about. */
export const MAIL_KINDS = [
  'invitation',
  'reminder',
  'receipt',
  'unknown-receipt',
  'rejection',
  'access',
  'confirmation',
  'address-changed',
] as const satisfies readonly MailKind[]

/** The mails of a kind, of all days that are kept or of one, page by page. */
export function useMails(tenant: string, kind: MailKind, day: string | undefined) {
  const { data, error, size, setSize, isValidating, mutate } = useSWRInfinite(
    (page: number, before: Mails | null) =>
      page > 0 && !before?.nextCursor ? null : ['mails', tenant, kind, day ?? null, before?.nextCursor ?? null],
    async ([, tenant, kind, day, cursor]: [string, string, MailKind, string | null, string | null]) =>
      unwrap(
        api.GET('/api/desk/tenants/{tenant}/mails', {
          params: { path: { tenant }, query: { kind, ...(day && { day }), ...(cursor && { cursor }) } },
          ...byPerson,
        }),
      ),
    { keepPreviousData: true, revalidateFirstPage: false },
  )
  return {
    mails: data?.flatMap(({ mails }) => mails),
    error: error as unknown,
    isLoading: isValidating,
    hasMore: Boolean(data?.at(-1)?.nextCursor),
    more: () => void setSize(size + 1),
    retry: () => void mutate(),
  }
}
