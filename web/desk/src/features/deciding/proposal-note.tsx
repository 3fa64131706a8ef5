import { formatInstant } from '@shared/i18n/format.ts'
import { Message } from '@shared/ui/message.tsx'
import type { Proposal } from '@/data/types.ts'
import { ExchangeLine } from './exchange-line.tsx'
import { useProposalLine } from './use-proposal-line.ts'

/** What a member proposed, for the member who is to agree: all that would hold then. */
export function ProposalNote({ proposal }: { proposal: Proposal }) {
  const line = useProposalLine()
  const { exchange, reason, at } = proposal
  return (
    <Message type="info">
      <p>
        {line(proposal)} · {formatInstant(at)}
      </p>
      {exchange && (
        <p>
          <ExchangeLine exchange={exchange} />
        </p>
      )}
      {reason && <p>{reason}</p>}
    </Message>
  )
}
