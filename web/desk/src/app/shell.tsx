import { type FocusEvent, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from 'react'
import { Link, useLocation } from 'wouter'
import { changeLanguage, currentLanguage, loadTexts } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { coming } from '@shared/ui/coming.tsx'
import { ErrorBoundary } from '@shared/ui/error-boundary.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { Message } from '@shared/ui/message.tsx'
import { Notifications } from '@shared/ui/notifications.tsx'
import { notify } from '@shared/ui/notify.ts'
import { chooseContrast, chooseLanguage, useHighContrast } from '@shared/ui/settings.ts'
import { AREAS, type AreaName, loginAddress, paths } from '@/data/paths.ts'
import { useActions } from '@/keys/actions.ts'
import { KeysDialog } from '@/keys/keys-dialog.tsx'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { logOut, mayAt, useMe } from '@/session/session.ts'
import { SessionDialog } from '@/session/session-dialog.tsx'
import { LANGUAGES } from '@/texts/texts.ts'
import { Failure } from './failure.tsx'
import { Rehearsal } from './rehearsal.tsx'

const SearchDialog = coming(async () => {
  const [dialog] = await Promise.all([import('@/features/search/search-dialog.tsx'), loadTexts(['search'])])
  return dialog.SearchDialog
})

/** What surrounds every screen; `tenant` is the one whose things are shown. */
export function Shell({ tenant, children }: { tenant?: string | undefined; children: ReactNode }) {
  const { t } = useTranslation('desk')
  const { t: common } = useTranslation()
  const [path] = useLocation()
  const [dialog, setDialog] = useState<'keys' | 'search'>()
  const me = useMe()
  const canFind = tenant !== undefined && mayAt(me, tenant, 'support')
  useEffect(() => {
    // Who presses the key goes on typing at once.
    if (canFind) void SearchDialog.load().catch(() => undefined)
  }, [canFind])
  useActions([
    ...(canFind ? [{ key: '/', label: t('keys.find'), run: () => setDialog('search') }] : []),
    { key: '?', label: t('keys.list'), run: () => setDialog('keys') },
  ])
  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        {common('skipToContent')}
      </a>
      <header className="header">
        <Link href="/" className="brand">
          <img src="/icon.svg" alt="" width="32" height="32" />
          <span className="brand__name">{t('title')}</span>
        </Link>
        {tenant !== undefined && <TenantChoice key={path} tenant={tenant} />}
        <div className="header__tools">
          {me.isPlatform && (
            <Link href={paths.platform()} className="tool">
              {t('platform')}
            </Link>
          )}
          {canFind && (
            <button type="button" className="tool tool--find" onClick={() => setDialog('search')}>
              <Icon name="search" size={1.25} />
              <span>{t('find')}</span>
              <kbd aria-hidden="true">/</kbd>
            </button>
          )}
          <button type="button" className="tool" aria-label={t('keys.open')} onClick={() => setDialog('keys')}>
            <kbd aria-hidden="true">?</kbd>
          </button>
          <LanguageSwitch />
          <ContrastToggle />
          <Member />
        </div>
        {tenant !== undefined && <Navigation tenant={tenant} />}
      </header>
      {tenant !== undefined && <Rehearsal tenant={tenant} />}
      <Notifications />
      <Offline />
      <main id="main" className="shell__main" tabIndex={-1}>
        <ErrorBoundary fallback={<Failure />} resetKey={path}>
          <Suspense>{children}</Suspense>
        </ErrorBoundary>
      </main>
      <KeysDialog open={dialog === 'keys'} onClose={() => setDialog(undefined)} />
      {tenant !== undefined && (
        <Suspense>
          {dialog === 'search' && <SearchDialog tenant={tenant} onClose={() => setDialog(undefined)} />}
        </Suspense>
      )}
      <SessionDialog loginAddress={loginAddress(paths.loginDone(), me.loginTenant)} />
    </div>
  )
}

