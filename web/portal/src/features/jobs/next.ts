import type { Job } from '@shared/contract/types.ts'
import { addressLine } from '@shared/i18n/address.ts'
import { type IsoDate, sending } from '@shared/rules/window.ts'
import { orderJobs } from './order.ts'

/** What is left to read after a meter. */
export interface Left {
  /** The one to go on with; undefined when nothing is left. */
  readonly next: Job | undefined
  readonly count: number
}

/**
 * D-PORTAL-10: what can be read after this meter, without what waits to be sent: the next one at its address, else the next one of the list. What was passed
 * over, because the door stayed closed, comes last: going on leads once round the list.
 */
export function leftAfter(current: Job, jobs: readonly Job[], waiting: ReadonlySet<string>, today: IsoDate): Left {
  const { open } = orderJobs(
    jobs.map((job) => (job.id === current.id ? { ...job, done: false } : job)),
    today,
  )
  const place = open.findIndex(({ id }) => id === current.id)
  const left = [...open.slice(place + 1), ...open.slice(0, Math.max(place, 0))].filter(
    (job) => !waiting.has(job.id) && sending(job.jobConstraints, job.config.features, today).state === 'open',
  )
  const address = addressLine(current)
  return { next: left.find((job) => addressLine(job) === address) ?? left[0], count: left.length }
}
