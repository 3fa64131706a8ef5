import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { formatCount, formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { ProgressBar } from '@shared/ui/progress-bar.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { cancelRun, useRun } from '@/data/exports.ts'
import type { Run } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { RunText } from './run-text.tsx'

interface Props {
  tenant: string
  known: Run
  onOver: () => void
}

/** The export that goes on: how far it is, who started it, and its end before its time. */
export function Going({ tenant, known, onOver }: Props) {
  const { t } = useTranslation('exports')
  const problemText = useDeskProblemText()
  const { run, error } = useRun(tenant, known, onOver)
  const [isAsking, setAsking] = useState(false)
  const { state, by, askedAt, reached, of, failure } = run
  const far = of > 0 ? t('far', { reached: formatCount(reached), of: formatCount(of) }) : t(`going.${state}`)
  return (
    <section className="card" aria-label={t('goes')}>
      <h2>{t('goes')}</h2>
      <p role="status">{far}</p>
      {of > 0 && <ProgressBar label={t('goes')} done={reached} total={of} text={far} />}
      <p className="soft">{t('startedBy', { by, at: formatInstant(askedAt) })}</p>
      {failure && (
        <Message type="warning">
          {t('triedAgain')} <RunText text={failure} />
        </Message>
      )}
      {error !== undefined && <Message type="warning">{problemText(error)}</Message>}
      <div className="row-of">
        <Button size="small" onClick={() => setAsking(true)}>
          {t('cancel')}
        </Button>
      </div>
      {isAsking && (
        <AskDialog
          title={t('cancelTitle')}
          go={t('cancelNow')}
          isDestructive
          work={async () => {
            await cancelRun(tenant, run.id)
            setAsking(false)
            onOver()
          }}
          onClose={() => setAsking(false)}
        >
          <p>{t('cancelText')}</p>
        </AskDialog>
      )}
    </section>
  )
}
