import { Button } from '@aws-amplify/ui-react'
import { useEffect, useRef, useState } from 'react'
import useSWR from 'swr'
import { type ApiError, api, unwrap } from '@shared/api/client.ts'
import type { Job } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BlobImage } from '@shared/photos/blob-image.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { call } from '@/auth/call.ts'
import { keys } from '@/data/keys.ts'
import './photos.css'

interface Props {
  readonly job: Job
  readonly taskId: string
  readonly imageId: string
  /** Its place among the photos of the reading, from 1. */
  readonly number: number
  /** Says nothing when the photo cannot be had (P4). */
  readonly isSilent?: boolean
}

/** A photo that was sent. The store answers with the token only, so an `<img>` cannot fetch it by itself. */
export function ResultImage({ job, taskId, imageId, number, isSilent = false }: Props) {
  const { t } = useTranslation('photos')
  const fetching = useRef<AbortController>(null)
  const isSeen = useRef(false)
  // A reader who leaves need not wait for what is not shown any more; React's strict mode leaves and comes back at once.
  useEffect(() => {
    isSeen.current = true
    return () => {
      isSeen.current = false
      queueMicrotask(() => !isSeen.current && fetching.current?.abort())
    }
  }, [])
  const { data, error } = useSWR<Blob, ApiError>(
    keys.image(job.login, job.id, taskId, imageId),
    () => {
      const { signal } = (fetching.current = new AbortController())
      return call(job.login, ({ headers }) =>
        unwrap(
          api.GET('/api/pro/job/{jobId}/meter-rate-tasks/{taskId}/result-images/{imageId}', {
            params: { path: { jobId: job.id, taskId, imageId } },
            headers,
            parseAs: 'blob',
            signal,
          }) as Promise<{ data?: Blob; response: Response }>,
        ),
      )
    },
    // A stored photo does not change; when the connection comes back, a missing one is fetched.
    { revalidateIfStale: false, revalidateOnFocus: false, dedupingInterval: 0 },
  )
  const [isOpen, setOpen] = useState(false)
  if (!data && error && isSilent) return null
  if (!data) return <p className="stored-photo stored-photo--missing">{error && t('stored.missing')}</p>

  const name = t('stored.name', { number })
  return (
    <>
      <button type="button" className="stored-photo" onClick={() => setOpen(true)}>
        <BlobImage picture={data} alt={name} />
      </button>
      <Dialog
        open={isOpen}
        title={name}
        onClose={() => setOpen(false)}
        actions={<Button onClick={() => setOpen(false)}>{t('close', { area: 'common' })}</Button>}
      >
        <div className="stored-photo__full">
          <BlobImage picture={data} alt={name} />
        </div>
      </Dialog>
    </>
  )
}
