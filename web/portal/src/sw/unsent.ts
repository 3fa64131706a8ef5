import { useEffect, useSyncExternalStore } from 'react'

let forms = 0
const listeners = new Set<() => void>()

/** Tells, while it is true, that a screen holds what would be lost with it, as what was typed and not sent: nothing may push in. */
export function useUnsentForm(isUnsent: boolean): void {
  useEffect(() => {
    if (!isUnsent) return
    count(1)
    return () => count(-1)
  }, [isUnsent])
}

/** Whether the reader is in the middle of one. */
export const useIsInForm = (): boolean => useSyncExternalStore(subscribe, () => forms > 0)

function count(change: 1 | -1): void {
  forms += change
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
