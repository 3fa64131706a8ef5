import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import type { Made } from '@/data/types.ts'
import { ExchangeLine } from './exchange-line.tsx'
import { useMadeLine } from './use-made-line.ts'

/** What a member decided about the reading that stands here, for the clerk who decides anew. */
export function DecidedNote({ made }: { made: Made }) {
  const { t } = useTranslation('deciding')
  const line = useMadeLine()
  const { exchange, kind, reason } = made
  return (
    <Message type="warning">
      <p>{line(made)}</p>
      {reason && <p>{reason}</p>}
      {exchange && (
        <p>
          {kind !== 'exchange' && t('namedBefore')} <ExchangeLine exchange={exchange} />
        </p>
      )}
    </Message>
  )
}
