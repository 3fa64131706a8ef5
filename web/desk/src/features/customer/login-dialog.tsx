import { Button, CheckboxField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { Message } from '@shared/ui/message.tsx'
import { renewLogin } from '@/data/customer.ts'
import type { Customer } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'

interface Props {
  tenant: string
  customer: Customer
  /** The letter is there. */
  onDone: () => void
  onClose: () => void
}

/** Asks once more before the old login data end. */
export function LoginDialog({ tenant, customer: { account, name, shares }, onDone, onClose }: Props) {
  const { t, language } = useTranslation('customer')
  const problemText = useDeskProblemText()
  const [endsShares, setEndsShares] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  const renew = async () => {
    setFailure(undefined)
    setBusy(true)
    try {
      await renewLogin(
        tenant,
        account,
        endsShares,
        language === 'de-FORMAL' ? 'de' : 'en',
        t('letterFile', { account }),
      )
      onDone()
    } catch (caught) {
      setFailure(caught)
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      title={t('newLogin')}
      isLocked={isBusy}
      onClose={onClose}
      actions={
        <>
          <Button variation="primary" isLoading={isBusy} onClick={() => void renew()}>
            {t('makeLetter')}
          </Button>
          <Button onClick={onClose} isDisabled={isBusy}>
            {t('cancel')}
          </Button>
        </>
      }
    >
      <p>{t('newLoginText', { name })}</p>
      <p>{t('newLoginOnce')}</p>
      {shares.length > 0 && (
        <CheckboxField
          name="end-shares"
          label={t('endShares', { count: shares.length })}
          checked={endsShares}
          onChange={({ target }) => setEndsShares(target.checked)}
        />
      )}
      {failure !== undefined && (
        <Message type="error" role="alert">
          {isRefusal(failure) ? failure.message : `${problemText(failure)} ${t('newLoginLost')}`}
        </Message>
      )}
    </Dialog>
  )
}

/** The server's own words say what is wrong with the address. */
const isRefusal = (failure: unknown): failure is ApiError =>
  failure instanceof ApiError && failure.code === 'letter-refused'
