import { Button } from '@aws-amplify/ui-react'
import { type ReactNode, useState } from 'react'
import type { ShareLogin } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { useApplication } from '@/data/application.ts'
import { useUnsentForm } from '@/sw/unsent.ts'
import { ShareOutcome } from './share-outcome.tsx'

interface Props {
  /** The account that shares. */
  accountId: string
  share: { id: string; name: string }
  /** The share's login data; undefined keeps the dialog closed. */
  login: ShareLogin | undefined
  onClose: () => void
  /** What else can be done with the share. */
  children: ReactNode
}

/** Shows login data this once; it closes once they are handed over (L2). */
export function OutcomeDialog({ accountId, share, login, onClose, children }: Props) {
  const { t } = useTranslation('sharing')
  const { emailSharingEnabled } = useApplication().features
  const [handedOver, setHandedOver] = useState<ShareLogin>()
  const [isSending, setSending] = useState(false)
  const isKept = login !== undefined && handedOver !== login
  const isLocked = isKept || isSending
  useUnsentForm(login !== undefined)
  return (
    <Dialog
      open={login !== undefined}
      isWide
      isLocked={isLocked}
      title={t('outcome.title', { name: share.name })}
      onClose={onClose}
      actions={
        <div className="share-close">
          {isKept && <p id="share-close-reason">{t(emailSharingEnabled ? 'outcome.lockedMail' : 'outcome.locked')}</p>}
          <Button
            variation="primary"
            isDisabled={isLocked}
            aria-describedby={isKept ? 'share-close-reason' : undefined}
            onClick={onClose}
          >
            {t('close', { area: 'common' })}
          </Button>
        </div>
      }
    >
      {login && (
        <ShareOutcome
          accountId={accountId}
          shareId={share.id}
          login={login}
          onHandedOver={() => setHandedOver(login)}
          onSending={setSending}
        >
          {children}
        </ShareOutcome>
      )}
    </Dialog>
  )
}
