import { useSyncExternalStore } from 'react'

/** Under 640 px list and detail stand alone, and deeper pages have a back button (L2). */
const SMALL = '(width < 40rem)'

const query = () => matchMedia(SMALL)

function subscribe(listener: () => void): () => void {
  const media = query()
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/** Whether the screen is a small one. */
export const useSmallScreen = (): boolean => useSyncExternalStore(subscribe, () => query().matches)
