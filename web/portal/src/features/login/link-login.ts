import type { Application } from '@shared/contract/types.ts'
import { authenticate, enter, type NewLogin } from '@/auth/login.ts'
import { currentSessions } from '@/auth/sessions.ts'
import { later } from '@/offline/on-demand.ts'

/** What became of a login by link. */
export interface LinkLogin {
  readonly accountId: string
  /** Where one account takes the place of the other, what the other has not sent would be gone: the reader has to say so first. */
  readonly question?: { readonly login: NewLogin; readonly count: number }
}

/** Logs in by a link, unless that would lose what another account has not sent. Throws [`ApiError`]. */
export async function logInByLink(application: Application, token: string): Promise<LinkLogin> {
  const login = await authenticate(application, { token })
  const { accountId } = login.session
  const count = application.features.multipleAccountsLoginEnabled ? 0 : await unsentOfOthers(accountId)
  if (count > 0) return { accountId, question: { login, count } }
  await enter(application, login)
  return { accountId }
}

/** How many readings would be gone; who is alone here has none to lose, and need not wait for what would know. */
async function unsentOfOthers(accountId: string): Promise<number> {
  const hasOthers = currentSessions().some((session) => session.accountId !== accountId)
  return hasOthers ? (await later()).unsentOfOthers(accountId) : 0
}
