import type { Job } from '@shared/contract/types.ts'

const searchStrings = new WeakMap<Job, string>()

/** What a search looks at (L3): meter number, the address's parts, the customer's and the partner's names and numbers. */
export function searchString(job: Job): string {
  const known = searchStrings.get(job)
  if (known !== undefined) return known
  const { meter, customer, partner } = job
  const address = meter.meterAddress
  const made = [
    meter.meterNumber,
    address.street,
    address.houseNumber,
    address.zip,
    address.city,
    address.cityDistrict,
    address.company,
    address.firstname,
    address.lastname,
    address.locationDescription,
    address.objectKey,
    job.objectKey,
    customer?.customerNumber,
    customer?.company,
    customer?.firstname,
    customer?.lastname,
    partner?.identifier,
    partner?.company,
    partner?.firstname,
    partner?.lastname,
  ]
    .filter(Boolean)
    .join(' ')
    .toLowerCase()
  searchStrings.set(job, made)
  return made
}

/** The jobs in which every term of the search occurs, in any order and case (L5). */
export function searchJobs(jobs: readonly Job[], search: string): readonly Job[] {
  const terms = search.toLowerCase().split(/\s+/u).filter(Boolean)
  if (terms.length === 0) return jobs
  return jobs.filter((job) => terms.every((term) => searchString(job).includes(term)))
}
