import { Link } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'

/** The two ways in: with what the letter says, or without (L2). Each is a page of its own, and so its tab is a link. */
export function LoginTabs({ publicPath }: { publicPath: string }) {
  const { t } = useTranslation('login')
  return (
    <nav className="login-tabs" aria-label={t('tabs.label')}>
      <span className="login-tabs__tab" aria-current="page">
        {t('tabs.credentials')}
      </span>
      <Link href={publicPath} className="login-tabs__tab">
        {t('tabs.public')}
      </Link>
    </nav>
  )
}
