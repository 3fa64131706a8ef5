import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import { usePages } from './pages.ts'
import { useSettled } from './use-settled.ts'

/** Characters from which on it is worth searching. */
const SHORTEST = 2
/** Who types goes on for so long without being asked about. */
const PAUSE_MS = 200

/** What a search finds: customers, or each of their jobs. */
export type Sought = 'customers' | 'jobs'

/** One page of what the words find. Words go in the body: no address ever holds one. */
export const search = async (tenant: string, words: string, sought: Sought, cursor?: string | null) =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/search', {
      params: { path: { tenant } },
      body: { words, ...(sought === 'jobs' && { jobs: true }), ...(cursor && { cursor }) },
      ...byPerson,
    }),
  )

/** The customers whom the words find, or their jobs, while they are typed. */
export function useSearch(tenant: string, words: string, sought: Sought = 'customers') {
  const asked = useSettled(words.trim(), PAUSE_MS)
  const isAsked = asked.length >= SHORTEST
  const { pages, error, isLoading, hasMore, more } = usePages(
    isAsked ? ['search', tenant, sought, asked] : null,
    async (cursor) => ({
      words: asked,
      ...(await search(tenant, asked, sought, cursor)),
    }),
  )
  // Until the answer comes, and after a refusal, there is what other words found.
  const isOfAsked = pages?.[0]?.words === asked
  return {
    found: isAsked && (isOfAsked || error === undefined) ? pages?.flatMap((page) => page.customers) : undefined,
    /** What was found is what these very words find; else it is what others found before. */
    isCurrent: isAsked && asked === words.trim() && isOfAsked,
    isSearching: isAsked && isLoading,
    error: isAsked ? error : undefined,
    hasMore: isAsked && hasMore,
    more,
  }
}
