import { ApiError, api, unwrap } from '@/api/client.ts'
import type { Job, ResultSubmission } from '@/api/types.ts'
import { call } from '@/auth/call.ts'
import { forgetUpload, uploadPhoto } from '@/features/photos/upload.ts'
import { isFeedIn } from '@/rules/obis.ts'
import { FINDING_CODES, type Field, type Finding } from '@/rules/reading.ts'
import type { IsoDate } from '@/rules/window.ts'
import type { KeyOf } from './attempts.ts'
import type { OutgoingResult } from './draft.ts'

/** What is to be sent for a job. */
export interface Outgoing {
  readonly readingDate: IsoDate
  readonly results: readonly OutgoingResult[]
  /** The reader has seen the warnings and sends anyway. */
  readonly confirmed: boolean
}

/** Brings the photos to the store, then the reading to the API, and returns the job as it is afterwards. Throws [`ApiError`]. */
export async function sendReading(job: Job, outgoing: Outgoing, keyOf: KeyOf): Promise<Job> {
  try {
    return await attempt(job, outgoing, keyOf)
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'upload-missing') throw error
    for (const { photos } of outgoing.results) for (const { blob } of photos) forgetUpload(blob)
    return attempt(job, outgoing, keyOf)
  }
}

async function attempt(job: Job, outgoing: Outgoing, keyOf: KeyOf): Promise<Job> {
  const results: ResultSubmission['results'] = []
  for (const { photos, ...result } of outgoing.results) {
    const uploadIds = await Promise.all(photos.map(({ blob }) => uploadPhoto(job.login, blob)))
    results.push({
      ...result,
      ...(uploadIds.length > 0 && { readingImages: uploadIds.map((uploadId) => ({ uploadId })) }),
    })
  }
  const { readingDate, confirmed } = outgoing
  const body: ResultSubmission = { readingDate, results, ...(confirmed && { confirmed }) }
  const idempotencyKey = keyOf(JSON.stringify([job.id, body]))
  return call(job.login, (bearer) =>
    unwrap(
      api.POST('/api/pro/job/{id}/meterRateTask/result', {
        params: { path: { id: job.id }, header: { 'Idempotency-Key': idempotencyKey } },
        headers: bearer,
        body,
      }),
    ),
  )
}

const FIELD = /^(?:results\[(?<index>\d+)\]\.)?(?<name>readingValue|comment|readingImages|readingDate|results|taskId)\b/

/** The server's remarks on a submission, each at the field that it is about; remarks that the portal has no words for are left out. */
export function serverFindings(error: unknown, job: Job, results: readonly OutgoingResult[]): Finding[] {
  if (!(error instanceof ApiError)) return []
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
export function taskOfFaultyPhoto(error: unknown, results: readonly OutgoingResult[]): string | undefined {
  if (!(error instanceof ApiError) || error.code !== 'photo-invalid') return undefined
  const at = error.fieldErrors.flatMap(({ field }) => FIELD.exec(field)?.groups?.['index'] ?? [])[0]
  return at === undefined ? undefined : results[Number(at)]?.taskId
}
