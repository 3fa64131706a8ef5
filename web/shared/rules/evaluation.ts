/** The history of a rate's readings, and what was used between them (P2, P3, P5, P9). */
import { groupBy } from './group-by.ts'
import { isMomentary, rateUnit } from './obis.ts'
import { askedPreDecimals, consumption, type LowerReason, type RateTask, rolloverConsumption } from './reading.ts'
import { asReadBefore, decimalText, type MeterValue } from './value.ts'
import type { IsoDate } from './window.ts'

/** Why a meter was read (P3); absent means that it is not known. */
export type ReadingReason =
  | 'INITIAL_READING'
  | 'PERIODIC_READING'
  | 'ESTIMATED_READING'
  | 'INTERMEDIATE_READING'
  | 'METER_CHANGE'
  | 'OTHER'
  | 'OTHER_KSA'
  | 'ANNUAL_READING'
  | 'CONTROL_READING'
  | 'PROVIDER_CHANGE'

/** What is part of the history, as the tenant wants it (P9). */
export interface HistorySettings {
  readonly useHistoricReadings: boolean
  readonly showCurrentReadings: boolean
}

/** A rate with the readings that the utility holds and those that were sent. */
export interface HistoryTask extends RateTask {
  readonly unit?: string | null
  readonly readingEvents: readonly {
    readonly readingDate: IsoDate
    readonly readingValue: MeterValue
    readonly reason?: ReadingReason | null
    readonly otherReason?: string | null
  }[]
  readonly readingResults: readonly {
    readonly readingDate: IsoDate
    readonly readingValue: MeterValue
    readonly lowerReason?: LowerReason | null
    readonly readingResultImages: readonly { readonly imageId: string }[]
  }[]
}

/** One reading of the history. */
export interface HistoryEntry {
  /** Tells it from the rate's other readings. */
  readonly id: string
  readonly readingDate: IsoDate
  readonly readingValue: MeterValue
  readonly reason: ReadingReason | undefined
  /** The utility's own words for the reason `OTHER`. */
  readonly otherReason: string | undefined
  readonly lowerReason: LowerReason | undefined
  /** The photos of the last reading that was sent; the others' are not shown (P4). */
  readonly imageIds: readonly string[]
  /** Since the reading before, as a decimal text that may have a minus; undefined where the difference means nothing. */
  readonly consumption: string | undefined
  /** The average of a day in that time; undefined also for two readings of one day. */
  readonly consumptionPerDay: number | undefined
  /** The counter began anew since the reading before: another meter, or past its last digit. */
  readonly startsAnew: boolean
}

/** An estimated reading is ignored when another one lies so near (P9). */
const ESTIMATE_YIELDS_DAYS = 14

/** The readings of a rate, oldest first. */
export function historyOf(task: HistoryTask, settings: HistorySettings): HistoryEntry[] {
  const readings = withoutNeedlessEstimates(readingsOf(task, settings))
  const counts = !isMomentary(rateUnit(task))
  return readings.map((reading, index) => {
    const before = readings[index - 1]
    const used = before && counts ? usedBetween(before, reading, task) : undefined
    const days = before ? daysBetween(before.readingDate, reading.readingDate) : 0
    return {
      ...reading,
      consumption: used,
      consumptionPerDay: used && days > 0 ? Number(used) / days : undefined,
      startsAnew: before !== undefined && (isExchanged(before, reading) || hasRolledOver(before, reading)),
    }
  })
}

type Reading = Omit<HistoryEntry, 'consumption' | 'consumptionPerDay' | 'startsAnew'>

