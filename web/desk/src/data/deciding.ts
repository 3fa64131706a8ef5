import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import { usePages } from './pages.ts'
import type { Decision, Doubt, MeterType, OutcomeOfOne, SeveralKind, WaitingItem } from './types.ts'

/** What of all that waits is wanted. */
export interface WaitingFilter {
  readonly reason?: Doubt
  readonly meterType?: MeterType
  readonly season?: string
}

const waiting = async (tenant: string, filter: WaitingFilter, cursor: string | null) =>
  unwrap(
    api.GET('/api/desk/tenants/{tenant}/waiting', {
      params: { path: { tenant }, query: { ...filter, ...(cursor && { cursor }) } },
      ...byPerson,
    }),
  )

/** What waits, page by page; the old rows stay until the new ones are there. */
export function useWaiting(tenant: string, filter: WaitingFilter) {
  const { pages, ...list } = usePages(['waiting', tenant, filter], async (cursor) => waiting(tenant, filter, cursor))
  return { ...list, items: pages?.flatMap(({ items }) => items), count: pages?.[0]?.count ?? 0 }
}

/** A reading that waits; of one without a job both are its id. */
export interface WaitingId {
  readonly job: string
  readonly reading: string
}

/** This reading for me, if it waits. */
export const fetchThis = async (tenant: string, { job, reading }: WaitingId) =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/waiting/next', {
      params: { path: { tenant } },
      body: { this: { job, reading } },
      ...byPerson,
    }),
  )

/** The next reading for me, after the one that stands at this place. */
export const fetchNext = async (tenant: string, filter: WaitingFilter, after?: string) =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/waiting/next', {
      params: { path: { tenant } },
      body: { ...filter, ...(after !== undefined && { after }) },
      ...byPerson,
    }),
  )

const DECISION = '/api/desk/tenants/{tenant}/jobs/{job}/readings/{reading}/decision'

/** Decides about a reading. */
export const decide = async (tenant: string, job: string, reading: string, decision: Decision) =>
  unwrap(api.POST(DECISION, { params: { path: { tenant, job, reading } }, body: decision, ...byPerson }))

/** Decides about several readings, each as it is listed; what became of each, in their order. */
export async function decideSeveral(
  tenant: string,
  kind: SeveralKind,
  words: string,
  chosen: readonly WaitingItem[],
): Promise<OutcomeOfOne[]> {
  const items = chosen.map(({ job, reading, withoutJob }) => ({
    job,
    reading: reading?.id ?? job,
    version: (reading ?? withoutJob)?.version ?? '',
  }))
  const body = {
    kind,
    items,
    ...(kind === 'reject' && { reason: words }),
    ...(kind === 'aside' && { note: words }),
  }
  const answer = await unwrap(
    api.POST('/api/desk/tenants/{tenant}/waiting/decisions', { params: { path: { tenant } }, body, ...byPerson }),
  )
  return answer.items
}

/** Takes the decision of that moment back; a later one stays. */
export const undo = async (tenant: string, job: string, reading: string, made: string) =>
  unwrap(api.DELETE(DECISION, { params: { path: { tenant, job, reading }, query: { made } }, ...byPerson }))

const decisions = async (tenant: string, day: string | undefined, cursor: string | null) =>
  unwrap(
    api.GET('/api/desk/tenants/{tenant}/decisions', {
      params: { path: { tenant }, query: { ...(day && { day }), ...(cursor && { cursor }) } },
      ...byPerson,
    }),
  )

/** What I decided on a day, page by page; without one, today. */
export function useDecisions(tenant: string, day?: string) {
  const { pages, ...list } = usePages(
    ['decisions', tenant, day],
    async (cursor) => decisions(tenant, day, cursor),
    // The rows of one day are none of the other's.
    { keepPreviousData: false },
  )
  return { ...list, decisions: pages?.flatMap((page) => page.decisions) }
}
