/** What a reader has entered and not yet sent, the submission that it makes, and the draft that a queued one was. */
import type { Job } from '@shared/contract/types.ts'
import { type LowerReason, type Submission, trimmedComment } from '@shared/rules/reading.ts'
import { type IsoDate, readingDates } from '@shared/rules/window.ts'
import { EMPTY, type Entry, entryOf, valueOf } from '@/components/counter/entry.ts'
import type { Refusal, SendTaskResults } from '@/device/entry.ts'
import type { Photo } from '@/device/photo.ts'
import type { DraftKind } from '@/forms/draft.ts'
import type { FormEntry } from '@/forms/use-entry.ts'
import { METER_EXCHANGED } from '@/offline/sender.ts'

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
  /** The day that the reader chose, or that the queued reading had. */
  readonly date?: IsoDate | undefined
  /** The day on which a value was typed last. */
  readonly typed?: IsoDate | undefined
  /** The number that the job's meter had then (D-OUTBOX-13). */
  readonly meterNumber?: string | undefined
}

/** One rate that is to be sent. */
export interface OutgoingResult {
  readonly taskId: string
  readonly readingValue: string
  readonly comment?: string
  readonly lowerReason?: LowerReason
  readonly photos: readonly Photo[]
}

/** The readings of a job that are being entered. */
export type ReadingEntry = FormEntry<Draft, SendTaskResults>

const EMPTY_RATE: RateDraft = { entry: EMPTY, photos: [] }

/** What was entered for one rate so far. */
export const rateDraft = (draft: Draft, taskId: string): RateDraft => draft.rates[taskId] ?? EMPTY_RATE

/** The draft with one rate changed; the same one where it did not change. */
export function withRate(draft: Draft, taskId: string, change: (before: RateDraft) => RateDraft): Draft {
  const before = rateDraft(draft, taskId)
  const after = change(before)
  return after === before ? draft : { ...draft, rates: { ...draft.rates, [taskId]: after } }
}

/** A draft after a change: a value that is another one was typed today, and is of the meter that is shown. */
export function typedOn(today: IsoDate, meterNumber: string, before: Draft, after: Draft): Draft {
  const value = (draft: Draft, taskId: string) => valueOf(rateDraft(draft, taskId).entry)
  const isSame = Object.keys(after.rates).every((taskId) => value(before, taskId) === value(after, taskId))
  return isSame ? after : { ...after, typed: today, meterNumber }
}

/** The day of the reading: the chosen one where it can be seen, else the one on which it was typed, as long as a reading may have it (D-READING-8). */
export function dayOf({ jobConstraints, config }: Job, { date, typed }: Draft, today: IsoDate): IsoDate {
  // What can be seen and changed is left to its reader.
  if (date !== undefined && !config.features.hideReadingDateInput) return date
  const day = typed ?? date ?? today
  const { first, last } = readingDates(jobConstraints, config.features, config.meterReading, today)
  return day >= first && day <= last ? day : today
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

/** The draft as the rules look at it. */
export function submissionOf(job: Job, draft: Draft, today: IsoDate): Submission {
  return {
    readingDate: dayOf(job, draft, today),
    results: outgoingResults(job, draft).map(({ photos, ...result }) => ({ ...result, imageCount: photos.length })),
  }
}

/** How the drafts of jobs' readings are kept. */
export const READING: DraftKind<Draft, SendTaskResults & { refusal?: Refusal }> = {
  empty: { rates: {}, comment: '' },
  isEmpty: ({ rates, date, comment }) =>
    date === undefined &&
    comment === '' &&
    Object.values(rates).every(({ entry, photos }) => valueOf(entry) === undefined && photos.length === 0),
  photosOf: ({ rates }) => Object.values(rates).flatMap(({ photos }) => photos),
  withPhotos: (draft, change) => {
    const rates = Object.entries(draft.rates).map(([taskId, rate]) => [
      taskId,
      { ...rate, photos: change(rate.photos) },
    ])
    return { ...draft, rates: Object.fromEntries(rates) }
  },
  draftOf: ({ meterNumber, reading: { results, readingDate }, refusal }, photos) => {
    const rates = results.map(({ taskId, readingValue, lowerReason, photoIds }) => [
      taskId,
      {
        entry: entryOf(readingValue),
        photos: photos.filter(({ id }) => photoIds.includes(id)),
        ...(lowerReason && { lowerReason }),
      },
    ])
    return {
      rates: Object.fromEntries(rates),
      comment: results[0]?.comment ?? '',
      // Who changes it then was told to look at the meter.
      ...(refusal?.code !== METER_EXCHANGED && { date: readingDate, meterNumber }),
    }
  },
}
