import type { Job } from '@shared/contract/types.ts'
import { check, type Finding } from '@shared/rules/reading.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { valueOf } from '@/components/counter/entry.ts'
import { useApplication } from '@/data/application.ts'
import { outgoingResults, type ReadingEntry, rateDraft, submissionOf } from './draft.ts'
import { useFindingText } from './finding-text.ts'
import type { Rate } from './rate.ts'
import { serverFindings } from './send.ts'
import { useSettled } from './use-settled.ts'

/** What there is to say about an entry. */
export interface Findings {
  readonly all: readonly Finding[]
  readonly errors: readonly Finding[]
  /** The server has said at which field the entry that it refused is wrong. */
  readonly areServers: boolean
  /** Why the entry cannot be sent, as far as the reader may be told already. */
  readonly reasons: ReadonlySet<string>
  /** Whether a comment may be what is missing, and whether it must be there. */
  readonly comment: { readonly mayHelp: boolean; readonly isRequired: boolean }
  /** Whether the reader has paused or left the field, so that it may be commented on. */
  readonly isSettled: (finding: Finding) => boolean
  readonly isRateSettled: (taskId: string) => boolean
  /** Takes everything as settled. */
  readonly settle: () => void
}

const isSame = (a: Finding) => (b: Finding) => a.code === b.code && a.taskId === b.taskId

/** Judges an entry by the rules, and with what the server has said about it. */
export function useFindings(
  job: Job,
  rates: readonly Rate[],
  { draft, rejection }: Pick<ReadingEntry, 'draft' | 'rejection'>,
  today: IsoDate,
): Findings {
  const textOf = useReasonText(rates)
  const { plausibility } = useApplication().config
  const { settled, settle } = useSettled(draft, job.config.meterReading.validationFeedbackDelay)

  const own = check(job, submissionOf(job, draft, today), today, plausibility)
  const servers = rejection ? serverFindings(rejection, job, outgoingResults(job, draft)) : []
  const all = [...own, ...servers.filter((finding) => !own.some(isSame(finding)))]
  const errors = all.filter(({ severity }) => severity === 'error')
  // What a comment is asked for does not change by its being there.
  const uncommented = draft.comment
    ? check(job, submissionOf(job, { ...draft, comment: '' }, today), today, plausibility)
    : all

  const isRateSettled = (taskId: string) =>
    valueOf(rateDraft(draft, taskId).entry) === valueOf(rateDraft(settled, taskId).entry)
  const isSettled = (finding: Finding) =>
    finding.field === 'comment'
      ? draft.comment === settled.comment
      : finding.taskId === undefined || isRateSettled(finding.taskId)

  return {
    all,
    errors,
    areServers: servers.length > 0,
    reasons: new Set(errors.filter(isSettled).map(textOf)),
    comment: {
      mayHelp: uncommented.some(({ code }) => code === 'IMAGE_OR_COMMENT_REQUIRED'),
      isRequired: uncommented.some(({ code }) => code === 'COMMENT_REQUIRED'),
    },
    isSettled,
    isRateSettled,
    settle,
  }
}

/** Puts a finding into words that name its rate, where there are several. */
function useReasonText(rates: readonly Rate[]): (finding: Finding) => string {
  const findingText = useFindingText()
  return (finding) => {
    // There is one comment for all rates.
    const isOfRate = rates.length > 1 && finding.field !== 'comment'
    const name = rates.find(({ task }) => isOfRate && task.taskId === finding.taskId)?.name
    return name ? `${name}: ${findingText(finding)}` : findingText(finding)
  }
}
