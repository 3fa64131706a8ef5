import { ApiError } from '@shared/api/client.ts'
import { accessToken, replaceToken, sessionEnd } from './sessions.ts'

/** What makes a call an account's. */
export type Caller = {
  headers: { Authorization: string }
  /** The account has been logged out, or the caller does not wait any more. */
  signal: AbortSignal
}

/**
 * Makes a call as an account: `call(job.login, (caller) => unwrap(api.GET('/api/pro/job', caller)))`.
 * A token that the server refuses is replaced once. A connection that died in silence is given up after `patienceMs`; a logout ends what is
 * under way before it ends the session, with `session-ended`.
 */
export async function call<T>(
  accountId: string,
  make: (caller: Caller) => Promise<T>,
  { patienceMs }: { patienceMs?: number } = {},
): Promise<T> {
  const ended = sessionEnd(accountId)
  const attempt = async (token: string) => {
    if (ended.aborted) throw new ApiError('session-ended')
    const headers = { Authorization: `Bearer ${token}` }
    // `AbortSignal.any` is younger than the oldest Safari.
    const stop = new AbortController()
    const abort = () => stop.abort()
    const timer = patienceMs === undefined ? undefined : setTimeout(abort, patienceMs)
    ended.addEventListener('abort', abort)
    try {
      return await make({ headers, signal: stop.signal })
    } catch (error) {
      throw ended.aborted ? new ApiError('session-ended') : error
    } finally {
      clearTimeout(timer)
      ended.removeEventListener('abort', abort)
    }
  }
  const token = await accessToken(accountId)
  try {
    return await attempt(token)
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    return attempt(await replaceToken(accountId, token))
  }
}
