/** What the first screen does without, in one file: what waits to be sent, with all that shows it, and new versions of the portal. */
import { startDrafts } from '@/device/drafts.ts'
import { startOutbox } from './outbox.ts'
import { startReplay } from './replay.ts'

export { catchFocus } from '@shared/ui/catch-focus.ts'
export { forgetData, forgetOthersJobs, reloadJobs } from '@/data/jobs.ts'
export { deleteDrafts } from '@/device/drafts.ts'
export { startUpdates } from '@/sw/update.ts'
export { UpdateDialog } from '@/sw/update-dialog.tsx'
export { hasUnsent, LogoutDialog, UnsentDialog } from './logout-dialog.tsx'
export { OfflineStatus } from './offline-status.tsx'
export { discardUnsent, unsentOfOthers } from './unsent.ts'

let started: Promise<void> | undefined

/** Finds what was typed, shows what waits, and sends it whenever that goes. */
export function startOffline(): Promise<void> {
  started ??= Promise.all([startOutbox().then(startReplay), startDrafts()]).then(() => undefined)
  return started
}
