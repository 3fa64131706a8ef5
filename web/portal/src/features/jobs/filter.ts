import type { Job } from '@shared/contract/types.ts'
import { addressLine, streetLine } from '@shared/i18n/address.ts'
import { expiringJobs, overdueJobs } from '@shared/rules/progress.ts'
import type { IsoDate } from '@shared/rules/window.ts'

/** What is urgent about a meter. */
export type Urgency = 'overdue' | 'soon'

/** What the list is narrowed to, beside what is searched for. */
export interface Filter {
  readonly urgency: Urgency | undefined
  /** One of the addresses on offer; empty: all. */
  readonly address: string
}

export const NO_FILTER: Filter = { urgency: undefined, address: '' }

/** So many meters are seen at a glance, regardless of their addresses. */
const AT_A_GLANCE = 10

/** More entries than these are no list to choose from: a street then stands for its houses. */
const MOST_ADDRESSES = 500

/** The addresses to choose from, and how a meter's is told. */
export interface Addresses {
  readonly all: readonly string[]
  readonly of: (job: Job) => string
}

/** The addresses of many meters, or their streets; undefined where there is nothing to choose. */
export function addressesOf(jobs: readonly Job[]): Addresses | undefined {
  if (jobs.length <= AT_A_GLANCE) return undefined
  for (const of of [addressLine, streetLine]) {
    const all = new Set(jobs.map(of))
    all.delete('')
    if (all.size < 2) return undefined
    if (all.size <= MOST_ADDRESSES) return { all: [...all].toSorted(byNumber.compare), of }
  }
  return undefined
}

/** House 2 before house 10. */
const byNumber = new Intl.Collator('de', { numeric: true })

/** The meters at one of the addresses; all of them without one. */
export const jobsAt = (jobs: readonly Job[], addresses: Addresses | undefined, address: string): readonly Job[] =>
  addresses?.all.includes(address) ? jobs.filter((job) => addresses.of(job) === address) : jobs

/** The urgent meters of each kind. */
export const urgentJobs = (jobs: readonly Job[], today: IsoDate): Readonly<Record<Urgency, readonly Job[]>> => ({
  overdue: overdueJobs(jobs, today),
  soon: expiringJobs(jobs, today),
})
