import { SelectField, TextField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { askForErasure } from '@/data/privacy.ts'
import { ERASURE_GROUNDS, type ErasureGround } from '@/data/types.ts'

interface Props {
  tenant: string
  account: string
  /** Another member has to agree. */
  needsSecond: boolean
  onClose: () => void
}

/** Asks once more before everything about a person goes. */
export function ErasureDialog({ tenant, account, needsSecond, onClose }: Props) {
  const { t } = useTranslation('privacy')
  const [ground, setGround] = useState<ErasureGround>('NOT_NEEDED')
  const [confirmation, setConfirmation] = useState('')
  const [differs, setDiffers] = useState(false)
  return (
    <AskDialog
      title={t('eraseTitle')}
      go={t(needsSecond ? 'askSecond' : 'eraseNow')}
      isDestructive
      check={() => {
        const isSame = confirmation.trim() === account
        setDiffers(!isSame)
        return isSame
      }}
      work={async () => {
        await askForErasure(tenant, account, confirmation.trim(), ground)
        onClose()
      }}
      told={(failure) =>
        failure instanceof ApiError && failure.code === 'not-found' ? t('unknown', { account }) : undefined
      }
      onClose={onClose}
    >
      <p>
        {t('eraseText', { account })} {t(needsSecond ? 'eraseSecond' : 'eraseSoon')}
      </p>
      <SelectField
        name="ground"
        label={t('ground')}
        value={ground}
        onChange={({ target }) => {
          const chosen = ERASURE_GROUNDS.find((one) => one === target.value)
          if (chosen) setGround(chosen)
        }}
      >
        {ERASURE_GROUNDS.map((one) => (
          <option key={one} value={one}>
            {t(`grounds.${one}`)}
          </option>
        ))}
      </SelectField>
      <TextField
        name="confirmation"
        label={t('confirmation')}
        autoComplete="off"
        value={confirmation}
        hasError={differs}
        errorMessage={t('differs', { account })}
        onChange={({ target }) => setConfirmation(target.value)}
      />
    </AskDialog>
  )
}
