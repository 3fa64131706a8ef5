/** What a job's readings say about it. The twin of `functions/domain/src/job.rs`. */
import type { ReadingJob } from './reading.ts'

/** A job is done when every rate has at least one result (L4). */
export function isDone(job: Pick<ReadingJob, 'meter'>): boolean {
  return job.meter.meterRateTasks.every((task) => task.readingResults.length > 0)
}
