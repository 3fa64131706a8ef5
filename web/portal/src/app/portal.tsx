import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { Route, Switch, useLocation, useRoute } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { dismissTopic, notify } from '@shared/ui/notify.ts'
import { currentSessions, onSessionEnded, useSessions } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'
import { forgetLinkToken } from '@/early/begin.ts'
import { firstScreenIsThere } from '@/early/first-screen.ts'
import { surely } from '@/offline/on-demand.ts'
import { useArrival } from './arrival.ts'
import type { FollowedLink } from './follow-link.ts'
import { useAccountLanguage } from './language.ts'
import { PageTitle } from './page-title.tsx'
import { paths, patterns } from './paths.ts'
import {
  AccessibilityPage,
  ConfirmationPage,
  DevicesPage,
  EvaluationPage,
  HelpPage,
  HomeScreen,
  Introduction,
  JobsPage,
  LoginPage,
  ManagementPage,
  NewReadingPage,
  NotFound,
  PreviewPage,
  RegistrationPage,
  TokenLogin,
  UnsubscribePage,
  VisitorReading,
} from './screens.ts'
import { Shell } from './shell.tsx'

const CommunicationHost = lazy(async () => {
  await surely()
  return { default: (await import('@/features/communication/communication-host.tsx')).CommunicationHost }
})

/** The screens, and who sees which. */
export function Portal({ followed }: { followed: FollowedLink | undefined }) {
  const [link, setLink] = useState(followed)
  const isLoggedIn = useSessions().length > 0
  const [isStatement] = useRoute(patterns.accessibility)
  const { features } = useApplication()
  const arrive = useArrival()
  const isChecking = link !== undefined && !isStatement
  useEffect(() => {
    if (!isChecking) firstScreenIsThere()
  }, [isChecking])
  useEndedSessions()
  usePreparedScreens(followed !== undefined)
  useAccountLanguage()

  const publicPath = usePublicPath()
  const [, navigate] = useLocation()
  const endLink = () => {
    forgetLinkToken()
    setLink(undefined)
  }
  const logIn = () => {
    endLink()
    if (isLoggedIn) navigate(paths.addAccount())
  }
  const login = <Login onLogin={() => arrive('credentials')} onToken={(token) => setLink({ token })} />
  return (
    <Shell>
      {isChecking ? (
        <TokenLogin
          {...link}
          onLogin={(accountId) => {
            arrive('token', accountId)
            endLink()
          }}
          onGiveUp={endLink}
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
            <Route path={patterns.preview}>
              <PreviewPage />
            </Route>
            {!isLoggedIn && <Route>{login}</Route>}
            <Route path={patterns.home}>
              <HomeScreen />
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
 * forgotten; who was logged out stays where they were, and finds what they entered after the next login (D-LOGIN-12).
 */
function useEndedSessions() {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const sessions = useSessions()
  const before = useRef(sessions)
  const ended = useRef(new Set<string>())

  useEffect(
    () =>
      onSessionEnded(({ accountId, info }, isSure) => {
        if (isSure)
          notify({
            type: 'info',
            title: t('session.endedTitle'),
            message: t('session.endedText', { name: info.name }),
            topic: endOf(accountId),
          })
        // One that ended before there was a screen may be gone already.
        if (currentSessions().some((session) => session.accountId === accountId)) ended.current.add(accountId)
        else clearUp()
      }),
    [t],
  )

  useEffect(() => {
    const gone = before.current.filter(({ accountId }) => !sessions.some((session) => session.accountId === accountId))
    // A login begins anew, also in the moment in which the ended one is still to be seen.
    for (const { accountId } of sessions.filter((session) => !before.current.includes(session))) {
      dismissTopic(endOf(accountId))
      // The earlier login could not fetch them any more.
      if (ended.current.delete(accountId)) void surely().then(({ reloadJobs }) => reloadJobs().catch(() => undefined))
    }
    before.current = sessions
    if (gone.length === 0) return
    const loggedOut = gone.filter(({ accountId }) => !ended.current.delete(accountId))
    for (const { accountId } of loggedOut) void surely().then(({ deleteDrafts }) => deleteDrafts(accountId))
    clearUp()
    if (sessions.length === 0 && loggedOut.length > 0) navigate(paths.home(), { replace: true })
  }, [sessions, navigate])
}

/** The topic of the notice that an account ended. */
const endOf = (accountId: string): string => `session-end-${accountId}`

/** Forgets what belongs to accounts that are no longer logged in. */
function clearUp(): void {
  if (currentSessions().length > 0) {
    void surely().then(({ forgetOthersJobs }) => forgetOthersJobs())
    return
  }
  void surely().then(({ forgetData }) => forgetData())
  // Whose file is not there has noted no places.
  import('@/features/jobs/remembered.ts').then(
    ({ forgetPlaces }) => forgetPlaces(),
    () => undefined,
  )
}

/** Fetches the screens that are needed next while there is a network: the meter may hang where there is none. */
function usePreparedScreens(isLoggingIn: boolean) {
  const isExpected = useSessions().length > 0 || isLoggingIn
  useEffect(() => {
    // Without a network the screen says so itself once it is opened.
    if (isExpected) JobsPage.load().catch(() => undefined)
  }, [isExpected])
  useEffect(() => {
    if (isLoggingIn) Introduction.load().catch(() => undefined)
  }, [isLoggingIn])
}
