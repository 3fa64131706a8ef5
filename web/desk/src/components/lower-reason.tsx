import { SelectField } from '@aws-amplify/ui-react'
import type { MeterRateTask } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { type LowerReason, lastEvent } from '@shared/rules/reading.ts'
import { billionths, cutAfter, isMeterValue, postDecimals } from '@shared/rules/value.ts'

/** Whether a counter may have passed its last digit: it is below the utility's last reading or the last result (D-READING-25), in the decimals that it has (D-READING-5). */
export const isLower = (task: MeterRateTask | undefined, value: string): boolean =>
  isMeterValue(value) &&
  [task && lastEvent(task), task?.readingResults.at(-1)].some(
    (known) => known && billionths(value) < cutAfter(known.readingValue, postDecimals(value)),
  )

/** The reason that was chosen, as far as it can be one. */
export const possibleReason = (chosen: LowerReason | undefined, lower: boolean): LowerReason | undefined =>
  chosen === 'ROLLOVER' && !lower ? undefined : chosen

/** Warnings to which the reason can be the answer (D-READING-25). */
const EXPLAINED: ReadonlySet<string> = new Set(['HISTORIC_LOWER', 'CONTINUITY_LOWER', 'RANGE_BELOW'])

/** Whether the reason says why a value is right that is warned of so; what passed its last digit is lower than before, a new meter shows what it shows. */
export const isExplained = (code: string | undefined, reason: LowerReason | undefined, lower: boolean): boolean =>
  code !== undefined && EXPLAINED.has(code) && (reason === 'METER_CHANGE' || (reason === 'ROLLOVER' && lower))

interface Props {
  reason: LowerReason | undefined
  /** A counter is lower than before. */
  lower: boolean
  onChange: (reason: LowerReason | undefined) => void
}

const isReason = (text: string): text is LowerReason => text === 'METER_CHANGE' || text === 'ROLLOVER'

/** Whether the meter is another one, with any counter, or a lower counter passed its last digit. */
export function LowerReasonField({ reason, lower, onChange }: Props) {
  const { t } = useTranslation('parts')
  return (
    <SelectField
      label={t('lowerReason.label')}
      descriptiveText={reason === 'METER_CHANGE' && t('lowerReason.waits')}
      name="lower-reason"
      value={reason ?? ''}
      onChange={({ target }) => onChange(isReason(target.value) ? target.value : undefined)}
    >
      <option value="">{t('lowerReason.none')}</option>
      <option value="METER_CHANGE">{t('lowerReason.METER_CHANGE')}</option>
      {lower && <option value="ROLLOVER">{t('lowerReason.ROLLOVER')}</option>}
    </SelectField>
  )
}
