import { lazy, Suspense, useState } from 'react'
import { Link, useLocation, useRoute } from 'wouter'
import { changeLanguage, currentLanguage, locale } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { useSmallScreen } from '@shared/ui/media.ts'
import { dismissAll } from '@shared/ui/notify.ts'
import { chooseContrast, chooseLanguage, useHighContrast } from '@shared/ui/settings.ts'
import { useSessions } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'
import { useHasHelp } from '@/data/has-help.ts'
import { surely } from '@/offline/on-demand.ts'
import './header.css'
import { Logo } from './logo.tsx'
import { pathAbove, paths, patterns } from './paths.ts'

/** Who is not logged in yet needs none of them. */
const CommunicationButton = lazy(async () => {
  await surely()
  return { default: (await import('@/features/communication/communication-button.tsx')).CommunicationButton }
})
const Navigation = lazy(async () => {
  await surely()
  return { default: (await import('./menu.tsx')).Navigation }
})
const UserMenu = lazy(async () => {
  await surely()
  return { default: (await import('./menu.tsx')).UserMenu }
})

/** The bar at the top. */
export function Header() {
  const isLoggedIn = useSessions().length > 0
  const [isStatement] = useRoute(patterns.accessibility)
  const [isVisitorReading] = useRoute(patterns.publicReading)
  // Where nothing needs a login, the way on is shown without one, too (P2).
  const hasNavigation = isLoggedIn || isStatement || isVisitorReading
  const hasBack = useBackButton() && isLoggedIn
  return (
    <header className="header">
      <div className="header__inner">
        {hasBack && <BackButton />}
        <Brand isBesideBack={hasBack} />
        <Suspense>{hasNavigation && <Navigation className="header__navigation" />}</Suspense>
        <div className="header__tools">
          {!isLoggedIn && <HelpLink isBesideNavigation={hasNavigation} />}
          <Suspense>{isLoggedIn && <CommunicationButton />}</Suspense>
          <LanguageSwitch />
          <ContrastToggle />
          <Suspense fallback={<UserMenuToCome />}>{isLoggedIn && <UserMenu />}</Suspense>
        </div>
      </div>
    </header>
  )
}

/** Logo and name, and the way home. A wide logo has the name in it, which a small screen need not show twice. */
function Brand({ isBesideBack }: { isBesideBack: boolean }) {
  const { name } = useApplication()
  const [isWide, setWide] = useState(false)
  const shape = isWide ? 'brand--wide' : isBesideBack ? 'brand--beside-back' : ''
  return (
    <Link href={paths.home()} className={`brand ${shape}`}>
      <Logo onShape={setWide} />
      <span className="brand__name">{name}</span>
    </Link>
  )
}

/** On small screens, deeper pages lead back up (L2). */
function useBackButton(): boolean {
  const [path] = useLocation()
  return useSmallScreen() && path.split('/').filter(Boolean).length > 1
}

function BackButton() {
  const { t } = useTranslation()
  const hasSeveralAccounts = useSessions().length > 1
  const [path, navigate] = useLocation()
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={t('back')}
      onClick={() => navigate(pathAbove(path, hasSeveralAccounts))}
    >
      <Icon name="back" />
    </button>
  )
}

/** The help for those who cannot log in, where the navigation that has it is not to be seen. */
function HelpLink({ isBesideNavigation }: { isBesideNavigation: boolean }) {
  const { t } = useTranslation()
  const [path] = useLocation()
  if (!useHasHelp()) return null
  return (
    <Link
      href={paths.help()}
      className={`icon-button tool ${isBesideNavigation ? 'tool--in-navigation' : ''}`}
      aria-label={t('navigation.help')}
      aria-current={path === paths.help() ? 'page' : undefined}
    >
      <Icon name="help" />
    </Link>
  )
}

/** Goes through the languages; there is no switch without a choice (L2). */
function LanguageSwitch() {
  const { t } = useTranslation()
  const { languages } = useApplication()
  const index = languages.findIndex(({ name }) => name === currentLanguage())
  const next = languages[(index + 1) % languages.length]
  if (languages.length < 2 || !next) return null
  return (
    <button
      type="button"
      className="icon-button tool"
      aria-label={t('language.switch', { language: next.readableName })}
      onClick={() => {
        chooseLanguage(next.name)
        // What was said in the other language is said no more.
        void changeLanguage(next.name).then(() => currentLanguage() === next.name && dismissAll())
      }}
    >
      <Icon name="globe" />
      {/* In the language that one would get, as public offices write it (D-PORTAL-12). */}
      <span className="tool__text" lang={locale(next.name)}>
        {next.readableName}
      </span>
    </button>
  )
}

function ContrastToggle() {
  const { t } = useTranslation()
  const isHigh = useHighContrast()
  return (
    <button
      type="button"
      className="icon-button tool"
      aria-label={t('contrast')}
      aria-pressed={isHigh}
      onClick={() => chooseContrast(!isHigh)}
    >
      <Icon name="contrast" />
    </button>
  )
}

/** Keeps the menu's place, so that nothing moves when it comes. */
function UserMenuToCome() {
  return (
    <span className="icon-button tool" aria-hidden="true">
      <Icon name="user" />
    </span>
  )
}
