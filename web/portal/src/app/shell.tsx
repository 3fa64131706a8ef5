import { lazy, type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { ErrorBoundary } from '@shared/ui/error-boundary.tsx'
import { Notifications } from '@shared/ui/notifications.tsx'
import { useSessions } from '@/auth/sessions.ts'
import { firstScreen } from '@/early/first-screen.ts'
import { surely } from '@/offline/on-demand.ts'
import { Failure } from './failure.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { paths } from './paths.ts'
import './shell.css'
import '@shared/ui/frame.css'

/** Neither is missed on the first screen. */
const OfflineStatus = lazy(() => firstScreen.then(surely).then(({ OfflineStatus }) => ({ default: OfflineStatus })))
const UpdateDialog = lazy(() => firstScreen.then(surely).then(({ UpdateDialog }) => ({ default: UpdateDialog })))

/** What surrounds every screen. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const [path] = useLocation()
  const isLoggedIn = useSessions().length > 0
  // A login, or its end, brings another screen to the same address.
  const main = useFocusOnNewScreen(`${path} ${isLoggedIn}`)

  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        {t('skipToContent')}
      </a>
      <Header />
      <Notifications />
      <Suspense>
        <OfflineStatus
          pathOf={(entry) => (entry.kind === 'unknown-reading' ? paths.newReading() : paths.job(entry.jobId))}
        />
      </Suspense>
      <main id="main" ref={main} className="shell__main" tabIndex={-1}>
        <ErrorBoundary fallback={<Failure />} resetKey={path}>
          <Suspense>{children}</Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      <Suspense>
        <UpdateDialog />
      </Suspense>
    </div>
  )
}

/** A new screen begins at its top, for eyes and for screen readers; browsers do that for documents only. */
function useFocusOnNewScreen(screen: string) {
  useEffect(() => {
    history.scrollRestoration = 'manual'
  }, [])
  const main = useRef<HTMLElement>(null)
  const shown = useRef(screen)
  // Before the effects of the screen itself, which may want to go back to where the reader was.
  useLayoutEffect(() => {
    if (shown.current === screen) return
    shown.current = screen
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [screen])
  return main
}
