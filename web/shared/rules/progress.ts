import type { Job } from '@shared/contract/types.ts'
import { expiresSoon, type IsoDate, isOverdue } from './window.ts'

/** How far the readings have come. */
export interface Progress {
  total: number
  done: number
  open: number
  /** Share of the done ones, 0 to 100, never rounded up: 100 means all. */
  percent: number
}

/** Counts the jobs; the percentage is floored to one decimal (L2). */
export function progressOf(jobs: readonly Job[]): Progress {
  const total = jobs.length
  const done = jobs.filter((job) => job.done).length
  return { total, done, open: total - done, percent: total === 0 ? 0 : Math.floor((done * 1000) / total) / 10 }
}

/** Open jobs whose deadline is within five days (L2). */
export const expiringJobs = (jobs: readonly Job[], today: IsoDate): Job[] =>
  jobs.filter((job) => !job.done && expiresSoon(job.jobConstraints, today))

/** Open jobs whose deadline is over and whose readings are still taken. */
export const overdueJobs = (jobs: readonly Job[], today: IsoDate): Job[] =>
  jobs.filter((job) => !job.done && isOverdue(job.jobConstraints, job.config.features, today))
