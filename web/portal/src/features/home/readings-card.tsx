import { Loader } from '@aws-amplify/ui-react'
import { Link } from 'wouter'
import { formatCount, formatPercent } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { progressOf } from '@shared/rules/progress.ts'
import { Counter } from '@shared/ui/counter.tsx'
import { Message } from '@shared/ui/message.tsx'
import { ProgressBar } from '@shared/ui/progress-bar.tsx'
import { useJobs } from '@/data/jobs.ts'

/** How many meters there are, how many are left, and the way to them. */
export function ReadingsCard({ jobsPath }: { jobsPath: string }) {
  const { t } = useTranslation('home')
  const { jobs, isArriving, isComplete, error } = useJobs()
  return (
    <section className="panel readings-card" aria-busy={isArriving}>
      <h2 className="readings-card__title">{t('readings.title')}</h2>
      {jobs && (isArriving || isComplete) ? (
        <Readings {...progressOf(jobs)} jobsPath={jobsPath} />
      ) : error ? (
        <Message type="error" title={t('loadFailed.title', { area: 'jobs' })}>
          <p>{t('loadFailed.text', { area: 'jobs' })}</p>
        </Message>
      ) : (
        <Loader size="large" aria-label={t('loading', { area: 'common' })} />
      )}
    </section>
  )
}

type ReadingsProps = ReturnType<typeof progressOf> & { jobsPath: string }

function Readings({ total, done, open, percent, jobsPath }: ReadingsProps) {
  const { t } = useTranslation('home')
  if (total === 0) return <p>{t('readings.none')}</p>
  const text = t('progress', { area: 'jobs', done: formatCount(done), total: formatCount(total) })
  return (
    <>
      <div className="readings-card__open">
        <Counter digits={String(open).padStart(3, '0')} />
        <p>{t('readings.open', { count: open })}</p>
      </div>
      <div className="readings-card__progress figures">
        <span>{text}</span>
        <span>{formatPercent(percent)}</span>
        <ProgressBar label={t('progressLabel', { area: 'jobs' })} text={text} done={done} total={total} />
      </div>
      <Link href={jobsPath} className="button-link">
        {t(open > 0 ? 'readings.start' : 'readings.view')}
      </Link>
    </>
  )
}
