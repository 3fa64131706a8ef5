import { Link } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Page } from '@/components/page.tsx'
import { loginAddress, tenantOf } from '@/data/paths.ts'
import { useMe } from '@/session/session.ts'

/** An address that leads nowhere, or to a tenant that is none of the member's, whose members may log in elsewhere. */
export function NotFound() {
  const { t } = useTranslation('desk')
  const tenant = tenantOf(location.pathname)
  const { memberships } = useMe()
  const isOthers = tenant !== undefined && memberships.every((one) => one.tenant !== tenant)
  return (
    <Page title={t('notFound.title')}>
      <p>{t('notFound.text')}</p>
      <Link href="/" className="button-link button-link--small">
        {t('notFound.back')}
      </Link>
      {isOthers && (
        <p>
          <a href={loginAddress(`${location.pathname}${location.search}`, tenant)}>{t('notFound.otherLogin')}</a>
        </p>
      )}
    </Page>
  )
}
