/**
 * The entries that were begun and not sent, by account and job. They are on the device, so that neither a look at another
 * screen nor a reload loses them, and in memory, so that a form begins with them at once.
 */
import type { Attempt } from '@shared/api/attempts.ts'
import type { Job } from '@shared/contract/types.ts'
import type { Entry } from '@/components/counter/entry.ts'
import { deleteDraft, onDraftsDeleted, readDrafts, writeDraft } from '@/device/drafts.ts'
import { NO_JOB, type QueuedReading, type SendTaskResults, type TaskEntry } from '@/device/entry.ts'
import type { Photo } from '@/device/photo.ts'
import { type Draft, EMPTY_DRAFT, type RateDraft } from './draft.ts'

/** An entry that has begun: what is in it, and the last attempt to send it. */
export interface Begun {
  readonly draft: Draft
  readonly attempt?: Attempt | undefined
}

/** The same with photos by their ids, as it is kept. */
interface KeptContent {
  rates: Record<string, Omit<RateDraft, 'photos'> & { photoIds: string[] }>
  comment: string
  date?: string | undefined
  attempt?: Attempt | undefined
}

const begun = new Map<string, Begun>()

const place = (accountId: string, jobId: string) => `${accountId}/${jobId}`

onDraftsDeleted((accountId, jobId) => {
  if (jobId !== undefined) begun.delete(place(accountId, jobId))
  else for (const key of begun.keys()) if (key.startsWith(place(accountId, ''))) begun.delete(key)
})

let started: Promise<void> | undefined

/** Finds what was begun before the page was loaded; a form needs it before it is shown. Never rejects. */
export function startEntries(): Promise<void> {
  started ??= findEntries().catch(() => undefined)
  return started
}

async function findEntries(): Promise<void> {
  for (const { accountId, jobId, content, photos } of await readDrafts()) {
    if (jobId === NO_JOB) continue
    begun.set(place(accountId, jobId), fromKept(content as KeptContent, photos))
  }
}

/** The entry that was begun for a job, or a new one. */
export const begunEntry = (job: Job): Begun => begun.get(place(job.login, job.id)) ?? { draft: EMPTY_DRAFT }

/** Keeps the entry of a job until it is sent, given up, or the person logs out. Rejects when only this page has it. */
export function keepEntry(job: Job, entry: Begun): Promise<void> {
  begun.set(place(job.login, job.id), entry)
  const photos = Object.values(entry.draft.rates).flatMap((rate) => rate.photos)
  return writeDraft({ accountId: job.login, jobId: job.id, content: toKept(entry), photos })
}

/** Forgets the entry of a job. */
export const dropEntry = (job: Job): Promise<void> => deleteDraft(job.login, job.id)

type Sent = SendTaskResults & { key: string }

/** What a queued reading becomes when it is to be changed; `takeBack` keeps it. */
export const keptDraftOf = (entry: Sent): unknown => toKept({ draft: draftOf(entry, []), attempt: attemptOf(entry) })

/** A queued reading as the entry that it was. */
export const begunOf = (entry: TaskEntry, photos: readonly Photo[]): Begun => ({
  draft: draftOf(entry, photos),
  attempt: attemptOf(entry),
})

/** Continues with what the outbox gave back; the device has it already. */
export const continueWith = (job: Job, entry: Begun): void => void begun.set(place(job.login, job.id), entry)

/** What makes two attempts the same: the reading with its photos. */
export const contentOf = (reading: QueuedReading): string => JSON.stringify(reading)

const attemptOf = ({ reading, key }: Sent): Attempt => ({ content: contentOf(reading), key })

function draftOf({ reading: { results, readingDate } }: Sent, photos: readonly Photo[]): Draft {
  const rates = results.map(({ taskId, readingValue, lowerReason, photoIds }): [string, RateDraft] => [
    taskId,
    {
      entry: entryOf(readingValue),
      photos: photoIds.map((id) => photos.find((photo) => photo.id === id) ?? { id, blob: new Blob() }),
      ...(lowerReason && { lowerReason }),
    },
  ])
  return { rates: Object.fromEntries(rates), comment: results[0]?.comment ?? '', date: readingDate }
}

function entryOf(value: string): Entry {
  const [pre = '', post = ''] = value.split('.')
  return { pre, post, part: post ? 'post' : 'pre' }
}

function toKept({ draft: { rates, comment, date }, attempt }: Begun): KeptContent {
  const kept = Object.entries(rates).map(([taskId, { photos, ...rate }]) => [
    taskId,
    { ...rate, photoIds: photos.map(({ id }) => id) },
  ])
  return { rates: Object.fromEntries(kept), comment, date, attempt }
}

function fromKept({ rates, comment, date, attempt }: KeptContent, photos: readonly Photo[]): Begun {
  const entries = Object.entries(rates).map(([taskId, { photoIds, ...rate }]): [string, RateDraft] => [
    taskId,
    { ...rate, photos: photos.filter(({ id }) => photoIds.includes(id)) },
  ])
  return { draft: { rates: Object.fromEntries(entries), comment, date }, attempt }
}
