import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { formatDate } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { sending } from '@shared/rules/window.ts'
import { Message } from '@shared/ui/message.tsx'
import { scrollToTop, showAboveNotice } from '@shared/ui/scroll.ts'
import { useToday } from '@/data/today.ts'
import { useWaitingEntry } from '@/offline/replay.ts'
import { JOB_CLOSED } from '@/offline/sender.ts'
import { MasterData } from './master-data.tsx'
import { QueuedReading } from './queued-reading.tsx'
import { ReadingForm } from './reading-form.tsx'
import { RejectedReadings } from './rejected-readings.tsx'
import { ResultView } from './result-view.tsx'
import './reading.css'

interface Props {
  readonly job: Job
  /** The way on, once the readings were sent or wait. */
  readonly onward?: ReactNode
}

/** One job: its meter, the entry of its readings, and, once done, what was sent (L2). */
export function ReadingPanel({ job, onward }: Props) {
  const { t } = useTranslation('reading')
  const today = useToday()
  const [isReopened, setReopened] = useState(false)
  const [arrivals, setArrivals] = useState(0)
  const body = useRef<HTMLDivElement>(null)
  const wayOn = useRef<HTMLDivElement>(null)
  const entry = useWaitingEntry(job)
  const isDone = job.done && (job.closed || !isReopened)

  function arrive(isReopened: boolean) {
    setReopened(isReopened)
    setArrivals((count) => count + 1)
  }
  const period = sending(job.jobConstraints, job.config.features, today)
  const mayRead = period.state === 'open' && !job.closed

  useEffect(() => {
    if (arrivals === 0) return
    scrollToTop(body.current)
    body.current?.querySelector('h2')?.focus({ preventScroll: true })
    return showAboveNotice(wayOn.current)
  }, [arrivals])

  return (
    <div className="reading">
      <MasterData job={job} />
      <div ref={body} className="reading__body">
        {entry && (
          <QueuedReading
            job={job}
            entry={entry}
            mayEdit={mayRead}
            onEdit={() => arrive(job.done)}
            onDiscarded={() => arrive(false)}
          >
            <div ref={wayOn}>{onward}</div>
          </QueuedReading>
        )}
        {!entry && isDone && (
          <ResultView job={job} onAgain={mayRead ? () => arrive(true) : undefined}>
            <div ref={wayOn}>{onward}</div>
          </ResultView>
        )}
        {!entry && <RejectedReadings job={job} mayRead={mayRead} />}
        {job.closed && entry?.refusal?.code !== JOB_CLOSED && (
          <Message type="info">
            <p>{t('blocked.closed')}</p>
          </Message>
        )}
        {period.state !== 'open' && !job.closed && (
          <Message
            type={period.state === 'notOpen' ? 'info' : 'warning'}
            title={period.state === 'notOpen' ? t('blocked.notOpen') : t('blocked.expired')}
          >
            <p>
              {t(period.state === 'notOpen' ? 'finding.WINDOW_NOT_OPEN' : 'finding.WINDOW_EXPIRED', {
                day: formatDate(period.limit),
              })}
            </p>
          </Message>
        )}
        {!entry && !isDone && mayRead && (
          <ReadingForm
            // A job that was reopened, or that got some of its readings, begins with an empty form.
            key={arrivals}
            job={job}
            today={today}
            onSent={() => arrive(false)}
            onQueued={() => arrive(false)}
            onCancel={isReopened ? () => arrive(false) : undefined}
          />
        )}
      </div>
    </div>
  )
}