/** Which utility is worked for; a choice only where there is one, for as long as the member is at it. */
function TenantChoice({ tenant }: { tenant: string }) {
  const { t } = useTranslation('desk')
  const { memberships } = useMe()
  const [, navigate] = useLocation()
  const [chosen, setChosen] = useState(tenant)
  const leave = ({ currentTarget: { form }, relatedTarget }: FocusEvent<HTMLSelectElement | HTMLButtonElement>) => {
    // Nothing gets the focus where a browser gives buttons none at a click, or where the window is left.
    if (relatedTarget && !form?.contains(relatedTarget)) setChosen(tenant)
  }
  if (memberships.length === 1) return <span className="tenant">{memberships[0]?.name}</span>
  return (
    // Arrow keys choose in a closed list, too: none of them may lead away.
    <form
      className="tenant-choice"
      onSubmit={(event) => {
        event.preventDefault()
        navigate(paths.area(chosen, AREAS[0]))
      }}
    >
      <select
        className="tenant"
        aria-label={t('tenant')}
        value={chosen}
        onChange={({ target }) => setChosen(target.value)}
        onBlur={leave}
      >
        {memberships.map(({ tenant: id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      {chosen !== tenant && (
        <button type="submit" className="tool tool--switch" onBlur={leave}>
          {t('switchTenant')}
        </button>
      )}
    </form>
  )
}

/** Who needs which role, as the API asks for it. */
const NEEDED = {
  customers: 'support',
  entry: 'support',
  deciding: 'clerk',
  season: 'support',
  open: 'support',
  imports: 'lead',
  letters: 'lead',
  reminders: 'lead',
  exports: 'lead',
  webhook: 'lead',
  settings: 'lead',
  members: 'lead',
  audit: 'privacy',
  privacy: 'privacy',
} as const satisfies Record<AreaName, string>

function Navigation({ tenant }: { tenant: string }) {
  const { t } = useTranslation('desk')
  const me = useMe()
  const [path] = useLocation()
  return (
    <nav className="header__navigation" aria-label={t('nav.label')}>
      {AREAS.map((area) => {
        const target = paths.area(tenant, area)
        const role = NEEDED[area]
        const may = mayAt(me, tenant, role)
        // Of what few need, the others need not know.
        if (!may && (role === 'privacy' || role === 'lead')) return null
        if (!may)
          return (
            // Said instead of hidden, also to the keyboard.
            <span
              key={area}
              className="nav-link nav-link--off"
              role="link"
              aria-disabled="true"
              tabIndex={0}
              title={t('noRole', { role: t(`role.${role}`) })}
            >
              {t(`nav.${area}`)}
            </span>
          )
        const isHere = path === target || path.startsWith(`${target}/`)
        return (
          <Link key={area} href={target} className="nav-link" aria-current={isHere ? 'page' : undefined}>
            {t(`nav.${area}`)}
          </Link>
        )
      })}
    </nav>
  )
}

function LanguageSwitch() {
  const { t } = useTranslation()
  const next = currentLanguage() === 'de-FORMAL' ? 'en-FORMAL' : 'de-FORMAL'
  return (
    <button
      type="button"
      className="tool"
      aria-label={t('language.switch', { language: LANGUAGES[next] })}
      onClick={() => {
        chooseLanguage(next)
        void changeLanguage(next)
      }}
    >
      <Icon name="globe" size={1.25} />
    </button>
  )
}

function ContrastToggle() {
  const { t } = useTranslation()
  const isHigh = useHighContrast()
  return (
    <button
      type="button"
      className="tool"
      aria-label={t('contrast')}
      aria-pressed={isHigh}
      onClick={() => chooseContrast(!isHigh)}
    >
      <Icon name="contrast" size={1.25} />
    </button>
  )
}

function Member() {
  const { t } = useTranslation('desk')
  const problemText = useDeskProblemText()
  const { name } = useMe()
  return (
    <>
      <Link href={paths.sessions()} className="tool" aria-label={t('member.menu', { name })}>
        <Icon name="user" size={1.25} />
        <span className="member">{name}</span>
      </Link>
      <button
        type="button"
        className="tool"
        aria-label={t('member.logout')}
        onClick={() => {
          logOut().catch((error: unknown) => notify({ type: 'error', title: problemText(error) }))
        }}
      >
        <Icon name="logout" size={1.25} />
      </button>
    </>
  )
}

function onNetwork(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** That there is no network, for as long as there is none. */
function Offline() {
  const { t } = useTranslation('desk')
  const isOnline = useSyncExternalStore(onNetwork, () => navigator.onLine)
  return <div role="status">{!isOnline && <Message type="warning">{t('offline')}</Message>}</div>
}
