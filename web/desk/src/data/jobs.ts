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

/**
 * The jobs whose meter has this number, or else those of the first page whose number ends so; not those of a meter that another one asks for
 * in a later period (D-READING-26).
 */
export async function jobsOfMeter(tenant: string, number: string) {
  const { customers, nextCursor } = await search(tenant, number, 'jobs')
  const jobs = customers.filter((job) => !customers.some((other) => isOfLaterPeriod(other, job)))
  // The search brings whole numbers first.
  const whole = jobs.filter(({ meterNumber }) => plainNumber(meterNumber) === plainNumber(number))
  return whole.length > 0 ? { jobs: whole, hasMore: false } : { jobs, hasMore: Boolean(nextCursor) }
}

/** A meter's number however its parts are separated, as the search takes it. */
const plainNumber = (number: string | null | undefined): string =>
  (number ?? '').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

/** Where a job's meter is, to compare it by; empty if it is not known. */
const spot = ({ place }: FoundCustomer): string =>
  [place?.street, place?.houseNumber, place?.postcode, place?.city, place?.district].join('\n').trim()

/** Whether a job asks for the same meter once more: the number alone does not tell meters of several makers apart, account and place do. */
function isOfLaterPeriod(job: FoundCustomer, earlier: FoundCustomer): boolean {
  const ended = earlier.deadline ?? earlier.earliest
  const begins = job.earliest ?? job.deadline
  return (
    (job.account === earlier.account || (spot(job) !== '' && spot(job) === spot(earlier))) &&
    plainNumber(job.meterNumber) === plainNumber(earlier.meterNumber) &&
    job.meterType === earlier.meterType &&
    Boolean(ended && begins && ended < begins)
  )
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
