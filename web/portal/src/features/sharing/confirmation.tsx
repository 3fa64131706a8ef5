import { Button, CheckboxField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import type { Job, Share } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { dismissTopic, notify } from '@shared/ui/notify.ts'
import { useShares } from '@/data/shares.ts'
import { useShareProblemText } from './problem-text.ts'

/** What is about to end. */
export type Question = { kind: 'delete' } | { kind: 'renew' } | { kind: 'remove'; job: Job }

interface Props {
  accountId: string
  /** Undefined keeps the dialog closed. */
  question: Question | undefined
  share: Share
  /** `andSharedOn`: what was shared on from it is to end with the login data. */
  onConfirm: (question: Question, andSharedOn: boolean) => Promise<void>
  onClose: () => void
}

const TOPIC = 'share'

/** Asks before something ends that other people use (L6). */
export function Confirmation({ accountId, question, share, onConfirm, onClose }: Props) {
  const { t } = useTranslation('sharing')
  const problemText = useShareProblemText()
  const [isBusy, setBusy] = useState(false)
  const [andSharedOn, setAndSharedOn] = useState(false)
  const kind = question?.kind ?? 'delete'
  const names = { name: share.name, meterNumber: question?.kind === 'remove' ? question.job.meter.meterNumber : '' }

  function close() {
    setAndSharedOn(false)
    onClose()
  }

  async function confirm() {
    if (!question) return
    setBusy(true)
    dismissTopic(TOPIC)
    try {
      await onConfirm(question, andSharedOn)
      close()
    } catch (error) {
      notify({ type: 'error', title: t(`confirm.${kind}.failed`), message: problemText(error), topic: TOPIC })
    } finally {
      setBusy(false)
    }
  }

  return (
    <Dialog
      open={question !== undefined}
      isLocked={isBusy}
      title={t(`confirm.${kind}.title`, names)}
      onClose={close}
      actions={
        <>
          <BusyButton
            variation={kind === 'renew' ? 'primary' : 'destructive'}
            isLoading={isBusy}
            loadingText={t('busy')}
            onClick={() => void confirm()}
          >
            {t(`confirm.${kind}.confirm`)}
          </BusyButton>
          <Button isDisabled={isBusy} onClick={close}>
            {t('form.cancel')}
          </Button>
        </>
      }
    >
      <p>{t(`confirm.${kind}.text`, names)}</p>
      {kind === 'renew' && share.allowToReShare && (
        <WhatWasSharedOn accountId={accountId} shareId={share.id} isEnded={andSharedOn} onChange={setAndSharedOn} />
      )}
    </Dialog>
  )
}

interface SharedOnProps {
  accountId: string
  shareId: string
  isEnded: boolean
  onChange: (isEnded: boolean) => void
}

/** Those with whom it was shared on have login data of their own: whether they go on is a question (D-SHARES-10). */
function WhatWasSharedOn({ accountId, shareId, isEnded, onChange }: SharedOnProps) {
  const { t } = useTranslation('sharing')
  const { shares } = useShares(accountId, shareId)
  if (shares?.length === 0) return null
  return (
    <>
      <p>{shares ? t('confirm.renew.sharedOn.text', { count: shares.length }) : t('confirm.renew.sharedOn.unknown')}</p>
      <CheckboxField
        label={t('confirm.renew.sharedOn.end')}
        name="andSharedOn"
        checked={isEnded}
        onChange={(event) => onChange(event.target.checked)}
      />
      <p>{t('confirm.renew.sharedOn.hint')}</p>
    </>
  )
}
