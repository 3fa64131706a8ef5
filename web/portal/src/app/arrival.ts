import { useLocation } from 'wouter'
import { currentSessions } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'
import { paths } from './paths.ts'

/** How somebody came in. */
type Way = 'credentials' | 'token'

/**
 * Where a login leads (L2, L4): who came for a certain page stays on it; a link to what one's own other account has shared leads to
 * that share; everybody else goes to the jobs where the tenant wants that, after a login by link to the introduction, and else to
 * the start.
 */
export function useArrival(): (way: Way, accountId?: string) => void {
  const { redirectToJobsScreenOnLoginEnabled } = useApplication().features
  const [, navigate] = useLocation()
  return (way, accountId) => {
    // Where they are now: who went on to another page while the login was on its way stays there.
    const { pathname } = window.location
    const cameToLogIn = pathname === paths.home() || pathname === paths.addAccount()
    if (!cameToLogIn) return
    const share = way === 'token' && accountId ? sharedByOneself(accountId) : undefined
    const start = way === 'token' ? paths.introduction() : paths.home()
    navigate(share ?? (redirectToJobsScreenOnLoginEnabled ? paths.jobs() : start), { replace: true })
  }
}

/** The page of the share that an account is, when the account that made it is logged in, too. */
function sharedByOneself(accountId: string): string | undefined {
  const sessions = currentSessions()
  const parentId = sessions.find((session) => session.accountId === accountId)?.info.parentId
  const isThere = sessions.some((session) => session.accountId === parentId)
  return parentId && isThere ? paths.managedAccount(parentId, accountId) : undefined
}
