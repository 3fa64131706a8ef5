import useSWR, { mutate } from 'swr'
import { type ApiError, api, unwrapAnswer } from '@shared/api/client.ts'
import type { Job } from '@shared/contract/types.ts'
import { call } from '@/auth/call.ts'
import { currentSessions, useSessions } from '@/auth/sessions.ts'
import { forgetJobs, keepJob, keepJobs, readJobs, type SeenJobs } from '@/device/seen-jobs.ts'
import { early, call as earlyCall, JOBS_PAGE } from '@/early/early.ts'
import { isPublic, keys } from './keys.ts'

/** Each account's jobs as last fetched, with the tag by which an unchanged portfolio is recognised. */
const fetched = new Map<string, SeenJobs>()

const loggedInAccounts = () => currentSessions().map((session) => session.accountId)

/** Shows the jobs of the last visit until those of today have come. */
export async function startJobs(): Promise<void> {
  const accountIds = loggedInAccounts()
  forgetOthersJobs()
  const lists = await Promise.all(
    accountIds.map(async (accountId) => {
      const seen = await readJobs(accountId)
      if (seen) fetched.set(accountId, seen)
      return seen?.jobs
    }),
  )
  const jobs = lists.flatMap((list) => list ?? [])
  if (lists.every((list) => list !== undefined) && lists.length > 0)
    await mutate(keys.jobs(accountIds), jobs, { revalidate: false })
}

/** For so long the jobs that were fetched are as good as new. */
const FRESH_MS = 30_000

/** The jobs of all logged-in accounts; while pages are still on their way, those that have arrived. */
export function useJobs(): {
  jobs: readonly Job[] | undefined
  /** Pages are still missing, or the jobs are fetched for the first time. */
  isArriving: boolean
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
  const held = fetched.get(job.login)
  if (held) fetched.set(job.login, { etag: null, jobs: held.jobs.map((old) => (old.id === job.id ? job : old)) })
  void keepJob(job)
  await mutate<Job[]>(keys.jobs(loggedInAccounts()), (jobs) => jobs?.map((old) => (old.id === job.id ? job : old)), {
    // SWR drops what it was fetching meanwhile; it must be fetched once more.
    revalidate: (jobs) => jobs === undefined || fetching > 0,
  })
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
  // Not without revalidating: nobody shows these any more, but an answer on its way would be taken for that of the next login.
  await mutate((key) => !isPublic(key), undefined)
}

/** How many fetches of the jobs are on their way. */
let fetching = 0

async function fetchJobs(accountIds: readonly string[]): Promise<Job[]> {
  fetching += 1
  try {
    return await fetchLists(accountIds)
  } finally {
    fetching -= 1
  }
}

async function fetchLists(accountIds: readonly string[]): Promise<Job[]> {
  const lists: Job[][] = []
  // A job that one account shared with the other is there once, as the job of the first.
  const all = () => {
    const ids = new Set<string>()
    return lists.flatMap((jobs, index) => {
      const own = index > 0 && isSubAccount(jobs[0]?.login) ? jobs.filter(({ id }) => !ids.has(id)) : jobs
      for (const { id } of own) ids.add(id)
      return own
    })
  }
  for (const accountId of accountIds.toSorted((a, b) => Number(isSubAccount(a)) - Number(isSubAccount(b)))) {
    const index = lists.length
    const jobs = await fetchJobsOf(accountId, (arrived) => {
      lists[index] = arrived
      return mutate(keys.arrivingJobs(accountIds), all(), { revalidate: false })
    })
    lists[index] = jobs
  }
  const [only] = lists
  return lists.length === 1 && only ? only : all()
}

const isSubAccount = (accountId: string | undefined): boolean =>
  currentSessions().some((session) => session.accountId === accountId && session.info.parentId !== null)

/** One account's jobs, page by page; a portfolio that did not change costs one small answer. */
async function fetchJobsOf(accountId: string, arrived: (jobs: Job[]) => Promise<unknown>): Promise<Job[]> {
  const held = fetched.get(accountId)
  const jobs: Job[] = []
  let etag: string | null = null
  let cursor: string | null | undefined
  do {
    const { data, response } = await fetchPage(accountId, cursor, held?.etag)
    if (response.status === 304 && held) return held.jobs
    if (!cursor) etag = response.headers.get('etag')
    jobs.push(...(data?.jobs ?? []))
    cursor = data?.nextCursor
    if (cursor && !held) await arrived([...jobs])
  } while (cursor)
  // Who has logged out meanwhile leaves nothing behind.
  if (loggedInAccounts().includes(accountId)) {
    fetched.set(accountId, { etag, jobs })
    void keepJobs(accountId, { etag, jobs })
  }
  return jobs
}

function fetchPage(accountId: string, cursor: string | null | undefined, etag: string | null | undefined) {
  const query = cursor ? { limit: JOBS_PAGE, cursor } : { limit: JOBS_PAGE }
  const condition = etag && !cursor ? { 'If-None-Match': etag } : {}
  return call(accountId, ({ headers, signal }) =>
    unwrapAnswer(
      api.GET('/api/pro/job', {
        params: { query },
        headers: { ...headers, ...condition },
        signal,
        cache: 'no-store',
        ...(!cursor && { fetch: early(earlyCall.jobs(headers.Authorization)) }),
      }),
    ),
  )
}
