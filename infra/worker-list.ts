import type { Permissions } from './routes.ts'
import workersJson from './workers.json' with { type: 'json' }

/** A row of the worker table, generated from `functions/workers/src/table.rs`. */
export interface Worker extends Permissions {
  /** The binary, and the queue if it has one. */
  name: string
  description: string
  /** What starts it: messages, so many a run at most, or the clock, as EventBridge Scheduler writes it in UTC. */
  trigger: { queue: { batch: number } } | { schedule: string }
  /** Megabytes. */
  memory: number
  /** Seconds. */
  timeout: number
}

/** What runs without a request. */
export const workers = workersJson as Worker[]

/** Minutes after which the clock starts a worker again. */
export function everyMinutes(expression: string): number {
  const minutes = /^(?:rate\(|cron\(0\/)(\d+) /.exec(expression)?.[1]
  if (minutes === undefined) throw new Error(`"${expression}" does not say every how many minutes.`)
  return Number(minutes)
}
