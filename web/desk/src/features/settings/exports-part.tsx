import { Button } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import type { ScheduledExport } from '@/data/types.ts'
import { at, type Json, type JsonObject, REHEARSAL, SCHEDULED, TENANT_FILE } from './documents.ts'
import { DraftSwitch } from './draft-field.tsx'
import { useItems } from './items.ts'
import { Scheduled } from './scheduled.tsx'
import { MarketCard, WebhookCard } from './systems.tsx'
import type { Editing } from './use-editing.ts'
import { useTenant } from './use-tenant.ts'

const ANNOUNCED = 'desk.exports.announced'
const FIRST: ScheduledExport = { what: 'TABLE', preset: 'plain', every: 'DAY', hour: 6 }

const itemsOf = (document: JsonObject | undefined): readonly JsonObject[] => {
  const found = at(document, SCHEDULED)
  return Array.isArray(found) ? (found as readonly JsonObject[]) : []
}

/** What goes out by itself, and who is told of it. */
export function ExportsPart({ editing }: { editing: Editing }) {
  const { t } = useTranslation('settings')
  const { tenant, fault, put } = useTenant(editing)
  const list = useItems()
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
        {at(tenant, REHEARSAL) === true && items.length > 0 && <Message type="info">{t('scheduledRehearsal')}</Message>}
        {items.map((item, place) => (
          <Scheduled
            // The items have no names; when one goes, the fields of all begin anew.
            // oxlint-disable-next-line react/no-array-index-key
            key={`${place} of ${items.length}`}
            editing={editing}
            place={place}
            item={item}
            put={(part) => change((now) => list.with(now, place, item, (one) => ({ ...one, ...part })))}
            remove={() => change((now) => list.without(now, place, item))}
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
