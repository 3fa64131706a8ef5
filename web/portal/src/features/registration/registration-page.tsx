import { Button, Loader } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { useProblemText } from '@shared/api/problem.ts'
import type { Registration } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { Message } from '@shared/ui/message.tsx'
import { notify } from '@shared/ui/notify.ts'
import { ScreenMessage } from '@shared/ui/screen-message.tsx'
import { useApplication } from '@/data/application.ts'
import { revokeRegistration, stopReminders, useRegistration } from '@/data/communication.ts'
import { RegistrationForm } from './registration-form.tsx'
import './registration.css'

/** What is registered for digital communication, for the holder of the link to it (P9). */
export function RegistrationPage({ selfServiceToken }: { selfServiceToken: string }) {
  const { t } = useTranslation('registration')
  const { name } = useApplication()
  const problemText = useProblemText()
  const { registration, error, reload } = useRegistration(selfServiceToken)
  const title = <title>{`${t('title')} – ${name}`}</title>
  if (registration) {
    return (
      <div className="registration">
        {title}
        <h1>{t('title')}</h1>
        <Open selfServiceToken={selfServiceToken} registration={registration} reload={reload} />
      </div>
    )
  }
  if (!error) return <Loader size="large" aria-label={t('loading', { area: 'common' })} />
  const isUnknown = error.code === 'not-found'
  return (
    <>
      {title}
      <ScreenMessage
        icon={isUnknown ? 'search' : 'offline'}
        title={t(isUnknown ? 'unknown.title' : 'failed.title')}
        action={!isUnknown && <Button onClick={() => void reload()}>{t('failed.again')}</Button>}
      >
        <p>{isUnknown ? t('unknown.text') : problemText(error)}</p>
      </ScreenMessage>
    </>
  )
}

interface OpenProps {
  selfServiceToken: string
  registration: Registration
  reload: () => Promise<unknown>
}

function Open({ selfServiceToken, registration, reload }: OpenProps) {
  const { t } = useTranslation('registration')
  const { name } = useApplication()
  const [asked, setAsked] = useState<string>()
  const [hasEnded, setEnded] = useState(false)
  const { state, maskedEmail } = registration

  async function settle(email: string | undefined) {
    setAsked(email)
    await reload()
  }

  async function giveUp() {
    notify({ type: 'success', title: t('revoke.done'), topic: 'registration' })
    await settle(undefined)
  }

  return (
    <>
      {!hasEnded && <p>{t('intro', { name })}</p>}
      <div role="status" className="registration__state">
        {hasEnded && (
          <Message type="success" title={t('revoke.done')}>
            <p>{t('revoke.again')}</p>
          </Message>
        )}
        {!hasEnded && state === 'confirmed' && (
          <Message type="success" title={t('confirmed.title')}>
            <p>{t('confirmed.text', { email: maskedEmail })}</p>
          </Message>
        )}
        {!hasEnded && (state === 'pending' || asked !== undefined) && (
          <Message type="info" title={t('pending.title')}>
            <p>{t('pending.text', { email: asked ?? maskedEmail })}</p>
            {state === 'confirmed' && <p>{t('pending.until', { email: maskedEmail })}</p>}
          </Message>
        )}
      </div>
      {!hasEnded && (
        <RegistrationForm
          // After a mail was sent, another one is a new wish.
          key={asked}
          selfServiceToken={selfServiceToken}
          title={t(state === 'none' ? 'form.title' : 'form.titleOther')}
          onAsked={(email) => void settle(email)}
        />
      )}
      {!hasEnded && state === 'confirmed' && maskedEmail && (
        <Reminders
          selfServiceToken={selfServiceToken}
          email={maskedEmail}
          areSent={registration.reminders}
          onStopped={() => void reload()}
        />
      )}
      {!hasEnded && state !== 'none' && (
        <Revoke
          selfServiceToken={selfServiceToken}
          // A confirmed address takes the link with it, which is in its mails.
          onRevoked={() => (state === 'confirmed' ? setEnded(true) : void giveUp())}
        />
      )}
    </>
  )
}

interface RemindersProps {
  selfServiceToken: string
  /** The confirmed address, as its owner recognises it. */
  email: string
  areSent: boolean
  onStopped: () => void
}

/** Ends reminders alone; a new confirmation brings them back. */
function Reminders({ selfServiceToken, email, areSent, onStopped }: RemindersProps) {
  const { t } = useTranslation('registration')
  const problemText = useProblemText()
  const [isBusy, setBusy] = useState(false)

  async function stop() {
    setBusy(true)
    try {
      await stopReminders(selfServiceToken)
      notify({ type: 'success', title: t('link.unsubscribe.done.title'), topic: 'registration' })
      onStopped()
    } catch (error) {
      notify({ type: 'error', title: t('link.unsubscribe.failed'), message: problemText(error), topic: 'registration' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className="panel registration__reminders">
      <h2>{t('reminders.title')}</h2>
      <p>{areSent ? t('reminders.text', { email }) : t('reminders.declined')}</p>
      {areSent && (
        <BusyButton isLoading={isBusy} loadingText={t('busy')} onClick={() => void stop()}>
          {t('link.unsubscribe.button')}
        </BusyButton>
      )}
    </section>
  )
}

/** Ends it, once the reader has said so twice. */
function Revoke({ selfServiceToken, onRevoked }: { selfServiceToken: string; onRevoked: () => void }) {
  const { t } = useTranslation('registration')
  const problemText = useProblemText()
  const [isOpen, setOpen] = useState(false)
  const [isBusy, setBusy] = useState(false)

  async function revoke() {
    setBusy(true)
    try {
      await revokeRegistration(selfServiceToken)
      setOpen(false)
      onRevoked()
    } catch (error) {
      notify({ type: 'error', title: t('revoke.failed'), message: problemText(error), topic: 'registration' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <section className="panel registration__revoke">
      <h2>{t('revoke.title')}</h2>
      <p>{t('revoke.text')}</p>
      <Button onClick={() => setOpen(true)}>{t('revoke.button')}</Button>
      <Dialog
        open={isOpen}
        isLocked={isBusy}
        title={t('revoke.question')}
        onClose={() => setOpen(false)}
        actions={
          <>
            <BusyButton
              variation="destructive"
              isLoading={isBusy}
              loadingText={t('busy')}
              onClick={() => void revoke()}
            >
              {t('revoke.confirm')}
            </BusyButton>
            <Button isDisabled={isBusy} onClick={() => setOpen(false)}>
              {t('revoke.cancel')}
            </Button>
          </>
        }
      >
        <p>{t('revoke.consequence')}</p>
      </Dialog>
    </section>
  )
}
