/** What was sent last, and under which idempotency key. */
export interface Attempt {
  readonly content: string
  readonly key: string
}

/** The attempt to send a content: under the same key for as long as the content stays the same. */
export const nextAttempt = (last: Attempt | undefined, content: string): Attempt =>
  last?.content === content ? last : { content, key: crypto.randomUUID() }
