import useSWR, { mutate } from 'swr'
import { twiceIfLost } from '@shared/api/attempts.ts'
import { ApiError, api, unwrap } from '@shared/api/client.ts'
import type { CreatedShare, Share, ShareLogin, ShareRequest } from '@shared/contract/types.ts'
import { type Caller, call } from '@/auth/call.ts'
import { keys } from './keys.ts'

interface Shares {
  shares: readonly Share[] | undefined
  error: ApiError | undefined
}

/** The shares that an account made, or those that `of` made, a sub-account at any level below it; oldest first. */
export function useShares(accountId: string, of?: string): Shares {
  const { data, error } = useSWR<Share[], ApiError>(keys.shares(accountId, of), () => allShares(accountId, of))
  return { shares: data, error }
}

/** Page by page. */
async function allShares(accountId: string, of: string | undefined): Promise<Share[]> {
  const all: Share[] = []
  let cursor: string | null | undefined
  do {
    const query = { ...(of !== undefined && { of }), ...(cursor && { cursor }) }
    const page = await call(accountId, (caller) =>
      unwrap(api.GET('/api/pro/share/account', { params: { query }, ...caller })),
    )
    all.push(...page.sharedAccounts)
    cursor = page.nextCursor
  } while (cursor)
  return all.toSorted(
    (one, other) => Date.parse(one.created) - Date.parse(other.created) || (one.id < other.id ? -1 : 1),
  )
}

/** Makes a share; by the key a repeated request gets the answer of the first. Throws [`ApiError`]. */
export async function createShare(accountId: string, body: ShareRequest, key: string): Promise<CreatedShare> {
  const create = () =>
    call(accountId, (caller) =>
      unwrap(
        api.POST('/api/pro/share/job', { body, ...caller, headers: { ...caller.headers, 'Idempotency-Key': key } }),
      ),
    )
  try {
    return await twiceIfLost(create)
  } finally {
    await reload(accountId)
  }
}

/** Ends a share, made by the account or by a sub-account below it, and everything that was shared from it. */
export async function deleteShare(accountId: string, shareId: string): Promise<void> {
  await end(accountId, (caller) =>
    unwrap(api.DELETE('/api/pro/share/account/{shareId}', { params: { path: { shareId } }, ...caller })),
  )
}

/** Takes a job out of a share. */
export async function removeSharedJob(accountId: string, shareId: string, jobId: string): Promise<void> {
  await end(accountId, (caller) =>
    unwrap(
      api.DELETE('/api/pro/share/account/{shareId}/job/{jobId}', { params: { path: { shareId, jobId } }, ...caller }),
    ),
  )
}

/** Ends something that was shared, by the call that does. Throws [`ApiError`]. */
async function end(accountId: string, ending: (caller: Caller) => Promise<unknown>): Promise<void> {
  try {
    await call(accountId, ending)
  } catch (error) {
    // It has ended: another request was first, or the one before whose answer was lost.
    if (!(error instanceof ApiError) || error.code !== 'not-found') throw error
  } finally {
    await reload(accountId)
  }
}

/**
 * Gives a share new login data; the old ones end at once, and if wanted everything that was shared from it. By the key a repeated request gets the
 * login data of the first, which would else be lost with its answer. Throws [`ApiError`].
 */
export async function renewShareLogin(
  accountId: string,
  shareId: string,
  andSharedOn: boolean,
  key: string,
): Promise<ShareLogin> {
  const renew = () =>
    call(accountId, (caller) =>
      unwrap(
        api.POST('/api/pro/share/account/{shareId}/login', {
          params: { path: { shareId }, query: { andSharedOn } },
          ...caller,
          headers: { ...caller.headers, 'Idempotency-Key': key },
        }),
      ),
    )
  try {
    return await twiceIfLost(renew)
  } finally {
    await reload(accountId)
  }
}

/** Asks anew for an account's shares, with what those below it made. Never rejects: the list says itself that it cannot be had. */
async function reload(accountId: string): Promise<void> {
  const [path] = keys.shares(accountId)
  await mutate((key) => Array.isArray(key) && key[0] === path && key[1] === accountId).catch(() => undefined)
}
