/** Meter numbers and the market's identifiers. The twin of `functions/domain/src/meter.rs`. */
import type { MeterType } from '@shared/contract/types.ts'
import { typeOfObis } from './obis.ts'

const TYPE_OF_DIGIT: Readonly<Record<string, MeterType>> = {
  1: 'ELECTRIC_METER',
  4: 'HEAT_METER',
  5: 'HEAT_METER',
  6: 'HEAT_METER',
  7: 'GAS_METER',
  8: 'WATER_METER',
  9: 'WATER_WARM_METER',
}

/** The type that a meter number states by its first characters: a digit, three capital letters, a digit (P4). */
export function typeOfMeterNumber(meterNumber: string): MeterType | undefined {
  const digit = /^(\d)[A-Z]{3}\d/.exec(withoutBlanks(meterNumber))?.[1]
  return digit === undefined ? undefined : TYPE_OF_DIGIT[digit]
}

/** Whether the text is a market location: 11 digits, the last a check digit (BDEW). */
export function isMaLoId(text: string): boolean {
  if (!/^[1-9]\d{10}$/.test(text)) return false
  const digits = Array.from(text, Number)
  const sum = digits.slice(0, 10).reduce((sum, digit, index) => sum + digit * (index % 2 === 0 ? 1 : 2), 0)
  return digits[10] === (10 - (sum % 10)) % 10
}

/** Whether the text is a metering location: `DE`, 11 digits, 20 digits or capital letters. */
export function isMeLoId(text: string): boolean {
  return /^DE\d{11}[A-Z0-9]{20}$/.test(text)
}

/**
 * Whether the text, blanks removed, is a meter number by DIN 43863-5: medium, three letters of the maker, two characters
 * of the series, eight digits.
 */
export function isDinMeterNumber(text: string): boolean {
  return /^\d[A-Z]{3}[A-Z\d]{2}\d{8}$/.test(withoutBlanks(text))
}

function withoutBlanks(text: string): string {
  return text.replaceAll(' ', '')
}

/** The type of a job's meter: as the master data state it, else as the job states it, else from the first rate's code (L3). */
export function jobMeterType(job: {
  readonly meter: {
    readonly meterType?: MeterType | null | undefined
    readonly meterRateTasks: readonly { readonly obis: string }[]
  }
  readonly jobInfo?: { readonly meterType?: MeterType | null | undefined } | null | undefined
}): MeterType {
  return job.meter.meterType ?? job.jobInfo?.meterType ?? typeOfObis(job.meter.meterRateTasks[0]?.obis ?? '')
}
