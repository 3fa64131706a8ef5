import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { useProblemText } from '@shared/api/problem.ts'
import type { AccountInfo } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { notify } from '@shared/ui/notify.ts'
import { endAllDeviceSessions } from '@/data/device-sessions.ts'
import { useEntries } from '@/offline/outbox.ts'

/** Ends every login of an account, after a question. What waits here to be sent stays, and goes after the next login of the account. */
export function LogoutEverywhere({ account }: { account: AccountInfo }) {
  const { id: accountId, name, parentId } = account
  const { t } = useTranslation('devices')
  const problemText = useProblemText()
  const waiting = useEntries().filter((entry) => entry.accountId === accountId).length
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)

  async function endAll() {
    setBusy(true)
    try {
      await endAllDeviceSessions(accountId)
      notify({ type: 'success', title: t('everywhere.done', { name }) })
    } catch (error) {
      notify({ type: 'error', title: t('everywhere.failed'), message: problemText(error), topic: 'devices' })
    } finally {
      setBusy(false)
      setAsking(false)
    }
  }

  return (
    <>
      <Button className="devices__everywhere" onClick={() => setAsking(true)}>
        {t('everywhere.button')}
      </Button>
      <Dialog
        open={isAsking}
        isLocked={isBusy}
        title={t('everywhere.title')}
        onClose={() => setAsking(false)}
        actions={
          <>
            <BusyButton variation="primary" isLoading={isBusy} loadingText={t('busy')} onClick={() => void endAll()}>
              {t('everywhere.button')}
            </BusyButton>
            <Button isDisabled={isBusy} onClick={() => setAsking(false)}>
              {t('everywhere.cancel')}
            </Button>
          </>
        }
      >
        <p>{t(parentId === null ? 'everywhere.text' : 'everywhere.textShared', { name })}</p>
        {waiting > 0 && <p>{t('everywhere.waiting', { count: waiting })}</p>}
      </Dialog>
    </>
  )
}
