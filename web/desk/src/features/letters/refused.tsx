import { Message } from '@shared/ui/message.tsx'
import { RunText } from '@/components/runs/run-text.tsx'
import type { Run } from '@/data/types.ts'
import { type Chosen, isAbout } from './use-recipients.ts'

/** Why the last run about those who are chosen was given up, beside what it was asked for by. */
export function Refused({ run, chosen }: { run: Run | undefined; chosen: Chosen }) {
  if (run?.state !== 'FAILED' || !run.failure || !isAbout(run, chosen)) return null
  return (
    <Message type="warning" role="alert">
      <RunText text={run.failure} />
    </Message>
  )
}
