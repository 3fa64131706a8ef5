/** The rules as the golden cases call them, and the cases of `functions/domain/fixtures` with their base filled in. */
import { readdirSync, readFileSync } from 'node:fs'
import type { FindingCode, MeterType, Plausibility, VisitorReadingConfig } from '@shared/contract/types.ts'
import { contrastToWhite } from './contrast.ts'
import { isEmail } from './email.ts'
import { judge } from './expected.ts'
import type { FindingOf } from './finding.ts'
import { type InstructedMeter, type Instruction, instructionApplies } from './instruction.ts'
import { isDone } from './job.ts'
import { isDinMeterNumber, isMaLoId, isMeLoId, jobMeterType, typeOfMeterNumber } from './meter.ts'
import { defaultObis, isFeedIn, parseObis, plainObis, rateDisplayName, rateUnit, typeOfObis } from './obis.ts'
import { check, type LowerReason, type ReadingJob, rolloverConsumption, type Submission } from './reading.ts'
import { checkJobCount, isShareable, type ShareableJob, salutation, shareName } from './share.ts'
import { decimalText, isMeterValue, type MeterValue, postDecimals, preDecimals } from './value.ts'
import { checkOwnReading, checkVisitorReading, type OwnReading, type VisitorReading } from './visitor-reading.ts'
import { withoutWhiteSpace } from './white-space.ts'
import { type Constraints, expiresSoon, isOverdue, readingDates, sending } from './window.ts'

type Json = Readonly<Record<string, unknown>>

/** A case of the fixtures. */
export interface Case {
  readonly name: string
  readonly input: unknown
  readonly expect: unknown
}

/** A file of cases as it is written down. */
interface Fixture {
  readonly rule: string
  /** What the inputs of the file's cases differ from; without it they are complete. */
  readonly base?: unknown
  /** Differences from `base` that several cases share. */
  readonly bases?: Json
  readonly cases: readonly (Case & { readonly base?: string })[]
}

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Applies a JSON merge patch (RFC 7386). */
function merge(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const merged: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete merged[name]
    else merged[name] = merge(merged[name], value)
  }
  return merged
}

/** The cases of a file. */
function complete({ base, bases = {}, cases }: Fixture): Case[] {
  if (base === undefined) return [...cases]
  return cases.map((written) => {
    if (written.base !== undefined && !(written.base in bases)) throw new Error(`no base is named ${written.base}`)
    const shared = written.base === undefined ? base : merge(base, bases[written.base])
    return { ...written, input: merge(shared, written.input) }
  })
}

const FOLDER = new URL('../../../functions/domain/fixtures/', import.meta.url)

/** All fixtures, with the names of their files. */
export const fixtures = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((title) => {
    const fixture = JSON.parse(readFileSync(new URL(title, FOLDER), 'utf8')) as Fixture
    return { title, rule: fixture.rule, cases: complete(fixture) }
  })

interface Window {
  today: string
  jobConstraints: Constraints
  features: ReadingJob['config']['features']
  meterReading: ReadingJob['config']['meterReading']
}

interface Reading {
  plausibility: Plausibility
  job: ReadingJob
  readingDate: string
  readingValue: MeterValue
  lowerReason?: LowerReason
}

function expected({ plausibility, job, readingDate, readingValue, lowerReason }: Reading): unknown {
  const [task] = job.meter.meterRateTasks
  const judged = task && judge(plausibility, job, task, readingDate, readingValue, lowerReason)
  if (!judged) return null
  return {
    since: judged.since,
    consumption: decimalText(judged.consumption),
    expected: decimalText(judged.expected),
    annual: decimalText(judged.annual),
    verdict: judged.verdict ?? null,
    mistake: judged.mistake ?? null,
  }
}

/** What each rule answers, in the form of its cases. */
export const rules: Record<string, (input: never) => unknown> = {
  'default-obis': ({ meterType }: { meterType: MeterType }) => defaultObis(meterType),
  'din-43863-5': ({ text }: { text: string }) => isDinMeterNumber(text),
  contrast: ({ color }: { color: string }) => contrastToWhite(color)?.toFixed(2) ?? null,
  email: ({ text }: { text: string }) => isEmail(text),
  'expected-reading': expected,
  'expires-soon': ({ jobConstraints, today }: Window) => expiresSoon(jobConstraints, today),
  instruction: ({ instruction, meter }: { instruction: Instruction; meter: InstructedMeter }) =>
    instructionApplies(instruction, meter),
  'job-done': ({ job }: { job: ReadingJob }) => isDone(job),
  'job-meter-type': ({ job }: { job: Parameters<typeof jobMeterType>[0] }) => jobMeterType(job),
  'login-white-space': ({ text }: { text: string }) => withoutWhiteSpace(text),
  malo: ({ text }: { text: string }) => isMaLoId(text),
  melo: ({ text }: { text: string }) => isMeLoId(text),
  'meter-number-type': ({ meterNumber }: { meterNumber: string }) => typeOfMeterNumber(meterNumber) ?? null,
  obis: ({ obis }: { obis: string }) => ({
    valid: parseObis(obis) !== undefined,
    meterType: typeOfObis(obis),
    unit: rateUnit({ obis }) ?? null,
    feedIn: isFeedIn(obis),
    plain: plainObis(obis),
  }),
  'own-reading': (input: { queryPostDecimals: boolean; imageRequired: boolean; reading: OwnReading; today: string }) =>
    checkOwnReading(input.queryPostDecimals, input.imageRequired, input.reading, input.today),
  'rate-display-name': ({ rateName, obis }: { rateName: string | null; obis: string }) =>
    rateDisplayName(rateName, obis),
  'reading-check': (input: { job: ReadingJob; submission: Submission; today: string; plausibility: Plausibility }) =>
    check(input.job, input.submission, input.today, input.plausibility),
  'reading-dates': ({ jobConstraints, features, meterReading, today }: Window) =>
    readingDates(jobConstraints, features, meterReading, today),
  'rollover-consumption': (input: { preDecimals: number | null; last: string; new: string }) =>
    rolloverConsumption(input.preDecimals, input.last, input.new),
  overdue: ({ jobConstraints, features, today }: Window) => isOverdue(jobConstraints, features, today),
  'sending-window': ({ jobConstraints, features, today }: Window) => sending(jobConstraints, features, today),
  'share-job-count': ({ count }: { count: number }) => checkJobCount(count)?.code ?? null,
  'share-name': ({ name }: { name: string }) => {
    const checked = shareName(name)
    return 'finding' in checked ? { fault: checked.finding.code } : checked
  },
  'share-salutation': (input: { salutation: string }) => salutation(input.salutation),
  shareable: ({ features, job }: { features: { reshareAllowed: boolean }; job: ShareableJob }) =>
    isShareable(job, features),
  'visitor-reading': (input: {
    config: VisitorReadingConfig
    reading: VisitorReading
    mayHaveCopy: boolean
    today: string
  }) => checkVisitorReading(input.config, input.reading, input.mayHaveCopy, input.today),
  value: ({ text }: { text: string }) =>
    isMeterValue(text)
      ? { valid: true, preDecimals: preDecimals(text), postDecimals: postDecimals(text) }
      : { valid: false },
}

/** The answer of a rule as it is compared: findings have no order. */
export const canonical = (answer: unknown): unknown =>
  Array.isArray(answer) ? answer.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)) : answer

const keyOf = (finding: FindingOf<FindingCode>) => `${finding.taskId} ${finding.field} ${finding.code}`
