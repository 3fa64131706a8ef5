import type { Job } from '@shared/contract/types.ts'
import { formatAmount, formatDate, withUnit } from '@shared/i18n/format.ts'
import { translatedRateName } from '@shared/i18n/rate-name.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { type HistoryEntry, historyOf } from '@shared/rules/evaluation.ts'
import { isFeedIn, rateDisplayName, rateUnit } from '@shared/rules/obis.ts'
import { postDecimals } from '@shared/rules/value.ts'
import { Icon } from '@shared/ui/icon.tsx'
import { Message } from '@shared/ui/message.tsx'
import { useApplication } from '@/data/application.ts'
import { HistoryTables } from './history-tables.tsx'
import { TrendChart } from './trend-chart.tsx'

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
  const unit = rateUnit(task)
  // As many decimals in each line as in the longest: figures under each other are compared.
  const decimals = Math.max(...history.map(({ readingValue }) => postDecimals(readingValue)))
  const inUnit = (value: string) => withUnit(formatAmount(value, decimals), unit)
  const end = (entry: HistoryEntry) => ({ value: inUnit(entry.readingValue), day: formatDate(entry.readingDate) })
  const [first, last] = [history[0], history.at(-1)]
  return (
    <details className="panel history" open={isOnly}>
      <summary className="history__summary">
        <h2 className="history__title">
          {t('history')} <span className="history__rate">{nameOf(task)}</span>
        </h2>
        <Icon name="forward" size={1.25} className="history__arrow" />
      </summary>
      {first && last && history.length > 1 && (
        <TrendChart
          history={history}
          ends={[end(first), end(last)]}
          isFeedIn={isFeedIn(task.obis)}
          formatConsumption={inUnit}
        />
      )}
      <HistoryTables job={job} task={task} history={history} unit={unit} decimals={decimals} />
    </details>
  )
}

function useRateName() {
  const { t } = useTranslation()
  return (task: Task) => rateDisplayName(translatedRateName(task.rateName, t), task.obis)
}
