/**
 * The check of a submission (L4, L5). The twin of `functions/domain/src/reading.rs`: the portal says beforehand what the
 * server would answer; the golden cases in `functions/domain/fixtures` hold both together.
 */
import type { FindingCode, Plausibility, Severity } from '@shared/contract/types.ts'
import { type ExpectingJob, type ExpectingTask, judge } from './expected.ts'
import { errorAt, type FindingOf } from './finding.ts'
import { isFeedIn } from './obis.ts'
import {
  billionths,
  cutAfter,
  decimalText,
  MAX_PRE_DECIMALS,
  type MeterValue,
  postDecimals,
  preDecimals,
} from './value.ts'
import { trimmed, withoutWhiteSpace } from './white-space.ts'
import { type Constraints, type IsoDate, readingDates, type SendingFeatures, sending } from './window.ts'

/** Photos for one rate (L5). */
export const MAX_IMAGES = 3
/** Characters that are not blank in the shortest comment (L5). */
export const MIN_COMMENT = 5
/** Characters of the longest comment (L5). */
export const MAX_COMMENT = 1000
/** Digits before the point when a task does not say (L5). */
export const DEFAULT_PRE_DECIMALS = 8

/** What can be found in a submission. */
export const READING_CODES = [
  'RESULTS_EMPTY',
  'TASK_UNKNOWN',
  'TASK_TWICE',
  'PRE_DECIMALS',
  'DECIMALS_EXACT',
  'RANGE_BELOW',
  'RANGE_ABOVE',
  'HISTORIC_LOWER',
  'CONTINUITY_LOWER',
  'EXPECTED_LOW',
  'EXPECTED_HIGH',
  'INCOMPLETE',
  'IMAGE_REQUIRED',
  'IMAGE_FORBIDDEN',
  'IMAGE_TOO_MANY',
  'COMMENT_REQUIRED',
  'IMAGE_OR_COMMENT_REQUIRED',
  'COMMENT_TOO_SHORT',
  'COMMENT_TOO_LONG',
  'DATE_TOO_EARLY',
  'DATE_TOO_LATE',
  'WINDOW_NOT_OPEN',
  'WINDOW_EXPIRED',
  'BEFORE_EARLIEST',
  'AFTER_LATEST',
] as const satisfies readonly FindingCode[]

type ReadingCode = (typeof READING_CODES)[number]

/** The field of a submission that a finding is about. */
export type Field = 'readingValue' | 'comment' | 'readingImages' | 'readingDate' | 'results'

/** One remark on a submission. */
export type Finding = FindingOf<ReadingCode, Field>

/** Why a counter is below its last reading. */
export type LowerReason = 'METER_CHANGE' | 'ROLLOVER'

/** One rate of a submission. */
export interface SubmittedResult {
  readonly taskId: string
  readonly readingValue: MeterValue
  readonly comment?: string | null | undefined
  readonly lowerReason?: LowerReason | null | undefined
  readonly imageCount: number
}

/** What a reader wants to send. */
export interface Submission {
  readonly readingDate: IsoDate
  readonly results: readonly SubmittedResult[]
}

interface DatedValue {
  readonly readingDate: IsoDate
  readonly readingValue: MeterValue
}

/** The part of a rate task that the rules look at. */
export interface RateTask extends ExpectingTask {
  readonly taskId: string
  readonly readingResults: readonly DatedValue[]
  readonly readingValueValidation?:
    | {
        readonly minimumValue?: MeterValue | null | undefined
        readonly maximumValue?: MeterValue | null | undefined
        readonly strictValidation: boolean
      }
    | null
    | undefined
}

/** Flags of a job that the rules look at (L9). */
export interface ReadingFeatures extends SendingFeatures {
  readonly imagesForbidden: boolean
  readonly imageAlwaysRequired: boolean
  readonly unplausibleReadingsCommentRequired: boolean
  readonly unplausibleReadingsImageRequired: boolean
  readonly historicReadingsValidationRequired: boolean
  readonly continuousReadingsValidationRequired: boolean
  readonly expectedReadingsValidationRequired: boolean
}

/** Entry settings of a job that the rules look at (L3). */
export interface EntrySettings {
  readonly queryPostDecimals: boolean
  readonly maskPostDecimals: boolean
  readonly readingDateMaxDaysInPast: number
  readonly readingDateMaxDaysInFuture: number
}

/** The part of a job that the rules look at, its settings resolved. */
export interface ReadingJob extends ExpectingJob {
  readonly jobConstraints: Constraints
  readonly meter: { readonly meterRateTasks: readonly RateTask[] }
  readonly config: { readonly features: ReadingFeatures; readonly meterReading: EntrySettings }
}

/** Digits before the point that the rate takes (L5). */
export const askedPreDecimals = (task: RateTask): number => task.preDecimals ?? DEFAULT_PRE_DECIMALS

const decimalsAreAsked = (entry: EntrySettings) => entry.queryPostDecimals && !entry.maskPostDecimals

