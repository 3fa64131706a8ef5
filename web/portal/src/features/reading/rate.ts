/** What the screens say about one rate of a meter. */

import { useMemo } from 'react'
import type { Job, MeterRateTask } from '@shared/contract/types.ts'
import { formatAmount, formatValue, withUnit as textWithUnit } from '@shared/i18n/format.ts'
import type { Translate } from '@shared/i18n/i18n.ts'
import { translatedRateName } from '@shared/i18n/rate-name.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { isFeedIn, isMomentary, rateDisplayName, rateUnit } from '@shared/rules/obis.ts'
import { askedPostDecimals, askedPreDecimals, consumption, lastEvent } from '@shared/rules/reading.ts'
import { cutAfter, decimalText, MAX_POST_DECIMALS, type MeterValue } from '@shared/rules/value.ts'
import type { Digits } from '@/components/counter/entry.ts'

/** A rate with everything that follows from it. */
export interface Rate {
  readonly task: MeterRateTask
  /** Name and register; undefined for the only, unnamed rate of a meter. */
  readonly name: string | undefined
  readonly unit: string | undefined
  readonly digits: Digits
  readonly isFeedIn: boolean
  /** The last earlier reading that the utility knows. */
  readonly event: { readonly readingDate: string; readonly readingValue: MeterValue } | undefined
  /** The last reading that was sent. */
  readonly result: MeterRateTask['readingResults'][number] | undefined
  /** Whether two readings make a consumption: so for counters, not for a temperature or a power. */
  readonly counts: boolean
}

/** The rates of a job's meter, in its order. */
export function useRates(job: Job): readonly Rate[] {
  const { t } = useTranslation()
  return useMemo(() => ratesOf(job, t), [job, t])
}

function ratesOf(job: Job, t: Translate): Rate[] {
  const tasks = job.meter.meterRateTasks
  return tasks.map((task) => {
    const unit = rateUnit(task)
    return {
      task,
      name:
        tasks.length > 1 || task.rateName
          ? rateDisplayName(translatedRateName(task.rateName, t), task.obis)
          : undefined,
      unit,
      digits: {
        pre: askedPreDecimals(task),
        post: askedPostDecimals(task, job.config.meterReading) ?? MAX_POST_DECIMALS,
      },
      isFeedIn: isFeedIn(task.obis),
      event: lastEvent(task),
      result: task.readingResults.at(-1),
      counts: !isMomentary(unit),
    }
  })
}

/** A value with its unit, in the digits that the counter shows. */
export const withUnit = (value: string, { unit }: Rate): string => textWithUnit(formatValue(value), unit)

/** What was used, with its unit, as figures are read. */
export const usedWithUnit = (used: string, { unit }: Rate): string => textWithUnit(formatAmount(used), unit)

/** What was used (or fed in) since the utility's last reading; undefined where that has no meaning. Digits that are not asked for do not count. */
export function consumptionSince({ event, counts, digits }: Rate, value: MeterValue): string | undefined {
  if (!event || !counts) return undefined
  const used = consumption(decimalText(cutAfter(event.readingValue, digits.post)), value)
  return used.startsWith('-') ? undefined : used
}
