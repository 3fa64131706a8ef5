import type { ApiError } from '@shared/api/client.ts'
import type { Job } from '@shared/contract/types.ts'
import { isFeedIn } from '@shared/rules/obis.ts'
import { type Field, type Finding, READING_CODES } from '@shared/rules/reading.ts'
import type { IsoDate } from '@shared/rules/window.ts'
import type { SendTaskResults } from '@/device/entry.ts'
import { type Draft, dayOf, type OutgoingResult, outgoingResults } from './draft.ts'

/** A draft of this meter as it enters the outbox; `confirmed`: the reader has seen the warnings and sends anyway. */
export const entryOf = (
  job: Job,
  meterNumber: string,
  draft: Draft,
  today: IsoDate,
  confirmed: boolean,
): SendTaskResults => ({
  kind: 'send-task-results',
  accountId: job.login,
  jobId: job.id,
  meterNumber,
  reading: {
    readingDate: dayOf(job, draft, today),
    results: outgoingResults(job, draft).map(({ photos, ...result }) => ({
      ...result,
      photoIds: photos.map(({ id }) => id),
    })),
    ...(confirmed && { confirmed }),
  },
})

const FIELD = /^(?:results\[(?<index>\d+)\]\.)?(?<name>readingValue|comment|readingImages|readingDate|results|taskId)\b/

/** The server's remarks on a submission, each at the field that it is about; remarks that the portal has no words for are left out. */
export function serverFindings(error: ApiError, job: Job, results: readonly OutgoingResult[]): Finding[] {
  return error.fieldErrors.flatMap(({ field, code, severity, limit }): Finding[] => {
    const known = READING_CODES.find((candidate) => candidate === code)
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
