import useSWR from 'swr'
import { api, unwrap } from '@shared/api/client.ts'
import { byPage, byPerson } from '@/session/session.ts'
import { search } from './search.ts'
import type { DeskJob, FoundCustomer } from './types.ts'

/** A job as it is now. */
export const fetchJob = async (tenant: string, job: string): Promise<DeskJob> =>
  unwrap(api.GET('/api/desk/tenants/{tenant}/jobs/{job}', { params: { path: { tenant, job } }, ...byPerson }))

/** A job with its registers, or why it cannot be had; nothing while none is named. */
export function useJob(tenant: string, job: string) {
  const { data, error, mutate } = useSWR(job ? ['job', tenant, job] : null, async () => fetchJob(tenant, job), {
    revalidateOnReconnect: false,
  })
  return { job: data, error: error as unknown, retry: () => void mutate() }
}

/** The jobs whose meter has this number, or a number that ends so; not those of earlier seasons that were read, where the same meter is to be read again. */
export async function jobsOfMeter(tenant: string, number: string): Promise<FoundCustomer[]> {
  const { customers: jobs } = await search(tenant, number, 'jobs')
  const isReadAgain = ({ account, meterNumber, state }: FoundCustomer) =>
    state === 'done' &&
    jobs.some((one) => one.state === 'open' && one.account === account && one.meterNumber === meterNumber)
  return jobs.filter((job) => !isReadAgain(job))
}

/** A photo of a reading. */
export interface PhotoId {
  readonly tenant: string
  readonly job: string
  readonly reading: string
  readonly image: string
}

/** The address of a photo, which is good for five minutes. */
export const photoAddress = async ({ tenant, job, reading, image }: PhotoId) =>
  unwrap(
    api.GET('/api/desk/tenants/{tenant}/jobs/{job}/readings/{reading}/photos/{image}', {
      params: { path: { tenant, job, reading, image } },
      ...byPage,
    }),
  )

/** Fetches a photo before it is shown. */
export async function fetchAhead(photo: PhotoId): Promise<void> {
  const { url } = await photoAddress(photo)
  new Image().src = url
}
