import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { logout } from '@/auth/sessions.ts'
import { discard, useEntries } from './outbox.ts'

/** Logs out; asks first while something has not been sent, because logging out deletes it (D-OUTBOX-6). */
export function useLogout(): { logOut: () => void; dialog: React.ReactNode } {
  const entries = useEntries()
  const [isAsking, setAsking] = useState(false)
  const logOut = () => {
    if (entries.length > 0) setAsking(true)
    else void logout()
  }
  const discardAll = async () => {
    setAsking(false)
    for (const { key } of entries) await discard(key)
    await logout()
  }
  return {
    logOut,
    dialog: (
      <LogoutDialog
        open={isAsking}
        count={entries.length}
        onStay={() => setAsking(false)}
        onDiscard={() => void discardAll()}
      />
    ),
  }
}

interface Props {
  readonly open: boolean
  readonly count: number
  readonly onStay: () => void
  readonly onDiscard: () => void
}

/** Asks whether what has not been sent may be deleted. */
export function LogoutDialog({ open, count, onStay, onDiscard }: Props) {
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
