import type { Job } from '@shared/contract/types.ts'
import { type IsoDate, sendingWindow } from '@shared/rules/window.ts'

/**
 * Open jobs by their deadline, those without one after the others, those that cannot be sent today last; done jobs by the
 * day of their reading, the latest first (L2).
 */
export function orderJobs(jobs: readonly Job[], today: IsoDate): { open: Job[]; done: Job[] } {
  const rank = (job: Job) => {
    const { first, last } = sendingWindow(job.jobConstraints, job.config.features)
    if (last && today > last) return '2'
    return `${first && today < first ? 1 : 0} ${job.jobConstraints.latestExecution ?? '9999'}`
  }
  return {
    open: sortBy(
      jobs.filter((job) => !job.done),
      rank,
    ),
    done: sortBy(
      jobs.filter((job) => job.done),
      (job) => lastReading(job) ?? '',
    ).toReversed(),
  }
}

/** The day of a job's latest reading. */
export function lastReading(job: Job): string | undefined {
  const days = job.meter.meterRateTasks.flatMap((task) => task.readingResults.map((result) => result.readingDate))
  return days.toSorted(compare).at(-1)
}

/** Jobs of the same rank keep their order. */
function sortBy(jobs: readonly Job[], rank: (job: Job) => string): Job[] {
  return jobs
    .map((job) => ({ job, rank: rank(job) }))
    .toSorted((a, b) => compare(a.rank, b.rank))
    .map(({ job }) => job)
}

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
