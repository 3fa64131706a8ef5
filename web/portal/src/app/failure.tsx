import { Button } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { ScreenMessage } from '@shared/ui/screen-message.tsx'

/** Begins anew. */
export function Reload() {
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
