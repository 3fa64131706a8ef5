import { Message } from '@shared/ui/message.tsx'
import type { Made } from '@/data/types.ts'
import { useMadeLine } from './use-made-line.ts'

/** What a member decided about the reading that stands here, for the clerk who decides anew. */
export function DecidedNote({ made }: { made: Made }) {
  const line = useMadeLine()
  return (
    <Message type="warning">
      <p>{line(made)}</p>
      {made.reason && <p>{made.reason}</p>}
    </Message>
  )
}
