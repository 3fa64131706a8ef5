import { ApiError, api, unwrap } from '@/api/client.ts'
import type { Application } from '@/api/types.ts'
import { readClaims } from './claims.ts'
import { addSession } from './sessions.ts'

/** What a person logs in with. */
export type Grant = { username: string; password: string } | { token: string }

/** Letters print blanks for legibility; none of them belongs to a name or password (L5). */
export const withoutBlanks = (text: string): string => text.replace(/\s/gu, '')

/** Logs an account in and returns its id. Throws [`ApiError`]. */
export async function login(application: Application, grant: Grant): Promise<string> {
  const { applicationId } = application
  const answer = await unwrap(api.POST('/auth/token', { body: { applicationId, ...grant } }))
  const claims = readClaims(answer.token)
  if (!claims) throw new ApiError('internal-error')
  const info = await unwrap(api.GET('/api/pro/account/info', { headers: { Authorization: `Bearer ${answer.token}` } }))
  const { accountId, roles, login } = claims
  const { refreshToken, username } = answer
  await addSession(
    { accountId, roles, login, refreshToken, username, info },
    answer.token,
    !application.features.multipleAccountsLoginEnabled,
  )
  return accountId
}
