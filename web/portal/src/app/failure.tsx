import { Button } from '@aws-amplify/ui-react'
import type { ApiError } from '@shared/api/client.ts'
import { useProblemText } from '@shared/api/problem.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { ScreenMessage } from '@shared/ui/screen-message.tsx'

function Reload() {
  const { t } = useTranslation()
  return (
    <Button variation="primary" onClick={() => location.reload()}>
      {t('reload')}
    </Button>
  )
}

/** A screen in which something broke. */
export function Failure() {
  const { t } = useTranslation()
  return (
    <ScreenMessage icon="error" title={t('failure.title')} action={<Reload />}>
      <p>{t('failure.text')}</p>
    </ScreenMessage>
  )
}

/** The whole portal could not start. */
export function StartFailure({ error }: { error: ApiError }) {
  const { t } = useTranslation()
  const problemText = useProblemText()
  const title = t(error.code === 'application-unknown' ? 'unknownTenant.title' : 'unavailable.title')
  return (
    <main className="start-failure">
      <title>{title}</title>
      <ScreenMessage icon="error" title={title} action={<Reload />}>
        <p>{problemText(error)}</p>
      </ScreenMessage>
    </main>
  )
}
