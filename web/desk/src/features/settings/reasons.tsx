import { useTranslation } from '@shared/i18n/react.tsx'
import { at, type JsonObject, word } from './documents.ts'
import { DraftLine, DraftSwitch } from './draft-field.tsx'
import { Overtaken } from './items.ts'
import type { Editing } from './use-editing.ts'
import { useTenant } from './use-tenant.ts'
import { itemsOf } from './visitor-meters.ts'

const PATH = 'unknownReading.readingReasons'
const REASONS = [
  'ANNUAL_READING',
  'INTERMEDIATE_READING',
  'METER_CHANGE',
  'PROVIDER_CHANGE',
  'CONTROL_READING',
  'INITIAL_READING',
  'OTHER',
] as const
type Reason = (typeof REASONS)[number]
const NEEDED = ['labelDE', 'labelEN'] as const
const HINTS = ['hintDE', 'hintEN'] as const

/** The reasons that visitors choose from, in both languages. */
export function Reasons({ editing }: { editing: Editing }) {
  const { t, language } = useTranslation('settings')
  const name = (reason: Reason) => t(`reason.${reason}.${language.startsWith('de') ? 'labelDE' : 'labelEN'}`)
  const { tenant, put } = useTenant(editing)
  const items = itemsOf(at(tenant, PATH))
  const change = async (made: (items: readonly JsonObject[]) => readonly JsonObject[]) =>
    put(PATH, (document) => made(itemsOf(at(document, PATH))))
  const others = items
    .map(({ value }) => word(value))
    .filter((value) => !(REASONS as readonly string[]).includes(value))
  return (
    <section className="card fields" aria-labelledby="reasons">
      <h2 id="reasons">{t('reasons')}</h2>
      <p className="soft">{t('reasonsText')}</p>
      {REASONS.map((reason) => {
        const place = items.findIndex(({ value }) => value === reason)
        return (
          <fieldset key={reason} className="fields">
            <legend className="visually-hidden">{name(reason)}</legend>
            <DraftSwitch
              name={reason}
              label={name(reason)}
              isOn={place >= 0}
              save={(isOn) =>
                void change((now) => {
                  const left = now.filter(({ value }) => value !== reason)
                  return isOn ? [...left, usual(reason, t)] : left
                })
              }
            />
            {place >= 0 && <Words {...{ editing, place, change }} item={items[place] ?? {}} />}
          </fieldset>
        )
      })}
      {others.length > 0 && <p className="soft">{t('otherReasons', { reasons: others.join(', ') })}</p>}
    </section>
  )
}

const usual = (value: Reason, t: (key: `reason.${Reason}.${(typeof NEEDED)[number]}`) => string): JsonObject => ({
  value,
  labelDE: t(`reason.${value}.labelDE`),
  labelEN: t(`reason.${value}.labelEN`),
})

interface WordsProps {
  editing: Editing
  place: number
  item: JsonObject
  change: (made: (items: readonly JsonObject[]) => readonly JsonObject[]) => Promise<boolean>
}

function Words({ editing, place, item, change }: WordsProps) {
  const { t } = useTranslation('settings')
  const { fault } = useTenant(editing)
  return [NEEDED, HINTS].map((names) => (
    <div key={names[0]} className="row-of words">
      {names.map((name) => (
        <DraftLine
          key={name}
          name={`${word(item['value'])}-${name}`}
          label={t(`reasonField.${name}`)}
          value={word(item[name])}
          fault={fault(`${PATH}[${place}].${name}`)}
          save={async (typed) => {
            const text = typed.trim() === '' && name.startsWith('hint') ? null : typed
            const isThis = ({ value }: JsonObject) => value === item['value']
            return change((now) => {
              if (!now.some(isThis)) throw new Overtaken()
              return now.map((one) => (isThis(one) ? { ...one, [name]: text } : one))
            })
          }}
        />
      ))}
    </div>
  ))
}
