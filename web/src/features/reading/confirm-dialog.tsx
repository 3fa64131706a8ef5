import { Button } from '@aws-amplify/ui-react'
import { useTranslation } from 'react-i18next'
import type { Finding } from '@/rules/reading.ts'
import { Dialog } from '@/ui/dialog.tsx'
import { useFindingText } from './finding-text.ts'
import type { Rate } from './rate.ts'

interface Props {
  /** The warnings to confirm; undefined while there is nothing to ask. */
  readonly findings: readonly Finding[] | undefined
  readonly rates: readonly Rate[]
  /** The rates that are still open and not filled in. */
  readonly missing: readonly Rate[]
  readonly onSend: () => void
  readonly onCorrect: () => void
}

/** Asks before something incomplete or unusual is sent (L4). */
export function ConfirmDialog({ findings, rates, missing, onSend, onCorrect }: Props) {
  const { t } = useTranslation('reading')
  const findingText = useFindingText()
  const nameOf = (taskId: string) => rates.find(({ task }) => task.taskId === taskId)?.name
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
        {findings?.map((finding) => {
          const name = finding.taskId && nameOf(finding.taskId)
          return (
            <li key={`${finding.code} ${finding.taskId}`}>
              {name && <strong>{name}: </strong>}
              {findingText(finding)}
              {finding.code === 'INCOMPLETE' && missing.length > 0 && (
                <> {t('confirm.open', { rates: missing.map(({ name }) => name).join(', ') })}</>
              )}
            </li>
          )
        })}
      </ul>
      {findings?.some(({ code }) => code !== 'INCOMPLETE') && <p>{t('confirm.explain')}</p>}
      {isIncomplete && <p>{t('confirm.explainIncomplete')}</p>}
    </Dialog>
  )
}
