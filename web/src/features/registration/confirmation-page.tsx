import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApplication } from '@/api/application.ts'
import { confirmRegistration } from '@/api/communication.ts'
import { problemCode, useProblemText } from '@/api/problem.ts'
import { Message } from '@/ui/message.tsx'
import { ScreenMessage } from '@/ui/screen-message.tsx'
import './registration.css'

/**
 * Where the link of a confirmation mail leads. The address is confirmed by a button: programs that look into mails open their links,
 * too.
 */
export function ConfirmationPage({ token }: { token: string }) {
  const { t } = useTranslation('registration')
  const { name } = useApplication()
  const problemText = useProblemText()
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open')
  const [failure, setFailure] = useState<unknown>()

  async function confirm() {
    setState('busy')
    setFailure(undefined)
    try {
      await confirmRegistration(token)
      setState('done')
    } catch (error) {
      setFailure(error)
      setState('open')
    }
  }

  const title = <title>{`${t('confirmation.title')} – ${name}`}</title>
  if (state === 'done' || problemCode(failure) === 'not-found') {
    const outcome = state === 'done' ? 'done' : 'expired'
    return (
      <div role="status">
        {title}
        <ScreenMessage icon={outcome === 'done' ? 'checkCircle' : 'clock'} title={t(`confirmation.${outcome}.title`)}>
          <p>{t(`confirmation.${outcome}.text`)}</p>
        </ScreenMessage>
      </div>
    )
  }
  return (
    <>
      {title}
      <ScreenMessage
        icon="mail"
        title={t('confirmation.title')}
        action={
          <Button
            variation="primary"
            size="large"
            isLoading={state === 'busy'}
            loadingText={t('busy')}
            onClick={() => void confirm()}
          >
            {t('confirmation.button')}
          </Button>
        }
      >
        <p>{t('confirmation.text', { name })}</p>
        <div role="alert">
          {failure !== undefined && (
            <Message type="error" title={t('confirmation.failed')}>
              <p>{problemText(failure)}</p>
            </Message>
          )}
        </div>
      </ScreenMessage>
    </>
  )
}
