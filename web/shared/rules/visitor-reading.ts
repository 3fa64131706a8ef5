/**
 * Readings of meters that have no job: those of a visitor without login (P5), and those of a logged-in account (L5).
 * The twin of `functions/domain/src/unknown_reading.rs`.
 */
import { isEmail } from './email.ts'
import type { MeterType } from './obis.ts'
import { commentLength, MAX_COMMENT, MIN_COMMENT, trimmedComment } from './reading.ts'
import { type MeterValue, postDecimals, preDecimals } from './value.ts'
import { addDays, type IsoDate } from './window.ts'

/** Most photos of one reading (L5, L9). */
export const MAX_UNKNOWN_IMAGES = 10
/** Most characters of each contact field (P9); the zip code has exactly as many. */
export const CONTACT_LENGTHS = {
  firstname: 50,
  lastname: 50,
  street: 50,
  houseNumber: 10,
  zip: 5,
  city: 50,
} as const
/** The sub-type whose rates the visitor picks (P2). */
const OTHER = 'OTHER'
const OWN_PRE_DECIMALS = 9
const OWN_POST_DECIMALS = 3
const OWN_DAYS_IN_PAST = 30
const OWN_METER_NUMBER_MAX = 50

/** How one rate's value is asked (P3). */
export interface RateReadingConfig {
  readonly preDecimals: number
  readonly postDecimals: number
  readonly queryPostDecimals: boolean
  readonly isReadingImageAllowed: boolean
  readonly isReadingImageRequired: boolean
}

/** The rates that are asked (P3). */
export interface MeterConfig {
  readonly meterRateConfigs: readonly {
    readonly obis: string
    readonly obisLabel: string
    readonly rateName: string
    readonly readingConfig?: RateReadingConfig | null
  }[]
  readonly defaultMeterReadingConfig: RateReadingConfig
  readonly defaultSelectedMeterRatesByOBIS?: readonly string[]
}

/** What the tenant asks visitors (P3). */
export interface UnknownReadingConfig {
  readonly meters: {
    readonly [type in MeterType]?: {
      readonly defaultMeterConfig: MeterConfig
      readonly subTypeMeterConfigs: readonly {
        readonly subType: string
        readonly meterConfig: MeterConfig
      }[]
      readonly customMeterConfig?: MeterConfig | null
    }
  }
  readonly readingReasons: readonly { readonly value: string }[]
  readonly validation: {
    readonly meterNumber: { readonly meterNumberMinLength: number; readonly meterNumberMaxLength: number }
    readonly readingDateMaxDaysInPast: number
    readonly readingDateMaxDaysInFuture: number
  }
}

export type Contact = { readonly [field in keyof typeof CONTACT_LENGTHS]: string }

/** A visitor's reading (P3). */
export interface UnknownReading {
  readonly meterType: MeterType
  readonly subType?: string | null
  readonly meterNumber: string
  readonly readingValues: readonly { readonly obis: string; readonly value: MeterValue; readonly imageCount: number }[]
  readonly readingDate: IsoDate
  readonly readingReason: string
  readonly contact: Contact
  readonly email?: string | null
}

/** A logged-in account's reading of a meter that has no job (L3). */
export interface OwnReading {
  readonly meterNumber: string
  readonly readingValue: MeterValue
  readonly readingDate: IsoDate
  readonly comment?: string | null
  readonly imageCount: number
}

export type FaultCode =
  | 'REQUIRED'
  | 'TOO_SHORT'
  | 'TOO_LONG'
  | 'LENGTH_EXACT'
  | 'CHARACTERS'
  | 'NOT_OFFERED'
  | 'TWICE'
  | 'PRE_DECIMALS'
  | 'DECIMALS_EXACT'
  | 'DECIMALS_TOO_MANY'
  | 'IMAGE_REQUIRED'
  | 'IMAGE_FORBIDDEN'
  | 'IMAGE_TOO_MANY'
  | 'DATE_TOO_EARLY'
  | 'DATE_TOO_LATE'
  | 'EMAIL_INVALID'
  | 'EMAIL_NOT_ALLOWED'

/** What is wrong with such a reading, and where in it. */
export interface Fault {
  readonly code: FaultCode
  readonly field: string
  readonly limit?: string
}

/** What is asked for a meter. */
export interface Asked {
  readonly config: MeterConfig
  /** The visitor picks at least one of the rates. */
  readonly isChoice: boolean
}

/** The rates that are asked for a meter of this type and sub-type; undefined: the tenant does not offer it. */
export function asked(
  config: UnknownReadingConfig,
  meterType: MeterType,
  subType: string | null | undefined,
): Asked | undefined {
  const meter = config.meters[meterType]
  if (!meter) return undefined
  if (meter.subTypeMeterConfigs.length === 0) {
    return subType ? undefined : { config: meter.defaultMeterConfig, isChoice: false }
  }
  const sub = meter.subTypeMeterConfigs.find((sub) => sub.subType === subType)
  if (!sub) return undefined
  if (meter.customMeterConfig && subType === OTHER) return { config: meter.customMeterConfig, isChoice: true }
  if (sub.meterConfig.meterRateConfigs.length === 0) return { config: meter.defaultMeterConfig, isChoice: false }
  return { config: sub.meterConfig, isChoice: subType === OTHER }
}

