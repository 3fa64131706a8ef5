import { useMemo } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { formatAmount, formatDayAndMonth, formatDifference, formatSignedNumber, withUnit } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { byYear, type HistoryEntry, perDayPrecision } from '@shared/rules/evaluation.ts'
import { isFeedIn } from '@shared/rules/obis.ts'
import { ResultImage } from '@/components/photos/result-image.tsx'
import { useApplication } from '@/data/application.ts'

interface Of {
  job: Job
  task: Job['meter']['meterRateTasks'][number]
  unit: string | undefined
  /** How many decimals each figure has. */
  decimals: number
}

/** The readings of a rate, a table for each year (P2). */
export function HistoryTables({ history, ...of }: Of & { history: readonly HistoryEntry[] }) {
  const { t } = useTranslation('evaluation')
  const years = useMemo(() => byYear(history), [history])
  return years.map(({ year, entries }) => (
    <table key={year} className="history__year">
      <caption>{year}</caption>
      <thead className="visually-hidden">
        <tr>
          <th scope="col">{t('column.day')}</th>
          <th scope="col">{t('column.reading')}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} {...of} />
        ))}
      </tbody>
    </table>
  ))
}

function Entry({ entry, unit, decimals, ...of }: Of & { entry: HistoryEntry }) {
  const { t } = useTranslation('evaluation')
  const context = isFeedIn(of.task.obis) ? ({ context: 'feedIn' } as const) : undefined
  const reason = useReasonText()
  const { consumption, consumptionPerDay: perDay } = entry
  const isEstimate = entry.reason === 'ESTIMATED_READING'
  return (
    <tr>
      <th scope="row" className="history__day">
        {formatDayAndMonth(entry.readingDate)}
      </th>
      <td>
        <div className="history__entry">
          <div className="history__reading">
            <span className="history__reason">{reason(entry)}</span>
            <span className="history__value">{withUnit(formatAmount(entry.readingValue, decimals), unit)}</span>
          </div>
          {consumption !== undefined && (
            <div className={isEstimate ? 'history__used history__used--estimate' : 'history__used'}>
              <span className="visually-hidden">{t('sinceBefore', context)} </span>
              <span>{withUnit(formatDifference(consumption, decimals), unit)}</span>
              {perDay !== undefined && (
                <span className="history__per-day">
                  ({t('perDay', { value: withUnit(formatSignedNumber(perDay, perDayPrecision(perDay)), unit) })})
                </span>
              )}
            </div>
          )}
        </div>
        <Photos entry={entry} {...of} />
      </td>
    </tr>
  )
}

/** Photos are shown for done jobs only, where the tenant and the job allow it (P4). */
function Photos({ job, task, entry }: Pick<Of, 'job' | 'task'> & { entry: HistoryEntry }) {
  const { evaluation } = useApplication()
  const isAllowed = job.done && evaluation.showReadingImages && job.config.features.showReadingImagesAllowed
  if (!isAllowed || entry.imageIds.length === 0) return null
  return (
    <span className="history__photos">
      {entry.imageIds.map((imageId, index) => (
        <ResultImage key={imageId} job={job} taskId={task.taskId} imageId={imageId} number={index + 1} isSilent />
      ))}
    </span>
  )
}

/** The reason in the reader's language; the utility's own words only where they are not translated. */
function useReasonText() {
  const { t } = useTranslation('evaluation')
  return ({ reason, otherReason }: HistoryEntry): string => {
    if (reason === 'OTHER' && otherReason)
      return t(`otherReason.${otherReason}` as 'reason.OTHER', { fallback: otherReason })
    return t(`reason.${reason ?? 'UNKNOWN'}`)
  }
}
