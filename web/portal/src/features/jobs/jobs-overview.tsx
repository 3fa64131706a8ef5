import { Loader } from '@aws-amplify/ui-react'
import { type ComponentType, type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { formatCount, formatPercent } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { progressOf } from '@shared/rules/progress.ts'
import { Message } from '@shared/ui/message.tsx'
import { notify } from '@shared/ui/notify.ts'
import { ProgressBar } from '@shared/ui/progress-bar.tsx'
import { ScreenMessage } from '@shared/ui/screen-message.tsx'
import { type Session, useSessions } from '@/auth/sessions.ts'
import { AccountPicker } from '@/components/account-picker.tsx'
import { useApplication } from '@/data/application.ts'
import { useJobs } from '@/data/jobs.ts'
import { useToday } from '@/data/today.ts'
import { isOnline } from '@/device/connectivity.ts'
import { addressesOf, type Filter, jobsAt, urgentJobs } from './filter.ts'
import { JobFilter } from './job-filter.tsx'
import { orderJobs } from './order.ts'
import { keepFilter, remember } from './remembered.ts'
import { SearchableJobs } from './searchable-jobs.tsx'
import './jobs.css'

const remembered = remember('jobs')

interface Props {
  currentId: string | undefined
  jobPath: (jobId: string) => string
  /** What can be done with the jobs that are listed. */
  Actions: ComponentType<{ jobs: readonly Job[]; currentId?: string | undefined }>
  /** The heading's level: the screen's own when the overview stands alone. */
  level: 1 | 2
}

/** All meters of the logged-in accounts, with search, filter and progress. */
export function JobsOverview({ level, ...list }: Props) {
  const { t } = useTranslation('jobs')
  const { jobs: all, isArriving, isComplete } = useJobs()
  const [accountId, setAccountId] = useState('')
  const accounts = useAccountsWithJobs()
  const isPicked = accounts.some((account) => account.accountId === accountId)
  const jobs = useMemo(
    () => (isPicked ? all?.filter(({ login }) => login === accountId) : all),
    [all, accountId, isPicked],
  )
  useLoadFailure()
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <div className="jobs">
      <div className="jobs__head">
        <Heading className="jobs__title">{t('title')}</Heading>
        <AccountPicker
          label={t('account')}
          all={t('allAccounts')}
          accounts={accounts}
          accountId={isPicked ? accountId : ''}
          onPick={setAccountId}
        />
        {jobs && jobs.length > 0 && <Statistics jobs={jobs} isComplete={isComplete} />}
      </div>
      {jobs && jobs.length > 0 ? (
        <OpenAndDone jobs={jobs} {...list} />
      ) : (
        !isArriving && <NoJobs action={<list.Actions jobs={NONE} />} />
      )}
      {isArriving && (
        <p className="jobs__arriving" role="status">
          <Loader size="large" aria-hidden="true" /> {t('loading', { area: 'common' })}
        </p>
      )}
      <Incomplete />
    </div>
  )
}

/** Says that meters are missing in the list. */
export function Incomplete() {
  const { t } = useTranslation('jobs')
  const { jobs, isArriving, isComplete } = useJobs()
  if (!jobs || isArriving || isComplete) return null
  return (
    <Message type="warning" role="status">
      <p>{t('loadFailed.incomplete')}</p>
    </Message>
  )
}

/** The accounts to choose from: the jobs of one whose maker is logged in, too, are among that one's. */
function useAccountsWithJobs(): readonly Session[] {
  const { multipleAccountsLoginEnabled } = useApplication().features
  const sessions = useSessions()
  if (!multipleAccountsLoginEnabled) return []
  return sessions.filter(({ info }) => !sessions.some(({ accountId }) => accountId === info.parentId))
}

/** How many are done; the place for it, until all are there. */
export function Statistics({ jobs, isComplete = true }: { jobs: readonly Job[]; isComplete?: boolean }) {
  const { t } = useTranslation('jobs')
  const { total, done, percent } = useMemo(() => progressOf(jobs), [jobs])
  const text = t('progress', { done: formatCount(done), total: formatCount(total) })
  return (
    <div className={isComplete ? 'jobs__progress' : 'jobs__progress jobs__progress--to-come'}>
      <p className="figures">
        <span>{text}</span> <span>{formatPercent(percent)}</span>
      </p>
      <ProgressBar label={t('progressLabel')} text={text} done={done} total={total} />
    </div>
  )
}

function OpenAndDone({ jobs, ...list }: { jobs: readonly Job[] } & Omit<Props, 'level'>) {
  const { t } = useTranslation('jobs')
  const today = useToday()
  const { shown, isFiltered, filter } = useFilter(jobs)
  const groupsOf = useCallback(
    (found: readonly Job[]) => {
      const { open, done } = orderJobs(found, today)
      return [
        { key: 'open', text: t('openGroup'), jobs: open },
        { key: 'done', text: t('doneGroup'), jobs: done },
      ]
    },
    [t, today],
  )
  return (
    <SearchableJobs
      jobs={shown}
      groupsOf={groupsOf}
      remembered={remembered}
      isFiltered={isFiltered}
      filter={filter}
      {...list}
    />
  )
}

/** The jobs at the address and of the urgency that were chosen, and the choice; what counts nothing any more is not chosen. */
function useFilter(jobs: readonly Job[]) {
  const today = useToday()
  const [chosen, setChosen] = useState(remembered.filter)
  const addresses = useMemo(() => addressesOf(jobs), [jobs])
  const address = addresses?.all.includes(chosen.address) ? chosen.address : ''
  const there = useMemo(() => jobsAt(jobs, addresses, address), [jobs, addresses, address])
  const urgent = useMemo(() => urgentJobs(there, today), [there, today])
  const urgency = chosen.urgency && urgent[chosen.urgency].length > 0 ? chosen.urgency : undefined

  function choose(filter: Filter) {
    setChosen(filter)
    keepFilter(remembered, filter)
  }

  return {
    shown: urgency ? urgent[urgency] : there,
    isFiltered: urgency !== undefined || address !== '',
    filter: (
      <JobFilter
        filter={{ urgency, address }}
        onChange={choose}
        addresses={addresses?.all ?? []}
        urgent={{ overdue: urgent.overdue.length, soon: urgent.soon.length }}
      />
    ),
  }
}

const NONE: readonly Job[] = []

export function NoJobs({ action }: { action?: ReactNode }) {
  const { t } = useTranslation('jobs')
  const { error } = useJobs()
  if (error) return <LoadFailed level={2} />
  return (
    <ScreenMessage icon="checkCircle" level={2} title={t('empty.title')} action={action}>
      <p>{t('empty.text')}</p>
    </ScreenMessage>
  )
}

/** Says that meters could not be fetched, in the place of what is not known without them. */
export function LoadFailed({ level }: { level: 1 | 2 }) {
  const { t } = useTranslation('jobs')
  return (
    <ScreenMessage icon="error" level={level} title={t('loadFailed.title')}>
      <p>{t('loadFailed.text')}</p>
    </ScreenMessage>
  )
}

/** Says that the list may be out of date; an ended session has its own message, and without a network there is nothing to say (L8). */
export function useLoadFailure() {
  const { t } = useTranslation('jobs')
  const { error } = useJobs()
  // Each further attempt that fails is the same failure: it is said once.
  const hasFailed = error !== undefined && error.status !== 401 && error.code !== 'session-ended'
  useEffect(() => {
    if (hasFailed && isOnline()) {
      notify({ type: 'error', title: t('loadFailed.title'), message: t('loadFailed.text'), topic: 'jobs' })
    }
  }, [hasFailed, t])
}
