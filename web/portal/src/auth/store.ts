import { database, type StoredSession } from '@/device/db.ts'

/** By account, what a device without room could not store: it is there as long as the page (D-PORTAL-18). */
const held = new Map<string, StoredSession>()

/** What was stored of it before is spent. */
async function hold(session: StoredSession): Promise<void> {
  held.set(session.accountId, session)
  await (await database()).delete('sessions', session.accountId).catch(() => undefined)
}

/** All sessions; those without a refresh token cannot be continued and are dropped (L4). */
export async function readSessions(): Promise<StoredSession[]> {
  const stored = await (await database()).getAll('sessions')
  return [...stored.filter(({ accountId }) => !held.has(accountId)), ...held.values()].filter(
    (session) => session.refreshToken,
  )
}

/** One session. */
export const readSession = async (accountId: string): Promise<StoredSession | undefined> =>
  held.get(accountId) ?? (await database()).get('sessions', accountId)

/** Stores or replaces a session. */
export async function writeSession(session: StoredSession): Promise<void> {
  try {
    await (await database()).put('sessions', session)
    held.delete(session.accountId)
  } catch {
    await hold(session)
  }
}

/**
 * Stores what a session goes on with; false when it is no longer there or goes on with something else, because of a logout or login
 * meanwhile.
 */
export async function continueSession(before: StoredSession, next: StoredSession): Promise<boolean> {
  const { accountId } = before
  if (held.has(accountId)) {
    const isStill = held.get(accountId)?.refreshToken === before.refreshToken
    if (isStill) held.set(accountId, next)
    return isStill
  }
  const { store, done } = (await database()).transaction('sessions', 'readwrite')
  let isStill = false
  const put = async () => {
    isStill = (await store.get(accountId))?.refreshToken === before.refreshToken
    if (isStill) await store.put(next)
  }
  try {
    await Promise.all([put(), done])
  } catch (error) {
    if (!isStill) throw error
    await hold(next)
  }
  return isStill
}

/** Forgets a session. */
export async function deleteSession(accountId: string): Promise<void> {
  held.delete(accountId)
  await (await database()).delete('sessions', accountId)
}
