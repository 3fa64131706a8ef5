/** What comes after the first screen (`later.ts`): it does not compete with it for the network (D-START-5). */

import { untilThere } from '@shared/api/until-there.ts'
import { loadTexts } from '@shared/i18n/i18n.ts'
import { Toast } from '@shared/ui/notifications.tsx'

type Later = typeof import('./later.ts')

let coming: Promise<Later> | undefined

/** Fetches it, once a page, and shows what waits. Rejects when it cannot be had; a later call tries again. */
export function later(): Promise<Later> {
  coming ??= fetchLater()
  coming.catch(() => {
    coming = undefined
  })
  return coming
}

async function fetchLater(): Promise<Later> {
  const start = async () => {
    const part = await import('./later.ts')
    await part.startOffline()
    return part
  }
  const [part] = await Promise.all([start(), loadTexts(['errors', 'offline']), Toast.load()])
  return part
}

/** The same, however long the network takes to be there. */
export const surely = (): Promise<Later> => untilThere(later)
