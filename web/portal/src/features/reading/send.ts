import { type Attempt, nextAttempt } from '@shared/api/attempts.ts'
import type { ApiError } from '@shared/api/client.ts'
import type { Job } from '@shared/contract/types.ts'
import { isFeedIn } from '@shared/rules/obis.ts'
import { FINDING_CODES, type Field, type Finding } from '@shared/rules/reading.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import type { QueuedReading } from '@/device/entry.ts'
import { type Delivery, deliver } from '@/offline/replay.ts'
import { begunEntry, contentOf, continueWith, keptDraftOf } from './begun.ts'
import { type OutgoingResult, photosOf } from './draft.ts'

/** What is to be sent for a job. */
export interface Outgoing {
  readonly readingDate: IsoDate
  readonly results: readonly OutgoingResult[]
  /** The reader has seen the warnings and sends anyway. */
  readonly confirmed: boolean
}

/** Hands a reading over to the outbox, and tells what became of it and by which attempt. */
export async function sendReading(
  job: Job,
  { readingDate, results, confirmed }: Outgoing,
  last: Attempt | undefined,
): Promise<{ delivery: Delivery; attempt: Attempt }> {
  const reading: QueuedReading = {
    readingDate,
    results: results.map(({ photos, ...result }) => ({ ...result, photoIds: photos.map(({ id }) => id) })),
    ...(confirmed && { confirmed }),
  }
  const attempt = nextAttempt(last, contentOf(reading))
  const entry = {
    kind: 'send-task-results',
    accountId: job.login,
    jobId: job.id,
    meterNumber: job.meter.meterNumber,
    reading,
    key: attempt.key,
  } as const
  const { draft } = begunEntry(job)
  const delivery = await deliver(entry, photosOf(results), keptDraftOf)
  if (delivery.state === 'refused') continueWith(job, { draft, attempt })
  return { delivery, attempt }
}

const FIELD = /^(?:results\[(?<index>\d+)\]\.)?(?<name>readingValue|comment|readingImages|readingDate|results|taskId)\b/

/** The server's remarks on a submission, each at the field that it is about; remarks that the portal has no words for are left out. */
export function serverFindings(error: ApiError, job: Job, results: readonly OutgoingResult[]): Finding[] {
  return error.fieldErrors.flatMap(({ field, code, severity, limit }): Finding[] => {
    const known = FINDING_CODES.find((candidate) => candidate === code)
    const at = FIELD.exec(field)?.groups
    if (!known || !at) return []
    const taskId = at['index'] === undefined ? undefined : results[Number(at['index'])]?.taskId
    const task = job.meter.meterRateTasks.find((candidate) => candidate.taskId === taskId)
    return [
      {
        code: known,
        severity: severity ?? 'error',
        // A rate that the server does not know concerns the submission as a whole.
        field: at['name'] === 'taskId' ? 'results' : (at['name'] as Field),
        ...(taskId !== undefined && { taskId }),
        ...(typeof limit === 'string' && { limit }),
        ...(task && isFeedIn(task.obis) && { feedIn: true as const }),
      },
    ]
  })
}

/** The rate whose photo the server could not read. */
export function taskOfFaultyPhoto(error: ApiError, results: readonly OutgoingResult[]): string | undefined {
  if (error.code !== 'photo-invalid') return undefined
  const at = error.fieldErrors.flatMap(({ field }) => FIELD.exec(field)?.groups?.['index'] ?? [])[0]
  return at === undefined ? undefined : results[Number(at)]?.taskId
}
