import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { formatCount, formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { ProgressBar } from '@shared/ui/progress-bar.tsx'
import { cancelRun, useRun } from '@/data/runs.ts'
import type { Run } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { AskDialog } from '../ask-dialog.tsx'
import { HowFar, quarterOf } from '../how-far.tsx'
import { OpenFilterWords } from '../open-filter-words.tsx'
import { minutesLeft } from './minutes-left.ts'
import { RunText } from './run-text.tsx'

interface Props {
  tenant: string
  known: Run
  onOver: () => void
}

/** What goes on: how far it is, who started it, when it will be over, and its end before its time. */
export function Going({ tenant, known, onOver }: Props) {
  const { t } = useTranslation('runs')
  const problemText = useDeskProblemText()
  const { run, at, error } = useRun(tenant, known, onOver)
  const [isAsking, setAsking] = useState(false)
  const { state, what, by, isScheduled, isStopping, askedAt, failure, source } = run
  const far = useFar(run)
  const left = at === undefined ? undefined : minutesLeft(run, at)
  return (
    <section className="card" aria-label={t(`goes.${what}`)}>
      <h2>{t(`goes.${what}`)}</h2>
      {source && <p>{source.name}</p>}
      {run.filter && (
        <p>
          <OpenFilterWords filter={run.filter} />
        </p>
      )}
      <HowFar text={far} step={isStopping ? 'stopping' : `${state} ${quarterOf(run.reached / Math.max(run.of, 1))}`} />
      {run.of > 0 && <ProgressBar label={t(`goes.${what}`)} done={run.reached} total={run.of} text={far} />}
      {left !== undefined && !isStopping && <p className="soft">{t('left', { count: left })}</p>}
      <p className="soft">
        {isScheduled
          ? t('startedBySchedule', { at: formatInstant(askedAt) })
          : t('startedBy', { by, at: formatInstant(askedAt) })}
      </p>
      {failure && state !== 'FAILED' && (
        <Message type="warning">
          {t('triedAgain')} <RunText text={failure} />
        </Message>
      )}
      {error !== undefined && <Message type="warning">{problemText(error)}</Message>}
      {!isStopping && (
        <div className="row-of">
          <Button size="small" onClick={() => setAsking(true)}>
            {t('cancel')}
          </Button>
        </div>
      )}
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
          <p>{t(`cancelText.${what}`)}</p>
        </AskDialog>
      )}
    </section>
  )
}

/** What a run counts, where that is not readings. */
const UNITS: Partial<Record<Run['what'], 'customers' | 'lettersFar' | 'mails'>> = {
  REMINDERS: 'mails',
  INVITATIONS: 'mails',
  DUE_LETTERS: 'customers',
  LETTERS: 'lettersFar',
  HAND_OVER: 'lettersFar',
}

/** How far a run is: readings of an export, a part of a file. */
function useFar({ state, what, reached, of, source, isStopping }: Run): string {
  const { t } = useTranslation('runs')
  if (isStopping) return t('stopping')
  if (of === 0) return t(`going.${state}`)
  if (source) return t('part', { percent: Math.floor((reached / of) * 100) })
  return t(UNITS[what] ?? 'far', { reached: formatCount(reached), of: formatCount(of) })
}
