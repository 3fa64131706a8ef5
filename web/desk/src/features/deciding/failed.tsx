import { Button } from '@aws-amplify/ui-react'
import { ApiError } from '@shared/api/client.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { Reasons } from '@/components/reasons.tsx'
import type { Made, Proposal } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { DecidedAlready } from '@/session/session.ts'
import { useMadeLine } from './use-made-line.ts'

/** Whether it is a decision that a member made. */
export const isMade = (value: unknown): value is Made =>
  typeof value === 'object' && value !== null && 'kind' in value && 'at' in value

interface Props {
  error: unknown
  /** What the member wanted to agree to. */
  agreedTo?: Proposal['kind'] | undefined
  /** The meter's. */
  number: string
  /** What the button says. */
  action: string
  onAction: () => void
  /** Has it said no more; none: it goes by itself. */
  onDismiss?: () => void
}

/** Why a decision was not taken: who was quicker, with what and when, or what is wrong with it. What was typed stays below. */
export function Failed({ error, agreedTo, number, action, onAction, onDismiss }: Props) {
  const { t } = useTranslation('deciding')
  const madeLine = useMadeLine()
  const problemText = useDeskProblemText()
  const made = error instanceof DecidedAlready && isMade(error.decision) ? error.decision : undefined
  const code = error instanceof ApiError ? error.code : ''
  const said = () => {
    if (made) return madeLine(made)
    if (code === 'job-closed') return t('jobClosed')
    // Only the member who names it can confirm it; agreeing has no field for that.
    if (agreedTo && code === 'confirmation-required') return t(agreedTo === 'exchange' ? 'nameAnew' : 'correctAnew')
    if (code === 'confirmation-required') return t('unusual')
    // The code's own text is for a member who agrees to what they proposed.
    if (!agreedTo && code === 'second-member-needed') return t('twoDecide')
    return problemText(error)
  }
  return (
    <Message type={error instanceof DecidedAlready ? 'warning' : 'error'} role="alert">
      <p>
        {t('meterNumber', { number })} {said()}
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
