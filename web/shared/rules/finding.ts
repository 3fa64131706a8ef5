/** What the rules say about things that people enter. The twin of `functions/domain/src/finding.rs`. */
import type { FindingCode, Severity } from '@shared/contract/types.ts'

/** One thing to say about what was entered. */
export interface FindingOf<Code extends FindingCode, Field extends string = string> {
  readonly code: Code
  readonly severity: Severity
  /** Where to show it, in the words of the wire: `readingValues[0].value`, or of a rate of a job `readingValue`. */
  readonly field: Field
  /** The rate of a job; absent for what was entered as a whole. */
  readonly taskId?: string
  /** The limit that does not hold: a number of characters, digits, photos or jobs, a value, or a day. */
  readonly limit?: string
  /** The rate counts what is fed into the grid: the text speaks of feed-in. */
  readonly feedIn?: true
}

/** A finding that refuses what was entered. */
export const errorAt = <Code extends FindingCode, Field extends string>(
  code: Code,
  field: Field,
  limit?: number | string,
): FindingOf<Code, Field> => ({
  code,
  severity: 'error',
  field,
  ...(limit !== undefined && { limit: String(limit) }),
})
