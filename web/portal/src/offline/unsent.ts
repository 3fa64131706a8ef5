import { currentSessions } from '@/auth/sessions.ts'
import { readSessions } from '@/auth/store.ts'
import { currentDrafts, deleteDrafts, readDrafts } from '@/device/drafts.ts'
import { claimedAccounts } from './claims.ts'
import { currentEntries, discard, readEntries } from './outbox.ts'

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

/** Forgets what accounts that are not logged in on this device, in whichever tab, have entered and not sent. */
export async function discardUnsentOfAbsent(): Promise<void> {
  const stored = (await readSessions()).map(({ accountId }) => accountId)
  const present = new Set([...stored, ...(await claimedAccounts())])
  const isAbsent = ({ accountId }: { accountId: string }) => !present.has(accountId)
  const entries = (await readEntries()).filter(isAbsent)
  const drafts = [...(await readDrafts()), ...currentDrafts()].filter(isAbsent)
  const owners = new Set(drafts.map(({ accountId }) => accountId))
  await Promise.all([...entries.map(({ key }) => discard(key)), ...[...owners].map(deleteDrafts)])
}
