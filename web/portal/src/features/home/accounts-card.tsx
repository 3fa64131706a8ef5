import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { useSessions } from '@/auth/sessions.ts'

/** Who is logged in, and who shared the access with them. */
export function AccountsCard() {
  const { t } = useTranslation('home')
  const sessions = useSessions()
  return (
    <section className="panel accounts-card">
      <h2 className="accounts-card__title">{t('accounts.title', { count: sessions.length })}</h2>
      <ul className="accounts-card__list">
        {sessions.map(({ accountId, info }) => (
          <li key={accountId} className="accounts-card__account">
            <span className="accounts-card__icon">
              <Icon name="user" />
            </span>
            <span>
              <strong>{info.name}</strong>
              {info.parentName && <span>{t('accounts.parent', { name: info.parentName })}</span>}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
