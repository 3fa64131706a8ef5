/**
 * What a counter is expected to show, by what the meter did before. The twin of `functions/domain/src/expected.rs`; all
 * arithmetic is in whole numbers, so that both say the same.
 */
import type { LoadProfile, MeterType, Plausibility, ReadingReason } from '@shared/contract/types.ts'
import { jobMeterType } from './meter.ts'
import { isFeedIn, isMomentary, rateUnit } from './obis.ts'
import type { LowerReason } from './reading.ts'
import { billionths, cutAfter, MAX_PRE_DECIMALS, type MeterValue, postDecimals } from './value.ts'
import { addDays, type IsoDate } from './window.ts'

type PlausibilityOfMedium = Plausibility['electricity']

/** The part of an earlier reading that the rule looks at. */
export interface PastReading {
  readonly readingDate: IsoDate
  readonly readingValue: MeterValue
  readonly reason?: ReadingReason | null | undefined
}

/** The part of a rate that the rule looks at. */
export interface ExpectingTask {
  readonly obis: string
  readonly unit?: string | null | undefined
  readonly preDecimals?: number | null | undefined
  readonly postDecimals?: number | null | undefined
  readonly readingEvents: readonly PastReading[]
  readonly expectedAnnualConsumption?: MeterValue | null | undefined
  readonly loadProfile?: LoadProfile | null | undefined
}

/** The part of a job that the rule looks at. */
export interface ExpectingJob {
  readonly jobInfo?: { readonly meterType?: MeterType | null | undefined } | null | undefined
  readonly meter: {
    readonly meterType?: MeterType | null | undefined
    readonly meterRateTasks: readonly ExpectingTask[]
  }
}

/** How people mistype a counter. */
export type Mistake = 'COMMA_MOVED' | 'DIGIT_TOO_MANY' | 'DIGIT_MISSING'

/** What a value says against what the meter did before; amounts in billionths of the unit. */
export interface Judgement {
  /** The day of the reading that the consumption is counted from. */
  readonly since: IsoDate
  /** What the counter has moved since then. */
  readonly consumption: bigint
  /** What was expected since then. */
  readonly expected: bigint
  /** What is used in a year otherwise. */
  readonly annual: bigint
  /** On which side of what is expected the value lies, if outside. */
  readonly verdict: 'LOW' | 'HIGH' | undefined
  /** What would explain a value outside. */
  readonly mistake: Mistake | undefined
}

const DEFAULT_PRE_DECIMALS = 8
/** Fewest days between two readings whose difference says something about a year. */
const PERIOD_MIN_DAYS = 60
/** Most periods that count, the latest ones. */
const MAX_PERIODS = 3
/** Readings from before this many days say nothing. */
const MAX_AGE_DAYS = 3653
/** Fewer days of known use make the band wider. */
const SHORT_DAYS = 300
/** Fewer days since the last reading make the band wider. */
const RECENT_DAYS = 45
/** More days since the last reading make the band wider. */
const OLD_DAYS = 500

const BILLION = 1_000_000_000n

/** Judges a value of a rate; undefined where nothing is known to judge by, the reader says that the meter was exchanged, or the rate is no counter. */
export function judge(
  plausibility: Plausibility | undefined,
  job: ExpectingJob,
  task: ExpectingTask,
  readingDate: IsoDate,
  value: MeterValue,
  lowerReason?: LowerReason | null,
): Judgement | undefined {
  // What has no consumption has none that could be expected.
  // Settings that were kept on the device by an earlier version of the portal say nothing.
  if (!plausibility) return undefined
  if (lowerReason === 'METER_CHANGE' || isMomentary(rateUnit(task))) return undefined
  const meterType = jobMeterType(job)
  const profile = profileOf(job, task, meterType)
  const known = knownOf(task, profile, readingDate)
  if (!known) return undefined

  // Digits that were not asked for are no consumption (D-READING-5).
  const base = cutAfter(known.base.readingValue, postDecimals(value))
  const drum = 10n ** BigInt(Math.min(task.preDecimals ?? DEFAULT_PRE_DECIMALS, MAX_PRE_DECIMALS)) * BILLION
  const since = daysBetween(known.base.readingDate, readingDate)
  const weight = BigInt(weightOf(profile, known.base.readingDate, readingDate))
  const annual = (known.consumption * BigInt(yearOf(profile))) / known.weight
  const isWide = known.isVague || since < RECENT_DAYS || since > OLD_DAYS
  const verdictOf = band(known, weight, settingsOf(plausibility, job, task, meterType), annual, isWide, unitSize(task))

  const moved = billionths(value) - base
  const consumption = moved < 0n && lowerReason === 'ROLLOVER' ? moved + drum : moved
  // The counter may have passed its last digit: the question for the reason comes with the value that is lower than the last.
  const mayHaveRolled = consumption < 0n && verdictOf(consumption + drum) === undefined
  const verdict = mayHaveRolled ? undefined : verdictOf(consumption)
  const isExpected = (other: bigint) => other >= base && verdictOf(other - base) === undefined
  return {
    since: known.base.readingDate,
    consumption,
    expected: (known.consumption * weight) / known.weight,
    annual,
    verdict,
    mistake: verdict && mistakeOf(task, value, isExpected),
  }
}

