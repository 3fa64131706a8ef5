import { Link } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Page } from '@/components/page.tsx'

/** An address that leads nowhere, or to a tenant that is none of the member's. */
export function NotFound() {
  const { t } = useTranslation('desk')
  return (
    <Page title={t('notFound.title')}>
      <p>{t('notFound.text')}</p>
      <Link href="/" className="button-link button-link--small">
        {t('notFound.back')}
      </Link>
    </Page>
  )
}
