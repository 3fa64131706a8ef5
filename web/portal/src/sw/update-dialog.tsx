import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { useOnline } from '@/device/connectivity.ts'
import { keepsNothing } from '@/device/db.ts'
import { useIsInForm } from './unsent.ts'
import { acceptUpdate, useUpdateAvailable } from './update.ts'

/** Offers the new version; never where it would take along what the reader has entered or is shown only once (P "Update"). */
export function UpdateDialog() {
  const { t } = useTranslation('offline')
  const isAvailable = useUpdateAvailable()
  const isOnline = useOnline()
  const isInForm = useIsInForm()
  const [isLater, setLater] = useState(false)
  const postpone = () => setLater(true)
  return (
    <Dialog
      open={isAvailable && isOnline && !isInForm && !isLater && !keepsNothing()}
      title={t('update.title')}
      onClose={postpone}
      actions={
        <>
          <Button variation="primary" onClick={acceptUpdate}>
            {t('update.accept')}
          </Button>
          <Button onClick={postpone}>{t('update.later')}</Button>
        </>
      }
    >
      <p>{t('update.text')}</p>
    </Dialog>
  )
}
