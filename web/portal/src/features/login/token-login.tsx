import { Button } from '@aws-amplify/ui-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { Link } from 'wouter'
import { problemCode, useProblemText } from '@shared/api/problem.ts'
import type { Application } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { authenticate, enter, type NewLogin } from '@/auth/login.ts'
import { revoke } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'
import { useJobs } from '@/data/jobs.ts'
import { giveUpLink } from '@/early/early.ts'
import { LogoutDialog } from '@/offline/logout-dialog.tsx'
import { discardUnsent, unsentOfOthers } from '@/offline/unsent.ts'
import './login.css'

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
  const { t: common } = useTranslation()
  const application = useApplication()
  const problemText = useProblemText()
  const [failure, setFailure] = useState<unknown>()
  const [accountId, setAccountId] = useState<string>()
  /** Where one account takes the place of the other, what the other has not sent would be gone. */
  const [question, setQuestion] = useState<{ login: NewLogin; count: number }>()
  const isInvalid = problemCode(failure) === 'link-invalid'
  const title = isInvalid ? problemText(failure) : t('token.failedTitle')
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
    await discardUnsent(question.login.session.accountId)
    await take(application, question.login)
  }

  function tryAgain() {
    setFailure(undefined)
    setAttempt((count) => count + 1)
  }

  return (
    <>
      <title>{`${failure === undefined ? t('token.checking') : title} – ${application.name}`}</title>
      <div className="login__checking" role="status">
        {failure === undefined && <h1>{t('token.checking')}</h1>}
      </div>
      {accountId && <Arriving onArrived={() => onLogin(accountId)} />}
      <LogoutDialog
        open={question !== undefined}
        count={question?.count ?? 0}
        onStay={stay}
        onDiscard={() => void replace().catch(setFailure)}
      />
      <Dialog
        open={failure !== undefined}
        title={title}
        onClose={onGiveUp}
        actions={
          <>
            {/* Who came by a QR code may have nothing else at hand: the link is good until the server says otherwise. */}
            {!isInvalid && (
              <Button variation="primary" onClick={tryAgain}>
                {t('token.again')}
              </Button>
            )}
            <Button {...(isInvalid && { variation: 'primary' })} onClick={onLogIn ?? onGiveUp}>
              {onLogIn ? t('token.toLogin') : common('close')}
            </Button>
            {isInvalid && publicPath && (
              <Link href={publicPath} className="button-link button-link--plain" onClick={onGiveUp}>
                {t('failed.public')}
              </Link>
            )}
          </>
        }
      >
        <p>{isInvalid ? t('token.failedHint') : problemText(failure)}</p>
      </Dialog>
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
