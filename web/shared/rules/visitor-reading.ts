/**
 * Readings of meters that have no job: those of a visitor without login (P5), and those of a logged-in account (L5).
 * The twin of `functions/domain/src/visitor_reading.rs` and `own_reading.rs`.
 */
import type {
  FindingCode,
  MeterConfig,
  MeterType,
  RateReadingConfig,
  VisitorReadingConfig,
} from '@shared/contract/types.ts'
import { isEmail } from './email.ts'
import { errorAt, type FindingOf } from './finding.ts'
import { commentLength, MAX_COMMENT, MIN_COMMENT, trimmedComment } from './reading.ts'
import { type MeterValue, postDecimals, preDecimals } from './value.ts'
import { trimmed } from './white-space.ts'
import { addDays, type IsoDate } from './window.ts'

/** Most photos of one reading (L5, L9). */
export const MAX_IMAGES = 10
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
/** Most digits of the value of a meter without a job, before the point and after it (L5). */
export const OWN_PRE_DECIMALS = 9
export const OWN_POST_DECIMALS = 3
const OWN_DAYS_IN_PAST = 30
const OWN_METER_NUMBER_MAX = 50

export type Contact = { readonly [field in keyof typeof CONTACT_LENGTHS]: string }

/** A visitor's reading (P3). */
export interface VisitorReading {
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

type EntryCode = Extract<
  FindingCode,
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
>

/** What is wrong with such a reading, and where in it. */
export type Finding = FindingOf<EntryCode>

/** What is asked for a meter. */
export interface Asked {
  readonly config: MeterConfig
  /** The visitor picks at least one of the rates. */
  readonly isChoice: boolean
}

/** An empty text is there, and is judged like any other. */
const isAbsent = (value: string | null | undefined): value is null | undefined => value === undefined || value === null

/** The rates that are asked for a meter of this type and sub-type; undefined: the tenant does not offer it. */
export function asked(
  config: VisitorReadingConfig,
  meterType: MeterType,
  subType: string | null | undefined,
): Asked | undefined {
  const meter = config.meters[meterType]
  if (!meter) return undefined
  if (meter.subTypeMeterConfigs.length === 0) {
    return isAbsent(subType) ? { config: meter.defaultMeterConfig, isChoice: false } : undefined
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
export function visitorReadingDates({ validation }: VisitorReadingConfig, today: IsoDate): [IsoDate, IsoDate] {
  return [addDays(today, -validation.readingDateMaxDaysInPast), addDays(today, validation.readingDateMaxDaysInFuture)]
}

/** The first and the last day that a logged-in account's reading may be dated to. */
export const ownReadingDates = (today: IsoDate): [IsoDate, IsoDate] => [addDays(today, -OWN_DAYS_IN_PAST), today]

/** Everything that is wrong with a visitor's reading. */
export function checkVisitorReading(
  config: VisitorReadingConfig,
  reading: VisitorReading,
  mayHaveCopy: boolean,
  today: IsoDate,
): Finding[] {
  return [
    ...checkMeter(config, reading),
    ...checkValues(config, reading),
    ...checkDate(reading.readingDate, visitorReadingDates(config, today)),
    ...(config.readingReasons.some(({ value }) => value === reading.readingReason)
      ? []
      : [errorAt('NOT_OFFERED', 'readingReason')]),
    ...checkContact(reading.contact),
    ...checkEmail(reading.email, mayHaveCopy),
  ]
}

/** Everything that is wrong with a logged-in account's reading. */
export function checkOwnReading(
  queryPostDecimals: boolean,
  imageRequired: boolean,
  reading: OwnReading,
  today: IsoDate,
): Finding[] {
  const most = queryPostDecimals ? OWN_POST_DECIMALS : 0
  return [
    ...checkText(reading.meterNumber, OWN_METER_NUMBER_MAX, METER_NUMBER, 'meterNumber'),
    ...checkPreDecimals(reading.readingValue, OWN_PRE_DECIMALS, 'readingValue'),
    ...(postDecimals(reading.readingValue) > most ? [errorAt('DECIMALS_TOO_MANY', 'readingValue', most)] : []),
    ...(imageRequired && reading.imageCount === 0 ? [errorAt('IMAGE_REQUIRED', 'readingImages')] : []),
    ...checkImageCount(reading.imageCount, 'readingImages'),
    ...checkDate(reading.readingDate, ownReadingDates(today)),
    ...checkComment(reading.comment),
  ]
}

/** The findings of the meter step. */
export function checkMeter(
  config: VisitorReadingConfig,
  { meterType, subType, meterNumber }: Pick<VisitorReading, 'meterType' | 'subType' | 'meterNumber'>,
): Finding[] {
  const { meterNumberMinLength, meterNumberMaxLength } = config.validation.meterNumber
  const findings = checkText(meterNumber, meterNumberMaxLength, METER_NUMBER, 'meterNumber')
  if (meterNumber && lengthOf(meterNumber) < meterNumberMinLength) {
    findings.push(errorAt('TOO_SHORT', 'meterNumber', meterNumberMinLength))
  }
  if (!config.meters[meterType]) findings.push(errorAt('NOT_OFFERED', 'meterType'))
  else if (!asked(config, meterType, subType)) {
    findings.push(errorAt(isAbsent(subType) ? 'REQUIRED' : 'NOT_OFFERED', 'subType'))
  }
  return findings
}

/** The findings of the values and their photos. */
export function checkValues(
  config: VisitorReadingConfig,
  reading: Pick<VisitorReading, 'meterType' | 'subType' | 'readingValues'>,
): Finding[] {
  const { readingValues: values } = reading
  const images = values.reduce((sum, { imageCount }) => sum + imageCount, 0)
  const findings = checkImageCount(images, 'readingValues')
  const wanted = asked(config, reading.meterType, reading.subType)
  if (!wanted) return findings
  const isGiven = (obis: string) => values.some((value) => value.obis === obis)
  if (values.length === 0 || !requiredRates(wanted).every(isGiven)) findings.push(errorAt('REQUIRED', 'readingValues'))
  for (const [index, { obis, value, imageCount }] of values.entries()) {
    const at = (field: string) => `readingValues[${index}].${field}`
    const rate = readingConfigOf(wanted, obis)
    if (!rate) {
      findings.push(errorAt('NOT_OFFERED', at('obis')))
      continue
    }
    if (values.slice(0, index).some((other) => other.obis === obis)) findings.push(errorAt('TWICE', at('obis')))
    findings.push(...checkPreDecimals(value, rate.preDecimals, at('value')))
    const given = postDecimals(value)
    // A visitor who is not asked for decimals may leave them all out, or none (P5).
    if (given !== rate.postDecimals && (given > 0 || rate.queryPostDecimals)) {
      findings.push(errorAt('DECIMALS_EXACT', at('value'), rate.postDecimals))
    }
    if (imageCount === 0 && rate.isReadingImageRequired) findings.push(errorAt('IMAGE_REQUIRED', at('readingImages')))
    if (imageCount > 0 && !rate.isReadingImageAllowed) findings.push(errorAt('IMAGE_FORBIDDEN', at('readingImages')))
  }
  return findings
}

/** The findings of the contact step. */
export function checkContact(contact: Contact): Finding[] {
  const { zip, ...others } = CONTACT_LENGTHS
  const findings = Object.entries(others).flatMap(([name, length]) => {
    const field = name as keyof typeof others
    return checkText(contact[field], length, CONTACT_CHARACTERS[field], `contact.${field}`)
  })
  findings.push(...checkText(contact.zip, Number.POSITIVE_INFINITY, CONTACT_CHARACTERS.zip, 'contact.zip'))
  if (contact.zip && lengthOf(contact.zip) !== zip) findings.push(errorAt('LENGTH_EXACT', 'contact.zip', zip))
  return findings
}

/** The findings of the address for a copy. */
export function checkEmail(email: string | null | undefined, mayHaveCopy: boolean): Finding[] {
  if (isAbsent(email)) return []
  if (!mayHaveCopy) return [errorAt('EMAIL_NOT_ALLOWED', 'email')]
  return isEmail(email) ? [] : [errorAt('EMAIL_INVALID', 'email')]
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

function checkText(text: string, most: number, takes: RegExp, field: string): Finding[] {
  if (trimmed(text) === '') return [errorAt('REQUIRED', field)]
  const findings: Finding[] = []
  if (lengthOf(text) > most) findings.push(errorAt('TOO_LONG', field, most))
  if (!Array.from(text).every((character) => takes.test(character))) findings.push(errorAt('CHARACTERS', field))
  return findings
}

function checkPreDecimals(value: MeterValue, most: number, field: string): Finding[] {
  return preDecimals(value) > most ? [errorAt('PRE_DECIMALS', field, most)] : []
}

function checkImageCount(count: number, field: string): Finding[] {
  return count > MAX_IMAGES ? [errorAt('IMAGE_TOO_MANY', field, MAX_IMAGES)] : []
}

function checkDate(date: IsoDate, [first, last]: [IsoDate, IsoDate]): Finding[] {
  if (date < first) return [errorAt('DATE_TOO_EARLY', 'readingDate', first)]
  return date > last ? [errorAt('DATE_TOO_LATE', 'readingDate', last)] : []
}

function checkComment(comment: string | null | undefined): Finding[] {
  const text = trimmedComment(comment)
  if (text === undefined) return []
  if (commentLength(text) < MIN_COMMENT) return [errorAt('TOO_SHORT', 'comment', MIN_COMMENT)]
  return lengthOf(text) > MAX_COMMENT ? [errorAt('TOO_LONG', 'comment', MAX_COMMENT)] : []
}
