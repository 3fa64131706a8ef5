import useSWR, { mutate } from 'swr'
import { type ApiError, api, unwrap } from '@shared/api/client.ts'
import type { CreatedShare, Share, ShareLogin, ShareRequest } from '@shared/contract/types.ts'
import { call } from '@/auth/call.ts'
import { keys } from './keys.ts'

interface Shares {
  shares: readonly Share[] | undefined
  error: ApiError | undefined
}

/** The shares that an account made, or those that `of` made, a sub-account somewhere below it; oldest first. */
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

/** Makes a share; the key lets a repeated request get the answer of the first. Throws [`ApiError`]. */
export async function createShare(accountId: string, body: ShareRequest, key: string): Promise<CreatedShare> {
  const created = await call(accountId, (caller) =>
    unwrap(api.POST('/api/pro/share/job', { body, ...caller, headers: { ...caller.headers, 'Idempotency-Key': key } })),
  )
  await reload(accountId)
  return created
}

/** Ends a share, made by the account or by somebody below it, and everything that was shared from it. */
export async function deleteShare(accountId: string, shareId: string): Promise<void> {
  await call(accountId, (caller) =>
    unwrap(api.DELETE('/api/pro/share/account/{shareId}', { params: { path: { shareId } }, ...caller })),
  )
  await reload(accountId)
}

/** Takes a job out of a share. */
export async function removeSharedJob(accountId: string, shareId: string, jobId: string): Promise<void> {
  await call(accountId, (caller) =>
    unwrap(
      api.DELETE('/api/pro/share/account/{shareId}/job/{jobId}', { params: { path: { shareId, jobId } }, ...caller }),
    ),
  )
  await reload(accountId)
}

/** Gives a share new login data; the old ones end at once, and if wanted everything that was shared from it. */
export async function renewShareLogin(accountId: string, shareId: string, andSharedOn: boolean): Promise<ShareLogin> {
  const login = await call(accountId, (caller) =>
    unwrap(
      api.POST('/api/pro/share/account/{shareId}/login', {
        params: { path: { shareId }, query: { andSharedOn } },
        ...caller,
        headers: { ...caller.headers, 'Idempotency-Key': crypto.randomUUID() },
      }),
    ),
  )
  await reload(accountId)
  return login
}

// With what those below it made.
const reload = (accountId: string) => {
  const [path] = keys.shares(accountId)
  return mutate((key) => Array.isArray(key) && key[0] === path && key[1] === accountId)
}
