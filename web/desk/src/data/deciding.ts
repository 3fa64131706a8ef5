import useSWR from 'swr'
import useSWRInfinite from 'swr/infinite'
import { get, post, remove } from './client.ts'
import type { Decided, Decision, MeterType, Next, WaitingList } from './types.ts'

/** What of all that waits is wanted. */
export interface WaitingFilter {
  readonly reason?: string
  readonly meterType?: MeterType
  readonly season?: string
}

/** What waits, page by page; the old rows stay until the new ones are there. */
export function useWaiting(tenant: string, filter: WaitingFilter) {
  const { data, error, size, setSize, isValidating, mutate } = useSWRInfinite(
    (page: number, before: WaitingList | null) =>
      page > 0 && !before?.nextCursor ? null : ['waiting', tenant, filter, before?.nextCursor ?? null],
    async ([, , filter, cursor]: [string, string, WaitingFilter, string | null]) =>
      get<WaitingList>(tenant, 'waiting', { query: { ...filter, ...(cursor && { cursor }) } }),
    { keepPreviousData: true, revalidateFirstPage: false },
  )
  return {
    items: data?.flatMap(({ items }) => items),
    count: data?.[0]?.count ?? 0,
    error: error as unknown,
    isLoading: isValidating,
    hasMore: Boolean(data?.at(-1)?.nextCursor),
    more: () => void setSize(size + 1),
    retry: () => void mutate(),
  }
}

/** The next reading for me, after the one that stands at this place. */
export const fetchNext = async (tenant: string, filter: WaitingFilter, after?: string): Promise<Next> =>
  post<Next>(tenant, 'waiting/next', { body: { ...filter, ...(after !== undefined && { after }) } })

const place = (job: string, reading: string) =>
  `jobs/${encodeURIComponent(job)}/readings/${encodeURIComponent(reading)}/decision`

/** Decides about a reading. */
export const decide = async (tenant: string, job: string, reading: string, decision: Decision): Promise<unknown> =>
  post(tenant, place(job, reading), { body: decision })

/** Takes a decision back. */
export const undo = async (tenant: string, job: string, reading: string): Promise<unknown> =>
  remove(tenant, place(job, reading))

/** What I decided today. */
export function useDecisions(tenant: string) {
  const { data, error, mutate } = useSWR(['decisions', tenant], async () =>
    get<{ day: string; decisions: Decided[] }>(tenant, 'decisions'),
  )
  return { decisions: data?.decisions, error: error as unknown, retry: () => void mutate(), reload: mutate }
}
