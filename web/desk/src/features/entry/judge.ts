/** What there is to say about a reading that staff enter, before it is sent: by the portal's rules, as far as they hold for staff. */
import { check, type Finding, type LowerReason } from '@shared/rules/reading.ts'
import { isMeterValue } from '@shared/rules/value.ts'
import { isLate } from '@/components/late.ts'
import { isExplained, isLower, possibleReason } from '@/components/lower-reason.tsx'
import { taskOf } from '@/components/rate-name.ts'
import { replacedBy } from '@/components/replaced.ts'
import type { DeskJob, EntryChannel, Reading } from '@/data/types.ts'

/** What staff are told about a value; the rest is asked of residents, or is a matter of being late. */
const SAID = [
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
  'DATE_TOO_LATE',
  'WINDOW_NOT_OPEN',
] as const

/** Something to say about what is typed. */
export type Remark = Finding & { readonly code: (typeof SAID)[number] }

const isSaid = (finding: Finding): finding is Remark => SAID.some((code) => code === finding.code)

/** What is typed. */
export interface Typed {
  readonly channel: EntryChannel
  readonly day: string
  /** By register, as typed. */
  readonly values: Readonly<Record<string, string>>
  /** What was chosen as the reason for a lower counter. */
  readonly chosen?: LowerReason | undefined
}

/** What can be sent, and what there is to say about it. */
export interface Judged {
  readonly values: readonly { readonly register: string; readonly value: string }[]
  /** Registers in which something stands that is no number. */
  readonly unreadable: readonly string[]
  readonly errors: readonly Remark[]
  readonly warnings: readonly Remark[]
  /** Registers whose counter is lower than before. */
  readonly lower: readonly string[]
  /** Why, as far as what was chosen can be the reason. */
  readonly reason: LowerReason | undefined
  /** It needs a reason: the time is over. */
  readonly isLate: boolean
  /** The readings in whose place these values come, which needs a reason, too. */
  readonly replaced: readonly Reading[]
}

/** Whether the member has to say why the value is right: the reason for a lower counter does not. */
export const isOpen = ({ code, taskId = '' }: Remark, { reason, lower }: Pick<Judged, 'reason' | 'lower'>): boolean =>
  !isExplained(code, reason, lower.includes(taskId))

/** A number as it is typed here: with a comma or a point, without anything else. */
export const valueOf = (text: string): string => text.trim().replace(',', '.')

/** Judges what is typed for a job. */
export function judgeEntry(known: DeskJob, { channel, day, values, chosen }: Typed): Judged {
  const {
    file: { job },
    rules,
  } = known
  const filled = job.meter.meterRateTasks.flatMap(({ taskId }) => {
    const value = valueOf(values[taskId] ?? '')
    return value === '' ? [] : [{ register: taskId, value }]
  })
  const readable = filled.filter(({ value }) => isMeterValue(value))
  const unreadable = filled.filter(({ value }) => !isMeterValue(value)).map(({ register }) => register)
  const lower = readable.flatMap(({ register, value }) => (isLower(taskOf(job, register), value) ? [register] : []))
  const lowerReason = possibleReason(chosen, lower.length > 0)
  const findings = check(
    job,
    {
      readingDate: day,
      results: readable.map(({ register, value }) => ({
        taskId: register,
        readingValue: value,
        lowerReason,
        imageCount: 0,
      })),
    },
    rules.today,
    rules.plausibility,
  )
  // A register that cannot be read is not left out.
  const said = findings.filter(isSaid).filter(({ code }) => code !== 'INCOMPLETE' || unreadable.length === 0)
  return {
    values: readable,
    unreadable,
    errors: said.filter(({ severity }) => severity === 'error'),
    warnings: said.filter(({ severity }) => severity === 'warning'),
    lower,
    reason: lowerReason,
    isLate: findings.some(isLate),
    replaced: readable.flatMap(({ register, value }) =>
      replacedBy(known, register, { channel, readingDate: day, readingValue: value }),
    ),
  }
}
