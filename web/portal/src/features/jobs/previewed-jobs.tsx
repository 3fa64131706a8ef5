import { useCallback } from 'react'
import type { ApiError } from '@shared/api/client.ts'
import type { CustomerPreview, Job } from '@shared/contract/types.ts'
import { formatMoment } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { ScreenMessage } from '@shared/ui/screen-message.tsx'
import { useToday } from '@/data/today.ts'
import { Statistics } from './jobs-overview.tsx'
import { orderJobs } from './order.ts'
import { remember } from './remembered.ts'
import { SearchableJobs } from './searchable-jobs.tsx'
import './jobs.css'

const remembered = remember('preview')

interface Props {
  preview: CustomerPreview | undefined
  error: ApiError | undefined
}

/** A customer's list as the customer has it, with nothing to open. */
export function PreviewedJobs({ preview, error }: Props) {
  const { t } = useTranslation('jobs')
  const today = useToday()
  const groupsOf = useCallback(
    (found: readonly Job[]) => {
      const { open, done } = orderJobs(found, today)
      return [
        { key: 'open', text: t('openGroup'), jobs: open, isInactive: true },
        { key: 'done', text: t('doneGroup'), jobs: done, isInactive: true },
      ]
    },
    [t, today],
  )
  if (error) {
    const isOver = error.status === 404
    return (
      <ScreenMessage icon="error" level={1} title={isOver ? t('preview.over.title') : t('loadFailed.title')}>
        <p>{isOver ? t('preview.over.text') : t('loadFailed.text')}</p>
      </ScreenMessage>
    )
  }
  if (!preview) return null
  const { name, jobs, isCut, expiresAt } = preview
  return (
    <div className="jobs">
      <div className="jobs__note">
        <Message type="warning" title={t('preview.title')}>
          {t('preview.note', { name, until: formatMoment(Date.parse(expiresAt)) })} {isCut && t('preview.cut')}
        </Message>
      </div>
      <div className="jobs__head">
        <h1 className="jobs__title">{t('title')}</h1>
        {jobs.length > 0 && <Statistics jobs={jobs} />}
      </div>
      {jobs.length > 0 ? (
        <SearchableJobs
          jobs={jobs}
          groupsOf={groupsOf}
          remembered={remembered}
          currentId={undefined}
          jobPath={NOWHERE}
        />
      ) : (
        <ScreenMessage icon="checkCircle" level={2} title={t('empty.title')}>
          <p>{t('empty.text')}</p>
        </ScreenMessage>
      )}
    </div>
  )
}

const NOWHERE = () => ''
