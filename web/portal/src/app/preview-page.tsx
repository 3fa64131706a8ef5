import { useEffect, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { useCustomerPreview } from '@/data/customer-preview.ts'
import { PreviewedJobs } from '@/features/jobs/previewed-jobs.tsx'
import { PageTitle } from './page-title.tsx'

/** What a customer sees, shown to the utility's staff (D-DESK-16). Nothing here can be opened or sent. */
export function PreviewPage() {
  const { t } = useTranslation('jobs')
  const [token] = useState(() => location.hash.slice(1))
  // It stays out of the history, of bookmarks and of what is shown on a screen.
  useEffect(() => history.replaceState(history.state, '', location.pathname), [])
  const { data, error } = useCustomerPreview(token)
  return (
    <>
      <PageTitle>{t('preview.title')}</PageTitle>
      <PreviewedJobs preview={data} error={error} />
    </>
  )
}
