import { Button, Loader } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { useProblemText } from '@shared/api/problem.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { ScreenMessage } from '@shared/ui/screen-message.tsx'
import { useApplication } from '@/data/application.ts'
import { useCloseWarning } from '@/offline/close-warning.ts'
import { useUnsentForm } from '@/sw/unsent.ts'
import { offeredTypes } from './draft.ts'
import { LeaveQuestion } from './leave-question.tsx'
import { Sender } from './send.ts'
import { useVisitorSession } from './session.ts'
import { SidePanel } from './side-panel.tsx'
import { useProgress } from './use-progress.ts'
import { Wizard } from './wizard.tsx'
import './visitor-reading.css'

interface Props {
  readonly homePath: string
  /** The address of this screen, for which the utility may have texts. */
  readonly path: string
}

/** The reading without a login (P2): a session, five steps, and what helps with them. */
export function VisitorReading(props: Props) {
  const { t } = useTranslation('publicReading')
  const { name, config, unknownReading } = useApplication()
  const isOffered = config.unknownUserReading.unknownUserReadingAllowed && offeredTypes(unknownReading).length > 0
  return (
    <>
      <title>{`${t('title')} – ${name}`}</title>
      {isOffered ? <Flow {...props} /> : <Off homePath={props.homePath} />}
    </>
  )
}

function Flow({ homePath, path }: Props) {
  const { unknownReading } = useApplication()
  const { current, refresh, expire } = useVisitorSession()
  const { progress, go, finish, change, restart } = useProgress(unknownReading)
  const [sender] = useState(() => new Sender())
  const [isRenewed, setRenewed] = useState(false)
  const [isSending, setSending] = useState(false)
  const isDone = progress.step === 'DONE'
  const isUnsent = progress.isTouched && !isDone
  const renew = () => {
    setRenewed(true)
    refresh()
  }
  useUnsentForm(isUnsent)
  useCloseWarning(isUnsent)

  if (current.state === 'off') return <Off homePath={homePath} />
  return (
    <>
      {current.state === 'failed' ? (
        <Unavailable error={current.error} isUnsent={isUnsent} isNews={isRenewed} onRetry={renew} homePath={homePath} />
      ) : current.state === 'pending' ? (
        <Pending isNews={isRenewed} />
      ) : current.state === 'expired' && !isDone && !isSending ? (
        <Expired onRenew={renew} />
      ) : (
        <div className="visitor-reading">
          <div className="visitor-reading__main">
            <Head homePath={homePath} />
            <Wizard
              // What was sent stays sent, and what is on its way arrives: the visitor needs no session for being told so.
              session={current.state === 'ready' ? current.session : undefined}
              sender={sender}
              isSending={isSending}
              onSending={setSending}
              progress={progress}
              onGo={go}
              onSent={finish}
              onChange={change}
              onExpired={expire}
              onRestart={restart}
              isBack={isRenewed}
              homePath={homePath}
            />
          </div>
          <SidePanel homePath={homePath} path={path} />
        </div>
      )}
      <LeaveQuestion isUnsent={isUnsent} />
    </>
  )
}

/** What has just come up gets the focus, which was on something that is gone. */
const focus = (element: HTMLElement | null) => element?.focus()

function Head({ homePath }: { homePath: string }) {
  const { t } = useTranslation('publicReading')
  return (
    <header className="visitor-reading__head">
      <h1>{t('title')}</h1>
      <p>{t('description')}</p>
      <p className="visitor-reading__login">
        {t('side.pinTitle')} <Link href={homePath}>{t('side.pinLogin')}</Link>
      </p>
    </header>
  )
}

interface UnavailableProps {
  error: unknown
  /** Something was typed, and is still there. */
  isUnsent: boolean
  isNews: boolean
  onRetry: () => void
  homePath: string
}

function Unavailable({ error, isUnsent, isNews, onRetry, homePath }: UnavailableProps) {
  const { t } = useTranslation('publicReading')
  const problemText = useProblemText()
  return (
    <div role="alert" tabIndex={-1} ref={isNews ? focus : undefined} className="visitor-reading__expired">
      <ScreenMessage
        icon="clock"
        title={t('unavailable.title')}
        action={
          <>
            <Button variation="primary" size="large" onClick={onRetry}>
              {t('unavailable.again')}
            </Button>
            <Home path={homePath} />
          </>
        }
      >
        <p>{problemText(error)}</p>
        {isUnsent && <p>{t('retry')}</p>}
      </ScreenMessage>
    </div>
  )
}

function Pending({ isNews }: { isNews: boolean }) {
  const { t } = useTranslation('publicReading')
  return (
    <div className="visitor-reading__pending" role="status">
      <Loader size="large" aria-hidden />
      <h1 tabIndex={-1} ref={isNews ? focus : undefined}>
        {t('pending')}
      </h1>
    </div>
  )
}

function Expired({ onRenew }: { onRenew: () => void }) {
  const { t } = useTranslation('publicReading')
  return (
    <div role="alert" tabIndex={-1} ref={focus} className="visitor-reading__expired">
      <ScreenMessage
        icon="clock"
        title={t('expired.title')}
        action={
          <Button variation="primary" size="large" onClick={onRenew}>
            {t('expired.refresh')}
          </Button>
        }
      >
        <p>{t('expired.text')}</p>
      </ScreenMessage>
    </div>
  )
}

function Off({ homePath }: { homePath: string }) {
  const { t } = useTranslation('publicReading')
  return (
    <ScreenMessage icon="info" title={t('off.title')} action={<Home path={homePath} />}>
      <p>{t('off.text')}</p>
    </ScreenMessage>
  )
}

function Home({ path }: { path: string }) {
  const { t } = useTranslation('publicReading')
  return (
    <Link href={path} className="button-link">
      {t('home')}
    </Link>
  )
}
