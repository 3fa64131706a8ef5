/** Gives a content its idempotency key: the same one for as long as the content stays the same. */
export type KeyOf = (content: string) => string

/** Keys for the attempts of one form. */
export function attemptKeys(): KeyOf {
  let last: { content: string; key: string } | undefined
  return (content) => {
    if (last?.content !== content) last = { content, key: crypto.randomUUID() }
    return last.key
  }
}
