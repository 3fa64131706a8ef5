import { Button } from '@aws-amplify/ui-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { Message } from '@shared/ui/message.tsx'
import { notify } from '@shared/ui/notify.ts'
import { OutsideLink } from '@shared/ui/outside-link.tsx'
import { refreshRegistrationInfo } from '@/data/communication.ts'
import { type Communication, registrationPage, type Trigger } from './communication.ts'
import { useReceipts } from './receipts.ts'

interface Props {
  communication: Communication
  trigger: Trigger
  onClose: () => void
}

/** Registration for digital communication, and for those who are registered receipts (P2, P4). */
export function CommunicationDialog({ communication, trigger, onClose }: Props) {
  const { t } = useTranslation('communication')
  const { accountId, info, isRegistered } = communication
  const receipts = useReceipts(accountId)
  const page = registrationPage(info)
  const isPending = receipts.state === 'pending'

  async function send() {
    if (await receipts.request()) onClose()
  }
  useArrival(isRegistered, () => {
    if (receipts.done > 0) void send()
    else {
      notify({ type: 'info', title: t('registered.title'), message: t('registered.text'), topic: 'receipts' })
      onClose()
    }
  })

  return (
    <Dialog
      open
      isLocked={isPending}
      title={t('title')}
      onClose={onClose}
      actions={
        <>
          {isRegistered && (
            <BusyButton
              variation="primary"
              isDisabled={receipts.done === 0 || receipts.state === 'blocked'}
              isLoading={isPending}
              loadingText={t('receipts.sending')}
              onClick={() => void send()}
            >
              {t('receipts.send')}
            </BusyButton>
          )}
          {!isRegistered && page && <Register page={page} />}
          <Button isDisabled={isPending} onClick={onClose}>
            {t('close', { area: 'common' })}
          </Button>
        </>
      }
    >
      {trigger === 'automatic' && <p className="communication__done">{t('allDone')}</p>}
      {isRegistered ? (
        <>
          <p>{t('receipts.text', { count: receipts.done })}</p>
          {receipts.failure !== undefined && (
            <Message type="error" title={t('receipts.failedTitle')} role="alert">
              <p>{receipts.failure}</p>
              <p>{t('receipts.later')}</p>
            </Message>
          )}
          {receipts.state === 'blocked' && receipts.failure === undefined && (
            <Message type="info" role="status">
              <p>{receipts.blocked}</p>
            </Message>
          )}
          {page && (
            <p>
              <OutsideLink href={page}>{t('manage')}</OutsideLink>
            </p>
          )}
        </>
      ) : page ? (
        <Registration accountId={accountId} />
      ) : (
        <Message type="error" title={t('missing.title')}>
          <p>{t('missing.text')}</p>
        </Message>
      )}
    </Dialog>
  )
}

/** Goes on when the registration, which happens elsewhere, arrives. */
function useArrival(isRegistered: boolean, onArrived: () => void) {
  const was = useRef(isRegistered)
  const arrive = useEffectEvent(onArrived)
  useEffect(() => {
    if (!was.current && isRegistered) arrive()
    was.current = isRegistered
  }, [isRegistered])
}

/** The registration opens beside the portal, which waits for it. */
function Register({ page }: { page: string }) {
  const { t } = useTranslation('communication')
  return (
    <a className="button-link" href={page} target="_blank" rel="noreferrer">
      {t('register')}
      <span className="visually-hidden"> {t('newTab', { area: 'common' })}</span>
    </a>
  )
}

function Registration({ accountId }: { accountId: string }) {
  const { t } = useTranslation('communication')
  const [isBusy, setBusy] = useState(false)
  async function look() {
    setBusy(true)
    await refreshRegistrationInfo(accountId)
    setBusy(false)
  }
  return (
    <>
      <p>{t('text')}</p>
      <p>{t('howTo')}</p>
      <BusyButton
        className="communication__check"
        variation="link"
        size="small"
        isLoading={isBusy}
        loadingText={t('checking')}
        onClick={() => void look()}
      >
        {t('check')}
      </BusyButton>
    </>
  )
}
