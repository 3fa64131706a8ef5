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
