import { Button } from '@aws-amplify/ui-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApplication } from '@/api/application.ts'
import { useJobs } from '@/api/jobs.ts'
import { problemCode, useProblemText } from '@/api/problem.ts'
import { login } from '@/auth/login.ts'
import { Dialog } from '@/ui/dialog.tsx'
import './login.css'

interface Props {
  token: string
  /** The account is logged in, and its jobs are there. */
  onLogin: (accountId: string) => void
  onGiveUp: () => void
}

/** Logs in by a link or QR code. */
export function TokenLogin({ token, onLogin, onGiveUp }: Props) {
  const { t } = useTranslation('login')
  const application = useApplication()
  const problemText = useProblemText()
  const [failure, setFailure] = useState<unknown>()
  const [accountId, setAccountId] = useState<string>()
  const isInvalid = problemCode(failure) === 'link-invalid'
  const [attempt, setAttempt] = useState(1)
  const begun = useRef(0)

  useEffect(() => {
    if (begun.current === attempt) return
    begun.current = attempt
    login(application, { token }).then(setAccountId, setFailure)
  }, [application, token, attempt])

  function tryAgain() {
    setFailure(undefined)
    setAttempt((count) => count + 1)
  }

  return (
    <>
      <title>{`${t('token.checking')} – ${application.name}`}</title>
      <div className="login__checking" role="status">
        {failure === undefined && <h1>{t('token.checking')}</h1>}
      </div>
      {accountId && <Arriving onArrived={() => onLogin(accountId)} />}
      <Dialog
        open={failure !== undefined}
        title={isInvalid ? problemText(failure) : t('token.failedTitle')}
        onClose={onGiveUp}
        actions={
          isInvalid ? (
            <Button variation="primary" onClick={onGiveUp}>
              {t('token.toLogin')}
            </Button>
          ) : (
            // Who came by a QR code may have nothing else at hand: the link is good until the server says otherwise.
            <>
              <Button variation="primary" onClick={tryAgain}>
                {t('token.again')}
              </Button>
              <Button onClick={onGiveUp}>{t('token.toLogin')}</Button>
            </>
          )
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
