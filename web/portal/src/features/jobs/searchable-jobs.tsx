import { SearchField } from '@aws-amplify/ui-react'
import { type ComponentType, type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { searchJobs } from '@shared/rules/search.ts'
import { type JobGroup, JobList } from './job-list.tsx'
import { keepSearch, type Remembered } from './remembered.ts'
import { useDebounced } from './use-debounced.ts'
import './jobs.css'

/** A search begins when nothing was typed for so long (L5). */
const SEARCH_DELAY_MS = 250

interface Props {
  jobs: readonly Job[]
  /** The groups of those that were found; the function keeps its identity while it would give the same. */
  groupsOf: (jobs: readonly Job[]) => readonly JobGroup[]
  /** What narrows the jobs beside the search, and whether it does. */
  filter?: ReactNode
  isFiltered?: boolean
  /** What can be done with the jobs that were found. */
  Actions?: ComponentType<{ jobs: readonly Job[]; currentId?: string | undefined }>
  remembered: Remembered
  currentId: string | undefined
  jobPath: (jobId: string) => string
}

/** A list of meters with a search over it. */
export function SearchableJobs({ jobs, groupsOf, filter, isFiltered = false, Actions, ...list }: Props) {
  const { t } = useTranslation('jobs')
  const { remembered } = list
  const [typed, setTyped] = useState(remembered.search)
  const search = useDebounced(typed, SEARCH_DELAY_MS).trim()
  useEffect(() => {
    keepSearch(remembered, typed)
  }, [typed, remembered])
  const shownJobs = useDeferredValue(jobs)
  const found = useMemo(() => searchJobs(shownJobs, search), [shownJobs, search])
  const groups = useMemo(() => groupsOf(found), [found, groupsOf])
  const count = groups.reduce((sum, group) => sum + group.jobs.length, 0)
  return (
    <>
      <div className="jobs__tools">
        <div className="jobs__find">
          <SearchField
            className="jobs__search"
            label={t('searchLabel')}
            labelHidden
            placeholder={t('searchPlaceholder')}
            clearButtonLabel={t('searchClear')}
            hasSearchButton={false}
            hasSearchIcon
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onClear={() => setTyped('')}
          />
          {filter}
        </div>
        <p className={count > 0 ? 'visually-hidden' : 'jobs__nothing'} role="status">
          {(search || isFiltered) && t('found', { count, search })}
          {search && count === 0 && <span>{t('foundNoneHint')}</span>}
        </p>
        {Actions && (
          <div className="jobs__actions">
            <Actions jobs={found} currentId={list.currentId} />
          </div>
        )}
      </div>
      <JobList groups={groups} {...list} />
    </>
  )
}
