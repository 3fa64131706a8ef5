import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation } from 'wouter'
import { Notifications } from '@shared/ui/notifications.tsx'
import { OfflineStatus } from '@/offline/offline-status.tsx'
import { UpdateDialog } from '@/sw/update-dialog.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Failure } from './failure.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { paths } from './paths.ts'
import './shell.css'

/** What surrounds every screen. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const [path] = useLocation()
  const main = useFocusOnNewScreen(path)

  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        {t('skipToContent')}
      </a>
      <Header />
      <Notifications />
      <OfflineStatus
        pathOf={(entry) => (entry.kind === 'unknown-reading' ? paths.newReading() : paths.job(entry.jobId))}
      />
      <main id="main" ref={main} className="shell__main" tabIndex={-1}>
        <ErrorBoundary fallback={<Failure />} resetKey={path}>
          <Suspense>{children}</Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      <UpdateDialog />
    </div>
  )
}

/** A new screen begins at its top, for eyes and for screen readers; browsers do that for documents only. */
function useFocusOnNewScreen(path: string) {
  useEffect(() => {
    history.scrollRestoration = 'manual'
  }, [])
  const main = useRef<HTMLElement>(null)
  const shown = useRef(path)
  // Before the effects of the screen itself, which may want to go back to where the reader was.
  useLayoutEffect(() => {
    if (shown.current === path) return
    shown.current = path
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [path])
  return main
}
