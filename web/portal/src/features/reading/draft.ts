/** What a reader has entered and not yet sent, and the submission that it makes. */
import type { Job } from '@shared/contract/types.ts'
import { type LowerReason, type Submission, trimmedComment } from '@shared/rules/reading.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { EMPTY, type Entry, valueOf } from '@/components/counter/entry.ts'
import type { Photo } from '@/device/photo.ts'

/** What was entered for one rate. */
export interface RateDraft {
  readonly entry: Entry
  readonly lowerReason?: LowerReason | undefined
  readonly photos: readonly Photo[]
  /** The value that was read from a photo; the reader has not changed it while it is that of the entry. */
  readonly proposed?: string | undefined
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

/** The rates with a value, in the order of the meter; the job's one comment goes with each of them (D-READING-9). */
export function outgoingResults(job: Job, draft: Draft): OutgoingResult[] {
  const comment = trimmedComment(draft.comment)
  return job.meter.meterRateTasks.flatMap(({ taskId }) => {
    const { entry, lowerReason, photos } = rateDraft(draft, taskId)
    const readingValue = valueOf(entry)
    if (readingValue === undefined) return []
    return [{ taskId, readingValue, photos, ...(comment && { comment }), ...(lowerReason && { lowerReason }) }]
  })
}

/** The photos of what is sent. */
export const photosOf = (results: readonly OutgoingResult[]): Photo[] => results.flatMap(({ photos }) => photos)

/** The draft as the rules look at it. */
export function submissionOf(job: Job, draft: Draft, today: IsoDate): Submission {
  return {
    readingDate: draft.date ?? today,
    results: outgoingResults(job, draft).map(({ photos, ...result }) => ({ ...result, imageCount: photos.length })),
  }
}
