/** The golden cases of `functions/domain/fixtures`, which the Rust rules run too: both sides give the same answers. */
import { describe, expect, test } from 'vitest'
import { isEmail } from './email.ts'
import { type InstructedMeter, type Instruction, instructionApplies } from './instruction.ts'
import { isDone } from './job.ts'
import { withoutWhiteSpace } from './login.ts'
import { isDinMeterNumber, isMaLoId, isMeLoId, jobMeterType, typeOfMeterNumber } from './meter.ts'
import { defaultObis, isFeedIn, type MeterType, parseObis, rateDisplayName, rateUnit, typeOfObis } from './obis.ts'
import { check, type ReadingJob, rolloverConsumption, type Submission } from './reading.ts'
import { isShareable, jobCountFault, type ShareableJob, shareName } from './share.ts'
import { isMeterValue, postDecimals, preDecimals } from './value.ts'
import {
  checkOwn,
  checkUnknown,
  type Fault,
  type OwnReading,
  type UnknownReading,
  type UnknownReadingConfig,
} from './visitor-reading.ts'
import { type Constraints, expiresSoon, readingDates, sending } from './window.ts'

interface File {
  rule: string
  cases: { name: string; input: unknown; expect: unknown }[]
}

const files = Object.entries(
  import.meta.glob<File>('../../../functions/domain/fixtures/*.json', { eager: true, import: 'default' }),
).map(([path, file]) => ({ ...file, title: path.slice(path.lastIndexOf('/') + 1) }))

interface Window {
  today: string
  jobConstraints: Constraints
  features: ReadingJob['config']['features']
  meterReading: ReadingJob['config']['meterReading']
}

/** What each rule answers, in the form of its cases. */
const rules: Record<string, (input: never) => unknown> = {
  'default-obis': ({ meterType }: { meterType: MeterType }) => defaultObis(meterType),
  'din-43863-5': ({ text }: { text: string }) => isDinMeterNumber(text),
  email: ({ text }: { text: string }) => isEmail(text),
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
  }),
  'own-unknown-reading': (input: {
    queryPostDecimals: boolean
    imageRequired: boolean
    reading: OwnReading
    today: string
  }) => inOrder(checkOwn(input.queryPostDecimals, input.imageRequired, input.reading, input.today)),
  'rate-display-name': ({ rateName, obis }: { rateName: string | null; obis: string }) =>
    rateDisplayName(rateName, obis),
  'reading-check': ({ job, submission, today }: { job: ReadingJob; submission: Submission; today: string }) =>
    check(job, submission, today),
  'reading-dates': ({ jobConstraints, features, meterReading, today }: Window) =>
    readingDates(jobConstraints, features, meterReading, today),
  'rollover-consumption': (input: { preDecimals: number | null; last: string; new: string }) =>
    rolloverConsumption(input.preDecimals, input.last, input.new),
  'sending-window': ({ jobConstraints, features, today }: Window) => sending(jobConstraints, features, today),
  'share-job-count': ({ count }: { count: number }) => jobCountFault(count),
  'share-name': ({ name }: { name: string }) => shareName(name),
  shareable: ({ features, job }: { features: { reshareAllowed: boolean }; job: ShareableJob }) =>
    isShareable(job, features),
  'unknown-reading': (input: {
    config: UnknownReadingConfig
    reading: UnknownReading
    mayHaveCopy: boolean
    today: string
  }) => inOrder(checkUnknown(input.config, input.reading, input.mayHaveCopy, input.today)),
  value: ({ text }: { text: string }) =>
    isMeterValue(text)
      ? { valid: true, preDecimals: preDecimals(text), postDecimals: postDecimals(text) }
      : { valid: false },
}

/** Faults have no order. */
function inOrder(faults: Fault[]): Fault[] {
  return faults.toSorted((a, b) => `${a.field} ${a.code}`.localeCompare(`${b.field} ${b.code}`))
}

test('there are golden cases', () => {
  expect(files.flatMap(({ cases }) => cases).length).toBeGreaterThanOrEqual(150)
})

describe.each(files)('$title', ({ rule, cases }) => {
  test.each(cases)('$name', ({ input, expect: expected }) => {
    expect(rules[rule]?.(input as never)).toEqual(
      Array.isArray(expected) && rule.includes('unknown') ? inOrder(expected) : expected,
    )
  })
})
