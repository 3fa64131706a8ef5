import useSWR, { mutate } from 'swr'
import { type ApiError, api, unwrapAnswer } from '@shared/api/client.ts'
import type { Job } from '@shared/contract/types.ts'
import { call } from '@/auth/call.ts'
import { endOldSessions } from '@/auth/old-sessions.ts'
import { currentSessions, useSessions } from '@/auth/sessions.ts'
import { forgetJobs, keepJob, keepJobs, readJobs, type SeenJobs, withDoubtful } from '@/device/seen-jobs.ts'
import { early, call as earlyCall, JOBS_PAGE } from '@/early/early.ts'
import { isPublic, keys } from './keys.ts'

/** Each account's jobs as last fetched, with the tag by which an unchanged portfolio is recognised. */
const fetched = new Map<string, SeenJobs>()

const loggedInAccounts = () => currentSessions().map((session) => session.accountId)

/** Resolves when the jobs of the last visit are there. */
let kept: Promise<void> = Promise.resolve()

/** Shows the jobs of the last visit until those of today have come; resolves when the first of them can be shown. */
export async function startJobs(): Promise<void> {
  await endOldSessions()
  const accountIds = loggedInAccounts()
  forgetOthersJobs()
  return new Promise((resolve) => {
    const showFirst = (jobs: readonly Job[]) => {
      void mutate(keys.arrivingJobs(accountIds), [...jobs], { revalidate: false }).then(() => resolve())
    }
    // A list that is left and comes back has its place, which may be far down.
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const isNew = navigation?.type === 'navigate' && accountIds.length === 1
    kept = readKept(accountIds, isNew ? showFirst : undefined)
    void kept.then(resolve)
  })
}

async function readKept(accountIds: readonly string[], onFirst?: (jobs: readonly Job[]) => void): Promise<void> {
  const lists = await Promise.all(
    accountIds.map(async (accountId) => {
      const seen = await readJobs(accountId, onFirst)
      // Who has logged out meanwhile left nothing behind.
      if (seen && loggedInAccounts().includes(accountId)) fetched.set(accountId, seen)
      return seen
    }),
  )
  if (lists.length === 0 || lists.some((list) => list === undefined)) return
  const jobs = lists.flatMap((list) => list?.jobs ?? [])
  // Of a list without a tag the device may have a part only: it had no room for the rest.
  const key = lists.every((list) => list?.etag) ? keys.jobs : keys.arrivingJobs
  await mutate(key(accountIds), jobs, { revalidate: false })
}

/** For so long the jobs that were fetched are as good as new. */
const FRESH_MS = 30_000

/** The jobs of all logged-in accounts; while pages are still on their way, those that have arrived. */
export function useJobs(): {
  jobs: readonly Job[] | undefined
  /** Pages are still missing, or the jobs are fetched for the first time. */
  isArriving: boolean
  /** None is missing; of a list that is neither arriving nor complete a page could not be fetched. */
  isComplete: boolean
  error: ApiError | undefined
} {
  const accountIds = useSessions().map((session) => session.accountId)
  const complete = useSWR<Job[], ApiError>(
    accountIds.length > 0 ? keys.jobs(accountIds) : null,
    () => fetchJobs(accountIds),
    // Comparing ten thousand jobs field by field costs more than rendering the visible dozen. Each screen of a visit would ask anew whether they changed.
    { compare: Object.is, focusThrottleInterval: FRESH_MS, dedupingInterval: FRESH_MS },
  )
  const arriving = useSWR<Job[]>(keys.arrivingJobs(accountIds), null)
  return {
    jobs: complete.data ?? arriving.data,
    isArriving: complete.data === undefined && complete.error === undefined,
    isComplete: complete.data !== undefined,
    error: complete.error,
  }
}

/** One job of the logged-in accounts. */
export function useJob(jobId: string): { job: Job | undefined; isArriving: boolean; error: ApiError | undefined } {
  const { jobs, isArriving, error } = useJobs()
  const job = jobs?.find(({ id }) => id === jobId)
  return { job, isArriving: isArriving && !job, error }
}

/** Puts the server's answer to a submission in the place of the job that it answers. */
export async function replaceJob(job: Job): Promise<void> {
  const replaced = (jobs: Job[]) => jobs.map((old) => (old.id === job.id ? job : old))
  const held = fetched.get(job.login)
  if (held) fetched.set(job.login, { ...withDoubtful(held, job), jobs: replaced(held.jobs) })
  void keepJob(job)
  // Before the whole list is there, its part is what is seen.
  const arriving = mutate<Job[]>(keys.arrivingJobs(loggedInAccounts()), (jobs) => jobs && replaced(jobs), {
    revalidate: false,
  })
  // Both in the caller's turn: between two there would be a screen with neither the entry nor its result.
  const all = mutate<Job[]>(keys.jobs(loggedInAccounts()), (jobs) => jobs && replaced(jobs), {
    // SWR drops what it was fetching meanwhile; it must be fetched once more.
    revalidate: (jobs) => jobs === undefined || fetching > 0,
  })
  await Promise.all([arriving, all])
}

/** Notes that the server takes no more readings of a job; whether it is opened again, the list says. */
export async function noteClosed(accountId: string, jobId: string): Promise<void> {
  const job = fetched.get(accountId)?.jobs.find(({ id }) => id === jobId)
  if (job) await replaceJob({ ...job, closed: true })
}

/** Asks for all jobs anew; rejects when they cannot be had. */
export async function reloadJobs(): Promise<void> {
  await mutate(keys.jobs(loggedInAccounts()))
}

