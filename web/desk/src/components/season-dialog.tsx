import { CheckboxField, TextAreaField, TextField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { changeSeason, createSeason } from '@/data/season.ts'
import { METER_TYPES, type SeasonName, type SeasonRequest } from '@/data/types.ts'
import { AskDialog } from './ask-dialog.tsx'
import { useKindName } from './use-kind-name.ts'

interface Props {
  tenant: string
  /** The one that is to be changed; none: a new one. */
  season?: SeasonName
  /** Looks at it again. */
  reload?: () => Promise<SeasonName | undefined>
  /** It is so. */
  onDone: (id: string) => Promise<void>
  onClose: () => void
}

const NEW: SeasonRequest = { id: '', name: '', firstDay: '', lastDay: '', meterTypes: [], districts: [] }

/** All of a season but what follows from it. */
const requestOf = ({ id, name, firstDay, lastDay, meterTypes, districts }: SeasonName): SeasonRequest => ({
  id,
  name,
  firstDay,
  lastDay,
  meterTypes,
  districts,
})

/** Another member changed the season since it was shown. */
const isOvertaken = (failure: unknown): boolean => failure instanceof ApiError && failure.code === 'conflict'

/** A new season for the jobs of files, or what one is. */
export function SeasonDialog({ tenant, season, reload, onDone, onClose }: Props) {
  const { t } = useTranslation('parts')
  const kindName = useKindName()
  /** What the fields began with. */
  const [seen, setSeen] = useState(season ? requestOf(season) : NEW)
  const [typed, setTyped] = useState(seen)
  const [districts, setDistricts] = useState((seen.districts ?? []).join('\n'))
  const [isTried, setTried] = useState(false)
  const { id, name, firstDay, lastDay, meterTypes = [] } = typed
  const isWhole = id.trim() !== '' && name.trim() !== '' && firstDay !== '' && lastDay !== '' && firstDay <= lastDay
  const change = (changed: Partial<SeasonRequest>) => setTyped({ ...typed, ...changed })

  const begin = (now: SeasonRequest) => {
    setSeen(now)
    setTyped(now)
    setDistricts((now.districts ?? []).join('\n'))
  }
  return (
    <AskDialog
      title={season ? t('seasonDialog.changeTitle', { name: season.name }) : t('seasonDialog.createTitle')}
      go={t(season ? 'seasonDialog.change' : 'seasonDialog.create')}
      check={() => {
        setTried(true)
        return isWhole
      }}
      work={async () => {
        const lines = districts.split('\n').map((line) => line.trim())
        const wanted = { ...typed, id: id.trim(), name: name.trim(), districts: lines.filter(Boolean) }
        try {
          await (season ? changeSeason(tenant, seen, wanted) : createSeason(tenant, wanted))
        } catch (caught) {
          const now = isOvertaken(caught) ? await reload?.() : undefined
          if (now) begin(requestOf(now))
          throw caught
        }
        await onDone(wanted.id)
      }}
      told={(failure) => {
        if (isOvertaken(failure)) return t('seasonDialog.overtaken')
        const isTaken = failure instanceof ApiError && failure.fieldErrors.some(({ field }) => field === 'id')
        return isTaken ? t('seasonDialog.taken') : undefined
      }}
      onClose={onClose}
    >
      {season ? (
        <p>{t('seasonDialog.changeText')}</p>
      ) : (
        <TextField
          name="id"
          label={t('seasonDialog.id')}
          descriptiveText={t('seasonDialog.idText')}
          maxLength={64}
          autoComplete="off"
          value={id}
          onChange={({ target }) => change({ id: target.value })}
        />
      )}
      <TextField
        name="name"
        label={t('seasonDialog.name')}
        maxLength={80}
        autoComplete="off"
        value={name}
        onChange={({ target }) => change({ name: target.value })}
      />
      {(['firstDay', 'lastDay'] as const).map((day) => (
        <TextField
          key={day}
          name={day}
          type="date"
          label={t(`seasonDialog.${day}`)}
          value={typed[day]}
          onChange={({ target }) => change({ [day]: target.value })}
        />
      ))}
      <fieldset className="fields">
        <legend>{t('seasonDialog.meterTypes')}</legend>
        {METER_TYPES.map((type) => (
          <CheckboxField
            key={type}
            name={type}
            value={type}
            label={kindName(type)}
            checked={meterTypes.includes(type)}
            onChange={({ target }) =>
              change({
                meterTypes: target.checked ? [...meterTypes, type] : meterTypes.filter((other) => other !== type),
              })
            }
          />
        ))}
      </fieldset>
      <TextAreaField
        name="districts"
        label={t('seasonDialog.districts')}
        descriptiveText={t('seasonDialog.districtsText')}
        rows={3}
        autoComplete="off"
        value={districts}
        onChange={({ target }) => setDistricts(target.value)}
      />
      {isTried && !isWhole && (
        <Message type="error" role="alert">
          {t(season ? 'seasonDialog.changeLacks' : 'seasonDialog.lacks')}
        </Message>
      )}
    </AskDialog>
  )
}
