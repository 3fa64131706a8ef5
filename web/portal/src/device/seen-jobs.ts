/** The jobs as last seen (`last-seen.ts`). */
import { unwrap } from 'idb'
import type { Job } from '@shared/contract/types.ts'
import { database } from './db.ts'
import { inBackground } from './last-seen.ts'

/** So many jobs are written before the screen gets its turn: copying them takes a cheap phone a few milliseconds. */
const CHUNK = 50

const tagKey = (accountId: string) => `tag/${accountId}`
const ofAccount = (accountId: string) => IDBKeyRange.bound([accountId], [accountId, []])

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