function readingsOf(task: HistoryTask, settings: HistorySettings): Reading[] {
  const last = task.readingResults.length - 1
  const historic = task.readingEvents.map(
    (event, index): Reading => ({
      id: `event ${index}`,
      readingDate: event.readingDate,
      readingValue: event.readingValue,
      reason: event.reason ?? undefined,
      otherReason: event.otherReason ?? undefined,
      lowerReason: undefined,
      imageIds: [],
    }),
  )
  const current = task.readingResults.map(
    (result, index): Reading => ({
      id: `result ${index}`,
      readingDate: result.readingDate,
      readingValue: result.readingValue,
      reason: 'OTHER_KSA',
      otherReason: undefined,
      lowerReason: result.lowerReason ?? undefined,
      imageIds: index === last ? result.readingResultImages.map(({ imageId }) => imageId) : [],
    }),
  )
  const all = [...(settings.useHistoricReadings ? historic : []), ...(settings.showCurrentReadings ? current : [])]
  // Readings of one day keep their order: what was sent last stands last.
  return all.toSorted((a, b) => (a.readingDate < b.readingDate ? -1 : Number(a.readingDate > b.readingDate)))
}

function withoutNeedlessEstimates(readings: readonly Reading[]): Reading[] {
  const isEstimate = ({ reason }: Reading) => reason === 'ESTIMATED_READING'
  const real = readings.filter((reading) => !isEstimate(reading))
  const isNear = (estimate: Reading) => (other: Reading) =>
    Math.abs(daysBetween(estimate.readingDate, other.readingDate)) <= ESTIMATE_YIELDS_DAYS
  return readings.filter((reading) => !isEstimate(reading) || !real.some(isNear(reading)))
}

/** Across an exchanged meter there is no difference, and across a rollover it goes through the last digit. */
function usedBetween(before: Reading, after: Reading, task: HistoryTask): string | undefined {
  if (isExchanged(before, after)) return undefined
  const last = asRead(before, after)
  if (hasRolledOver(before, after)) return rolloverConsumption(askedPreDecimals(task), last, after.readingValue)
  return consumption(last, after.readingValue)
}

const asRead = (before: Reading, after: Reading): MeterValue =>
  decimalText(asReadBefore(before.readingValue, after.readingValue))

const isBelow = (before: Reading, after: Reading): boolean =>
  consumption(asRead(before, after), after.readingValue).startsWith('-')

const isExchanged = (before: Reading, after: Reading): boolean =>
  after.reason === 'INITIAL_READING' ||
  after.lowerReason === 'METER_CHANGE' ||
  (isBelow(before, after) && !after.lowerReason && [before.reason, after.reason].includes('METER_CHANGE'))

const hasRolledOver = (before: Reading, after: Reading): boolean =>
  after.lowerReason === 'ROLLOVER' && isBelow(before, after)

const DAY_MS = 86_400_000

function daysBetween(from: IsoDate, to: IsoDate): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS)
}

/** The readings by year, the newest year and the newest reading first (P2). */
export function byYear(history: readonly HistoryEntry[]): { year: string; entries: HistoryEntry[] }[] {
  const years = groupBy(history.toReversed(), ({ readingDate }) => readingDate.slice(0, 4))
  return [...years].map(([year, entries]) => ({ year, entries }))
}

/** How many digits the average of a day is shown with (P5). */
export function perDayPrecision(perDay: number): Intl.NumberFormatOptions {
  const size = Math.abs(perDay)
  if (size === 0) return { maximumFractionDigits: 0 }
  if (size < 1) return { minimumSignificantDigits: 3, maximumSignificantDigits: 3 }
  const digits = size < 10 ? 2 : size < 100 ? 1 : 0
  return { minimumFractionDigits: digits, maximumFractionDigits: digits }
}

/** Where a job stands in the evaluation's list (P2, P4). */
export type EvaluationClass = 'done' | 'notDone' | 'withoutData'

/** A job with at least one reading has something to show; without one it cannot be opened. */
export function evaluationClass(
  job: { readonly done: boolean; readonly meter: { readonly meterRateTasks: readonly HistoryTask[] } },
  settings: HistorySettings,
): EvaluationClass {
  if (!job.meter.meterRateTasks.some((task) => readingsOf(task, settings).length > 0)) return 'withoutData'
  return job.done ? 'done' : 'notDone'
}
