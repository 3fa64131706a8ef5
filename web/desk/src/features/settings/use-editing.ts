import { useRef, useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { getSettings, putDraft, useSettings } from '@/data/settings.ts'
import type { Settings } from '@/data/types.ts'
import { contentOf, fileOf } from './documents.ts'
import { Overtaken } from './items.ts'

/** Gives what a file is to have, from what it is to have now; throws [`Overtaken`] when that has not what was shown any more. */
export type Change = (content: string | undefined) => string | undefined

export interface Editing {
  readonly tenant: string
  readonly settings: Settings
  /** A change is on its way. */
  readonly isBusy: boolean
  /** Keeps a change of a file as a draft; whether that was done. */
  readonly edit: (file: string, change: Change) => Promise<boolean>
  /** Keeps what a file is to have as a whole, in the place of what was shown, which has this hash; whether that was done. */
  readonly replace: (file: string, content: string | undefined, shown: string | null | undefined) => Promise<boolean>
  /** Does something, which answers with the settings if it changes them. */
  readonly act: (work: () => Promise<Settings | undefined>) => Promise<boolean>
}

/** How often a change is made anew because another member was faster. */
const ATTEMPTS = 3

const isStale = (error: unknown): boolean => error instanceof ApiError && error.code === 'conflict'

/**
 * The settings and how they are changed: one change after the other, each on what the one before left. A member who changes the same file at the
 * same time loses nothing, because a change is made anew on what the other one did, or is refused where it would undo that (D-SETTINGS-7).
 */
export function useEditing(tenant: string) {
  const { settings, error, keep } = useSettings(tenant)
  const [failure, setFailure] = useState<unknown>()
  const [waiting, setWaiting] = useState(0)
  const queue = useRef<Promise<unknown>>(Promise.resolve())
  const latest = useRef<Settings>(undefined)

  const act = async (work: () => Promise<Settings | undefined>): Promise<boolean> => {
    setWaiting((now) => now + 1)
    const turn = queue.current.then(async () => {
      setFailure(undefined)
      try {
        const found = await work()
        if (found) {
          latest.current = found
          await keep(found)
        }
        return true
      } catch (caught) {
        setFailure(caught)
        latest.current = undefined
        await keep()
        return false
      } finally {
        setWaiting((now) => now - 1)
      }
    })
    queue.current = turn
    return turn
  }

  const edit = async (file: string, change: Change): Promise<boolean> =>
    act(async () => {
      for (let attempt = 1; ; attempt += 1) {
        const known = latest.current ?? (await getSettings(tenant))
        const found = fileOf(known, file)
        try {
          return await putDraft(tenant, { file, content: change(contentOf(found)), seen: found?.hash ?? undefined })
        } catch (caught) {
          if (attempt === ATTEMPTS || !isStale(caught)) throw caught
          latest.current = undefined
        }
      }
    })

  const replace: Editing['replace'] = async (file, content, shown) =>
    act(async () => {
      try {
        return await putDraft(tenant, { file, content, seen: shown ?? undefined })
      } catch (caught) {
        throw isStale(caught) ? new Overtaken() : caught
      }
    })

  return { settings, error, failure, isBusy: waiting > 0, act, edit, replace, reload: async () => keep() }
}