/** Forgets the jobs of all accounts but those that are logged in. */
export function forgetOthersJobs(): void {
  const accountIds = loggedInAccounts()
  for (const accountId of fetched.keys()) if (!accountIds.includes(accountId)) fetched.delete(accountId)
  void forgetJobs(accountIds)
}

/** Forgets everything that was fetched, for the next person at this device. */
export async function forgetData(): Promise<void> {
  fetched.clear()
  void forgetJobs()
  // Not without revalidating: these are not shown any more, but an answer on its way would be taken for that of the next login.
  await mutate((key) => !isPublic(key), undefined)
}

/** How many fetches of the jobs are on their way. */
let fetching = 0

async function fetchJobs(accountIds: readonly string[]): Promise<Job[]> {
  fetching += 1
  try {
    // By their tag the server knows what has not changed.
    await kept
    return await fetchLists(accountIds)
  } finally {
    fetching -= 1
  }
}

async function fetchLists(accountIds: readonly string[]): Promise<Job[]> {
  const inOrder = accountIds.toSorted((a, b) => Number(isSubAccount(a)) - Number(isSubAccount(b)))
  const lists = inOrder.map((accountId) => fetched.get(accountId)?.jobs ?? [])
  // A job that one account shared with the other is there once, as the job of the first.
  const all = () => {
    const ids = new Set<string>()
    return lists.flatMap((jobs, index) => {
      const own = index > 0 && isSubAccount(jobs[0]?.login) ? jobs.filter(({ id }) => !ids.has(id)) : jobs
      for (const { id } of own) ids.add(id)
      return own
    })
  }
  const show = () => mutate(keys.arrivingJobs(accountIds), all(), { revalidate: false })
  for (const [index, accountId] of inOrder.entries()) {
    // What is there of other accounts is seen even if this one's list cannot be had.
    if (lists.length > 1 && lists.some(({ length }) => length > 0)) await show()
    lists[index] = await fetchJobsOf(accountId, (arrived) => {
      lists[index] = arrived
      return show()
    })
  }
  const [only] = lists
  return lists.length === 1 && only ? only : all()
}

const isSubAccount = (accountId: string | undefined): boolean =>
  currentSessions().some((session) => session.accountId === accountId && session.info.parentId !== null)

/** One account's jobs, page by page, of a long list several at once; of a portfolio that was seen before only what changed since. */
async function fetchJobsOf(accountId: string, arrived: (jobs: Job[]) => Promise<unknown>): Promise<Job[]> {
  const held = fetched.get(accountId)
  const first = await fetchFirst(accountId, held)
  if (first.response.status === 304 && held) return held.jobs
  const lanes = first.data?.lanes ?? [first.data?.nextCursor]
  // In the order of the list, whichever lane is the quicker.
  const parts: Job[][] = [first.data?.jobs ?? [], ...lanes.map(() => [])]
  const failed = new AbortController()
  const follow = async (begin: string | null | undefined, lane: number) => {
    let cursor = begin
    while (cursor && !failed.signal.aborted) {
      if (!held) await arrived(parts.flat())
      const { data } = await fetchPage(accountId, { cursor })
      parts[lane + 1]?.push(...(data?.jobs ?? []))
      cursor = data?.nextCursor
    }
  }
  await Promise.all(lanes.map(follow)).catch((error: unknown) => {
    failed.abort()
    throw error
  })
  const jobs = parts.flat()
  // Of jobs that came by themselves meanwhile the next visit asks again.
  const now = fetched.get(accountId)
  const slots = first.data?.changedSlots
  if (slots && now && held && now.etag !== held.etag) return now.jobs
  const seen: SeenJobs = {
    etag: first.response.headers.get('etag'),
    doubtful: now && held ? now.doubtful.filter((slot) => !held.doubtful.includes(slot)) : [],
    jobs: slots && now ? inPlace(now.jobs, slots, jobs) : jobs,
  }
  // Who has logged out meanwhile leaves nothing behind.
  if (loggedInAccounts().includes(accountId)) {
    fetched.set(accountId, seen)
    void keepJobs(accountId, seen, slots && held ? { etag: held.etag, fresh: jobs } : undefined)
  }
  return seen.jobs
}

/** The jobs that were seen, with those of some slots as they are now. */
function inPlace(seen: readonly Job[], slots: readonly number[], jobs: readonly Job[]): Job[] {
  const changed = new Set(slots)
  const fresh = new Map(jobs.map((job) => [job.id, job]))
  const kept = seen.flatMap((old) => {
    if (!changed.has(old.slot)) return [old]
    const job = fresh.get(old.id)
    fresh.delete(old.id)
    return job ? [job] : []
  })
  return [...kept, ...fresh.values()]
}

/** The first page, or what of the whole list changed; nothing where nothing did. */
const fetchFirst = (accountId: string, held: SeenJobs | undefined) =>
  fetchPage(accountId, held?.etag ? { slots: held.doubtful.join(',') } : {}, held?.etag)

function fetchPage(accountId: string, query: { cursor?: string; slots?: string }, etag?: string | null) {
  return call(accountId, ({ headers, signal }) =>
    unwrapAnswer(
      api.GET('/api/pro/job', {
        params: { query: { limit: JOBS_PAGE, ...query } },
        headers: { ...headers, ...(etag && { 'If-None-Match': etag }) },
        signal,
        cache: 'no-store',
        ...(!query.cursor && { fetch: early(earlyCall.jobs(headers.Authorization)) }),
      }),
    ),
  )
}
