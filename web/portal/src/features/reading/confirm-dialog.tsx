import { Button } from '@aws-amplify/ui-react'
import type { Job } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { groupBy } from '@shared/rules/group-by.ts'
import type { Finding } from '@shared/rules/reading.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { Dialog } from '@shared/ui/dialog.tsx'
import { valueOf } from '@/components/counter/entry.ts'
import { type Draft, rateDraft } from './draft.ts'
import { useFindingText } from './finding-text.ts'
import { type Rate, withUnit } from './rate.ts'
import { isLower, isUnexpected, Unexpected } from './unexpected.tsx'

interface Props {
  readonly job: Job
  readonly readingDate: IsoDate
  /** The warnings to confirm; undefined while there is nothing to ask. */
  readonly findings: readonly Finding[] | undefined
  readonly rates: readonly Rate[]
  readonly draft: Draft
  /** The rates that are still open and not filled in. */
  readonly missing: readonly Rate[]
  readonly onSend: () => void
  readonly onCorrect: () => void
}

/** Of one value that it is low is said once, by the first that says so (D-READING-17). */
function saidOnce(findings: readonly Finding[]): Finding[] {
  return findings.filter((finding) => {
    const lower = findings.find((other) => isLower(other) && other.taskId === finding.taskId)
    return lower === undefined || lower === finding || !(isLower(finding) || finding.code === 'RANGE_BELOW')
  })
}

/** Asks before something incomplete or unusual is sent (L4). */
export function ConfirmDialog({ job, readingDate, findings, rates, draft, missing, onSend, onCorrect }: Props) {
  const { t } = useTranslation('reading')
  const findingText = useFindingText()
  const subjectOf = (rate: Rate | undefined) => {
    const value = rate && valueOf(rateDraft(draft, rate.task.taskId).entry)
    if (!rate || value === undefined) return undefined
    return rate.name ? `${rate.name}: ${withUnit(value, rate)}` : withUnit(value, rate)
  }
  const bySubject = groupBy(saidOnce(findings ?? []), ({ taskId, code }) => taskId ?? code)
  const isIncomplete = findings?.some(({ code }) => code === 'INCOMPLETE')
  return (
    <Dialog
      open={findings !== undefined}
      title={t('confirm.title')}
      onClose={onCorrect}
      actions={
        <>
          <Button variation="primary" onClick={onCorrect}>
            {t('confirm.correct')}
          </Button>
          <Button onClick={onSend}>{t('confirm.send')}</Button>
        </>
      }
    >
      <ul className="confirm__findings">
        {[...bySubject].map(([key, ofOne]) => {
          const rate = rates.find(({ task }) => task.taskId === key)
          const subject = subjectOf(rate)
          return (
            <li key={key}>
              {subject && <strong className="confirm__subject figures">{subject}</strong>}
              {ofOne.map((finding) => (
                <div key={finding.code}>
                  {findingText(finding)}{' '}
                  {rate && isUnexpected(finding) && (
                    <Unexpected
                      job={job}
                      rate={rate}
                      draft={rateDraft(draft, rate.task.taskId)}
                      readingDate={readingDate}
                    />
                  )}
                  {finding.code === 'INCOMPLETE' && missing.length > 0 && (
                    <>{t('confirm.open', { rates: missing.map(({ name }) => name).join(', ') })}</>
                  )}
                </div>
              ))}
            </li>
          )
        })}
      </ul>
      {findings?.some(({ code }) => code !== 'INCOMPLETE') && <p>{t('confirm.explain')}</p>}
      {isIncomplete && <p>{t('confirm.explainIncomplete')}</p>}
    </Dialog>
  )
}