/** Which rates must have a value: all, or those that the tenant has selected beforehand. */
export function requiredRates({ config, isChoice }: Asked): string[] {
  if (isChoice) return []
  const rates = config.meterRateConfigs.map(({ obis }) => obis)
  const selected = config.defaultSelectedMeterRatesByOBIS ?? []
  return selected.length === 0 ? rates : rates.filter((obis) => selected.includes(obis))
}

/** How a rate's value is asked; undefined: the meter has no such rate. */
export function readingConfigOf({ config }: Asked, obis: string): RateReadingConfig | undefined {
  const rate = config.meterRateConfigs.find((rate) => rate.obis === obis)
  return rate && (rate.readingConfig ?? config.defaultMeterReadingConfig)
}

/** The first and the last day that a visitor's reading may be dated to. */
export function unknownReadingDates({ validation }: UnknownReadingConfig, today: IsoDate): [IsoDate, IsoDate] {
  return [addDays(today, -validation.readingDateMaxDaysInPast), addDays(today, validation.readingDateMaxDaysInFuture)]
}

/** The first and the last day that a logged-in account's reading may be dated to. */
export const ownReadingDates = (today: IsoDate): [IsoDate, IsoDate] => [addDays(today, -OWN_DAYS_IN_PAST), today]

/** Everything that is wrong with a visitor's reading. */
export function checkUnknown(
  config: UnknownReadingConfig,
  reading: UnknownReading,
  mayHaveCopy: boolean,
  today: IsoDate,
): Fault[] {
  return [
    ...checkMeter(config, reading),
    ...checkValues(config, reading),
    ...checkDate(reading.readingDate, unknownReadingDates(config, today)),
    ...(config.readingReasons.some(({ value }) => value === reading.readingReason)
      ? []
      : [fault('NOT_OFFERED', 'readingReason')]),
    ...checkContact(reading.contact),
    ...checkEmail(reading.email, mayHaveCopy),
  ]
}

/** Everything that is wrong with a logged-in account's reading. */
export function checkOwn(
  queryPostDecimals: boolean,
  imageRequired: boolean,
  reading: OwnReading,
  today: IsoDate,
): Fault[] {
  const most = queryPostDecimals ? OWN_POST_DECIMALS : 0
  return [
    ...checkText(reading.meterNumber, OWN_METER_NUMBER_MAX, METER_NUMBER, 'meterNumber'),
    ...checkPreDecimals(reading.readingValue, OWN_PRE_DECIMALS, 'readingValue'),
    ...(postDecimals(reading.readingValue) > most ? [fault('DECIMALS_TOO_MANY', 'readingValue', most)] : []),
    ...(imageRequired && reading.imageCount === 0 ? [fault('IMAGE_REQUIRED', 'readingImages')] : []),
    ...checkImageCount(reading.imageCount, 'readingImages'),
    ...checkDate(reading.readingDate, ownReadingDates(today)),
    ...checkComment(reading.comment),
  ]
}

/** The faults of the meter step. */
export function checkMeter(
  config: UnknownReadingConfig,
  { meterType, subType, meterNumber }: Pick<UnknownReading, 'meterType' | 'subType' | 'meterNumber'>,
): Fault[] {
  const { meterNumberMinLength, meterNumberMaxLength } = config.validation.meterNumber
  const faults = checkText(meterNumber, meterNumberMaxLength, METER_NUMBER, 'meterNumber')
  if (meterNumber && lengthOf(meterNumber) < meterNumberMinLength) {
    faults.push(fault('TOO_SHORT', 'meterNumber', meterNumberMinLength))
  }
  if (!config.meters[meterType]) faults.push(fault('NOT_OFFERED', 'meterType'))
  else if (!asked(config, meterType, subType)) faults.push(fault(subType ? 'NOT_OFFERED' : 'REQUIRED', 'subType'))
  return faults
}

