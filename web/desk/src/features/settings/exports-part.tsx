import { Button } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { usePresetName } from '@/components/use-preset-name.ts'
import type { ScheduledExport } from '@/data/types.ts'
import { at, EXPORTS_FILE, type Json, type JsonObject, objectOf, TENANT_FILE, word } from './documents.ts'
import { DraftChoice, DraftSwitch } from './draft-field.tsx'
import { MarketCard, WebhookCard } from './systems.tsx'
import type { Editing } from './use-editing.ts'
import { useTenant } from './use-tenant.ts'

const SCHEDULED = 'desk.exports.scheduled'
const ANNOUNCED = 'desk.exports.announced'
const WHATS = ['TABLE', 'WITHOUT_JOB', 'MARKET'] as const satisfies readonly ScheduledExport['what'][]
const RHYTHMS = ['DAY', 'WEEK', 'MONTH'] as const satisfies readonly ScheduledExport['every'][]
const FIRST: ScheduledExport = { what: 'TABLE', preset: 'plain', every: 'DAY', hour: 6 }

const numbers = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, place) => first + place)

const itemsOf = (document: JsonObject | undefined): readonly JsonObject[] => {
  const found = at(document, SCHEDULED)
  return Array.isArray(found) ? (found as readonly JsonObject[]) : []
}

/** What goes out by itself, and who is told of it. */
export function ExportsPart({ editing }: { editing: Editing }) {
  const { t } = useTranslation('settings')
  const { tenant, fault, put } = useTenant(editing)
  if (!tenant) return <Message type="error">{t('unreadable', { file: TENANT_FILE })}</Message>
  const change = (made: (items: readonly JsonObject[]) => readonly Json[]) =>
    void put(SCHEDULED, (document) => made(itemsOf(document)))
  const items = itemsOf(tenant)
  const announcedFault = fault(ANNOUNCED)
  return (
    <>
      <section className="fields" aria-labelledby="scheduled">
        <h2 id="scheduled">{t('scheduled')}</h2>
        <p className="soft">{t('scheduledText')}</p>
        {items.map((item, place) => (
          <Scheduled
            // The items have no names; when one goes, the fields of all begin anew.
            // oxlint-disable-next-line react/no-array-index-key
            key={`${place} of ${items.length}`}
            editing={editing}
            place={place}
            item={item}
            put={(part) => change((now) => now.map((one, at) => (at === place ? { ...one, ...part } : one)))}
            remove={() => change((now) => now.filter((_, at) => at !== place))}
          />
        ))}
        <div className="row-of">
          <Button onClick={() => change((now) => [...now, { ...FIRST }])}>{t('addScheduled')}</Button>
        </div>
      </section>
      <section className="card fields" aria-labelledby="announced">
        <h2 id="announced">{t('announced')}</h2>
        <DraftSwitch
          name={ANNOUNCED}
          label={t('announce')}
          isOn={at(tenant, ANNOUNCED) === true}
          save={(isOn) => void put(ANNOUNCED, () => isOn)}
        />
        <p className="soft">{t('announceText')}</p>
        {announcedFault !== undefined && (
          <Message type="error" role="alert">
            {announcedFault}
          </Message>
        )}
      </section>
      <WebhookCard editing={editing} />
      <MarketCard editing={editing} />
    </>
  )
}

interface ScheduledProps {
  editing: Editing
  place: number
  item: JsonObject
  put: (part: JsonObject) => void
  remove: () => void
}

/** One export: what, how often, when. */
function Scheduled({ editing, place, item, put, remove }: ScheduledProps) {
  const { t } = useTranslation('settings')
  const exports = useTranslation('exports').t
  const presetName = usePresetName()
  const { fault: faultAt } = useTenant(editing)
  const fault = (name: string) => faultAt(`${SCHEDULED}[${place}].${name}`)
  const { what, preset, every, day, hour } = item
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
          save={(wanted) => put({ what: wanted, preset: wanted === 'MARKET' ? null : 'plain' })}
        />
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
