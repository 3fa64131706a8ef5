import { useLayoutEffect } from 'react'
import { useSWRConfig } from 'swr'
import useSWRInfinite, { type SWRInfiniteConfiguration, unstable_serialize } from 'swr/infinite'

interface Page {
  readonly nextCursor?: string | null
}

/**
 * A list page by page, each by where the one before ended; none without a key. What was seen before is there at once, and asked for again, unless
 * `revalidateIfStale` says otherwise; the old rows stay until the new ones are there.
 */
export function usePages<P extends Page>(
  key: readonly unknown[] | null,
  fetchPage: (cursor: string | null) => Promise<P>,
  options: SWRInfiniteConfiguration = {},
) {
  const keyOf = (page: number, before: P | null): unknown[] | null =>
    !key || (page > 0 && !before?.nextCursor) ? null : [...key, before?.nextCursor ?? null]
  const { data, error, size, setSize, isValidating, mutate } = useSWRInfinite<P, unknown>(
    keyOf,
    async (of: unknown[]): Promise<P> => fetchPage(of.at(-1) as string | null),
    { keepPreviousData: true, revalidateFirstPage: false, ...options },
  )
  const { cache } = useSWRConfig()
  const list = unstable_serialize(keyOf)
  const isKept = options.revalidateIfStale === false
  // Before an answer can come, so that what is there was seen before: SWR fetches none of it again, because "more" is not to fetch the first page again.
  useLayoutEffect(() => {
    if (!isKept && cache.get(list)?.data !== undefined) void mutate()
  }, [cache, list, isKept, mutate])
  return {
    pages: data,
    error,
    isLoading: isValidating,
    hasMore: Boolean(data?.at(-1)?.nextCursor),
    more: () => void setSize(size + 1),
    retry: () => void mutate(),
  }
}
