import useSWRInfinite, { type SWRInfiniteConfiguration } from 'swr/infinite'

interface Page {
  readonly nextCursor?: string | null
}

/** A list page by page, each by where the one before ended; the old rows stay until the new ones are there. */
export function usePages<P extends Page>(
  key: readonly unknown[],
  fetchPage: (cursor: string | null) => Promise<P>,
  options: SWRInfiniteConfiguration = {},
) {
  const { data, error, size, setSize, isValidating, mutate } = useSWRInfinite<P, unknown>(
    (page: number, before: P | null): unknown[] | null =>
      page > 0 && !before?.nextCursor ? null : [...key, before?.nextCursor ?? null],
    async (of: unknown[]): Promise<P> => fetchPage(of.at(-1) as string | null),
    { keepPreviousData: true, revalidateFirstPage: false, ...options },
  )
  return {
    pages: data,
    error,
    isLoading: isValidating,
    hasMore: Boolean(data?.at(-1)?.nextCursor),
    more: () => void setSize(size + 1),
    retry: () => void mutate(),
  }
}
