import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { enter } from '@/auth/login.ts'
import { revoke } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'
import { useJobs } from '@/data/jobs.ts'
import { giveUpLink } from '@/early/early.ts'
import { firstScreenIsThere } from '@/early/first-screen.ts'
import { later, surely } from '@/offline/on-demand.ts'
import { type LinkLogin, logInByLink } from './link-login.ts'
import './login.css'

const UnsentDialog = lazy(async () => ({ default: (await later()).UnsentDialog }))

const FailedLink = lazy(async () => {
  await surely()
  return { default: (await import('./failed-link.tsx')).FailedLink }
})

interface Props {
  token: string
  /** The first attempt, where it began before there was a screen. */
  begun?: Promise<LinkLogin> | undefined
  /** The account is logged in, and its jobs are there. */
  onLogin: (accountId: string) => void
  onGiveUp: () => void
  /** To the login with credentials; absent where an account is logged in and no other one can be beside it. */
  onLogIn: (() => void) | undefined
  /** Where a reading is sent without a login; absent where the tenant does not allow that. */
  publicPath: string | undefined
}

/** Logs in by a link or QR code. */
export function TokenLogin({ token, begun, onLogin, onGiveUp, onLogIn, publicPath }: Props) {
  const { t } = useTranslation('login')
  const application = useApplication()
  const [failure, setFailure] = useState<unknown>()
  const [accountId, setAccountId] = useState<string>()
  const [question, setQuestion] = useState<LinkLogin['question']>()
  const [attempt, setAttempt] = useState(1)
  const started = useRef(0)

  useEffect(() => {
    if (started.current === attempt) return
    started.current = attempt
    const logIn = async () => {
      const login = await (attempt === 1 && begun ? begun : logInByLink(application, token))
      if (login.question) setQuestion(login.question)
      else setAccountId(login.accountId)
    }
    logIn().catch(setFailure)
  }, [application, token, begun, attempt])

  const isAsking = failure !== undefined || question !== undefined
  useEffect(() => {
    if (isAsking) firstScreenIsThere()
  }, [isAsking])

  function stay() {
    giveUpLink()
    if (question) void revoke(question.login.session.refreshToken)
    onGiveUp()
  }

  async function replace() {
    if (!question) return
    const { login } = question
    setQuestion(undefined)
    const { discardUnsent } = await later()
    // The login ends what the others are sending, for which discarding would wait.
    await Promise.all([discardUnsent(login.session.accountId), enter(application, login)])
    setAccountId(login.session.accountId)
  }

  function tryAgain() {
    setFailure(undefined)
    setAttempt((count) => count + 1)
  }

  return (
    <>
      {failure === undefined && <title>{`${t('token.checking')} – ${application.name}`}</title>}
      <div className="login__checking" role="status">
        {failure === undefined && <h1>{t('token.checking')}</h1>}
      </div>
      {accountId && <Arriving onArrived={() => onLogin(accountId)} />}
      {question && (
        <Suspense>
          <UnsentDialog open count={question.count} onStay={stay} onDiscard={() => void replace().catch(setFailure)} />
        </Suspense>
      )}
      {failure !== undefined && (
        <Suspense>
          <FailedLink
            failure={failure}
            publicPath={publicPath}
            onTryAgain={tryAgain}
            onLogIn={onLogIn}
            onGiveUp={onGiveUp}
          />
        </Suspense>
      )}
    </>
  )
}

/** Waits for the account's first jobs, or for the message that they cannot be had. */
function Arriving({ onArrived }: { onArrived: () => void }) {
  const { jobs, error } = useJobs()
  const isThere = jobs !== undefined || error !== undefined
  const arrive = useEffectEvent(onArrived)
  useEffect(() => {
    if (isThere) arrive()
  }, [isThere])
  return null
}
