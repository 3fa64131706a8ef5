/** What a visitor has entered so far, what is wrong with it, and the reading that it makes. */
import type { MeterType, RateReadingConfig, VisitorReading, VisitorReadingConfig } from '@shared/contract/types.ts'
import { errorAt } from '@shared/rules/finding.ts'
import { postDecimals, preDecimals } from '@shared/rules/value.ts'
import {
  type Asked,
  asked,
  type Contact,
  checkContact,
  checkEmail,
  checkMeter,
  checkValues,
  checkVisitorReading,
  type Finding,
  readingConfigOf,
  requiredRates,
} from '@shared/rules/visitor-reading.ts'
import { trimmed } from '@shared/rules/white-space.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { EMPTY, type Entry, valueOf } from '@/components/counter/entry.ts'
import type { Photo } from '@/device/photo.ts'

export type Config = VisitorReadingConfig
export type Reason = Config['readingReasons'][number]['value']

/** The wizard's steps, in order. */
export const STEPS = ['METER', 'METER_READING', 'CONTACT', 'SUMMARY', 'DONE'] as const
export type Step = (typeof STEPS)[number]

/** The types that visitors may report, in the order in which they are shown. */
const TYPES = ['ELECTRIC_METER', 'GAS_METER', 'WATER_METER', 'WATER_WARM_METER', 'HEAT_METER'] as const

export interface RateDraft {
  readonly entry: Entry
  readonly photos: readonly Photo[]
}

export interface Draft {
  readonly meterNumber: string
  readonly meterType: MeterType
  readonly subType: string | undefined
  /** The rates that have a value, by their codes. */
  readonly selected: readonly string[]
  /** By the rate's code; a rate that was not touched is absent. */
  readonly rates: Readonly<Record<string, RateDraft>>
  /** Decimals are entered although they are not asked for. */
  readonly withDecimals: boolean
  /** Absent until the step is left: today, while no other day was chosen. */
  readonly readingDate: IsoDate | undefined
  readonly contact: Contact
  readonly readingReason: Reason | undefined
  readonly acceptsPrivacy: boolean
  readonly email: string
}

/** A rate as it is asked. */
export interface Rate {
  readonly obis: string
  readonly obisLabel: string
  readonly rateName: string
  readonly reading: RateReadingConfig
  /** It must have a value. */
  readonly isRequired: boolean
}

const EMPTY_RATE: RateDraft = { entry: EMPTY, photos: [] }

export const rateDraft = (draft: Draft, obis: string): RateDraft => draft.rates[obis] ?? EMPTY_RATE

export const offeredTypes = (config: Config): MeterType[] => TYPES.filter((type) => config.meters[type])

/** The draft that a visitor begins with. */
export function emptyDraft(config: Config): Draft {
  const [meterType = 'GENERIC_METER'] = offeredTypes(config)
  const empty: Draft = {
    meterNumber: '',
    meterType,
    subType: undefined,
    selected: [],
    rates: {},
    withDecimals: false,
    readingDate: undefined,
    contact: { firstname: '', lastname: '', street: '', houseNumber: '', zip: '', city: '' },
    readingReason: undefined,
    acceptsPrivacy: false,
    email: '',
  }
  return withType(config, empty, meterType)
}

/** The draft for another type of meter: its sub-type stays where the new type has it, else it is the first one. */
export function withType(config: Config, draft: Draft, meterType: MeterType): Draft {
  const subTypes = config.meters[meterType]?.subTypeMeterConfigs.map(({ subType }) => subType) ?? []
  const subType = subTypes.find((subType) => subType === draft.subType) ?? subTypes[0]
  return withSubType(config, { ...draft, meterType }, subType)
}

/** The draft for another sub-type, with the rates selected that the tenant has selected for it. */
export function withSubType(config: Config, draft: Draft, subType: string | undefined): Draft {
  const wanted = asked(config, draft.meterType, subType)
  const selected = wanted ? [...new Set([...requiredRates(wanted), ...preselected(wanted)])] : []
  return { ...draft, subType, selected }
}

const preselected = ({ config }: Asked) => config.defaultSelectedMeterRatesByOBIS ?? []

/** The rates of the meter, in the tenant's order. */
export function ratesOf(config: Config, draft: Draft): Rate[] {
  const wanted = asked(config, draft.meterType, draft.subType)
  if (!wanted) return []
  const required = requiredRates(wanted)
  return wanted.config.meterRateConfigs.map((rate) => ({
    obis: rate.obis,
    obisLabel: rate.obisLabel,
    rateName: rate.rateName,
    reading: readingConfigOf(wanted, rate.obis) ?? wanted.config.defaultMeterReadingConfig,
    isRequired: required.includes(rate.obis),
  }))
}

