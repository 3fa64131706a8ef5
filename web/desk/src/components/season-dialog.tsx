import { CheckboxField, TextAreaField, TextField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { formatDate } from '@shared/i18n/format.ts'
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

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** What holds since another member changed the season, for a field that says something else. */
function useHolding(typed: SeasonRequest, other: SeasonRequest | undefined) {
  const { t } = useTranslation('parts')
  const kindName = useKindName()
  const words = ({ name, firstDay, lastDay, meterTypes = [], districts = [] }: SeasonRequest) => ({
    name,
    firstDay: formatDate(firstDay),
    lastDay: formatDate(lastDay),
    meterTypes: METER_TYPES.filter((type) => meterTypes.includes(type))
      .map((type) => kindName(type))
      .join(', '),
    districts: districts.join('; '),
  })
  return (field: keyof ReturnType<typeof words>) => {
    const value = other && words(other)[field]
    if (value === undefined || value === words(typed)[field]) return undefined
    return t('seasonDialog.holding', { value: value || t('filter.all') })
  }
}

/** A new season for the jobs of files, or what one is. */
export function SeasonDialog({ tenant, season, reload, onDone, onClose }: Props) {
  const { t } = useTranslation('parts')
  const kindName = useKindName()
  const [first] = useState(season ? requestOf(season) : NEW)
  /** As another member changed it meanwhile. */
  const [other, setOther] = useState<SeasonRequest>()
  const seen = other ?? first
  /** Only what the member changed: the other fields follow what holds. */
  const [changed, setChanged] = useState<Partial<SeasonRequest>>({})
  const [lines, setLines] = useState<string>()
  const [isTried, setTried] = useState(false)
  const typed = { ...seen, ...changed, ...(lines !== undefined && { districts: linesOf(lines) }) }
  const { id, name, firstDay, lastDay, meterTypes = [], districts = [] } = typed
  const isWhole = id.trim() !== '' && name.trim() !== '' && firstDay !== '' && lastDay !== '' && firstDay <= lastDay
  const holding = useHolding(typed, other)
  const heldTypes = holding('meterTypes')
  const change = (more: Partial<SeasonRequest>) => setChanged({ ...changed, ...more })
  return (
    <AskDialog
      title={season ? t('seasonDialog.changeTitle', { name: season.name }) : t('seasonDialog.createTitle')}
      go={t(season ? 'seasonDialog.change' : 'seasonDialog.create')}
      check={() => {
        setTried(true)
        return isWhole
      }}
      work={async () => {
        const wanted = { ...typed, id: id.trim(), name: name.trim() }
        try {
          await (season ? changeSeason(tenant, seen, wanted) : createSeason(tenant, wanted))
        } catch (caught) {
          const now = isOvertaken(caught) ? await reload?.() : undefined
          if (now) setOther(requestOf(now))
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
        descriptiveText={holding('name')}
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
          descriptiveText={holding(day)}
          value={typed[day]}
          onChange={({ target }) => change({ [day]: target.value })}
        />
      ))}
      <fieldset className="fields">
        <legend>{t('seasonDialog.meterTypes')}</legend>
        {heldTypes && <p className="soft">{heldTypes}</p>}
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
        descriptiveText={[t('seasonDialog.districtsText'), holding('districts')].filter(Boolean).join('. ')}
        rows={3}
        autoComplete="off"
        value={lines ?? districts.join('\n')}
        onChange={({ target }) => setLines(target.value)}
      />
      {isTried && !isWhole && (
        <Message type="error" role="alert">
          {t(season ? 'seasonDialog.changeLacks' : 'seasonDialog.lacks')}
        </Message>
      )}
    </AskDialog>
  )
}
