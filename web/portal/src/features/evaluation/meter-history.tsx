import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Job } from '@shared/contract/types.ts'
import { formatDate, formatDayAndMonth, formatSigned, formatSignedNumber, formatValue } from '@shared/i18n/format.ts'
import { translatedRateName } from '@shared/i18n/rate-name.ts'
import { byYear, type HistoryEntry, historyOf, perDayPrecision } from '@shared/rules/evaluation.ts'
import { rateDisplayName, rateUnit } from '@shared/rules/obis.ts'
import { Icon } from '@shared/ui/icon.tsx'
import { Message } from '@shared/ui/message.tsx'
import { ResultImage } from '@/components/photos/result-image.tsx'
import { useApplication } from '@/data/application.ts'
import { TrendChart } from './trend-chart.tsx'
import './evaluation.css'

type Task = Job['meter']['meterRateTasks'][number]

/** The history of every rate of a meter (P2). */
export function MeterHistory({ job }: { job: Job }) {
  const { t } = useTranslation('evaluation')
  const { evaluation } = useApplication()
  const tasks = job.meter.meterRateTasks
  const rates = tasks.map((task) => ({ task, history: historyOf(task, evaluation) }))
  const told = rates.filter(({ history }) => history.length > 0)
  const silent = rates.filter(({ history }) => history.length === 0)
  const nameOf = useRateName()
  return (
    <>
      {told.map(({ task, history }) => (
        <RateHistory key={task.taskId} job={job} task={task} history={history} isOnly={tasks.length === 1} />
      ))}
      {silent.length > 0 && (
        <Message type="info">
          <p>{t('noEvents', { count: silent.length, rates: silent.map(({ task }) => nameOf(task)).join(', ') })}</p>
        </Message>
      )}
    </>
  )
}

interface RateProps {
  job: Job
  task: Task
  history: readonly HistoryEntry[]
  /** The meter has no other rate. */
  isOnly: boolean
}

function RateHistory({ job, task, history, isOnly }: RateProps) {
  const { t } = useTranslation('evaluation')
  const nameOf = useRateName()
  const years = useMemo(() => byYear(history), [history])
  const [first, last] = [history[0], history.at(-1)]
  const unit = rateUnit(task)
  const described = (entry: HistoryEntry) =>
    `${withUnit(formatValue(entry.readingValue), unit)} (${formatDate(entry.readingDate)})`
  return (
    <details className="panel history" open={isOnly}>
      <summary className="history__summary">
        <h2 className="history__title">
          {t('history')} {!isOnly && <span className="history__rate">{nameOf(task)}</span>}
        </h2>
        <Icon name="forward" size={1.25} className="history__arrow" />
      </summary>
      {first && last && history.length > 1 && (
        <TrendChart history={history} title={t('trend', { first: described(first), last: described(last) })} />
      )}
      {years.map(({ year, entries }) => (
        <table key={year} className="history__year">
          <caption>{year}</caption>
          <thead className="visually-hidden">
            <tr>
              <th scope="col">{t('column.day')}</th>
              <th scope="col">{t('column.reading')}</th>
              <th scope="col">{t('column.consumption')}</th>
            </tr>
          </thead>
          <tbody>
            {entries.map((entry) => (
              <Entry key={entry.id} job={job} task={task} entry={entry} unit={unit} />
            ))}
          </tbody>
        </table>
      ))}
    </details>
  )
}

function Entry({ job, task, entry, unit }: { job: Job; task: Task; entry: HistoryEntry; unit: string | undefined }) {
  const { t } = useTranslation('evaluation')
  const reason = useReasonText()
  const { consumption, consumptionPerDay: perDay } = entry
  const isEstimate = entry.reason === 'ESTIMATED_READING'
  return (
    <tr>
      <th scope="row" className="figures">
        {formatDayAndMonth(entry.readingDate)}
      </th>
      <td>
        <span className="history__reason">{reason(entry)}</span>
        <span className="history__value figures">
          {withUnit(formatValue(entry.readingValue), unit)} <span className="history__obis">{task.obis}</span>
        </span>
        <Photos job={job} task={task} entry={entry} />
      </td>
      <td className={isEstimate ? 'history__used history__used--estimate figures' : 'history__used figures'}>
        {consumption !== undefined && withUnit(formatSigned(consumption), unit)}
        {perDay !== undefined && (
          <span className="history__per-day">
            ({t('perDay', { value: withUnit(formatSignedNumber(perDay, perDayPrecision(perDay)), unit) })})
          </span>
        )}
      </td>
    </tr>
  )
}

/** Photos are shown for done jobs only, where the tenant and the job allow it (P4). */
function Photos({ job, task, entry }: { job: Job; task: Task; entry: HistoryEntry }) {
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

function useRateName() {
  const { t } = useTranslation()
  return (task: Task) => rateDisplayName(translatedRateName(task.rateName, t), task.obis)
}

/** The reason in the reader's language; the utility's own words only where nobody has translated them. */
function useReasonText() {
  const { t } = useTranslation('evaluation')
  return ({ reason, otherReason }: HistoryEntry): string => {
    if (reason === 'OTHER' && otherReason)
      return t(`otherReason.${otherReason}` as 'reason.OTHER', { defaultValue: otherReason })
    return t(`reason.${reason ?? 'UNKNOWN'}`)
  }
}

/** The blank before a unit does not break. */
const withUnit = (value: string, unit: string | undefined) => (unit ? `${value}\u00A0${unit}` : value)
