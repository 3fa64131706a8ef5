import useSWR from 'swr'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import { keepFile } from './download.ts'
import { paramsOf } from './open-filter.ts'
import { usePages } from './pages.ts'
import type { Channel, MailKind, OpenFilter, OpenList, SeasonRequest } from './types.ts'

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
  return { data, error: error as unknown, retry: () => void mutate(), reload: async () => mutate() }
}

/** Makes a season, for the jobs of files to name it. */
export const createSeason = async (tenant: string, season: SeasonRequest) =>
  unwrap(api.POST('/api/desk/tenants/{tenant}/seasons', { params: { path: { tenant } }, body: season, ...byPerson }))

/** Puts a season in the place of the one that was seen. */
export const changeSeason = async (tenant: string, seen: SeasonRequest, season: SeasonRequest) =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/seasons/{season}', {
      params: { path: { tenant, season: seen.id } },
      body: { season, seen },
      ...byPerson,
    }),
  )

/** Takes a season away to which no job belongs. */
export const deleteSeason = async (tenant: string, season: string) =>
  unwrap(
    api.DELETE('/api/desk/tenants/{tenant}/seasons/{season}', { params: { path: { tenant, season } }, ...byPerson }),
  )

// Without a format it is never a file.
const open = async (tenant: string, filter: OpenFilter, cursor: string | null) =>
  (await unwrap(
    api.GET('/api/desk/tenants/{tenant}/open', {
      params: { path: { tenant }, query: { ...paramsOf(filter), ...(cursor && { cursor }) } },
      ...byPerson,
    }),
  )) as OpenList

/** The open list, page by page; without a filter it is not asked for. */
export function useOpen(tenant: string, filter: OpenFilter | undefined) {
  const { pages, ...list } = usePages(filter ? ['open', tenant, filter] : null, async (cursor) =>
    open(tenant, filter ?? {}, cursor),
  )
  return {
    ...list,
    rows: pages?.flatMap(({ rows }) => rows),
    count: pages?.[0]?.count ?? undefined,
    isMore: pages?.[0]?.isMore ?? false,
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
      params: { path: { tenant }, query: { ...paramsOf(filter), format } },
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
  const { pages, ...list } = usePages(['mails', tenant, kind, day], async (cursor) =>
    unwrap(
      api.GET('/api/desk/tenants/{tenant}/mails', {
        params: { path: { tenant }, query: { kind, ...(day && { day }), ...(cursor && { cursor }) } },
        ...byPerson,
      }),
    ),
  )
  return { ...list, mails: pages?.flatMap(({ mails }) => mails) }
}

/** Which readings are wanted, as the API takes it. */
export interface ReadingsFilter {
  readonly season?: string
  readonly channel?: Channel
  readonly day?: string
}

/** What was read, the latest first, page by page. */
export function useReadings(tenant: string, filter: ReadingsFilter) {
  const { pages, ...list } = usePages(['readings', tenant, filter], async (cursor) =>
    unwrap(
      api.GET('/api/desk/tenants/{tenant}/readings', {
        params: { path: { tenant }, query: { ...filter, ...(cursor && { cursor }) } },
        ...byPerson,
      }),
    ),
  )
  return { ...list, readings: pages?.flatMap(({ readings }) => readings), count: pages?.[0]?.count ?? undefined }
}
