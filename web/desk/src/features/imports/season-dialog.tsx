import { TextField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { createSeason } from '@/data/imports.ts'

interface Props {
  tenant: string
  /** The season is there. */
  onMade: (id: string) => Promise<void>
  onClose: () => void
}

/** A new season for the jobs of a file. */
export function SeasonDialog({ tenant, onMade, onClose }: Props) {
  const { t } = useTranslation('imports')
  const [season, setSeason] = useState({ id: '', name: '', firstDay: '', lastDay: '' })
  const [isTried, setTried] = useState(false)
  const { id, name, firstDay, lastDay } = season
  const isWhole = id.trim() !== '' && name.trim() !== '' && firstDay !== '' && lastDay !== '' && firstDay <= lastDay
  return (
    <AskDialog
      title={t('newSeasonTitle')}
      go={t('createSeason')}
      check={() => {
        setTried(true)
        return isWhole
      }}
      work={async () => {
        await createSeason(tenant, { ...season, id: id.trim(), name: name.trim(), meterTypes: [] })
        await onMade(id.trim())
      }}
      told={(failure) =>
        failure instanceof ApiError && failure.fieldErrors.some(({ field }) => field === 'id')
          ? t('seasonTaken')
          : undefined
      }
      onClose={onClose}
    >
      <TextField
        name="id"
        label={t('seasonId')}
        descriptiveText={t('seasonIdText')}
        maxLength={64}
        autoComplete="off"
        value={id}
        onChange={({ target }) => setSeason({ ...season, id: target.value })}
      />
      <TextField
        name="name"
        label={t('seasonName')}
        maxLength={80}
        autoComplete="off"
        value={name}
        onChange={({ target }) => setSeason({ ...season, name: target.value })}
      />
      {(['firstDay', 'lastDay'] as const).map((day) => (
        <TextField
          key={day}
          name={day}
          type="date"
          label={t(day)}
          value={season[day]}
          onChange={({ target }) => setSeason({ ...season, [day]: target.value })}
        />
      ))}
      {isTried && !isWhole && (
        <Message type="error" role="alert">
          {t('seasonLacks')}
        </Message>
      )}
    </AskDialog>
  )
}