/** Digits after the point that the rate asks for (L5): 0 when they are masked or not queried, undefined when any number is fine. */
export function askedPostDecimals(task: RateTask, entry: EntrySettings): number | undefined {
  return decimalsAreAsked(entry) ? (task.postDecimals ?? undefined) : 0
}

/** The comment as it is stored: without white space around it; undefined when nothing remains. */
export function trimmedComment(comment: string | null | undefined): string | undefined {
  return trimmed(comment ?? '') || undefined
}

/** Characters of a comment that are not blank. */
export function commentLength(comment: string): number {
  return Array.from(withoutWhiteSpace(comment)).length
}

/** The last earlier reading that the utility knows. */
export function lastEvent<T extends DatedValue>(task: { readonly readingEvents: readonly T[] }): T | undefined {
  return task.readingEvents.reduce<T | undefined>(
    (last, event) => (last && last.readingDate > event.readingDate ? last : event),
    undefined,
  )
}

/** Every remark on a submission: first those on the whole, then those on each result in the order in which they were sent. */
export function check(job: ReadingJob, submission: Submission, today: IsoDate, plausibility: Plausibility): Finding[] {
  const findings = [...checkDates(job, submission.readingDate, today), ...checkCompleteness(job, submission)]
  submission.results.forEach((result, index) => {
    const task = job.meter.meterRateTasks.find(({ taskId }) => taskId === result.taskId)
    const wrong = (code: ReadingCode) => findings.push({ ...errorAt(code, 'results'), taskId: result.taskId })
    if (!task) wrong('TASK_UNKNOWN')
    else if (submission.results.slice(0, index).some(({ taskId }) => taskId === result.taskId)) wrong('TASK_TWICE')
    else findings.push(...checkResult(job, task, submission.readingDate, result, plausibility))
  })
  return findings
}

/** The remarks on the day: the sending window, the date that was chosen, the period that the utility asked for (L5). */
export function checkDates(job: ReadingJob, readingDate: IsoDate, today: IsoDate): Finding[] {
  const { jobConstraints, config } = job
  const found = (code: ReadingCode, severity: Severity, limit: IsoDate): Finding[] => [
    { code, severity, field: 'readingDate', limit },
  ]
  // Outside the sending window no date would do, so the date itself is not judged (D-READING-11).
  const window = sending(jobConstraints, config.features, today)
  if (window.state === 'notOpen') return found('WINDOW_NOT_OPEN', 'error', window.limit)
  if (window.state === 'expired') return found('WINDOW_EXPIRED', 'error', window.limit)

  const allowed = readingDates(jobConstraints, config.features, config.meterReading, today)
  if (readingDate < allowed.first) return found('DATE_TOO_EARLY', 'error', allowed.first)
  if (readingDate > allowed.last) return found('DATE_TOO_LATE', 'error', allowed.last)

  const { earliestExecution: earliest, latestExecution: latest } = jobConstraints
  if (earliest && readingDate < earliest) return found('BEFORE_EARLIEST', 'info', earliest)
  if (latest && readingDate > latest) return found('AFTER_LATEST', 'info', latest)
  return []
}

function checkCompleteness(job: ReadingJob, { results }: Submission): Finding[] {
  if (results.length === 0) return [errorAt('RESULTS_EMPTY', 'results')]
  const isFilled = (task: RateTask) => results.some(({ taskId }) => taskId === task.taskId)
  const isMissing = (task: RateTask) => task.readingResults.length === 0 && !isFilled(task)
  return job.meter.meterRateTasks.some(isMissing) ? [{ code: 'INCOMPLETE', severity: 'warning', field: 'results' }] : []
}

function checkResult(
  job: ReadingJob,
  task: RateTask,
  readingDate: IsoDate,
  result: SubmittedResult,
  plausibility: Plausibility,
): Finding[] {
  const ofValue = checkValue(job.config, task, result.readingValue)
  // What is lower than the last reading, or outside of the utility's own range, is asked about already.
  const isJudged = job.config.features.expectedReadingsValidationRequired && ofValue.length === 0
  const onValue = isJudged ? checkExpected(job, task, readingDate, result, plausibility) : ofValue
  const isImplausible = onValue.some(({ severity }) => severity === 'warning')
  return [...onValue, ...checkEvidence(job.config.features, result, isImplausible)].map((found) => ({
    ...found,
    taskId: task.taskId,
    ...(isFeedIn(task.obis) && { feedIn: true as const }),
  }))
}

