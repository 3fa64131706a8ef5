import { useMemo } from 'react'
import { Link } from 'wouter'
import type { Job } from '@shared/contract/types.ts'
import { shortAddressLine } from '@shared/i18n/address.ts'
import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { useJobs } from '@/data/jobs.ts'
import { useToday } from '@/data/today.ts'
import { useWaitingEntries } from '@/offline/replay.ts'
import { leftAfter } from './next.ts'
import './onward.css'

interface Props {
  readonly job: Job
  readonly jobPath: (jobId: string) => string
  readonly listPath: string
  /** Opens the next meter, ready for typing. */
  readonly onNext: (jobId: string) => void
}

/** The way on after a reading: how many are left, the next one, and the list. */
export function Onward({ job, jobPath, listPath, onNext }: Props) {
  const { t } = useTranslation('jobs')
  const today = useToday()
  const { jobs = NONE, isComplete } = useJobs()
  const entries = useWaitingEntries()
  const { next, count } = useMemo(() => {
    const waiting = new Set(entries.flatMap((entry) => (entry.kind === 'send-task-results' ? entry.jobId : [])))
    return leftAfter(job, jobs, waiting, today)
  }, [job, jobs, entries, today])
  if (jobs.length < 2) return null
  return (
    <div className="onward">
      {(isComplete || count > 0) && (
        <p className="onward__left">{t('onward.left', { count, meters: formatCount(count) })}</p>
      )}
      {next && (
        <Link
          href={jobPath(next.id)}
          className="button-link onward__next"
          onClick={(event) => {
            event.preventDefault()
            onNext(next.id)
          }}
        >
          <span>
            <strong>{t('onward.next')}</strong>
            <span className="identifier">{next.meter.meterNumber}</span>
            <span>{shortAddressLine(next)}</span>
          </span>
          <Icon name="forward" size={1.5} />
        </Link>
      )}
      <Link href={listPath} className="button-link button-link--plain">
        {t('onward.list')}
      </Link>
    </div>
  )
}

const NONE: readonly Job[] = []
