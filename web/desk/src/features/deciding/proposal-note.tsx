import { formatDate, formatInstant, formatValue } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import type { Proposal } from '@/data/types.ts'
import { useProposalLine } from './use-proposal-line.ts'

/** What a member proposed, for the member who is to agree: all that would hold then. */
export function ProposalNote({ proposal }: { proposal: Proposal }) {
  const { t } = useTranslation('deciding')
  const line = useProposalLine()
  const { exchange, reason, at } = proposal
  return (
    <Message type="info">
      <p>
        {line(proposal)} · {formatInstant(at)}
      </p>
      {exchange && (
        <p>
          {t('proposedExchange', {
            day: formatDate(exchange.day),
            last: formatValue(exchange.finalValue),
            first: formatValue(exchange.initialValue),
            number: exchange.newNumber ?? t('numberUnknown'),
          })}{' '}
          {exchange.oldNumber && t('proposedOld', { number: exchange.oldNumber })}
        </p>
      )}
      {reason && <p>{reason}</p>}
    </Message>
  )
}
