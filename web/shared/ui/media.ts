import { useSyncExternalStore } from 'react'
import { isDialogOpen, onDialogs } from './topmost.ts'

/** Under 640 px list and detail stand alone, and deeper pages have a back button (L2). */
const SMALL = '(width < 40rem)'

/** A list, a meter and a text have room beside each other. */
const WIDE = '(width >= 75rem)'

/**
 * Whether the screen is so. While a dialog is open it stays as it was: who turns their phone keeps the dialog, whose list or meter may
 * have no place on the other screen.
 */
function watch(query: string): () => boolean {
  let isSo: boolean | undefined
  const subscribe = (listener: () => void) => {
    const media = matchMedia(query)
    media.addEventListener('change', listener)
    // One dialog may take the place of another one, with none open in between.
    const stopListening = onDialogs(() => queueMicrotask(listener))
    return () => {
      media.removeEventListener('change', listener)
      stopListening()
    }
  }
  const look = () => {
    if (isSo === undefined || !isDialogOpen()) isSo = matchMedia(query).matches
    return isSo
  }
  return () => useSyncExternalStore(subscribe, look)
}

/** Whether the screen is a small one. */
export const useSmallScreen = watch(SMALL)

/** Whether the screen is a wide one. */
export const useWideScreen = watch(WIDE)
