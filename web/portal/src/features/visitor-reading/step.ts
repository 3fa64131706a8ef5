import type { Finding } from '@shared/rules/visitor-reading.ts'
import type { Config, Draft } from './draft.ts'

/** What every step gets. */
export interface StepProps {
  readonly config: Config
  readonly draft: Draft
  readonly onChange: (change: (draft: Draft) => Draft) => void
  /** What is wrong in this step. */
  readonly findings: readonly Finding[]
}
