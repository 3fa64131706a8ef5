import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Route, Switch, useLocation } from 'wouter'
import { useApplication } from '@/api/application.ts'
import { forgetData } from '@/api/jobs.ts'
import { onSessionEnded, useSessions } from '@/auth/sessions.ts'
import { LoginPage } from '@/features/login/login-page.tsx'
import { TokenLogin } from '@/features/login/token-login.tsx'
import { dropEntries } from '@/features/reading/begun.ts'
import { loadTexts } from '@/i18n/i18n.ts'
import { notify } from '@/ui/notify.ts'
import { useAccountLanguage } from './language.ts'
import { NotFound } from './not-found.tsx'
import { PageTitle } from './page-title.tsx'
import { paths, patterns } from './paths.ts'
import { Shell } from './shell.tsx'

const HomePage = lazy(async () => {
  const [page] = await Promise.all([import('@/features/home/home-page.tsx'), loadTexts(['home', 'jobs'])])
  return { default: page.HomePage }
})

const loadJobsPage = async () => {
  const [page] = await Promise.all([import('./jobs-page.tsx'), loadTexts(['jobs', 'reading', 'photos'])])
  return { default: page.JobsPage }
}

const JobsPage = lazy(loadJobsPage)

/** The screens, and who sees which. */
export function Portal({ token }: { token: string | undefined }) {
  const [link, setLink] = useState(token)
  const sessions = useSessions()
  const afterLogin = useAfterLogin()
  useEndedSessions()
  usePreparedScreens()
  useAccountLanguage()

  return (
    <Shell>
      {link ? (
        <TokenLogin
          token={link}
          onLogin={() => afterLogin(() => setLink(undefined))}
          onGiveUp={() => setLink(undefined)}
        />
      ) : sessions.length === 0 ? (
        <Login onLogin={() => afterLogin()} />
      ) : (
        <Suspense>
          <Switch>
            <Route path={patterns.home}>
              <HomePage jobsPath={paths.jobs()} />
            </Route>
            <Route path={patterns.jobs}>{({ jobId }) => <JobsPage jobId={jobId} />}</Route>
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
      )}
    </Shell>
  )
}

function Login({ onLogin }: { onLogin: () => void }) {
  const { t } = useTranslation('login')
  return (
    <>
      <PageTitle>{t('title')}</PageTitle>
      <LoginPage onLogin={onLogin} />
    </>
  )
}

/** Who came for a certain page stays on it; everybody else goes where the tenant wants them after a login (L4). */
function useAfterLogin() {
  const { features } = useApplication()
  const [path, navigate] = useLocation()
  return (then?: () => void) => {
    if (path === paths.home() && features.redirectToJobsScreenOnLoginEnabled) navigate(paths.jobs(), { replace: true })
    then?.()
  }
}

/**
 * Says that an account ended, and clears up behind the last one (L4). Who logged out goes to the start, and what was entered is
 * forgotten; who was logged out stays where they were, and finds what they entered after the next login.
 */
function useEndedSessions() {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const isLoggedIn = useSessions().length > 0
  const wasLoggedIn = useRef(isLoggedIn)
  const hasEnded = useRef(false)

  useEffect(
    () =>
      onSessionEnded(({ info }) => {
        hasEnded.current = true
        notify({ type: 'info', title: t('session.endedTitle'), message: t('session.endedText', { name: info.name }) })
      }),
    [t],
  )

  useEffect(() => {
    if (wasLoggedIn.current && !isLoggedIn) {
      void forgetData()
      if (!hasEnded.current) {
        void dropEntries()
        navigate(paths.home(), { replace: true })
      }
      hasEnded.current = false
    }
    wasLoggedIn.current = isLoggedIn
  }, [isLoggedIn, navigate])
}

/** Fetches the screens that are needed next while there is a network: the meter may hang where there is none. */
function usePreparedScreens() {
  const isLoggedIn = useSessions().length > 0
  useEffect(() => {
    // Without a network the screen says so itself once it is opened.
    if (isLoggedIn) loadJobsPage().catch(() => undefined)
  }, [isLoggedIn])
}
