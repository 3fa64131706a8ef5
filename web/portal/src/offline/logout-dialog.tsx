import { Button } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { currentSessions, logout } from '@/auth/sessions.ts'
import { currentEntries, discard, useEntries } from './outbox.ts'

/** Whether something of those who are logged in has not been sent: logging out would delete it (D-OUTBOX-6). */
export const hasUnsent = (): boolean =>
  currentEntries().some((entry) => currentSessions().some(({ accountId }) => accountId === entry.accountId))

/** Asks before a logout that would delete what has not been sent. */
export function LogoutDialog({ open, onClose }: { readonly open: boolean; readonly onClose: () => void }) {
  const entries = useEntries()
  const discardAll = async () => {
    onClose()
    // The logout ends what is being sent, for which discarding would wait.
    await Promise.all([logout(), ...entries.map(({ key }) => discard(key))])
  }
  return <UnsentDialog open={open} count={entries.length} onStay={onClose} onDiscard={() => void discardAll()} />
}

interface Props {
  readonly open: boolean
  readonly count: number
  readonly onStay: () => void
  readonly onDiscard: () => void
}

/** Asks whether what has not been sent may be deleted. */
export function UnsentDialog({ open, count, onStay, onDiscard }: Props) {
  const { t } = useTranslation('offline')
  return (
    <Dialog
      open={open}
      title={t('logout.title')}
      onClose={onStay}
      actions={
        <>
          <Button variation="primary" onClick={onStay}>
            {t('logout.stay')}
          </Button>
          <Button variation="destructive" onClick={onDiscard}>
            {t('logout.discard')}
          </Button>
        </>
      }
    >
      <p>{t('logout.text', { count })}</p>
    </Dialog>
  )
}
