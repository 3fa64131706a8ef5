import { useLocation } from 'wouter'
import type { Application } from '@shared/contract/types.ts'
import { currentSessions } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'
import { paths } from './paths.ts'

/** How the reader logged in. */
type Way = 'credentials' | 'token'

/**
 * Where a login leads (L2, L4): who came for a certain page stays on it, which is undefined here; a link to what one's own other account has
 * shared leads to that share; everybody else goes to the jobs where the tenant wants that, after a login by link to the introduction, and
 * else to the start.
 */
export function arrivalPath({ features }: Application, way: Way, accountId?: string): string | undefined {
  // Where they are now: who went on to another page while the login was on its way stays there.
  const { pathname } = window.location
  const cameToLogIn = pathname === paths.home() || pathname === paths.addAccount()
  if (!cameToLogIn) return undefined
  const share = way === 'token' && accountId ? sharedByOneself(accountId) : undefined
  const start = way === 'token' ? paths.introduction() : paths.home()
  return share ?? (features.redirectToJobsScreenOnLoginEnabled ? paths.jobs() : start)
}

/** Goes there. */
export function useArrival(): (way: Way, accountId?: string) => void {
  const application = useApplication()
  const [, navigate] = useLocation()
  return (way, accountId) => {
    const path = arrivalPath(application, way, accountId)
    if (path !== undefined) navigate(path, { replace: true })
  }
}

/** The page of the share that an account is, when the account that made it is logged in, too. */
function sharedByOneself(accountId: string): string | undefined {
  const sessions = currentSessions()
  const parentId = sessions.find((session) => session.accountId === accountId)?.info.parentId
  const isThere = sessions.some((session) => session.accountId === parentId)
  return parentId && isThere ? paths.managedAccount(parentId, accountId) : undefined
}
