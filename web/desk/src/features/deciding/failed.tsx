import { Button } from '@aws-amplify/ui-react'
import { ApiError } from '@shared/api/client.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { Reasons } from '@/components/reasons.tsx'
import type { Made } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { DecidedAlready } from '@/session/session.ts'
import { useMadeLine } from './use-made-line.ts'

/** Somebody's decision. */
export const isMade = (value: unknown): value is Made =>
  typeof value === 'object' && value !== null && 'kind' in value && 'at' in value

interface Props {
  error: unknown
  /** The meter's. */
  number: string
  /** What the button says. */
  action: string
  onAction: () => void
  /** Has it said no more; none: it goes by itself. */
  onDismiss?: () => void
}

/** Why a decision was not taken: who was quicker, with what and when, or what is wrong with it. What was typed stays below. */
export function Failed({ error, number, action, onAction, onDismiss }: Props) {
  const { t } = useTranslation('deciding')
  const madeLine = useMadeLine()
  const problemText = useDeskProblemText()
  const made = error instanceof DecidedAlready && isMade(error.decision) ? error.decision : undefined
  const isClosed = error instanceof ApiError && error.code === 'job-closed'
  return (
    <Message type={error instanceof DecidedAlready ? 'warning' : 'error'} role="alert">
      <p>
        {t('meterNumber', { number })} {made ? madeLine(made) : isClosed ? t('jobClosed') : problemText(error)}
      </p>
      {made?.reason && <p>{made.reason}</p>}
      <Reasons error={error} />
      <div className="row-of">
        <Button size="small" onClick={onAction}>
          {action}
        </Button>
        {onDismiss && (
          <Button size="small" onClick={onDismiss}>
            {t('dismiss')}
          </Button>
        )}
      </div>
    </Message>
  )
}
