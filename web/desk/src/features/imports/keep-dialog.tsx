import { TextField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'

interface Props {
  /** The name of the mapping that was taken, if it was one. */
  name: string
  keep: (name: string) => Promise<void>
  onClose: () => void
}

/** The name under which a mapping is kept. */
export function KeepDialog({ name: taken, keep, onClose }: Props) {
  const { t } = useTranslation('imports')
  const [name, setName] = useState(taken)
  const [isTried, setTried] = useState(false)
  const isName = /^[^/\p{Cc}]+$/u.test(name.trim())
  return (
    <AskDialog
      title={t('keepTitle')}
      go={t('keepNow')}
      check={() => {
        setTried(true)
        return isName
      }}
      work={async () => keep(name.trim())}
      // A name that can be one is refused only because there are too many.
      told={(failure) =>
        failure instanceof ApiError && failure.fieldErrors.some(({ field }) => field === 'name')
          ? t('keptFull')
          : undefined
      }
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('keptName')}
        descriptiveText={t('keepText')}
        maxLength={60}
        autoComplete="off"
        value={name}
        hasError={isTried && !isName}
        errorMessage={t('noName')}
        onChange={({ target }) => setName(target.value)}
      />
    </AskDialog>
  )
}