/** Digits, range, history, continuity (L5). A value with wrong digits is not compared with anything: it is not what the counter shows (D-READING-10). */
function checkValue(
  { features, meterReading: entry }: ReadingJob['config'],
  task: RateTask,
  value: MeterValue,
): Finding[] {
  const digits = checkDigits(entry, task, value)
  if (digits.length > 0) return digits

  const findings: Finding[] = []
  const found = (code: ReadingCode, severity: Severity, limit: string) =>
    findings.push({ code, severity, field: 'readingValue', limit })
  const number = billionths(value)
  const asked = askedPostDecimals(task, entry)
  // A known value as the reader would have typed it, so that an unchanged counter is never lower than itself (D-READING-5).
  const isBelow = (known: MeterValue) => number < (asked === undefined ? billionths(known) : cutAfter(known, asked))

  const range = task.readingValueValidation
  const outside = range?.strictValidation ? 'error' : 'warning'
  if (range?.minimumValue && isBelow(range.minimumValue)) found('RANGE_BELOW', outside, range.minimumValue)
  if (range?.maximumValue && number > billionths(range.maximumValue)) found('RANGE_ABOVE', outside, range.maximumValue)

  const event = features.historicReadingsValidationRequired && lastEvent(task)
  if (event && isBelow(event.readingValue)) found('HISTORIC_LOWER', 'warning', event.readingValue)
  const result = features.continuousReadingsValidationRequired && task.readingResults.at(-1)
  if (result && isBelow(result.readingValue)) found('CONTINUITY_LOWER', 'warning', result.readingValue)
  return findings
}

/** Whether the consumption is what the meter used before (D-READING-20); the utility's own range goes before ours. */
function checkExpected(
  job: ReadingJob,
  task: RateTask,
  readingDate: IsoDate,
  { readingValue, lowerReason }: SubmittedResult,
  plausibility: Plausibility,
): Finding[] {
  const range = task.readingValueValidation
  const verdict = judge(plausibility, job, task, readingDate, readingValue, lowerReason)?.verdict
  const found = (code: ReadingCode): Finding[] => [{ code, severity: 'warning', field: 'readingValue' }]
  if (verdict === 'LOW' && !range?.minimumValue) return found('EXPECTED_LOW')
  return verdict === 'HIGH' && !range?.maximumValue ? found('EXPECTED_HIGH') : []
}

function checkDigits(entry: EntrySettings, task: RateTask, value: MeterValue): Finding[] {
  const findings: Finding[] = []
  const found = (code: ReadingCode, limit: number) => findings.push(errorAt(code, 'readingValue', limit))
  if (preDecimals(value) > askedPreDecimals(task)) found('PRE_DECIMALS', askedPreDecimals(task))

  const shown = task.postDecimals
  const given = postDecimals(value)
  if (shown === undefined || shown === null) return findings
  if (!decimalsAreAsked(entry)) {
    // The reader was not asked for decimals; a client that sends them all the same may not send more than the counter has.
    if (given > shown) found('DECIMALS_EXACT', 0)
  } else if (given !== shown) found('DECIMALS_EXACT', shown)
  return findings
}

/** Photos and comment, and whether an implausible value has what it needs (L5, L9). */
function checkEvidence(features: ReadingFeatures, result: SubmittedResult, isImplausible: boolean): Finding[] {
  const findings: Finding[] = []
  const found = (code: ReadingCode, field: Field, limit?: number) => findings.push(errorAt(code, field, limit))

  const noImage = result.imageCount === 0
  if (features.imagesForbidden && !noImage) found('IMAGE_FORBIDDEN', 'readingImages')
  else if (result.imageCount > MAX_IMAGES) found('IMAGE_TOO_MANY', 'readingImages', MAX_IMAGES)

  const comment = trimmedComment(result.comment)
  if (comment && commentLength(comment) < MIN_COMMENT) found('COMMENT_TOO_SHORT', 'comment', MIN_COMMENT)
  else if (comment && Array.from(comment).length > MAX_COMMENT) found('COMMENT_TOO_LONG', 'comment', MAX_COMMENT)

  const commentAsked = isImplausible && features.unplausibleReadingsCommentRequired
  const imageAsked = isImplausible && features.unplausibleReadingsImageRequired && !features.imagesForbidden
  const imageAlways = features.imageAlwaysRequired && !features.imagesForbidden
  if (imageAlways && noImage) found('IMAGE_REQUIRED', 'readingImages')
  else if (commentAsked && imageAsked) {
    if (!comment && noImage) found('IMAGE_OR_COMMENT_REQUIRED', 'readingImages')
  } else if (imageAsked && noImage) found('IMAGE_REQUIRED', 'readingImages')
  if (commentAsked && !imageAsked && !comment) found('COMMENT_REQUIRED', 'comment')
  return findings
}

/** What the counter has moved since an earlier reading; negative when the new value is below it. */
export function consumption(last: MeterValue, value: MeterValue): string {
  return decimalText(billionths(value) - billionths(last))
}

/** What the counter has moved when it passed its last digit since the last reading: up to zero, and from there to the new value. */
export function rolloverConsumption(
  preDecimals: number | null | undefined,
  last: MeterValue,
  value: MeterValue,
): string {
  const digits = Math.min(preDecimals ?? DEFAULT_PRE_DECIMALS, MAX_PRE_DECIMALS)
  return decimalText(10n ** BigInt(digits) * billionths('1') + billionths(value) - billionths(last))
}
