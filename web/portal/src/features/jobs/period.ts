import type { Job } from '@shared/contract/types.ts'
import { expiresSoon, type IsoDate, isOverdue, sendingWindow } from '@shared/rules/window.ts'
import { lastReading } from './order.ts'

/** What the list says about a job's time, in order of weight. */
export type Period =
  | { kind: 'done'; on: IsoDate | undefined }
  | { kind: 'expired' }
  | { kind: 'notOpen'; from: IsoDate }
  /** The deadline is over, and readings are taken until this day. */
  | { kind: 'overdue'; until: IsoDate }
  | { kind: 'soon'; days: number }
  | { kind: 'between'; from: IsoDate; until: IsoDate }
  | { kind: 'from'; from: IsoDate }
  | { kind: 'until'; until: IsoDate }
  | { kind: 'any' }

/** How a job stands today. */
export function periodOf(job: Job, today: IsoDate): Period {
  if (job.done) return { kind: 'done', on: lastReading(job) }
  const { earliestExecution: from, latestExecution: until } = job.jobConstraints
  const { first, last } = sendingWindow(job.jobConstraints, job.config.features)
  if (last && today > last) return { kind: 'expired' }
  if (first && today < first) return { kind: 'notOpen', from: first }
  if (last && isOverdue(job.jobConstraints, job.config.features, today)) return { kind: 'overdue', until: last }
  if (until && expiresSoon(job.jobConstraints, today)) return { kind: 'soon', days: daysBetween(today, until) }
  if (from && until) return { kind: 'between', from, until }
  if (from) return { kind: 'from', from }
  return until ? { kind: 'until', until } : { kind: 'any' }
}

const daysBetween = (from: IsoDate, to: IsoDate): number => Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000)
