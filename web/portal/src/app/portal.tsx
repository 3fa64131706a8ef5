import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Route, Switch, useLocation, useRoute } from 'wouter'
import { loadTexts } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { notify } from '@shared/ui/notify.ts'
import { currentSessions, onSessionEnded, useSessions } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'
import { forgetData, forgetOthersJobs } from '@/data/jobs.ts'
import { deleteDrafts, startDrafts } from '@/device/drafts.ts'
import { firstScreenIsThere } from '@/early/first-screen.ts'
import { ContactCard } from '@/features/contact/contact-card.tsx'
import { forgetPlaces } from '@/features/jobs/remembered.ts'
import { LoginPage } from '@/features/login/login-page.tsx'
import { TokenLogin } from '@/features/login/token-login.tsx'
import { useArrival } from './arrival.ts'
import { useAccountLanguage } from './language.ts'
import { NotFound } from './not-found.tsx'
import { PageTitle } from './page-title.tsx'
import { paths, patterns } from './paths.ts'
import { Shell } from './shell.tsx'

const HomePage = lazy(async () => {
  const [page] = await Promise.all([import('@/features/home/home-page.tsx'), loadTexts(['home', 'jobs'])])
  return { default: page.HomePage }
})

const loadIntroduction = async () => {
  const [page] = await Promise.all([import('@/features/introduction/introduction.tsx'), loadTexts(['introduction'])])
  return { default: page.Introduction }
}

const Introduction = lazy(loadIntroduction)

const loadJobsPage = async () => {
  const [page] = await Promise.all([import('./jobs-page.tsx'), loadTexts(['jobs', 'reading', 'photos'])])
  await startDrafts()
  return { default: page.JobsPage }
}

const JobsPage = lazy(loadJobsPage)

const ManagementPage = lazy(async () => {
  const [page] = await Promise.all([import('./management-page.tsx'), loadTexts(['sharing'])])
  return { default: page.ManagementPage }
})

const DevicesPage = lazy(async () => {
  const [page] = await Promise.all([import('./devices-page.tsx'), loadTexts(['devices'])])
  return { default: page.DevicesPage }
})

const AccessibilityPage = lazy(async () => {
  const [page] = await Promise.all([
    import('@/features/accessibility/accessibility-page.tsx'),
    loadTexts(['accessibility']),
  ])
  return { default: page.AccessibilityPage }
})

const NewReadingPage = lazy(async () => {
  const [page] = await Promise.all([
    import('./new-reading-page.tsx'),
    loadTexts(['unknownReading', 'reading', 'photos']),
  ])
  return { default: page.NewReadingPage }
})

const EvaluationPage = lazy(async () => {
  const [page] = await Promise.all([
    import('./evaluation-page.tsx'),
    loadTexts(['evaluation', 'jobs', 'reading', 'photos']),
  ])
  return { default: page.EvaluationPage }
})

const VisitorReading = lazy(async () => {
  const [page] = await Promise.all([
    import('@/features/visitor-reading/visitor-reading.tsx'),
    loadTexts(['publicReading', 'reading', 'photos']),
  ])
  return { default: page.VisitorReading }
})

const HelpPage = lazy(async () => {
  const [page] = await Promise.all([import('@/features/help/help-page.tsx'), loadTexts(['help'])])
  return { default: page.HelpPage }
})

/** Is not there without a network, nor is what it is about. */
const CommunicationHost = lazy(() =>
  import('@/features/communication/communication-host.tsx').then(
    ({ CommunicationHost }) => ({ default: CommunicationHost }),
    () => ({ default: () => null }),
  ),
)

const CommunicationCard = lazy(async () => {
  const [card] = await Promise.all([
    import('@/features/communication/communication-card.tsx'),
    loadTexts(['communication']),
  ])
  return { default: card.CommunicationCard }
})

const RegistrationPage = lazy(async () => {
  const [page] = await Promise.all([
    import('@/features/registration/registration-page.tsx'),
    loadTexts(['registration']),
  ])
  return { default: page.RegistrationPage }
})

const ConfirmationPage = lazy(async () => {
  const [page] = await Promise.all([
    import('@/features/registration/confirmation-page.tsx'),
    loadTexts(['registration']),
  ])
  return { default: page.ConfirmationPage }
})

const UnsubscribePage = lazy(async () => {
  const [page] = await Promise.all([
    import('@/features/registration/unsubscribe-page.tsx'),
    loadTexts(['registration']),
  ])
  return { default: page.UnsubscribePage }
})

