import useSWRInfinite from 'swr/infinite'
import { post } from './client.ts'
import type { Place } from './types.ts'
import { useSettled } from './use-settled.ts'

/** A customer who was found, with the meter that matched. */
export interface FoundCustomer {
  readonly account: string
  readonly name: string
  readonly username?: string | null
  readonly job?: string | null
  readonly meterNumber?: string | null
  readonly place?: Place | null
}

interface Found {
  readonly customers: readonly FoundCustomer[]
  readonly nextCursor?: string | null
}

/** Characters from which on it is worth searching. */
const SHORTEST = 2
/** Who types goes on for so long without being asked about. */
const PAUSE_MS = 200

/** The customers whom the words find. Words go in the body: no address ever holds one. */
export function useSearch(tenant: string, words: string) {
  const asked = useSettled(words.trim(), PAUSE_MS)
  const { data, error, isValidating, setSize, size } = useSWRInfinite(
    (page: number, before: Found | null) =>
      asked.length < SHORTEST || (page > 0 && !before?.nextCursor)
        ? null
        : ['search', tenant, asked, before?.nextCursor ?? null],
    async ([, , words, cursor]: [string, string, string, string | null]) =>
      post<Found>(tenant, 'search', { body: { words, ...(cursor && { cursor }) } }),
    { keepPreviousData: true, revalidateFirstPage: false },
  )
  const isAsked = asked.length >= SHORTEST
  return {
    found: isAsked ? data?.flatMap((page) => page.customers) : undefined,
    isSearching: isAsked && isValidating,
    error: isAsked ? (error as unknown) : undefined,
    hasMore: isAsked && Boolean(data?.at(-1)?.nextCursor),
    more: () => void setSize(size + 1),
  }
}