/** The rates that are to be entered. */
export const selectedRates = (config: Config, draft: Draft): Rate[] =>
  ratesOf(config, draft).filter(({ obis }) => draft.selected.includes(obis))

/** Whether a rate shows decimals that are not asked for, so that the visitor may choose to enter them. */
export const hasOptionalDecimals = ({ reading }: Rate): boolean =>
  !reading.queryPostDecimals && reading.postDecimals > 0

/** How many decimals are to be entered. */
export const askedDecimals = ({ reading }: Rate, { withDecimals }: Draft): number =>
  reading.queryPostDecimals || withDecimals ? reading.postDecimals : 0

/** The value to send; without decimals, what stands behind the point is dropped. */
export function rateValue(rate: Rate, draft: Draft): string | undefined {
  const { entry } = rateDraft(draft, rate.obis)
  return valueOf(askedDecimals(rate, draft) > 0 ? entry : { ...entry, post: '' })
}

/** What is sent, with the photos still here. */
export interface Outgoing extends Omit<VisitorReading, 'readingValues'> {
  readonly readingValues: readonly {
    readonly obis: string
    readonly rateName: string
    readonly value: string
    readonly photos: readonly Photo[]
  }[]
}

/** The reading that the draft makes; rates without a value and an empty address are left out. */
export function outgoing(config: Config, draft: Draft, today: IsoDate, mayHaveCopy: boolean): Outgoing {
  const email = trimmed(draft.email)
  return {
    meterType: draft.meterType,
    ...(draft.subType && { subType: draft.subType }),
    meterNumber: draft.meterNumber,
    readingValues: selectedRates(config, draft).flatMap((rate) => {
      const value = rateValue(rate, draft)
      if (value === undefined) return []
      // Photos that the meter does not take may stem from a type that was chosen before.
      const photos = rate.reading.isReadingImageAllowed ? rateDraft(draft, rate.obis).photos : []
      return { obis: rate.obis, rateName: rate.rateName, value, photos }
    }),
    readingDate: draft.readingDate ?? today,
    readingReason: draft.readingReason ?? 'OTHER',
    contact: draft.contact,
    ...(mayHaveCopy && email !== '' && { email }),
  }
}

/** Everything that is wrong in a step. */
export function findingsOf(step: Step, config: Config, draft: Draft, today: IsoDate, mayHaveCopy: boolean): Finding[] {
  const sent = outgoing(config, draft, today, mayHaveCopy)
  const reading = {
    ...sent,
    readingValues: sent.readingValues.map(({ photos, ...value }) => ({ ...value, imageCount: photos.length })),
  }
  switch (step) {
    case 'METER':
      return checkMeter(config, reading)
    case 'METER_READING':
      return [
        ...checkValues(config, reading),
        ...checkSelected(config, draft),
        ...checkVisitorReading(config, reading, mayHaveCopy, today).filter(({ field }) => field === 'readingDate'),
      ]
    case 'CONTACT':
      return [
        ...checkContact(draft.contact),
        ...(config.readingReasons.some(({ value }) => value === draft.readingReason)
          ? []
          : [errorAt('REQUIRED', 'readingReason')]),
      ]
    case 'SUMMARY':
      return [
        ...(draft.acceptsPrivacy ? [] : [errorAt('REQUIRED', 'acceptsPrivacy')]),
        ...checkEmail(sent.email, mayHaveCopy),
      ]
    case 'DONE':
      return []
  }
}

/**
 * Every selected rate needs a value, with all decimals where the visitor has chosen to enter them. One that was entered for another
 * meter may have too many digits.
 */
function checkSelected(config: Config, draft: Draft): Finding[] {
  return selectedRates(config, draft).flatMap((rate): Finding[] => {
    const value = rateValue(rate, draft)
    const field = `rate.${rate.obis}`
    if (value === undefined) return [errorAt('REQUIRED', field)]
    const most = rate.reading.preDecimals
    if (preDecimals(value) > most) return [errorAt('PRE_DECIMALS', field, most)]
    const wanted = askedDecimals(rate, draft)
    return postDecimals(value) === wanted ? [] : [errorAt('DECIMALS_EXACT', field, wanted)]
  })
}
