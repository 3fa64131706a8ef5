import { useTranslation } from '@shared/i18n/react.tsx'
import { Page } from '@/components/page.tsx'

/** For a person without a membership. */
export function NoTenant() {
  const { t } = useTranslation('desk')
  return (
    <Page title={t('noTenant.title')}>
      <p>{t('noTenant.text')}</p>
    </Page>
  )
}
