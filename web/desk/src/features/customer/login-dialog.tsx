import { CheckboxField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
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
  return (
    <AskDialog
      title={t('newLogin')}
      go={t('makeLetter')}
      work={async () => {
        const spoken = language === 'de-FORMAL' ? 'de' : 'en'
        await renewLogin(tenant, account, endsShares, spoken, t('letterFile', { account }))
        onDone()
      }}
      // The server's own words say what is wrong with the address.
      told={(failure) =>
        failure instanceof ApiError && failure.code === 'letter-refused'
          ? failure.message
          : `${problemText(failure)} ${t('newLoginLost')}`
      }
      onClose={onClose}
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
    </AskDialog>
  )
}
