import useSWRInfinite from 'swr/infinite'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import { useSettled } from './use-settled.ts'

/** Characters from which on it is worth searching. */
const SHORTEST = 2
/** Who types goes on for so long without being asked about. */
const PAUSE_MS = 200

/** One page of the customers whom the words find. Words go in the body: no address ever holds one. */
export const search = async (tenant: string, words: string, cursor?: string | null) =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/search', {
      params: { path: { tenant } },
      body: { words, ...(cursor && { cursor }) },
      ...byPerson,
    }),
  )

type Page = Awaited<ReturnType<typeof search>>

/** The customers whom the words find, while they are typed. */
export function useSearch(tenant: string, words: string) {
  const asked = useSettled(words.trim(), PAUSE_MS)
  const isAsked = asked.length >= SHORTEST
  const { data, error, isValidating, setSize, size } = useSWRInfinite(
    (page: number, before: Page | null) =>
      !isAsked || (page > 0 && !before?.nextCursor) ? null : ['search', tenant, asked, before?.nextCursor ?? null],
    async ([, tenant, words, cursor]: [string, string, string, string | null]) => ({
      words,
      ...(await search(tenant, words, cursor)),
    }),
    { keepPreviousData: true, revalidateFirstPage: false },
  )
  // Until the answer comes, and after a refusal, there is what other words found.
  const isOfAsked = data?.[0]?.words === asked
  return {
    found: isAsked && (isOfAsked || error === undefined) ? data?.flatMap((page) => page.customers) : undefined,
    /** What was found is what these very words find; else it is what others found before. */
    isCurrent: isAsked && asked === words.trim() && isOfAsked,
    isSearching: isAsked && isValidating,
    error: isAsked ? (error as unknown) : undefined,
    hasMore: isAsked && Boolean(data?.at(-1)?.nextCursor),
    more: () => void setSize(size + 1),
  }
}
