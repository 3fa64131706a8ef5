import { Button, SelectField, TextField } from '@aws-amplify/ui-react'
import { useId, useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { Message } from '@shared/ui/message.tsx'
import { askForErasure } from '@/data/privacy.ts'
import { ERASURE_GROUNDS, type ErasureGround } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'

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
  const problemText = useDeskProblemText()
  const form = useId()
  const [ground, setGround] = useState<ErasureGround>('NOT_NEEDED')
  const [confirmation, setConfirmation] = useState('')
  const [differs, setDiffers] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  const erase = async () => {
    setFailure(undefined)
    const isSame = confirmation.trim() === account
    setDiffers(!isSame)
    if (!isSame) return
    setBusy(true)
    try {
      await askForErasure(tenant, account, confirmation.trim(), ground)
      onClose()
    } catch (caught) {
      setFailure(caught)
      setBusy(false)
    }
  }
  const isUnknown = failure instanceof ApiError && failure.code === 'not-found'
  return (
    <Dialog
      open
      title={t('eraseTitle')}
      isLocked={isBusy}
      onClose={onClose}
      actions={
        <>
          <Button type="submit" form={form} variation="destructive" isLoading={isBusy}>
            {t(needsSecond ? 'askSecond' : 'eraseNow')}
          </Button>
          <Button onClick={onClose} isDisabled={isBusy}>
            {t('cancel')}
          </Button>
        </>
      }
    >
      <form
        id={form}
        className="fields"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void erase()
        }}
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
        {failure !== undefined && (
          <Message type="error" role="alert">
            {isUnknown ? t('unknown', { account }) : problemText(failure)}
          </Message>
        )}
      </form>
    </Dialog>
  )
}