/** The screens, and who sees which. */
export function Portal({ token }: { token: string | undefined }) {
  const [link, setLink] = useState(token)
  const isLoggedIn = useSessions().length > 0
  const [isStatement] = useRoute(patterns.accessibility)
  const { features } = useApplication()
  const arrive = useArrival()
  const isChecking = link !== undefined && !isStatement
  useEffect(() => {
    if (!isChecking) firstScreenIsThere()
  }, [isChecking])
  useEndedSessions()
  usePreparedScreens(token !== undefined)
  useAccountLanguage()

  const publicPath = usePublicPath()
  const [, navigate] = useLocation()
  const logIn = () => {
    setLink(undefined)
    if (isLoggedIn) navigate(paths.addAccount())
  }
  const login = <Login onLogin={() => arrive('credentials')} onToken={setLink} />
  return (
    <Shell>
      {isChecking ? (
        <TokenLogin
          token={link}
          onLogin={(accountId) => {
            arrive('token', accountId)
            setLink(undefined)
          }}
          onGiveUp={() => setLink(undefined)}
          onLogIn={isLoggedIn && !features.multipleAccountsLoginEnabled ? undefined : logIn}
          publicPath={publicPath}
        />
      ) : (
        <Suspense>
          <Switch>
            <Route path={patterns.publicReading}>
              <VisitorReading homePath={paths.home()} path={paths.publicReading()} />
            </Route>
            <Route path={patterns.accessibility}>
              <AccessibilityPage />
            </Route>
            {/* Who cannot log in needs it most (D-VISITORS-2). */}
            <Route path={patterns.help}>
              <HelpPage />
            </Route>
            <Route path={patterns.registration}>
              {({ selfServiceToken }) => <RegistrationPage selfServiceToken={selfServiceToken} />}
            </Route>
            <Route path={patterns.confirmation}>{({ token }) => <ConfirmationPage token={token} />}</Route>
            <Route path={patterns.unsubscribe}>
              {({ selfServiceToken }) => (
                <UnsubscribePage
                  selfServiceToken={selfServiceToken}
                  registrationPath={paths.registration(selfServiceToken)}
                />
              )}
            </Route>
            {!isLoggedIn && <Route>{login}</Route>}
            <Route path={patterns.home}>
              <HomePage jobsPath={paths.jobs()}>
                <Suspense>
                  <CommunicationCard />
                </Suspense>
                <ContactCard path={paths.home()} />
              </HomePage>
            </Route>
            <Route path={patterns.introduction}>
              <Introduction jobsPath={paths.jobs()} />
            </Route>
            {features.multipleAccountsLoginEnabled && <Route path={patterns.addAccount}>{login}</Route>}
            <Route path={patterns.newReading}>
              <NewReadingPage />
            </Route>
            <Route path={patterns.jobs}>{({ jobId }) => <JobsPage jobId={jobId} />}</Route>
            <Route path={patterns.devices}>
              <DevicesPage />
            </Route>
            <Route path={patterns.management}>
              <ManagementPage />
            </Route>
            <Route path={patterns.managedAccount}>
              {({ accountId, shareId }) => <ManagementPage accountId={accountId} shareId={shareId} />}
            </Route>
            <Route path={patterns.evaluation}>{({ jobId }) => <EvaluationPage jobId={jobId} />}</Route>
            <Route>
              <NotFound />
            </Route>
          </Switch>
        </Suspense>
      )}
      <Suspense>{isLoggedIn && <CommunicationHost />}</Suspense>
    </Shell>
  )
}

/** Where a reading is sent without a login; undefined where the tenant does not allow that. */
function usePublicPath(): string | undefined {
  return useApplication().config.unknownUserReading.unknownUserReadingAllowed ? paths.publicReading() : undefined
}

function Login({ onLogin, onToken }: { onLogin: () => void; onToken: (token: string) => void }) {
  const { t } = useTranslation('login')
  const publicPath = usePublicPath()
  return (
    <>
      <PageTitle>{t('title')}</PageTitle>
      <LoginPage onLogin={onLogin} onToken={onToken} publicPath={publicPath} />
    </>
  )
}

/**
 * Says that an account ended, and clears up behind it (L4). Who logged out goes to the start, and what was entered is
 * forgotten; who was logged out stays where they were, and finds what they entered after the next login.
 */
function useEndedSessions() {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const sessions = useSessions()
  const before = useRef(sessions)
  const ended = useRef(new Set<string>())

  useEffect(
    () =>
      onSessionEnded(({ accountId, info }) => {
        notify({ type: 'info', title: t('session.endedTitle'), message: t('session.endedText', { name: info.name }) })
        // One that ended before there was a screen may be gone already.
        if (currentSessions().some((session) => session.accountId === accountId)) ended.current.add(accountId)
        else clearUp()
      }),
    [t],
  )

  useEffect(() => {
    const gone = before.current.filter(({ accountId }) => !sessions.some((session) => session.accountId === accountId))
    before.current = sessions
    if (gone.length === 0) return
    const loggedOut = gone.filter(({ accountId }) => !ended.current.delete(accountId))
    for (const { accountId } of loggedOut) void deleteDrafts(accountId)
    clearUp()
    if (sessions.length === 0 && loggedOut.length > 0) navigate(paths.home(), { replace: true })
  }, [sessions, navigate])
}

/** Forgets what belongs to accounts that are no longer logged in. */
function clearUp(): void {
  if (currentSessions().length > 0) {
    forgetOthersJobs()
    return
  }
  void forgetData()
  forgetPlaces()
}

/** Fetches the screens that are needed next while there is a network: the meter may hang where there is none. */
function usePreparedScreens(isLoggingIn: boolean) {
  const isExpected = useSessions().length > 0 || isLoggingIn
  useEffect(() => {
    // Without a network the screen says so itself once it is opened.
    if (isExpected) loadJobsPage().catch(() => undefined)
  }, [isExpected])
  useEffect(() => {
    if (isLoggingIn) loadIntroduction().catch(() => undefined)
  }, [isLoggingIn])
}