interface Known {
  readonly base: PastReading
  readonly consumption: bigint
  readonly weight: bigint
  readonly isVague: boolean
}

type Period = readonly [from: PastReading, to: PastReading]

/** What is known of a rate: so much consumption in days of so much weight, and the counter from which on a new value is judged. */
function knownOf(task: ExpectingTask, profile: LoadProfile, readingDate: IsoDate): Known | undefined {
  const first = addDays(readingDate, -MAX_AGE_DAYS)
  const all = task.readingEvents
    .filter((event) => first <= event.readingDate && event.readingDate < readingDate)
    .toSorted((one, other) => (one.readingDate < other.readingDate ? -1 : Number(one.readingDate > other.readingDate)))
  const real = all.filter(({ reason }) => reason !== 'ESTIMATED_READING')

  if (task.expectedAnnualConsumption) {
    const base = real.at(-1) ?? all.at(-1)
    const weight = BigInt(yearOf(profile))
    return base && { base, consumption: billionths(task.expectedAnnualConsumption), weight, isVague: false }
  }
  const periodsOfReal = periodsOf(real)
  const isEstimate = periodsOfReal.length === 0
  const [events, periods] = isEstimate ? [all, periodsOf(all)] : [real, periodsOfReal]
  const base = events.at(-1)
  const consumption = periods.reduce(
    (sum, [from, to]) => sum + billionths(to.readingValue) - billionths(from.readingValue),
    0n,
  )
  const weight = periods.reduce((sum, [from, to]) => sum + weightOf(profile, from.readingDate, to.readingDate), 0)
  const knownDays = periods.reduce((sum, [from, to]) => sum + daysBetween(from.readingDate, to.readingDate), 0)
  if (!base || weight === 0) return undefined
  return { base, consumption, weight: BigInt(weight), isVague: isEstimate || knownDays < SHORT_DAYS }
}

/** The latest periods between readings of one and the same meter, each long enough; the latest first. */
function periodsOf(events: readonly PastReading[]): Period[] {
  const periods: Period[] = []
  let end: PastReading | undefined
  for (const [index, event] of [...events.entries()].toReversed()) {
    if (end && daysBetween(event.readingDate, end.readingDate) >= PERIOD_MIN_DAYS) {
      periods.push([event, end])
      end = event
    }
    const before = events[index - 1]
    // A new meter, or one that passed its last digit: what lies before it is another series.
    if (!before || beginsSeries(before, event)) end = undefined
    else end ??= event
  }
  return periods.slice(0, MAX_PERIODS)
}

function beginsSeries(before: PastReading, event: PastReading): boolean {
  const isNew = event.reason === 'METER_CHANGE' || event.reason === 'INITIAL_READING'
  return isNew || billionths(event.readingValue) < billionths(before.readingValue)
}

const DAY_MS = 86_400_000

const daysBetween = (from: IsoDate, to: IsoDate): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)

/** What lies between low and high is expected, and what is no further than the floor from it. */
function band(
  known: Known,
  weight: bigint,
  { bands, floor: floorUnits }: PlausibilityOfMedium,
  annual: bigint,
  isWide: boolean,
  size: bigint,
): (consumption: bigint) => 'LOW' | 'HIGH' | undefined {
  const used = bands.findLast(({ annualFrom }) => BigInt(annualFrom) * BILLION <= annual * size) ?? bands[0]
  const [low, high] = [BigInt(used?.belowPercent ?? 0), BigInt(used?.abovePercent ?? 1000)]
  const [below, above] = isWide ? [(low * 3n) / 4n, (high * 3n) / 2n] : [low, high]
  const floor = (BigInt(floorUnits) * BILLION) / size
  // The expected consumption times the known weight; so nothing has to be divided.
  const expected = known.consumption * weight
  return (consumption) => {
    const times = consumption * known.weight
    const isLow = times * 100n < expected * below && (consumption + floor) * known.weight < expected
    const isHigh = times * 100n > expected * above && (consumption - floor) * known.weight > expected
    if (isLow || consumption < 0n) return 'LOW'
    return isHigh ? 'HIGH' : undefined
  }
}

/** How many of the unit that bands are written in one unit of the rate is. */
function unitSize(task: ExpectingTask): bigint {
  const unit = rateUnit(task)
  if (unit === 'MWh') return 1000n
  return unit === 'GJ' ? 278n : 1n
}

const hasFeedIn = (job: ExpectingJob) => job.meter.meterRateTasks.some(({ obis }) => isFeedIn(obis))

const SETTINGS: Readonly<Record<MeterType, keyof Plausibility>> = {
  ELECTRIC_METER: 'electricity',
  GAS_METER: 'gas',
  HEAT_METER: 'heat',
  WATER_METER: 'water',
  WATER_WARM_METER: 'water',
  GENERIC_METER: 'other',
}

