import { Button, TextField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { Heads } from '@/components/heads.tsx'
import { hold } from '@/data/privacy.ts'
import type { Erasures } from '@/data/types.ts'

interface DialogProps {
  tenant: string
  account: string
  onClose: () => void
}

/** Asks why nothing about a person is to go. */
export function HoldDialog({ tenant, account, onClose }: DialogProps) {
  const { t } = useTranslation('privacy')
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  return (
    <AskDialog
      title={t('holdTitle')}
      go={t('holdNow')}
      check={() => {
        const isSaid = reason.trim() !== ''
        setMissing(!isSaid)
        return isSaid
      }}
      work={async () => {
        await hold(tenant, account, reason.trim())
        onClose()
      }}
      told={(failure) =>
        failure instanceof ApiError && failure.code === 'not-found' ? t('unknown', { account }) : undefined
      }
      onClose={onClose}
    >
      <p>{t('holdText', { account })}</p>
      <TextField
        name="reason"
        label={t('reason')}
        autoComplete="off"
        maxLength={1000}
        value={reason}
        hasError={isMissing}
        errorMessage={t('reasonMissing')}
        onChange={({ target }) => setReason(target.value)}
      />
    </AskDialog>
  )
}

interface HoldsProps {
  holds: Erasures['holds']
  onEnd: (account: string) => void
}

/** Persons of whom nothing goes. */
export function Holds({ holds, onEnd }: HoldsProps) {
  const { t } = useTranslation('privacy')
  if (holds.length === 0) return null
  return (
    <>
      <h2>{t('holds')}</h2>
      <table className="stacks">
        <Heads names={[t('about'), t('reason'), t('by'), t('since'), t('act')]} />
        <tbody>
          {holds.map(({ account, reason, by, since }) => (
            <tr key={account}>
              <th scope="row" data-name={t('about')} className="identifier">
                {account}
              </th>
              <td data-name={t('reason')}>{reason}</td>
              <td data-name={t('by')}>{by}</td>
              <td data-name={t('since')}>{formatInstant(since)}</td>
              <td data-name={t('act')}>
                <Button size="small" aria-label={`${t('endHold')}: ${account}`} onClick={() => onEnd(account)}>
                  {t('endHold')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
