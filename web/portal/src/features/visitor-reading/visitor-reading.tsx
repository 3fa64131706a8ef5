import { Button, Loader } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { ScreenMessage } from '@shared/ui/screen-message.tsx'
import { useApplication } from '@/data/application.ts'
import { useUnsentForm } from '@/sw/unsent.ts'
import { type Config, type Draft, emptyDraft, offeredTypes, type Step } from './draft.ts'
import { Sender } from './send.ts'
import { useVisitorSession } from './session.ts'
import { SidePanel } from './side-panel.tsx'
import { Wizard } from './wizard.tsx'
import './visitor-reading.css'

interface Props {
  readonly homePath: string
  /** The address of this screen, for which the utility may have texts. */
  readonly path: string
}

/** Where the visitor is in the flow; leaving the screen forgets it. */
export interface Progress {
  readonly step: Step
  readonly draft: Draft
  /** Something was entered. */
  readonly isTouched: boolean
}

const start = (config: Config): Progress => ({ step: 'METER', draft: emptyDraft(config), isTouched: false })

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
  const { t } = useTranslation('publicReading')
  const { unknownReading } = useApplication()
  const { current, refresh, expire } = useVisitorSession()
  const [progress, setProgress] = useState<Progress>(() => start(unknownReading))
  const [sender] = useState(() => new Sender())
  useUnsentForm(progress.isTouched && progress.step !== 'DONE')

  if (current.state === 'off') return <Off homePath={homePath} />
  if (current.state === 'failed') {
    return (
      <ScreenMessage icon="clock" title={t('unavailable.title')} action={<Home path={homePath} />}>
        <p>{t('unavailable.text')}</p>
      </ScreenMessage>
    )
  }
  if (current.state === 'pending') {
    return (
      <div className="public-reading__pending" role="status">
        <Loader size="large" aria-hidden />
        {t('pending')}
      </div>
    )
  }
  // What was sent stays sent: nobody needs a session for being told so.
  if (current.state === 'expired' && progress.step !== 'DONE') {
    return (
      <div role="alert">
        <ScreenMessage
          icon="clock"
          title={t('expired.title')}
          action={
            <Button variation="primary" size="large" onClick={refresh}>
              {t('expired.refresh')}
            </Button>
          }
        >
          <p>{t('expired.text')}</p>
        </ScreenMessage>
      </div>
    )
  }
  return (
    <div className="public-reading">
      <div className="public-reading__main">
        <header className="public-reading__head">
          <h1>{t('title')}</h1>
          <p>{t('description')}</p>
        </header>
        <Wizard
          session={current.state === 'ready' ? current.session : undefined}
          sender={sender}
          progress={progress}
          onProgress={setProgress}
          onExpired={expire}
          onRestart={() => setProgress(start(unknownReading))}
          homePath={homePath}
        />
      </div>
      <SidePanel homePath={homePath} path={path} />
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