function settingsOf(
  plausibility: Plausibility,
  job: ExpectingJob,
  task: ExpectingTask,
  meterType: MeterType,
): PlausibilityOfMedium {
  if (isFeedIn(task.obis)) return plausibility.feedIn
  const generates = hasFeedIn(job) || task.loadProfile === 'P25' || task.loadProfile === 'S25'
  return meterType === 'ELECTRIC_METER' && generates ? plausibility.ownGeneration : plausibility[SETTINGS[meterType]]
}

const PROFILES: Readonly<Record<MeterType, LoadProfile>> = {
  ELECTRIC_METER: 'H25',
  GAS_METER: 'HEATING_HOT_WATER',
  HEAT_METER: 'HEATING',
  WATER_METER: 'EVEN',
  WATER_WARM_METER: 'EVEN',
  GENERIC_METER: 'EVEN',
}

function profileOf(job: ExpectingJob, task: ExpectingTask, meterType: MeterType): LoadProfile {
  if (task.loadProfile) return task.loadProfile
  if (isFeedIn(task.obis)) return 'SUN'
  return meterType === 'ELECTRIC_METER' && hasFeedIn(job) ? 'P25' : PROFILES[meterType]
}

/** How a year's use is spread over its months; sources stand in the Rust twin. */
const MONTHS: Readonly<Record<Exclude<LoadProfile, 'EVEN'>, readonly number[]>> = {
  // In thirds, because June to August share 40.
  HEATING: [510, 450, 390, 240, 120, 40, 40, 40, 90, 240, 360, 480],
  HEATING_HOT_WATER: [136, 121, 115, 93, 56, 37, 37, 36, 37, 95, 107, 130],
  SUN: [31, 46, 82, 113, 133, 138, 133, 123, 92, 56, 31, 23],
  H25: [101, 88, 89, 81, 77, 72, 74, 74, 73, 83, 89, 99],
  G25: [95, 84, 88, 82, 80, 77, 77, 76, 78, 83, 88, 94],
  L25: [92, 83, 90, 82, 81, 75, 77, 77, 78, 85, 89, 92],
  P25: [145, 106, 95, 72, 45, 40, 42, 47, 53, 79, 115, 161],
  S25: [207, 124, 79, 42, 15, 11, 14, 19, 22, 71, 151, 246],
}

/** The least number that the days of every month divide: 28, 29, 30, 31. */
const DAYS_OF_MONTHS = 377_580

/** How much of a year's use falls on a day of the month, in a number that only compares with others of the same profile. */
function dayWeight(profile: LoadProfile, year: number, month: number): number {
  if (profile === 'EVEN') return DAYS_OF_MONTHS
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate()
  return (MONTHS[profile][month - 1] ?? 0) * (DAYS_OF_MONTHS / days)
}

/** The weight of the days from the first, which counts, to the last, which does not. */
function weightOf(profile: LoadProfile, from: IsoDate, to: IsoDate): number {
  let sum = 0
  for (let at = from; at < to; ) {
    const [year, month] = [Number(at.slice(0, 4)), Number(at.slice(5, 7))]
    const following = new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
    const next = following < to ? following : to
    sum += dayWeight(profile, year, month) * daysBetween(at, next)
    at = next
  }
  return sum
}

const yearOf = (profile: LoadProfile): number => weightOf(profile, '2025-01-01', '2026-01-01')

/** Which slip of the fingers would make an expected value of this one; the kinds in the order in which they explain most. */
function mistakeOf(
  task: ExpectingTask,
  value: MeterValue,
  isExpected: (other: bigint) => boolean,
): Mistake | undefined {
  const number = billionths(value)
  if ((task.postDecimals ?? 0) > 0 || postDecimals(value) > 0) {
    const isMoved = [10n, 100n, 1000n].some((by) => isExpected(number / by) || isExpected(number * by))
    if (isMoved) return 'COMMA_MOVED'
  }
  const [whole, rest] = [number / BILLION, number % BILLION]
  const digits = String(whole).length
  const places = Array.from({ length: digits + 1 }, (_, place) => 10n ** BigInt(place))
  const without = (worth: bigint) => ((whole / worth / 10n) * worth + (whole % worth)) * BILLION + rest
  const isTooMany = digits > 1 && places.slice(0, digits).some((worth) => isExpected(without(worth)))
  if (isTooMany) return 'DIGIT_TOO_MANY'

  const withDigit = (worth: bigint, digit: bigint) =>
    (((whole / worth) * 10n + digit) * worth + (whole % worth)) * BILLION + rest
  const hasRoom = digits < (task.preDecimals ?? DEFAULT_PRE_DECIMALS)
  const isMissing = places.some((worth) => DIGITS.some((digit) => isExpected(withDigit(worth, digit))))
  return hasRoom && isMissing ? 'DIGIT_MISSING' : undefined
}

const DIGITS = Array.from({ length: 10 }, (_, digit) => BigInt(digit))
