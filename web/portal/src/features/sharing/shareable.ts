import { useMemo } from 'react'
import type { Job } from '@shared/contract/types.ts'
import { isShareable } from '@shared/rules/share.ts'
import { type Session, useSessions } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'
import { useJobs } from '@/data/jobs.ts'

/** The jobs that may be shared (L5). */
export function useShareable(jobs: readonly Job[] | undefined): Job[] {
  const { features } = useApplication()
  return useMemo(() => (jobs ?? []).filter((job) => isShareable(job, features)), [jobs, features])
}

/** The accounts that have something to share: theirs is the management (L2, L6). */
export function useSharingAccounts(): Session[] {
  const shareable = useShareable(useJobs().jobs)
  const sessions = useSessions()
  return useMemo(() => {
    const owners = new Set(shareable.map(({ login }) => login))
    return sessions.filter(({ accountId }) => owners.has(accountId))
  }, [shareable, sessions])
}
