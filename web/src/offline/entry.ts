import { ApiError } from '@/api/client.ts'
import type { FieldError, ResultSubmission } from '@/api/types.ts'

/** One rate of a queued reading; its photos by the ids under which this device keeps them. */
export type QueuedResult = Omit<ResultSubmission['results'][number], 'readingImages'> & { photoIds: string[] }

/** A reading as it waits: what will be sent, with photos still on this device. */
export type QueuedReading = Omit<ResultSubmission, 'results'> & { results: QueuedResult[] }

/** Why the server did not take an entry; a person has to look at it. */
export interface Refusal {
  /** The problem's code, or `too-old`. */
  code: string
  status?: number
  fieldErrors: FieldError[]
}

/** What is to be sent. The kinds are those of L3. */
export interface SendTaskResults {
  kind: 'send-task-results'
  accountId: string
  jobId: string
  /** For those who look at what is waiting. */
  meterNumber: string
  reading: QueuedReading
}

/** Something to send, and what has become of it so far. */
export type OutboxEntry = SendTaskResults & {
  /** Its place in the order. */
  seq: number
  /** The idempotency key: every attempt has the same one. */
  key: string
  /** When the first attempt began, in milliseconds since 1970. */
  attempted?: number
  /** Attempts that the server answered with "later". */
  delays: number
  /** Not to be tried before, in milliseconds since 1970. */
  notBefore: number
  /** The server was overloaded: what comes after it waits, too. */
  holdsUp?: true
  refusal?: Refusal
}

/** What enters the outbox. */
export type NewEntry = SendTaskResults & { key: string }

/** The photos of an entry. */
export const photoIdsOf = ({ reading }: SendTaskResults): string[] =>
  reading.results.flatMap(({ photoIds }) => photoIds)

/** The refusal as the error that it was. */
export const refusalError = ({ code, status, fieldErrors }: Refusal): ApiError =>
  status === undefined ? new ApiError(code) : new ApiError(code, { status, problem: { fieldErrors } })
