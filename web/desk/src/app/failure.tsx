import { Button } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Page } from '@/components/page.tsx'

/** In the place of a screen that failed. */
export function Failure() {
  const { t } = useTranslation('desk')
  return (
    <Page title={t('failed.title')}>
      <p>{t('failed.text')}</p>
      <Button onClick={() => location.reload()}>{t('failed.retry')}</Button>
    </Page>
  )
}
