/**
 * Answers as last seen, so that the installed portal opens without a network. They belong to people: logging out deletes
 * all but what everybody may see.
 */
import { unwrap } from 'idb'
import { ApiError, isPage } from '@shared/api/client.ts'
import type { Job } from '@shared/contract/types.ts'
import { database } from './db.ts'
import { pause } from './pause.ts'

/** A network that takes longer gets the answer that is there already. */
const PATIENCE_MS = 3_000
/** So many jobs are written before the screen gets its turn: copying them takes a cheap phone a few milliseconds. */
const CHUNK = 50

const tagKey = (accountId: string) => `tag/${accountId}`
const ofAccount = (accountId: string) => IDBKeyRange.bound([accountId], [accountId, []])

/** Fetches what everybody may see; without a network, or from a server that is out of order, it is what was seen last. */
export async function lastSeen<T>(key: string, fetch: () => Promise<T>): Promise<T> {
  const seen = (await read(key)) as T | undefined
  const fresh = fetch().then((answer) => {
    void write(key, answer)
    return answer
  })
  if (seen === undefined) return fresh
  const fallback = (error: unknown) => {
    if (error instanceof ApiError && isPassing(error)) return seen
    throw error
  }
  return Promise.race([fresh.catch(fallback), pause(PATIENCE_MS).then(() => seen)])
}

const isPassing = ({ status }: ApiError) => status === undefined || status === 429 || status >= 500

const LOGO = 'logo'

interface KeptLogo {
  address: string
  type: string
  bytes: ArrayBuffer
}

/** Keeps the tenant's logo, which a page has just shown, unless it is kept already. */
export async function keepLogo(address: string): Promise<void> {
  const kept = (await read(LOGO)) as KeptLogo | undefined
  if (kept?.address === address) return
  const answer = await fetch(address, { cache: 'force-cache' }).catch(() => undefined)
  if (!answer?.ok || isPage(answer.headers)) return
  const logo: KeptLogo = {
    address,
    type: answer.headers.get('content-type') ?? '',
    bytes: await answer.arrayBuffer(),
  }
  await write(LOGO, logo)
}

/** The logo as it was shown last; undefined when it never was. */
export async function readLogo(): Promise<Blob | undefined> {
  const kept = (await read(LOGO)) as KeptLogo | undefined
  return kept && new Blob([kept.bytes], { type: kept.type })
}

/** Jobs of an account with the tag by which the server knows them. */
export interface SeenJobs {
  etag: string | null
  jobs: Job[]
}

/** An account's jobs as last seen; undefined when they never were. */
export async function readJobs(accountId: string): Promise<SeenJobs | undefined> {
  try {
    const db = await database()
    const jobs = await db.getAll('jobs', ofAccount(accountId))
    const etag = await db.get('answers', tagKey(accountId))
    if (jobs.length === 0 && etag === undefined) return undefined
    return { etag: typeof etag === 'string' ? etag : null, jobs }
  } catch {
    return undefined
  }
}

let last: Promise<unknown> = Promise.resolve()

/** What is seen is kept as far as there is room; it can be fetched again. */
function inBackground(task: () => Promise<unknown>): Promise<void> {
  const turn = last.then(task).then(
    () => undefined,
    () => undefined,
  )
  last = turn
  return turn
}

/** Keeps an account's jobs; the tag comes last, so that jobs that were cut off are fetched anew. */
export const keepJobs = (accountId: string, { etag, jobs }: SeenJobs): Promise<void> =>
  inBackground(async () => {
    const db = await database()
    await db.delete('answers', tagKey(accountId))
    for (let from = 0; from < jobs.length; from += CHUNK) {
      const change = db.transaction('jobs', 'readwrite', { durability: 'relaxed' })
      // The transaction tells of every failure; a promise for each job would cost as much again as the job.
      const store = unwrap(change.store)
      for (const job of jobs.slice(from, from + CHUNK)) store.put(job)
      await change.done
    }
    const ids = new Set(jobs.map(({ id }) => id))
    const gone = (await db.getAllKeys('jobs', ofAccount(accountId))).filter(([, id]) => !ids.has(id))
    const change = db.transaction('jobs', 'readwrite')
    await Promise.all([...gone.map((key) => change.store.delete(key)), change.done])
    await db.put('answers', etag, tagKey(accountId))
  })

/** Keeps one job that has changed; the tag of its portfolio is no longer true. */
export const keepJob = (job: Job): Promise<void> =>
  inBackground(async () => {
    const db = await database()
    await db.put('jobs', job)
    await db.put('answers', null, tagKey(job.login))
  })

/** Forgets the jobs of all accounts but these. */
export const forgetJobs = (accountIds: readonly string[] = []): Promise<void> =>
  inBackground(async () => {
    const db = await database()
    const change = db.transaction(['jobs', 'answers'], 'readwrite')
    const [jobs, answers] = [change.objectStore('jobs'), change.objectStore('answers')]
    const work = async () => {
      for (const key of await jobs.getAllKeys()) if (!accountIds.includes(key[0])) await jobs.delete(key)
      const tags = new Set(accountIds.map(tagKey))
      for (const key of await answers.getAllKeys())
        if (key.startsWith('tag/') && !tags.has(key)) await answers.delete(key)
    }
    await Promise.all([work(), change.done])
  })

async function read(key: string): Promise<unknown> {
  try {
    return await (await database()).get('answers', key)
  } catch {
    return undefined
  }
}

const write = (key: string, answer: unknown): Promise<void> =>
  inBackground(async () => (await database()).put('answers', answer, key))
