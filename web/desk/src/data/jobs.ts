import useSWR from 'swr'
import { get, post } from './client.ts'
import type { FoundCustomer } from './search.ts'
import type { DeskJob } from './types.ts'

/** A job with its registers, or why it cannot be had. */
export function useJob(tenant: string, job: string) {
  const { data, error, mutate } = useSWR(
    ['job', tenant, job],
    async () => get<DeskJob>(tenant, `jobs/${encodeURIComponent(job)}`),
    { revalidateOnReconnect: false },
  )
  return { job: data, error: error as unknown, retry: () => void mutate() }
}

/** The jobs whose meter has this number, or a number that ends so. */
export async function jobsOfMeter(tenant: string, number: string): Promise<FoundCustomer[]> {
  const found = await post<{ customers: FoundCustomer[] }>(tenant, 'search', { body: { words: number } })
  return found.customers.filter(({ job, meterNumber }) => job && meterNumber)
}

/** A job as it is now. */
export const fetchJob = async (tenant: string, job: string): Promise<DeskJob> =>
  get<DeskJob>(tenant, `jobs/${encodeURIComponent(job)}`)
