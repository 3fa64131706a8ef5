/**
 * Whose unsent readings a tab still has a login for: one that a device without room could not store is known to no other tab
 * (D-PORTAL-18).
 */
import { useEffect } from 'react'
import { type Session, useSessions } from '@/auth/sessions.ts'
import { currentDrafts, onDrafts } from '@/device/drafts.ts'
import { currentEntries, onOutbox } from './outbox.ts'

/** A tab holds a lock of this name and the account's id. Only while something is unsent: browsers keep no page with a lock in memory. */
const PREFIX = 'zaehlwerk-unsent-'

/** By account, what lets go of its lock. */
const locks = new Map<string, AbortController>()

/** Tells the other tabs. */
export function useClaims(): void {
  const sessions = useSessions()
  useEffect(() => {
    follow(sessions)
    const ends = [onOutbox, onDrafts].map((on) => on(() => follow(sessions)))
    return () => {
      for (const end of ends) end()
    }
  }, [sessions])
}

function follow(sessions: readonly Session[]): void {
  const unsent = new Set([...currentEntries(), ...currentDrafts()].map(({ accountId }) => accountId))
  const ours = sessions.flatMap(({ accountId }) => (unsent.has(accountId) ? [accountId] : []))
  for (const [accountId, end] of locks)
    if (!ours.includes(accountId)) {
      end.abort()
      locks.delete(accountId)
    }
  for (const accountId of ours) if (!locks.has(accountId)) locks.set(accountId, lock(accountId))
}

function lock(accountId: string): AbortController {
  const end = new AbortController()
  const { signal } = end
  const untilEnd = () => new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  // A browser that keeps nothing has no locks, and shares nothing among its tabs.
  navigator.locks.request(PREFIX + accountId, { mode: 'shared', signal }, untilEnd).catch(() => undefined)
  return end
}

/** The accounts that are logged in in any of the tabs and have something unsent. */
export async function claimedAccounts(): Promise<string[]> {
  const { held = [] } = await navigator.locks.query().catch((): LockManagerSnapshot => ({}))
  return held.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : []))
}
