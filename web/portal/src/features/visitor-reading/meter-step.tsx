import { Radio, RadioGroupField } from '@aws-amplify/ui-react'
import type { MeterType } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { typeOfMeterNumber } from '@shared/rules/meter.ts'
import { cleanMeterNumber } from '@shared/rules/visitor-reading.ts'
import { MeterIcon } from '@shared/ui/meter-icon.tsx'
import { CleanField } from './clean-field.tsx'
import { type Draft, offeredTypes, withSubType, withType } from './draft.ts'
import type { StepProps } from './step.ts'
import { useSubTypeTexts } from './sub-type.ts'

/** Which meter it is: number, type, sub-type. */
export function MeterStep({ config, draft, onChange, findings }: StepProps) {
  const { t } = useTranslation('publicReading')
  const { t: meterText } = useTranslation('reading')
  const subTypeTexts = useSubTypeTexts()
  const { meterNumberMinLength: min, meterNumberMaxLength: max } = config.validation.meterNumber
  const subTypes = config.meters[draft.meterType]?.subTypeMeterConfigs ?? []
  const isShort = findings.some(({ code }) => code === 'TOO_SHORT')

  function type(meterNumber: string) {
    onChange((draft) => {
      const typed: Draft = { ...draft, meterNumber }
      const stated = typeOfMeterNumber(meterNumber)
      // What was chosen by hand stays until the number states something else.
      const isNews = stated !== undefined && stated !== typeOfMeterNumber(draft.meterNumber)
      return isNews && stated !== draft.meterType && offeredTypes(config).includes(stated)
        ? withType(config, typed, stated)
        : typed
    })
  }

  return (
    <>
      <CleanField
        label={t('meter.number')}
        descriptiveText={t('meter.length', { length: draft.meterNumber.length, min, max })}
        value={draft.meterNumber}
        clean={(typed) => cleanMeterNumber(typed).slice(0, max)}
        onType={type}
        error={isShort ? t('meter.short', { min }) : undefined}
        size="large"
        isRequired
        autoComplete="off"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        className="wizard__meter-number identifier"
      />
      <RadioGroupField
        legend={t('meter.type')}
        name="meterType"
        className="choices"
        value={draft.meterType}
        onChange={(event) => onChange((draft) => withType(config, draft, event.target.value as MeterType))}
      >
        {offeredTypes(config).map((type) => (
          <Radio key={type} value={type}>
            <span className="choices__type">
              <MeterIcon type={type} />
              {meterText(`meterType.${type}`)}
            </span>
          </Radio>
        ))}
      </RadioGroupField>
      {subTypes.length > 0 && (
        <RadioGroupField
          legend={t('meter.subType')}
          name="subType"
          className="choices choices--wide"
          value={draft.subType ?? ''}
          onChange={(event) => onChange((draft) => withSubType(config, draft, event.target.value))}
        >
          {subTypes.map((subType) => {
            const { label, description } = subTypeTexts(subType)
            return (
              <Radio key={subType.subType} value={subType.subType}>
                <span className="choices__name" lang={label.lang}>
                  {label.text}
                </span>
                {description && (
                  <span className="choices__hint" lang={description.lang}>
                    {description.text}
                  </span>
                )}
              </Radio>
            )
          })}
        </RadioGroupField>
      )}
    </>
  )
}
