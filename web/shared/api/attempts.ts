import { ApiError, UNREACHABLE } from './client.ts'

/** What was sent last, and under which idempotency key. */
export interface Attempt {
  readonly content: string
  readonly key: string
}

/** The attempt to send a content: under the same key for as long as the content stays the same. */
export const nextAttempt = (last: Attempt | undefined, content: string): Attempt =>
  last?.content === content ? last : { content, key: crypto.randomUUID() }

const UNANSWERED: ReadonlySet<string> = new Set([UNREACHABLE, 'temporarily-unavailable'])

/** Whether a call that failed so may have arrived all the same. */
export const isLost = (error: unknown): boolean => error instanceof ApiError && UNANSWERED.has(error.code)

/** Makes a call that has an idempotency key, and once more where its answer was lost. */
export const twiceIfLost = <T>(call: () => Promise<T>): Promise<T> =>
  call().catch((error: unknown) => {
    if (isLost(error)) return call()
    throw error
  })
