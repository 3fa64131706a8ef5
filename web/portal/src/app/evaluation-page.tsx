import { Loader } from '@aws-amplify/ui-react'
import { useCallback, useEffect } from 'react'
import { Link } from 'wouter'
import type { Job } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { evaluationClass } from '@shared/rules/evaluation.ts'
import { groupBy } from '@shared/rules/group-by.ts'
import { ScreenMessage } from '@shared/ui/screen-message.tsx'
import { useApplication } from '@/data/application.ts'
import { reloadJobs, useJob, useJobs } from '@/data/jobs.ts'
import { MeterHistory } from '@/features/evaluation/meter-history.tsx'
import { Incomplete, LoadFailed, NoJobs, useLoadFailure } from '@/features/jobs/jobs-overview.tsx'
import { lastReading } from '@/features/jobs/order.ts'
import { remember } from '@/features/jobs/remembered.ts'
import { SearchableJobs } from '@/features/jobs/searchable-jobs.tsx'
import { MasterData } from '@/features/reading/master-data.tsx'
import { ListAndDetail } from './list-and-detail.tsx'
import { NotFound } from './not-found.tsx'
import { PageTitle } from './page-title.tsx'
import { paths } from './paths.ts'

const remembered = remember('evaluation')

/** The meters with what was read so far, and the history of the one that is open (P2). */
export function EvaluationPage({ jobId }: { jobId: string | undefined }) {
  const { t } = useTranslation('evaluation')
  const { features } = useApplication()
  useEffect(() => {
    // What is shown stays if nothing new can be had; the list says so itself.
    reloadJobs().catch(() => undefined)
  }, [])
  if (!features.evaluationEnabled) return <NotFound />
  return (
    <>
      {!jobId && <PageTitle>{t('title')}</PageTitle>}
      <ListAndDetail jobId={jobId} list={<Overview currentId={jobId} />}>
        {jobId ? <Detail key={jobId} jobId={jobId} /> : <Choose />}
      </ListAndDetail>
    </>
  )
}

function Overview({ currentId }: { currentId: string | undefined }) {
  const { t } = useTranslation('evaluation')
  const { jobs, isArriving, isComplete } = useJobs()
  const groupsOf = useGroups()
  useLoadFailure()
  const isEmpty = useIsEmpty()
  const Heading = currentId ? 'h2' : 'h1'
  return (
    <div className="jobs">
      <div className="jobs__head">
        <Heading className="jobs__title">{t('title')}</Heading>
      </div>
      {jobs && jobs.length > 0 && isEmpty && isComplete ? (
        <ScreenMessage icon="chart" level={2} title={t('empty.title')}>
          <p>{t('empty.text')}</p>
        </ScreenMessage>
      ) : jobs && jobs.length > 0 ? (
        <SearchableJobs
          jobs={jobs}
          groupsOf={groupsOf}
          remembered={remembered}
          currentId={currentId}
          jobPath={paths.evaluationOf}
        />
      ) : (
        !isArriving && <NoJobs />
      )}
      {isArriving && <Loading />}
      <Incomplete />
    </div>
  )
}

/** Whether none of the jobs is in a group that the tenant wants to be shown. */
function useIsEmpty(): boolean {
  const { jobs } = useJobs()
  const { evaluation } = useApplication()
  return evaluation.showOnlyDoneJobs && !jobs?.some((job) => evaluationClass(job, evaluation) === 'done')
}

/** Done jobs, then, unless the tenant wants the done ones only, the others and those that have nothing to show (P2). */
function useGroups() {
  const { t } = useTranslation('evaluation')
  const { evaluation } = useApplication()
  return useCallback(
    (jobs: readonly Job[]) => {
      const classes = groupBy(jobs, (job) => evaluationClass(job, evaluation))
      const latestFirst = (some: readonly Job[] = []) =>
        some.toSorted((a, b) => (lastReading(b) ?? '').localeCompare(lastReading(a) ?? ''))
      const done = { key: 'done', text: t('group.done'), jobs: latestFirst(classes.get('done')) }
      if (evaluation.showOnlyDoneJobs) return [done]
      const without = classes.get('withoutData') ?? []
      return [
        done,
        { key: 'notDone', text: t('group.notDone'), jobs: classes.get('notDone') ?? [], isFaded: true },
        { key: 'withoutData', text: t('group.withoutData'), jobs: without, isFaded: true, isInactive: true },
      ]
    },
    [t, evaluation],
  )
}

function Detail({ jobId }: { jobId: string }) {
  const { t } = useTranslation('evaluation')
  const { job, isArriving, error } = useJob(jobId)
  if (isArriving) return <Loading />
  if (!job) return error ? <LoadFailed level={1} /> : <Missing />
  const type = job.meter.customMeterType ?? t(`meterType.${job.meter.meterType ?? 'GENERIC_METER'}`, { area: 'common' })
  return (
    <article className="evaluation__detail">
      <PageTitle>{`${t('title')} – ${type} – ${job.meter.meterNumber}`}</PageTitle>
      <MasterData job={job} />
      <MeterHistory job={job} />
    </article>
  )
}

function Loading() {
  const { t } = useTranslation('evaluation')
  return (
    <p className="jobs__arriving" role="status">
      <Loader size="large" aria-hidden="true" /> {t('loading')}
    </p>
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
          <Link href={paths.evaluation()} className="button-link">
            {t('missing.back')}
          </Link>
        }
      >
        <p>{t('missing.text')}</p>
      </ScreenMessage>
    </>
  )
}

function Choose() {
  const { t } = useTranslation('evaluation')
  const { jobs } = useJobs()
  if (useIsEmpty() || !jobs?.length) return null
  return (
    <ScreenMessage icon="chart" level={2} title={t('pick.title')}>
      <p>{t('pick.text')}</p>
    </ScreenMessage>
  )
}
