import { useEffect } from 'react'
import { isUpdating } from '@/sw/update.ts'

/** The browser asks before the tab is closed; its words are its own. */
export function useCloseWarning(isWaiting: boolean): void {
  useEffect(() => {
    if (!isWaiting) return
    const warn = (event: BeforeUnloadEvent) => {
      if (!isUpdating()) event.preventDefault()
    }
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isWaiting])
}
