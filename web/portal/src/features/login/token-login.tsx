import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Application } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { authenticate, enter, type NewLogin } from '@/auth/login.ts'
import { currentSessions, revoke } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'
import { useJobs } from '@/data/jobs.ts'
import { giveUpLink } from '@/early/early.ts'
import { later, surely } from '@/offline/on-demand.ts'
import './login.css'

const UnsentDialog = lazy(async () => ({ default: (await later()).UnsentDialog }))

const FailedLink = lazy(async () => {
  await surely()
  return { default: (await import('./failed-link.tsx')).FailedLink }
})

interface Props {
  token: string
  /** The account is logged in, and its jobs are there. */
  onLogin: (accountId: string) => void
  onGiveUp: () => void
  /** To the login with credentials; absent where somebody is logged in and nobody can be beside them. */
  onLogIn: (() => void) | undefined
  /** Where a reading is sent without a login; absent where the tenant does not allow that. */
  publicPath: string | undefined
}

/** Logs in by a link or QR code. */
export function TokenLogin({ token, onLogin, onGiveUp, onLogIn, publicPath }: Props) {
  const { t } = useTranslation('login')
  const application = useApplication()
  const [failure, setFailure] = useState<unknown>()
  const [accountId, setAccountId] = useState<string>()
  /** Where one account takes the place of the other, what the other has not sent would be gone. */
  const [question, setQuestion] = useState<{ login: NewLogin; count: number }>()
  const [attempt, setAttempt] = useState(1)
  const started = useRef(0)

  useEffect(() => {
    if (started.current === attempt) return
    started.current = attempt
    const logIn = async () => {
      const login = await authenticate(application, { token })
      const count = application.features.multipleAccountsLoginEnabled
        ? 0
        : await unsentOfOthers(login.session.accountId)
      if (count > 0) setQuestion({ login, count })
      else await take(application, login)
    }
    logIn().catch(setFailure)
  }, [application, token, attempt])

  async function take(application: Application, login: NewLogin) {
    await enter(application, login)
    setAccountId(login.session.accountId)
  }

  function stay() {
    giveUpLink()
    if (question) void revoke(question.login.session.refreshToken)
    onGiveUp()
  }

  async function replace() {
    if (!question) return
    setQuestion(undefined)
    await (await later()).discardUnsent(question.login.session.accountId)
    await take(application, question.login)
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

/** How many readings would be gone; who is alone here has none to lose, and need not wait for what would know. */
async function unsentOfOthers(accountId: string): Promise<number> {
  const hasOthers = currentSessions().some((session) => session.accountId !== accountId)
  return hasOthers ? (await later()).unsentOfOthers(accountId) : 0
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
