/** What a reader has entered and not yet sent, and the submission that it makes. */
import type { Job } from '@/api/types.ts'
import type { Photo } from '@/features/photos/photo-field.tsx'
import { type LowerReason, type Submission, trimmedComment } from '@/rules/reading.ts'
import type { IsoDate } from '@/rules/window.ts'
import { attemptKeys, type KeyOf } from './attempts.ts'
import { EMPTY, type Entry, valueOf } from './entry.ts'

/** What was entered for one rate. */
export interface RateDraft {
  readonly entry: Entry
  readonly lowerReason?: LowerReason | undefined
  readonly photos: readonly Photo[]
}

/** What was entered for the job. */
export interface Draft {
  /** By task id; a rate that was not touched is absent. */
  readonly rates: Readonly<Record<string, RateDraft>>
  readonly comment: string
  /** The day that the reader chose; today while they have not. */
  readonly date?: IsoDate | undefined
}

/** One rate that is to be sent. */
export interface OutgoingResult {
  readonly taskId: string
  readonly readingValue: string
  readonly comment?: string
  readonly lowerReason?: LowerReason
  readonly photos: readonly Photo[]
}

/** Nothing entered yet. */
export const EMPTY_DRAFT: Draft = { rates: {}, comment: '' }

const EMPTY_RATE: RateDraft = { entry: EMPTY, photos: [] }

/** What was entered for one rate so far. */
export const rateDraft = (draft: Draft, taskId: string): RateDraft => draft.rates[taskId] ?? EMPTY_RATE

/** The draft with one rate changed. */
export function withRate(draft: Draft, taskId: string, change: Partial<RateDraft>): Draft {
  return { ...draft, rates: { ...draft.rates, [taskId]: { ...rateDraft(draft, taskId), ...change } } }
}

/** The rates with a value, in the order of the meter; the job's one comment goes with each of them. */
export function outgoingResults(job: Job, draft: Draft): OutgoingResult[] {
  const comment = trimmedComment(draft.comment)
  return job.meter.meterRateTasks.flatMap(({ taskId }) => {
    const { entry, lowerReason, photos } = rateDraft(draft, taskId)
    const readingValue = valueOf(entry)
    if (readingValue === undefined) return []
    return [{ taskId, readingValue, photos, ...(comment && { comment }), ...(lowerReason && { lowerReason }) }]
  })
}

/** The draft as the rules look at it. */
export function submissionOf(job: Job, draft: Draft, today: IsoDate): Submission {
  return {
    readingDate: draft.date ?? today,
    results: outgoingResults(job, draft).map(({ photos, ...result }) => ({ ...result, imageCount: photos.length })),
  }
}

/** An entry that has begun: what is in it, and the keys of its attempts. */
export interface Begun {
  readonly draft: Draft
  readonly keyOf: KeyOf
}

/** The entries that were begun and not sent, by account and job, so that looking at another screen loses nothing. */
const begun = new Map<string, Begun>()

const place = (job: Job) => `${job.login}/${job.id}`

/** The entry that was begun for a job, or a new one. */
export const begunEntry = (job: Job): Begun => begun.get(place(job)) ?? { draft: EMPTY_DRAFT, keyOf: attemptKeys() }

/** Keeps the entry of a job until it is sent, given up, or the person logs out. */
export const keepEntry = (job: Job, entry: Begun): void => void begun.set(place(job), entry)

/** Forgets the entry of a job. */
export const dropEntry = (job: Job): void => void begun.delete(place(job))

/** Forgets all entries, for the next person at this device. */
export const dropEntries = (): void => begun.clear()