/** The faults of the values and their photos. */
export function checkValues(
  config: UnknownReadingConfig,
  reading: Pick<UnknownReading, 'meterType' | 'subType' | 'readingValues'>,
): Fault[] {
  const { readingValues: values } = reading
  const images = values.reduce((sum, { imageCount }) => sum + imageCount, 0)
  const faults = checkImageCount(images, 'readingValues')
  const wanted = asked(config, reading.meterType, reading.subType)
  if (!wanted) return faults
  const isGiven = (obis: string) => values.some((value) => value.obis === obis)
  if (values.length === 0 || !requiredRates(wanted).every(isGiven)) faults.push(fault('REQUIRED', 'readingValues'))
  for (const [index, { obis, value, imageCount }] of values.entries()) {
    const at = (field: string) => `readingValues[${index}].${field}`
    const rate = readingConfigOf(wanted, obis)
    if (!rate) {
      faults.push(fault('NOT_OFFERED', at('obis')))
      continue
    }
    if (values.slice(0, index).some((other) => other.obis === obis)) faults.push(fault('TWICE', at('obis')))
    faults.push(...checkPreDecimals(value, rate.preDecimals, at('value')))
    const given = postDecimals(value)
    // Whoever is not asked for decimals may leave them all out, or none (P5).
    if (given !== rate.postDecimals && (given > 0 || rate.queryPostDecimals)) {
      faults.push(fault('DECIMALS_EXACT', at('value'), rate.postDecimals))
    }
    if (imageCount === 0 && rate.isReadingImageRequired) faults.push(fault('IMAGE_REQUIRED', at('readingImages')))
    if (imageCount > 0 && !rate.isReadingImageAllowed) faults.push(fault('IMAGE_FORBIDDEN', at('readingImages')))
  }
  return faults
}

/** The faults of the contact step. */
export function checkContact(contact: Contact): Fault[] {
  const { zip, ...others } = CONTACT_LENGTHS
  const faults = Object.entries(others).flatMap(([name, length]) => {
    const field = name as keyof typeof others
    return checkText(contact[field], length, CONTACT_CHARACTERS[field], `contact.${field}`)
  })
  faults.push(...checkText(contact.zip, Number.POSITIVE_INFINITY, CONTACT_CHARACTERS.zip, 'contact.zip'))
  if (contact.zip && lengthOf(contact.zip) !== zip) faults.push(fault('LENGTH_EXACT', 'contact.zip', zip))
  return faults
}

/** The faults of the address for a copy. */
export function checkEmail(email: string | null | undefined, mayHaveCopy: boolean): Fault[] {
  if (email === undefined || email === null) return []
  if (!mayHaveCopy) return [fault('EMAIL_NOT_ALLOWED', 'email')]
  return isEmail(email) ? [] : [fault('EMAIL_INVALID', 'email')]
}

/** What a meter number may be typed as: capital letters, and without what no plate shows. */
export function cleanMeterNumber(typed: string): string {
  return strip(typed.toUpperCase(), METER_NUMBER)
}

/** What may be typed into a contact field: characters that it does not take are left out (P5). */
export function cleanContact(field: keyof Contact, typed: string): string {
  return strip(typed, CONTACT_CHARACTERS[field]).slice(0, CONTACT_LENGTHS[field])
}

const METER_NUMBER = /[A-Z0-9./-]/u
const NAME = /[\p{L}\p{M} '’.-]/u
const PLACE = /[\p{L}\p{M}0-9 '’./-]/u

const CONTACT_CHARACTERS: { readonly [field in keyof Contact]: RegExp } = {
  firstname: NAME,
  lastname: NAME,
  street: PLACE,
  houseNumber: /[\p{L}0-9/ -]/u,
  zip: /[0-9]/u,
  city: PLACE,
}

const strip = (text: string, takes: RegExp) =>
  Array.from(text)
    .filter((character) => takes.test(character))
    .join('')
const lengthOf = (text: string) => Array.from(text).length

function fault(code: FaultCode, field: string, limit?: number | string): Fault {
  return limit === undefined ? { code, field } : { code, field, limit: String(limit) }
}

function checkText(text: string, most: number, takes: RegExp, field: string): Fault[] {
  if (text.trim() === '') return [fault('REQUIRED', field)]
  const faults: Fault[] = []
  if (lengthOf(text) > most) faults.push(fault('TOO_LONG', field, most))
  if (!Array.from(text).every((character) => takes.test(character))) faults.push(fault('CHARACTERS', field))
  return faults
}

function checkPreDecimals(value: MeterValue, most: number, field: string): Fault[] {
  return preDecimals(value) > most ? [fault('PRE_DECIMALS', field, most)] : []
}

function checkImageCount(count: number, field: string): Fault[] {
  return count > MAX_UNKNOWN_IMAGES ? [fault('IMAGE_TOO_MANY', field, MAX_UNKNOWN_IMAGES)] : []
}

function checkDate(date: IsoDate, [first, last]: [IsoDate, IsoDate]): Fault[] {
  if (date < first) return [fault('DATE_TOO_EARLY', 'readingDate', first)]
  return date > last ? [fault('DATE_TOO_LATE', 'readingDate', last)] : []
}

function checkComment(comment: string | null | undefined): Fault[] {
  const text = trimmedComment(comment)
  if (text === undefined) return []
  if (commentLength(text) < MIN_COMMENT) return [fault('TOO_SHORT', 'comment', MIN_COMMENT)]
  return lengthOf(text) > MAX_COMMENT ? [fault('TOO_LONG', 'comment', MAX_COMMENT)] : []
}
