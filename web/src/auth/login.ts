import { ApiError, api, unwrap } from '@/api/client.ts'
import type { Application } from '@/api/types.ts'
import { readClaims } from './claims.ts'
import { addSession } from './sessions.ts'

/** What a person logs in with. */
export type Grant = { username: string; password: string } | { token: string }

export { withoutWhiteSpace as withoutBlanks } from '@/rules/login.ts'

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
