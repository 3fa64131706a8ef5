import { useEffect } from 'react'
import { Redirect, useLocation } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { notify } from '@shared/ui/notify.ts'
import { useApplication } from '@/data/application.ts'
import { OwnReadings } from '@/features/own-reading/own-reading.tsx'
import { useWaitingOwnReadings } from '@/offline/replay.ts'
import { PageTitle } from './page-title.tsx'
import { paths } from './paths.ts'

/** The reading of a meter that has no job, where the tenant allows it (L2). */
export function NewReadingPage() {
  const { t } = useTranslation('unknownReading')
  const [, navigate] = useLocation()
  const isAllowed = useApplication().features.unknownReadingsAllowed
  const isWaiting = useWaitingOwnReadings().length > 0
  if (!isAllowed && !isWaiting) return <NotAllowed />
  const leave = () => navigate(paths.jobs())
  return (
    <div className="new-reading">
      <PageTitle>{t('title')}</PageTitle>
      <h1 className="new-reading__title">{t('title')}</h1>
      <OwnReadings isAllowed={isAllowed} onSent={leave} onCancel={leave} />
    </div>
  )
}

function NotAllowed() {
  const { t } = useTranslation('unknownReading')
  useEffect(() => {
    notify({
      type: 'error',
      title: t('notAllowed.title'),
      message: t('notAllowed.text'),
      topic: 'unknown-reading',
    })
  }, [t])
  return <Redirect to={paths.jobs()} replace />
}
