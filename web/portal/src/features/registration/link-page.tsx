import { type ReactNode, useState } from 'react'
import { problemCode, useProblemText } from '@shared/api/problem.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import type { IconName } from '@shared/ui/icon.tsx'
import { Message } from '@shared/ui/message.tsx'
import { ScreenMessage } from '@shared/ui/screen-message.tsx'
import { useApplication } from '@/data/application.ts'
import './registration.css'

interface Props {
  /** Under which its texts are. */
  page: 'confirmation' | 'unsubscribe'
  /** What the button does; `not-found` says that the link is good no more. */
  act: () => Promise<void>
  goneIcon: IconName
  /** Where to go on when it is done. */
  onward?: ReactNode
  /** Where to go instead when the link is good no more. */
  instead?: ReactNode
}

/** Where a link of a mail leads. It takes a button to do something: programs that look into mails open their links, too. */
export function LinkPage({ page, act, goneIcon, onward, instead }: Props) {
  const { t } = useTranslation('registration')
  const { name } = useApplication()
  const problemText = useProblemText()
  const [state, setState] = useState<'open' | 'busy' | 'done'>('open')
  const [failure, setFailure] = useState<unknown>()

  async function press() {
    setState('busy')
    setFailure(undefined)
    try {
      await act()
      setState('done')
    } catch (error) {
      setFailure(error)
      setState('open')
    }
  }

  const title = <title>{`${t(`link.${page}.title`)} – ${name}`}</title>
  const isDone = state === 'done'
  if (isDone || problemCode(failure) === 'not-found') {
    const outcome = isDone ? 'done' : 'gone'
    return (
      <>
        {title}
        <ScreenMessage
          isAnswer
          icon={isDone ? 'checkCircle' : goneIcon}
          title={t(`link.${page}.${outcome}.title`)}
          action={isDone ? onward : instead}
        >
          <p>{t(`link.${page}.${outcome}.text`)}</p>
        </ScreenMessage>
      </>
    )
  }
  return (
    <>
      {title}
      <ScreenMessage
        icon="mail"
        title={t(`link.${page}.title`)}
        action={
          <BusyButton
            variation="primary"
            size="large"
            isLoading={state === 'busy'}
            loadingText={t('busy')}
            onClick={() => void press()}
          >
            {t(`link.${page}.button`)}
          </BusyButton>
        }
      >
        <p>{t(`link.${page}.text`, { name })}</p>
        <div role="alert">
          {failure !== undefined && (
            <Message type="error" title={t(`link.${page}.failed`)}>
              <p>{problemText(failure)}</p>
            </Message>
          )}
        </div>
      </ScreenMessage>
    </>
  )
}
