/** The jobs as last seen (`last-seen.ts`). */
import { unwrap } from 'idb'
import type { Job } from '@shared/contract/types.ts'
import { database } from './db.ts'
import { inBackground } from './last-seen.ts'
import { oneTabAtATime } from './tabs.ts'

/** So many jobs are written before the screen gets its turn: copying them takes a cheap phone a few milliseconds. */
const CHUNK = 50

/** So many are read before the screen gets its turn. */
const READ_AT_ONCE = 250

const tagKey = (accountId: string) => `tag/${accountId}`
const ofAccount = (accountId: string) => IDBKeyRange.bound([accountId], [accountId, []])
const after = ({ login, id }: Job) => IDBKeyRange.bound([login, id], [login, []], true)

/** By what the server knows which jobs of an account this device has. */
export interface SeenTag {
  /** None: they are of several moments, or not all of them. */
  etag: string | null
  /** Slots of jobs that came by themselves, in any order of the answers; the list says how they are. */
  doubtful: number[]
}

/** Jobs of an account with their tag. */
export interface SeenJobs extends SeenTag {
  jobs: Job[]
}

const NO_TAG: SeenTag = { etag: null, doubtful: [] }

/** The tag of jobs of which this one came by itself. */
export const withDoubtful = (tag: SeenTag, { slot }: Job): SeenTag => ({
  etag: tag.etag,
  doubtful: tag.doubtful.includes(slot) ? tag.doubtful : [...tag.doubtful, slot],
})

const isTag = (value: unknown): value is SeenTag => typeof value === 'object' && value !== null && 'doubtful' in value

/**
 * An account's jobs as last seen; undefined when they never were. The first ones are told of as soon as they are there: to read ten thousand takes
 * a cheap phone a second, in which it does other things, too.
 */
export async function readJobs(
  accountId: string,
  onFirst: (jobs: readonly Job[]) => void = () => undefined,
): Promise<SeenJobs | undefined> {
  try {
    const db = await database()
    // Before the jobs: what changes meanwhile is asked for again.
    const tag = await db.get('answers', tagKey(accountId))
    const jobs: Job[] = []
    for (let range: IDBKeyRange | undefined = ofAccount(accountId); range; ) {
      const some: Job[] = await db.getAll('jobs', range, READ_AT_ONCE)
      jobs.push(...some)
      const last = some.at(-1)
      range = last && some.length === READ_AT_ONCE ? after(last) : undefined
      if (range && jobs.length === READ_AT_ONCE) onFirst([...jobs])
    }
    if (jobs.length === 0 && tag === undefined) return undefined
    return { ...(isTag(tag) ? tag : NO_TAG), jobs }
  } catch {
    return undefined
  }
}

/** One tab at a time: what two write in turn would be a list of neither, under the tag of one. */
const alone = (work: () => Promise<unknown>): Promise<void> =>
  inBackground(() => oneTabAtATime('zaehlwerk-seen-jobs', work))

/** What differs from a list of before. */
interface Since {
  /** The tag of the list of before. */
  etag: string | null
  fresh: readonly Job[]
}

/**
 * Keeps an account's jobs; of those that differ from a list of before only these, if that list is what is kept. The tag comes last, so that jobs that were
 * cut off are fetched anew.
 */
export const keepJobs = (accountId: string, { jobs, ...tag }: SeenJobs, since?: Since): Promise<void> =>
  alone(async () => {
    const db = await database()
    const kept = await db.get('answers', tagKey(accountId))
    const isOnTop = since !== undefined && since.etag !== null && isTag(kept) && kept.etag === since.etag
    const fresh = isOnTop ? since.fresh : jobs
    await db.delete('answers', tagKey(accountId))
    for (let from = 0; from < fresh.length; from += CHUNK) {
      const change = db.transaction('jobs', 'readwrite', { durability: 'relaxed' })
      // The transaction tells of every failure; a promise for each job would cost as much again as the job.
      const store = unwrap(change.store)
      for (const job of fresh.slice(from, from + CHUNK)) store.put(job)
      await change.done
    }
    const ids = new Set(jobs.map(({ id }) => id))
    const gone = (await db.getAllKeys('jobs', ofAccount(accountId))).filter(([, id]) => !ids.has(id))
    const change = db.transaction('jobs', 'readwrite')
    await Promise.all([...gone.map((key) => change.store.delete(key)), change.done])
    await db.put('answers', tag, tagKey(accountId))
  })

/** Keeps one job that came by itself. */
export const keepJob = (job: Job): Promise<void> =>
  inBackground(async () => {
    const db = await database()
    const change = db.transaction(['jobs', 'answers'], 'readwrite')
    const answers = change.objectStore('answers')
    const work = async () => {
      await change.objectStore('jobs').put(job)
      const tag = await answers.get(tagKey(job.login))
      await answers.put(withDoubtful(isTag(tag) ? tag : NO_TAG, job), tagKey(job.login))
    }
    await Promise.all([work(), change.done])
  })

/** Forgets the jobs of all accounts but these. */
export const forgetJobs = (accountIds: readonly string[] = []): Promise<void> =>
  alone(async () => {
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
