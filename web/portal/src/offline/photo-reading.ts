import { api, unwrap } from '@shared/api/client.ts'
import type { Job } from '@shared/contract/types.ts'
import { call } from '@/auth/call.ts'
import { useApplication } from '@/data/application.ts'
import { isOnline } from '@/device/connectivity.ts'
import type { Photo } from '@/device/photo.ts'
import { keptPhotos } from './outbox.ts'
import { uploadPhoto } from './upload.ts'

/** Who holds the phone before the meter types the digits sooner than they come. */
const PATIENCE_MS = 10_000

/** Whether digits are proposed from a job's photos: the deployment, the tenant and the job want it. */
export function useReadsPhotos({ config: { features } }: Job): boolean {
  const { photoReadingAvailable } = useApplication()
  return photoReadingAvailable && features.aiReadingEnabled && !features.imagesForbidden
}

/**
 * Has a photo of a rate's counter read, and gives the digits that are proposed. Never rejects: without a network, without an
 * answer or without certainty nothing is proposed. The photo stays where it was sent, for the reading that it belongs to.
 */
export async function readPhoto(
  { id: jobId, login }: Job,
  taskId: string,
  { id, blob }: Photo,
): Promise<string | undefined> {
  if (!isOnline()) return undefined
  try {
    const uploadId = await uploadPhoto(login, await blob.arrayBuffer())
    await keptPhotos.note(id, uploadId)
    const { proposal } = await call(
      login,
      (caller) =>
        unwrap(
          api.POST('/api/pro/job/{jobId}/meter-rate-tasks/{taskId}/photo-reading', {
            ...caller,
            params: { path: { jobId, taskId } },
            body: { uploadId },
          }),
        ),
      { patienceMs: PATIENCE_MS },
    )
    return proposal?.value
  } catch {
    return undefined
  }
}
