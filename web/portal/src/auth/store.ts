import { database, type StoredSession } from '@/device/db.ts'

/** All stored sessions; those without a refresh token cannot be continued and are dropped (L4). */
export async function readSessions(): Promise<StoredSession[]> {
  const stored = await (await database()).getAll('sessions')
  return stored.filter((session) => session.refreshToken)
}

/** One stored session. */
export const readSession = async (accountId: string): Promise<StoredSession | undefined> =>
  (await database()).get('sessions', accountId)

/** Stores or replaces a session. */
export async function writeSession(session: StoredSession): Promise<void> {
  await (await database()).put('sessions', session)
}

/**
 * Stores what a session goes on with; false when it is no longer there or goes on with something else, because somebody logged out or in
 * meanwhile.
 */
export async function continueSession(before: StoredSession, refreshToken: string): Promise<boolean> {
  const { store, done } = (await database()).transaction('sessions', 'readwrite')
  const isStill = (await store.get(before.accountId))?.refreshToken === before.refreshToken
  if (isStill) await store.put({ ...before, refreshToken })
  await done
  return isStill
}

/** Forgets a session. */
export async function deleteSession(accountId: string): Promise<void> {
  await (await database()).delete('sessions', accountId)
}
