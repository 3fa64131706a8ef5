import { useLocation } from 'wouter'
import { useApplication } from '@/api/application.ts'
import { paths } from './paths.ts'

/** How somebody came in. */
type Way = 'credentials' | 'token'

/**
 * Where a login leads (L2, L4): who came for a certain page stays on it; everybody else goes to the jobs where the tenant wants
 * that, after a login by link to the introduction, and else to the start.
 */
export function useArrival(): (way: Way) => void {
  const { redirectToJobsScreenOnLoginEnabled } = useApplication().features
  const [path, navigate] = useLocation()
  return (way) => {
    const cameToLogIn = path === paths.home() || path === paths.addAccount()
    if (!cameToLogIn) return
    const start = way === 'token' ? paths.introduction() : paths.home()
    navigate(redirectToJobsScreenOnLoginEnabled ? paths.jobs() : start, { replace: true })
  }
}
