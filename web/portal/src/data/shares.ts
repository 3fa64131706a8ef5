import useSWR, { mutate } from 'swr'
import { type ApiError, api, unwrap } from '@shared/api/client.ts'
import type { CreatedShare, Share, ShareLogin, ShareRequest } from '@shared/contract/types.ts'
import { call } from '@/auth/call.ts'
import { keys } from './keys.ts'

/** The shares that an account made, oldest first. */
export function useShares(accountId: string): { shares: readonly Share[] | undefined; error: ApiError | undefined } {
  const { data, error } = useSWR<Share[], ApiError>(keys.shares(accountId), () =>
    call(accountId, async (headers) => {
      const { sharedAccounts } = await unwrap(api.GET('/api/pro/share/account', { headers }))
      return sharedAccounts
    }),
  )
  return { shares: data, error }
}

/** Makes a share; the key lets a repeated request get the answer of the first. Throws [`ApiError`]. */
export async function createShare(accountId: string, body: ShareRequest, key: string): Promise<CreatedShare> {
  const created = await call(accountId, (headers) =>
    unwrap(api.POST('/api/pro/share/job', { body, headers: { ...headers, 'Idempotency-Key': key } })),
  )
  await reload(accountId)
  return created
}

/** Ends a share and everything that was shared from it. */
export async function deleteShare(accountId: string, shareId: string): Promise<void> {
  await call(accountId, (headers) =>
    unwrap(api.DELETE('/api/pro/share/account/{shareId}', { params: { path: { shareId } }, headers })),
  )
  await reload(accountId)
}

/** Takes a job out of a share. */
export async function removeSharedJob(accountId: string, shareId: string, jobId: string): Promise<void> {
  await call(accountId, (headers) =>
    unwrap(
      api.DELETE('/api/pro/share/account/{shareId}/job/{jobId}', { params: { path: { shareId, jobId } }, headers }),
    ),
  )
  await reload(accountId)
}

/** Gives a share new login data; the old ones end at once. */
export async function renewShareLogin(accountId: string, shareId: string): Promise<ShareLogin> {
  const login = await call(accountId, (headers) =>
    unwrap(
      api.POST('/api/pro/share/account/{shareId}/login', {
        params: { path: { shareId } },
        headers: { ...headers, 'Idempotency-Key': crypto.randomUUID() },
      }),
    ),
  )
  await reload(accountId)
  return login
}

const reload = (accountId: string) => mutate(keys.shares(accountId))
