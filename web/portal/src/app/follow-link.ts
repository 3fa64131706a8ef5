import type { Application } from '@shared/contract/types.ts'
import { currentSessions } from '@/auth/sessions.ts'
import { answered } from '@/early/begin.ts'
import { type LinkLogin, logInByLink } from '@/features/login/link-login.ts'
import { arrivalPath } from './arrival.ts'

/** A link that was followed and has led nowhere yet. */
export interface FollowedLink {
  readonly token: string
  /** The login, where it has begun. */
  readonly begun?: Promise<LinkLogin>
}

/** Logs in and goes where the link leads (D-START-6); where that takes until `late`, a screen has to do the rest, which is the answer. */
export async function followLink(
  application: Application,
  token: string,
  late: Promise<void>,
): Promise<FollowedLink | undefined> {
  const isAlone = currentSessions().length === 0
  // What an account loses that makes way, a screen has to see.
  if (!isAlone && !application.features.multipleAccountsLoginEnabled) return { token }
  const begun = logInByLink(application, token)
  const arrived = Promise.all([begun, answered]).then(
    ([{ accountId, question }]) => (question ? undefined : accountId),
    () => undefined,
  )
  const accountId = await Promise.race([arrived, late])
  if (typeof accountId !== 'string') return { token, begun }
  const path = arrivalPath(application, 'token', accountId)
  if (path !== undefined) history.replaceState(null, '', path)
  return undefined
}
