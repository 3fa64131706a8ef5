import { currentSessions } from '@/auth/sessions.ts'
import { deleteDrafts, readDrafts } from '@/device/drafts.ts'
import { currentEntries, discard } from './outbox.ts'

const others = (accountId: string) =>
  new Set(
    currentSessions()
      .map((other) => other.accountId)
      .filter((id) => id !== accountId),
  )

/** How many readings the other accounts that are logged in have entered and not sent, waiting or begun. */
export async function unsentOfOthers(accountId: string): Promise<number> {
  const owners = others(accountId)
  const unsent = [...currentEntries(), ...(await readDrafts())]
  return unsent.filter((reading) => owners.has(reading.accountId)).length
}

/** Forgets what the other accounts that are logged in now have not sent. */
export async function discardUnsent(accountId: string): Promise<void> {
  const owners = others(accountId)
  const entries = currentEntries().filter((entry) => owners.has(entry.accountId))
  await Promise.all([...entries.map(({ key }) => discard(key)), ...[...owners].map(deleteDrafts)])
}
