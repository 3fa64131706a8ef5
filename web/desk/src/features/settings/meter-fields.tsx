import { Button } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { type JsonObject, word } from './documents.ts'
import { DraftLine, DraftSwitch } from './draft-field.tsx'
import { useItems } from './items.ts'
import { itemsOf, type Medium, usualRate } from './visitor-meters.ts'

interface Props {
  medium: Medium
  /** Where it is in the document. */
  path: string
  config: JsonObject
  fault: (path: string) => string | undefined
  /** Changes it, by what it is to be now. */
  put: (made: (config: JsonObject) => JsonObject) => Promise<boolean>
}

const RATE = ['obis', 'obisLabel', 'rateName'] as const
const DIGITS = ['preDecimals', 'postDecimals'] as const
const SWITCHES = { queryPostDecimals: false, isReadingImageAllowed: true, isReadingImageRequired: false } as const

const readingOf = (config: JsonObject) => (config['defaultMeterReadingConfig'] ?? {}) as JsonObject
const ratesOf = (config: JsonObject) => itemsOf(config['meterRateConfigs'])

/** What is asked of a meter: its rates, how many digits, and whether with a photo. */
export function MeterFields({ medium, path, config, fault, put }: Props) {
  const { t } = useTranslation('settings')
  const rates = ratesOf(config)
  const list = useItems()
  const reading = readingOf(config)
  const putRates = async (made: (rates: readonly JsonObject[]) => readonly JsonObject[]) =>
    put((now) => ({ ...now, meterRateConfigs: made(ratesOf(now)) }))
  const putReading = async (part: JsonObject) =>
    put((now) => ({ ...now, defaultMeterReadingConfig: { ...readingOf(now), ...part } }))
  const noRate = fault(`${path}.meterRateConfigs`)
  return (
    <>
      {rates.map((rate, place) => (
        // The rates have no ids; when one goes, the fields of all begin anew.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={`${place} of ${rates.length}`} className="row-of">
          {RATE.map((name) => (
            <DraftLine
              key={name}
              name={`${path}.${place}.${name}`}
              label={t(`rateField.${name}`)}
              value={word(rate[name])}
              fault={fault(`${path}.meterRateConfigs[${place}].${name}`)}
              save={async (typed) =>
                putRates((now) => list.with(now, place, rate, (one) => ({ ...one, [name]: typed.trim() })))
              }
            />
          ))}
          <Button
            size="small"
            aria-label={t('removeRateOf', { name: word(rate['rateName']) })}
            onClick={() => void putRates((now) => list.without(now, place, rate))}
          >
            {t('removeRate')}
          </Button>
        </div>
      ))}
      {noRate !== undefined && <p className="amplify-field__error-message">{noRate}</p>}
      <div className="row-of">
        <Button size="small" onClick={() => void putRates((now) => [...now, usualRate(medium, t('consumption'))])}>
          {t('addRate')}
        </Button>
      </div>
      <div className="row-of">
        {DIGITS.map((name) => (
          <DraftLine
            key={name}
            name={`${path}.${name}`}
            label={t(`digits.${name}`)}
            type="number"
            isShort
            value={word(reading[name])}
            fault={fault(`${path}.defaultMeterReadingConfig.${name}`)}
            save={async (typed) => putReading({ [name]: Number(typed) })}
          />
        ))}
      </div>
      {(Object.keys(SWITCHES) as (keyof typeof SWITCHES)[]).map((name) => (
        <DraftSwitch
          key={name}
          name={`${path}.${name}`}
          label={t(`readingSwitch.${name}`)}
          isOn={(reading[name] ?? SWITCHES[name]) === true}
          save={(isOn) => void putReading({ [name]: isOn })}
        />
      ))}
    </>
  )
}
