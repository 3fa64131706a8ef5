import { ApiError } from '@shared/api/client.ts'
import type { FieldError, OwnReading, ResultSubmission } from '@shared/contract/types.ts'

/** One rate of a queued reading; its photos by the ids under which this device keeps them. */
export type QueuedResult = Omit<ResultSubmission['results'][number], 'readingImages'> & { photoIds: string[] }

/** A reading as it waits: what will be sent, with photos still on this device. */
export type QueuedReading = Omit<ResultSubmission, 'results' | 'meterNumber'> & { results: QueuedResult[] }

/** A reading of a meter without a job as it waits. */
export type QueuedOwnReading = Omit<OwnReading, 'readingImages'> & { photoIds: string[] }

/** Why the server did not take an entry; a person has to look at it. */
export interface Refusal {
  /** The problem's code, or `too-old`. */
  code: string
  status?: number
  fieldErrors: FieldError[]
}

/** The readings of a job. The kinds are those of L3. */
export interface SendTaskResults {
  kind: 'send-task-results'
  accountId: string
  jobId: string
  /** Of the meter that was read: the job may have another one when the reading is sent. */
  meterNumber: string
  reading: QueuedReading
}

/** The reading of a meter without a job. */
export interface SendOwnReading {
  kind: 'unknown-reading'
  accountId: string
  /** For those who look at what is waiting. */
  meterNumber: string
  reading: QueuedOwnReading
}

/** What is to be sent. */
export type Action = SendTaskResults | SendOwnReading

/** What has become of an entry so far. */
interface Progress {
  /** Its place in the order. */
  seq: number
  /** The idempotency key: every attempt has the same one. */
  key: string
  /** The text that goes under the key until it is answered: the server takes another one for another request, and the next page may build another (D-OUTBOX-3). */
  body?: string
  /** When the first attempt began, in milliseconds since 1970. */
  attempted?: number
  /** Attempts that the server answered with "later". */
  delays: number
  /** Not to be tried before, in milliseconds since 1970. */
  notBefore: number
  /** A limit of the server that it has met: the problem's code, and when it ends, in milliseconds since 1970. */
  later?: { code: string; until: number }
  /** The portal could be reached, and the store of its photos could not. */
  isPhotoStuck?: boolean
  /** The server was overloaded: what comes after it waits, too. */
  holdsUp?: true
  refusal?: Refusal
}

/** Something to send, and what has become of it so far. */
export type OutboxEntry = Action & Progress
/** The readings of a job that are to be sent. */
export type TaskEntry = SendTaskResults & Progress
/** A reading without a job that is to be sent. */
export type OwnReadingEntry = SendOwnReading & Progress

/** What enters the outbox. */
export type NewEntry = Action & Pick<Progress, 'key' | 'body'>

/** The photos of an entry. */
export const photoIdsOf = ({ kind, reading }: Action): string[] =>
  kind === 'unknown-reading' ? reading.photoIds : reading.results.flatMap(({ photoIds }) => photoIds)

/** Where the draft of a reading without a job is, in the place of a job's id; no job has an empty one. */
export const NO_JOB = ''

/** Where the draft of an entry is. */
export const draftPlace = (entry: Action): [accountId: string, jobId: string] => [
  entry.accountId,
  entry.kind === 'unknown-reading' ? NO_JOB : entry.jobId,
]

/** The refusal as the error that it was. */
export const refusalError = ({ code, status, fieldErrors }: Refusal): ApiError =>
  status === undefined ? new ApiError(code) : new ApiError(code, { status, problem: { fieldErrors } })
