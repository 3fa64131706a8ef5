import { ApiError, api, unwrap } from '@shared/api/client.ts'
import type { Application } from '@shared/contract/types.ts'
import type { StoredSession } from '@/device/db.ts'
import { call, early, LOGIN_PATIENCE_MS } from '@/early/early.ts'
import { type AccessToken, fresh } from './access-token.ts'
import { readClaims } from './claims.ts'
import { addSession } from './sessions.ts'

/** What a person logs in with. */
export type Grant = { username: string; password: string } | { token: string }

export { withoutWhiteSpace as withoutBlanks } from '@shared/rules/white-space.ts'

/** A login that the server has accepted and this browser has not taken in yet. */
export interface NewLogin {
  readonly session: StoredSession
  readonly access: AccessToken
}

/** Asks the server for a login. Throws [`ApiError`]. */
export async function authenticate({ applicationId }: Application, grant: Grant): Promise<NewLogin> {
  const answer = await unwrap(
    api.POST('/auth/token', {
      body: { applicationId, ...grant },
      signal: AbortSignal.timeout(LOGIN_PATIENCE_MS),
      ...('token' in grant && { fetch: early(call.login(grant.token)) }),
    }),
  )
  const { token, refreshToken, username, expiresIn } = answer
  const access = fresh(token, expiresIn * 1000)
  const claims = readClaims(token)
  if (!claims) throw new ApiError('internal-error')
  const Authorization = `Bearer ${token}`
  const info = await unwrap(
    api.GET('/api/pro/account/info', {
      headers: { Authorization },
      signal: AbortSignal.timeout(LOGIN_PATIENCE_MS),
      fetch: early(call.account(Authorization)),
    }),
  )
  const { accountId, roles, login } = claims
  return { session: { accountId, roles, login, refreshToken, username, info }, access }
}

/** Takes a login in; where the tenant allows one account only, in the place of the others. */
export const enter = ({ features }: Application, { session, access }: NewLogin): Promise<void> =>
  addSession(session, access, !features.multipleAccountsLoginEnabled)
