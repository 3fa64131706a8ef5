import { Button } from '@aws-amplify/ui-react'
import { formatDate } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { usePresetName } from '@/components/use-preset-name.ts'
import { useSeason } from '@/data/season.ts'
import type { ScheduledExport } from '@/data/types.ts'
import { EXPORTS_FILE, type JsonObject, objectOf, SCHEDULED, word } from './documents.ts'
import { DraftChoice } from './draft-field.tsx'
import type { Editing } from './use-editing.ts'
import { useTenant } from './use-tenant.ts'

const WHATS = ['TABLE', 'WITHOUT_JOB', 'MARKET'] as const satisfies readonly ScheduledExport['what'][]
const RHYTHMS = ['DAY', 'WEEK', 'MONTH'] as const satisfies readonly ScheduledExport['every'][]

const numbers = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, place) => first + place)

interface ScheduledProps {
  editing: Editing
  place: number
  item: JsonObject
  put: (part: JsonObject) => void
  remove: () => void
}

/** One export: what, how often, when. */
export function Scheduled({ editing, place, item, put, remove }: ScheduledProps) {
  const { t } = useTranslation('settings')
  const exports = useTranslation('exports').t
  const presetName = usePresetName()
  const { fault: faultAt } = useTenant(editing)
  const fault = (name: string) => faultAt(`${SCHEDULED}[${place}].${name}`)
  const { what, preset, season, every, day, hour } = item
  const own = Object.keys(objectOf(editing.settings, EXPORTS_FILE) ?? {}).filter((name) => name !== '$schema')
  const presets = ['plain', ...(what === 'TABLE' ? ['sap-isu'] : []), ...own]
  const days = every === 'WEEK' ? numbers(1, 7) : numbers(1, 28)
  const isTwice = faultAt(`${SCHEDULED}[${place}]`)
  return (
    <section className="card fields" aria-label={t('scheduledNumber', { number: place + 1 })}>
      <div className="row-of">
        <DraftChoice
          name={`what-${place}`}
          label={exports('list')}
          value={word(what)}
          fault={fault('what')}
          options={WHATS.map((value) => ({ value, label: exports(`lists.${value}`) }))}
          save={(wanted) => put({ what: wanted, season: null, preset: wanted === 'MARKET' ? null : 'plain' })}
        />
        {what === 'TABLE' && <SeasonOf {...{ editing, place, put }} season={word(season)} fault={fault('season')} />}
        {what !== 'MARKET' && (
          <DraftChoice
            name={`preset-${place}`}
            label={exports('preset')}
            value={word(preset)}
            fault={fault('preset')}
            options={presets.map((value) => ({ value, label: presetName(value) }))}
            save={(wanted) => put({ preset: wanted })}
          />
        )}
        <DraftChoice
          name={`every-${place}`}
          label={t('rhythm')}
          value={word(every)}
          options={RHYTHMS.map((value) => ({ value, label: t(`rhythms.${value}`) }))}
          save={(wanted) => put({ every: wanted, day: wanted === 'DAY' ? null : 1 })}
        />
        {every !== 'DAY' && (
          <DraftChoice
            name={`day-${place}`}
            label={t('day')}
            value={word(day)}
            fault={fault('day')}
            options={days.map((number) => ({
              value: String(number),
              label: every === 'WEEK' ? exports(`weekdays.${number as 1}`) : exports('dayOfMonth', { number }),
            }))}
            save={(wanted) => put({ day: Number(wanted) })}
          />
        )}
        <DraftChoice
          name={`hour-${place}`}
          label={t('hour')}
          value={word(hour)}
          fault={fault('hour')}
          options={numbers(0, 23).map((number) => ({ value: String(number), label: t('hourOf', { number }) }))}
          save={(wanted) => put({ hour: Number(wanted) })}
        />
      </div>
      {isTwice !== undefined && (
        <Message type="error" role="alert">
          {isTwice}
        </Message>
      )}
      <div className="row-of">
        <Button size="small" onClick={remove}>
          {t('removeScheduled')}
        </Button>
      </div>
    </section>
  )
}

interface SeasonProps extends Pick<ScheduledProps, 'editing' | 'place' | 'put'> {
  season: string
  fault: string | undefined
}

/** Of which season; and until when, because exports of a season do not begin for ever. */
function SeasonOf({ editing, place, season, fault, put }: SeasonProps) {
  const { t } = useTranslation('settings')
  const exports = useTranslation('exports').t
  const seasons = useSeason(editing.tenant, undefined).data?.seasons ?? []
  const chosen = seasons.find(({ id }) => id === season)
  const isUnknown = season !== '' && !chosen
  return (
    <DraftChoice
      name={`season-${place}`}
      label={exports('season')}
      description={chosen && t('scheduledUntil', { day: formatDate(chosen.exportedUntil) })}
      value={season}
      fault={fault}
      options={[
        { value: '', label: exports('allSeasons') },
        ...(isUnknown ? [{ value: season, label: season }] : []),
        ...seasons.map(({ id, name }) => ({ value: id, label: name })),
      ]}
      save={(wanted) => put({ season: wanted === '' ? null : wanted })}
    />
  )
}
