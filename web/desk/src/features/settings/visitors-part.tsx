import { Button } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { at, type JsonObject, TENANT_FILE, word } from './documents.ts'
import { DraftLine, DraftSwitch } from './draft-field.tsx'
import { type Items, useItems } from './items.ts'
import { MeterFields } from './meter-fields.tsx'
import { Reasons } from './reasons.tsx'
import type { Editing } from './use-editing.ts'
import { useTenant } from './use-tenant.ts'
import { itemsOf, MEDIA, type Medium, meterOf, newSubType, pathOf, SUB_TYPES, usualMeter } from './visitor-meters.ts'

const ALLOWED = 'config.unknownUserReading.unknownUserReadingAllowed'
const LIMITS = [
  'unknownReading.validation.meterNumber.meterNumberMinLength',
  'unknownReading.validation.meterNumber.meterNumberMaxLength',
  'unknownReading.validation.readingDateMaxDaysInPast',
  'unknownReading.validation.readingDateMaxDaysInFuture',
] as const

/** What a reader without a job may read, and what is asked of them. */
export function VisitorsPart({ editing }: { editing: Editing }) {
  const { t } = useTranslation('settings')
  const { tenant, fault, put } = useTenant(editing)
  if (!tenant) return <Message type="error">{t('unreadable', { file: TENANT_FILE })}</Message>
  const faults = ['unknownReading.meters', 'unknownReading.readingReasons'].flatMap((path) => fault(path) ?? [])
  return (
    <>
      <section className="card fields" aria-labelledby="visitors">
        <h2 id="visitors">{t('visitors')}</h2>
        <p className="soft">{t('visitorsText')}</p>
        <DraftSwitch
          name={ALLOWED}
          label={t(`field.${ALLOWED}`)}
          isOn={at(tenant, ALLOWED) === true}
          save={(isOn) => void put(ALLOWED, () => isOn)}
        />
        {faults.map((text) => (
          <Message key={text} type="error" role="alert">
            {text}
          </Message>
        ))}
        {LIMITS.map((path) => (
          <DraftLine
            key={path}
            name={path}
            label={t(`limit.${(path.split('.').at(-1) ?? '') as 'meterNumberMinLength'}`)}
            type="number"
            isShort
            value={word(at(tenant, path))}
            fault={fault(path)}
            save={async (typed) => put(path, () => Number(typed))}
          />
        ))}
      </section>
      {MEDIA.map((medium) => (
        <MediumCard key={medium} editing={editing} medium={medium} />
      ))}
      <Reasons editing={editing} />
    </>
  )
}

/** The meters of one medium: the usual one, and those that visitors tell from it. */
function MediumCard({ editing, medium }: { editing: Editing; medium: Medium }) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation('common')
  const { tenant, fault, put } = useTenant(editing)
  const meter = meterOf(tenant, medium)
  const path = pathOf(medium)
  const subTypes = itemsOf(meter?.[SUB_TYPES])
  const list = useItems()
  const putSubTypes = async (made: (subTypes: readonly JsonObject[]) => readonly JsonObject[]) =>
    put(`${path}.${SUB_TYPES}`, (document) => made(itemsOf(meterOf(document, medium)?.[SUB_TYPES])))
  return (
    <section className="card fields" aria-labelledby={medium}>
      <h2 id={medium}>{common(`meterType.${medium}`)}</h2>
      <DraftSwitch
        name={medium}
        label={t('offered')}
        isOn={meter !== undefined}
        save={(isOn) =>
          void put(path, () => (isOn ? { defaultMeterConfig: usualMeter(medium, t('consumption')) } : undefined))
        }
      />
      {meter && (
        <>
          <MeterFields
            {...{ medium, fault }}
            path={`${path}.defaultMeterConfig`}
            config={(meter['defaultMeterConfig'] ?? {}) as JsonObject}
            put={async (made) =>
              put(`${path}.defaultMeterConfig`, (document) =>
                made((meterOf(document, medium)?.['defaultMeterConfig'] ?? {}) as JsonObject),
              )
            }
          />
          {subTypes.map((sub, place) => (
            <SubType
              // The id may be changed; when one goes, the fields of all begin anew.
              // oxlint-disable-next-line react/no-array-index-key
              key={`${place} of ${subTypes.length}`}
              {...{ medium, sub, fault, list, putSubTypes, place }}
              path={`${path}.${SUB_TYPES}[${place}]`}
            />
          ))}
          <div className="row-of">
            <Button
              onClick={() =>
                void putSubTypes((now) => [...now, newSubType(medium, t('newSubType'), t('consumption'), now)])
              }
            >
              {t('addSubType')}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

interface SubTypeProps {
  medium: Medium
  sub: JsonObject
  place: number
  path: string
  fault: (path: string) => string | undefined
  list: Items
  putSubTypes: (made: (subTypes: readonly JsonObject[]) => readonly JsonObject[]) => Promise<boolean>
}

function SubType({ medium, sub, place, path, fault, list, putSubTypes }: SubTypeProps) {
  const { t } = useTranslation('settings')
  const put = async (change: (sub: JsonObject) => JsonObject) =>
    putSubTypes((now) => list.with(now, place, sub, change))
  return (
    <details className="fields">
      <summary>{t('subTypeNumber', { number: place + 1, name: word(sub['subTypeLabel']) })}</summary>
      {(['subTypeLabel', 'subTypeDescription'] as const).map((name) => (
        <DraftLine
          key={name}
          name={`${path}.${name}`}
          label={t(`subType.${name}`)}
          value={word(sub[name])}
          fault={fault(`${path}.${name}`)}
          save={async (typed) =>
            put((one) => ({ ...one, [name]: typed === '' && name === 'subTypeDescription' ? null : typed }))
          }
        />
      ))}
      <MeterFields
        {...{ medium, fault }}
        path={`${path}.meterConfig`}
        config={(sub['meterConfig'] ?? {}) as JsonObject}
        put={async (made) => put((one) => ({ ...one, meterConfig: made((one['meterConfig'] ?? {}) as JsonObject) }))}
      />
      <div className="row-of">
        <Button size="small" onClick={() => void putSubTypes((now) => list.without(now, place, sub))}>
          {t('removeSubType')}
        </Button>
      </div>
    </details>
  )
}
