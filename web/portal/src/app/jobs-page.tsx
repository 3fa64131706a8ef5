import { Loader } from '@aws-amplify/ui-react'
import { useMemo, useState } from 'react'
import { flushSync } from 'react-dom'
import { Link, Redirect, useLocation } from 'wouter'
import type { Job } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { useSmallScreen } from '@shared/ui/media.ts'
import { ScreenMessage } from '@shared/ui/screen-message.tsx'
import { useSessions } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'
import { useJob, useJobs } from '@/data/jobs.ts'
import { ExportButton } from '@/features/export/export-button.tsx'
import { Instructed } from '@/features/instructions/instructed.tsx'
import { JobsOverview, LoadFailed } from '@/features/jobs/jobs-overview.tsx'
import { Onward } from '@/features/jobs/onward.tsx'
import { focusEntry } from '@/features/reading/focus-entry.ts'
import { ReadingPanel } from '@/features/reading/index.tsx'
import { ShareButton } from '@/features/sharing/share-button.tsx'
import { ListAndDetail } from './list-and-detail.tsx'
import { PageTitle } from './page-title.tsx'
import { paths } from './paths.ts'

/** The meters and the one that is open: side by side, or alone on a small screen (L2). */
export function JobsPage({ jobId }: { jobId: string | undefined }) {
  const { t } = useTranslation('jobs')
  const only = usePreselectedJob()
  // On a small screen the list, which has what else can be done, is a step back from the meter.
  const [wasOpen, setWasOpen] = useState(false)
  if (jobId && !wasOpen) setWasOpen(true)
  const isBack = useSmallScreen() && wasOpen
  if (!jobId && only && !isBack) return <Redirect to={paths.job(only)} replace />

  const overview = <JobsOverview currentId={jobId} jobPath={paths.job} level={jobId ? 2 : 1} Actions={ListActions} />
  return (
    <>
      {!jobId && <PageTitle>{t('title')}</PageTitle>}
      <ListAndDetail jobId={jobId} list={overview}>
        {jobId ? <Detail jobId={jobId} /> : <Choose />}
      </ListAndDetail>
    </>
  )
}

/** What can be done with the meters that are listed. */
function ListActions({ jobs, currentId = '' }: { jobs: readonly Job[]; currentId?: string | undefined }) {
  const { job: current } = useJob(currentId)
  const account = useSessions()
    .map(({ info }) => info.name)
    .join(', ')
  // To share with a meter open means that one, whether the search has found it or not.
  const shareable = useMemo(() => (current && !jobs.includes(current) ? [current, ...jobs] : jobs), [jobs, current])
  return (
    <>
      <ShareButton jobs={shareable} chosenId={current?.id} Export={ExportButton} />
      <ExportButton jobs={jobs} account={account} />
      <NewReadingLink />
    </>
  )
}

/** The way to the meters that are not in the list. */
function NewReadingLink() {
  const { t } = useTranslation('jobs')
  if (!useApplication().features.unknownReadingsAllowed) return null
  return (
    <Link href={paths.newReading()} className="button-link button-link--plain button-link--small">
      <Icon name="plus" size={1.25} />
      {t('addReading')}
    </Link>
  )
}

/** One meter: its data, the entry, and what has been sent. */
function Detail({ jobId }: { jobId: string }) {
  const { t } = useTranslation('jobs')
  const { job, isArriving, error } = useJob(jobId)
  const [, navigate] = useLocation()
  // Within the tap: afterwards, a phone would not open its keyboard.
  const openNext = (next: string) => {
    flushSync(() => navigate(paths.job(next)))
    focusEntry()
  }
  if (isArriving) {
    return (
      <p className="jobs__arriving" role="status">
        <Loader size="large" aria-hidden="true" /> {t('loading', { area: 'common' })}
      </p>
    )
  }
  if (!job) return error ? <LoadFailed level={1} /> : <Missing />
  return (
    <>
      <PageTitle>{job.meter.meterNumber}</PageTitle>
      <Instructed key={job.id} meter={job.meter}>
        <ReadingPanel
          job={job}
          onward={<Onward job={job} jobPath={paths.job} listPath={paths.jobs()} onNext={openNext} />}
        />
      </Instructed>
    </>
  )
}

function Missing() {
  const { t } = useTranslation('jobs')
  return (
    <>
      <PageTitle>{t('missing.title')}</PageTitle>
      <ScreenMessage
        icon="search"
        title={t('missing.title')}
        action={
          <Link href={paths.jobs()} className="button-link">
            {t('missing.back')}
          </Link>
        }
      >
        <p>{t('missing.text')}</p>
      </ScreenMessage>
    </>
  )
}

/** Nothing is open beside the list yet. */
function Choose() {
  const { t } = useTranslation('jobs')
  const { jobs } = useJobs()
  if (!jobs || jobs.length === 0) return null
  return (
    <ScreenMessage icon="counter" level={2} title={t('pick.title')}>
      <p>{t('pick.text')}</p>
    </ScreenMessage>
  )
}

/** The only job, where the tenant wants it opened at once. */
function usePreselectedJob(): string | undefined {
  const { features } = useApplication()
  const { jobs, isComplete } = useJobs()
  return features.preselectJobIfSingleEnabled && isComplete && jobs?.length === 1 ? jobs[0]?.id : undefined
}
