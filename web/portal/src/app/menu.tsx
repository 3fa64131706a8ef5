/** The ways through the portal for those who are logged in. */
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon, type IconName } from '@shared/ui/icon.tsx'
import { logout, useSessions } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'
import { useHasHelp } from '@/data/has-help.ts'
import { useSharingAccounts } from '@/features/sharing/shareable.ts'
import { later } from '@/offline/on-demand.ts'
import { paths } from './paths.ts'
import { useMenu } from './use-menu.ts'

const LogoutDialog = lazy(async () => ({ default: (await later()).LogoutDialog }))

const ENTRIES: { path: string; key: 'home' | 'reading' | 'evaluation' | 'management' | 'help'; icon: IconName }[] = [
  { path: paths.home(), key: 'home', icon: 'home' },
  { path: paths.jobs(), key: 'reading', icon: 'counter' },
  { path: paths.evaluation(), key: 'evaluation', icon: 'chart' },
  { path: paths.management(), key: 'management', icon: 'share' },
  { path: paths.help(), key: 'help', icon: 'help' },
]

/** The main navigation. */
export function Navigation({ className, onFollow }: { className: string; onFollow?: () => void }) {
  const { t } = useTranslation()
  const [current] = useLocation()
  const { features } = useApplication()
  const isLoggedIn = useSessions().length > 0
  const isOffered = {
    // Without a login there is no start (L2).
    home: isLoggedIn,
    reading: true,
    evaluation: features.evaluationEnabled,
    management: useSharingAccounts().length > 0,
    help: useHasHelp(),
  }
  const entries = ENTRIES.filter(({ key }) => isOffered[key])
  return (
    <nav className={className} aria-label={t('navigation.label')}>
      {entries.map(({ path, key, icon }) => {
        // The reading without a login begins like the list of jobs, and is another place.
        const isHere = current === path || (path !== paths.home() && current.startsWith(`${path}/`))
        return (
          <Link
            key={path}
            href={path}
            className="nav-link"
            aria-current={isHere ? 'page' : undefined}
            onClick={onFollow}
          >
            <Icon name={icon} size={1.25} />
            {t(`navigation.${key}`)}
          </Link>
        )
      })}
    </nav>
  )
}

/** The accounts that are logged in, and what one does with them. */
export function UserMenu() {
  const { t } = useTranslation()
  const sessions = useSessions()
  const { question, logOut } = useLogout()
  const { multipleAccountsLoginEnabled } = useApplication().features
  const { button, panel, close } = useMenu()
  return (
    <>
      <button type="button" className="icon-button tool" aria-label={t('account.menu')} {...button}>
        <Icon name="user" />
      </button>
      <div className="user-menu" {...panel}>
        <Navigation className="user-menu__navigation" onFollow={close} />
        <p className="user-menu__label">{t('account.loggedInAs')}</p>
        <ul className="user-menu__accounts">
          {sessions.map(({ accountId, info }) => (
            <li key={accountId}>{info.name}</li>
          ))}
        </ul>
        {multipleAccountsLoginEnabled && (
          <Link href={paths.addAccount()} className="nav-link" onClick={close}>
            <Icon name="plus" size={1.25} />
            {t('account.add')}
          </Link>
        )}
        <Link href={paths.devices()} className="nav-link" onClick={close}>
          <Icon name="key" size={1.25} />
          {t('account.devices')}
        </Link>
        <button
          type="button"
          className="nav-link"
          onClick={() => {
            close()
            void logOut()
          }}
        >
          <Icon name="logout" size={1.25} />
          {t('account.logout')}
        </button>
      </div>
      {question}
    </>
  )
}

/** Logs out; asks first while something has not been sent. */
function useLogout(): { question: ReactNode; logOut: () => Promise<void> } {
  const [question, setQuestion] = useState<'open' | 'closed'>()
  return {
    question: question && (
      <Suspense>
        <LogoutDialog open={question === 'open'} onClose={() => setQuestion('closed')} />
      </Suspense>
    ),
    logOut: async () => {
      // What waits and cannot even be looked for stays: it belongs to the account that logs in next.
      const isUnsent = await later().then(
        ({ hasUnsent }) => hasUnsent(),
        () => false,
      )
      if (isUnsent) setQuestion('open')
      else await logout()
    },
  }
}
