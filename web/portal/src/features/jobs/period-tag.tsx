import type { Job } from '@shared/contract/types.ts'
import { formatDate } from '@shared/i18n/format.ts'
import type { Translate } from '@shared/i18n/i18n.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import { Icon, type IconName } from '@shared/ui/icon.tsx'
import type { OutboxEntry } from '@/device/entry.ts'
import { waitingFor } from '@/offline/replay.ts'
import { type Period, periodOf } from './period.ts'

/** What every row says its deadline with. */
export interface PeriodWords {
  today: IsoDate
  /** The readings that were entered and have not arrived. */
  waiting: readonly OutboxEntry[]
  t: Translate<'jobs'>
  tOffline: Translate<'offline'>
}

/** A job's deadline, or what has become of it; a reading that was entered and has not arrived goes before both (L4). */
export function PeriodTag({ job, words }: { job: Job; words: PeriodWords }) {
  const { today, waiting, t, tOffline } = words
  const queued = waitingFor(job, waiting)
  if (queued) {
    const needsLook = queued.refusal !== undefined || queued.isPhotoStuck === true
    const text = queued.refusal ? 'queued.tagAttention' : queued.isPhotoStuck ? 'queued.tagPhoto' : 'queued.tag'
    return (
      <span className={needsLook ? 'period period--soon' : 'period period--done'}>
        <Icon name={needsLook ? 'warning' : 'clock'} size={1.125} />
        {tOffline(text)}
      </span>
    )
  }
  const period = periodOf(job, today)
  return (
    <>
      {isToRepeat(job, period) && (
        <span className="period period--soon">
          <Icon name="warning" size={1.125} />
          {t('again')}
        </span>
      )}
      {period.kind !== 'any' && (
        <span className={`period period--${period.kind}`}>
          <Icon name={ICONS[period.kind]} size={1.125} />
          {periodText(period, t)}
        </span>
      )}
    </>
  )
}

/** A reading was not accepted, and another one is taken today. */
function isToRepeat({ meter, closed }: Job, { kind }: Period): boolean {
  if (closed || kind === 'done' || kind === 'expired' || kind === 'notOpen') return false
  return meter.meterRateTasks.some(({ rejectedReading }) => rejectedReading)
}

const ICONS: Record<Exclude<Period['kind'], 'any'>, IconName> = {
  done: 'checkCircle',
  expired: 'close',
  notOpen: 'clock',
  overdue: 'warning',
  soon: 'warning',
  between: 'calendar',
  from: 'calendar',
  until: 'calendar',
}

function periodText(period: Exclude<Period, { kind: 'any' }>, t: Translate<'jobs'>): string {
  switch (period.kind) {
    case 'done':
      return period.on ? t('doneOn', { date: formatDate(period.on) }) : t('done')
    case 'expired':
      return t('period.expired')
    case 'overdue':
      return t('period.overdue', { until: formatDate(period.until) })
    case 'soon':
      return t('period.soon', { count: period.days })
    case 'notOpen':
      return t('period.notOpen', { from: formatDate(period.from) })
    case 'between':
      return t('period.between', { from: formatDate(period.from), until: formatDate(period.until) })
    case 'from':
      return t('period.from', { from: formatDate(period.from) })
    case 'until':
      return t('period.until', { until: formatDate(period.until) })
  }
}
