import useSWR from 'swr'
import { ApiError, api, unwrap } from '@shared/api/client.ts'
import { byPage, byPerson } from '@/session/session.ts'
import { keepFrom } from './download.ts'
import type { Run } from './types.ts'

/** How often it is asked how far a run is, in milliseconds. */
const OFTEN = 2_000
/** The same of a run that was cancelled, whose end the member waits for. */
const VERY_OFTEN = 500

/** So long it is waited at most after failures, unless the server asks for more. */
const SELDOM = 30_000

/** Whether a run is not over yet. */
export const isOpen = ({ state, isStopping }: Run): boolean => state === 'WAITING' || state === 'WORKING' || isStopping

/** How far a run is, and when that was so by this device, asked again and again by the page until it is over. */
export function useRun(tenant: string, known: Run, onOver: () => void) {
  const { data, error } = useSWR(
    ['run', tenant, known.id],
    async () => {
      const run = await unwrap(
        api.GET('/api/desk/tenants/{tenant}/runs/{run}', { params: { path: { tenant, run: known.id } }, ...byPage }),
      )
      return { run, at: Date.now() }
    },
    {
      refreshInterval: (seen) => {
        // What was seen is of before a run that was cancelled went on, if the page knows better.
        if (seen && !isOpen(seen.run) && !isOpen(known)) return 0
        return (seen?.run ?? known).isStopping ? VERY_OFTEN : OFTEN
      },
      // After a failure SWR asks no more by the interval.
      shouldRetryOnError: true,
      onErrorRetry: (error, _key, _config, ask, { retryCount }) => {
        const asked = error instanceof ApiError ? (error.retryAfter ?? 0) * 1_000 : 0
        setTimeout(() => void ask({ retryCount }), Math.max(asked, Math.min(OFTEN * 2 ** (retryCount - 1), SELDOM)))
      },
      onSuccess: ({ run }) => {
        if (!isOpen(run)) onOver()
      },
    },
  )
  const seen = data && (isOpen(data.run) || !isOpen(known)) ? data : undefined
  return { run: seen?.run ?? known, at: seen?.at, error: error as unknown }
}

/** Ends a run before it is through. */
export const cancelRun = async (tenant: string, run: string) =>
  unwrap(api.DELETE('/api/desk/tenants/{tenant}/runs/{run}', { params: { path: { tenant, run } }, ...byPerson }))

/** Has the browser keep a file of a run. */
export async function fetchFile(tenant: string, run: string, file: string): Promise<void> {
  const { url } = await unwrap(
    api.GET('/api/desk/tenants/{tenant}/runs/{run}/files/{file}', {
      params: { path: { tenant, run, file } },
      ...byPerson,
    }),
  )
  await keepFrom(url)
}
