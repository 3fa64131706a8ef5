import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import useSWR from 'swr'
import { type ApiError, api, unwrap } from '@/api/client.ts'
import { keys } from '@/api/keys.ts'
import type { Job } from '@/api/types.ts'
import { call } from '@/auth/call.ts'
import { BlobImage } from '@/features/photos/blob-image.tsx'
import { Dialog } from '@/ui/dialog.tsx'

interface Props {
  readonly job: Job
  readonly taskId: string
  readonly imageId: string
  /** Its place among the photos of the reading, from 1. */
  readonly number: number
}

/** A photo that was sent. The store answers with the token only, so an `<img>` cannot fetch it by itself. */
export function ResultImage({ job, taskId, imageId, number }: Props) {
  const { t } = useTranslation('reading')
  const { data, error } = useSWR<Blob, ApiError>(
    keys.image(job.login, job.id, taskId, imageId),
    () =>
      call(job.login, (bearer) =>
        unwrap(
          api.GET('/api/pro/job/{jobId}/meter-rate-tasks/{taskId}/result-images/{imageId}', {
            params: { path: { jobId: job.id, taskId, imageId } },
            headers: bearer,
            parseAs: 'blob',
          }) as Promise<{ data?: Blob; response: Response }>,
        ),
      ),
    // A stored photo does not change; when the connection comes back, a missing one is fetched.
    { revalidateIfStale: false, revalidateOnFocus: false },
  )
  const [isOpen, setOpen] = useState(false)
  if (!data) return <p className="result__image result__image--missing">{error && t('result.photoMissing')}</p>

  const name = t('result.photo', { number })
  return (
    <>
      <button type="button" className="result__image" onClick={() => setOpen(true)}>
        <BlobImage picture={data} alt={name} />
      </button>
      <Dialog
        open={isOpen}
        title={name}
        onClose={() => setOpen(false)}
        actions={<Button onClick={() => setOpen(false)}>{t('close', { ns: 'common' })}</Button>}
      >
        <div className="result__full-image">
          <BlobImage picture={data} alt={name} />
        </div>
      </Dialog>
    </>
  )
}
