import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { useApplication } from '@/api/application.ts'
import { stopReminders } from '@/api/communication.ts'
import { problemCode, useProblemText } from '@/api/problem.ts'
import { Message } from '@/ui/message.tsx'
import { ScreenMessage } from '@/ui/screen-message.tsx'
import './registration.css'

interface Props {
  selfServiceToken: string
  /** The page for everything else that is sent. */
  registrationPath: string
}

/** Where a reminder's link leads. Reminders end by a button: programs that look into mails open their links, too. */
export function UnsubscribePage({ selfServiceToken, registrationPath }: Props) {
  const { t } = useTranslation('registration')
  const { name } = useApplication()
  const problemText = useProblemText()
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open')
  const [failure, setFailure] = useState<unknown>()

  async function stop() {
    setState('busy')
    setFailure(undefined)
    try {
      await stopReminders(selfServiceToken)
      setState('done')
    } catch (error) {
      setFailure(error)
      setState('open')
    }
  }

  const title = <title>{`${t('unsubscribe.title')} – ${name}`}</title>
  if (state === 'done' || problemCode(failure) === 'not-found') {
    const outcome = state === 'done' ? 'done' : 'unknown'
    return (
      <div role="status">
        {title}
        <ScreenMessage
          icon={outcome === 'done' ? 'checkCircle' : 'search'}
          title={t(`unsubscribe.${outcome}.title`)}
          action={outcome === 'done' && <Link href={registrationPath}>{t('unsubscribe.manage')}</Link>}
        >
          <p>{t(`unsubscribe.${outcome}.text`)}</p>
        </ScreenMessage>
      </div>
    )
  }
  return (
    <>
      {title}
      <ScreenMessage
        icon="mail"
        title={t('unsubscribe.title')}
        action={
          <Button
            variation="primary"
            size="large"
            isLoading={state === 'busy'}
            loadingText={t('busy')}
            onClick={() => void stop()}
          >
            {t('unsubscribe.button')}
          </Button>
        }
      >
        <p>{t('unsubscribe.text', { name })}</p>
        <div role="alert">
          {failure !== undefined && (
            <Message type="error" title={t('unsubscribe.failed')}>
              <p>{problemText(failure)}</p>
            </Message>
          )}
        </div>
      </ScreenMessage>
    </>
  )
}
