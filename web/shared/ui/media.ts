import { useSyncExternalStore } from 'react'

/** Under 640 px list and detail stand alone, and deeper pages have a back button (L2). */
const SMALL = '(width < 40rem)'

/** A list, a meter and a text have room beside each other. */
const WIDE = '(width >= 75rem)'

const subscribeTo = (query: string) => (listener: () => void) => {
  const media = matchMedia(query)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

const subscribeToSmall = subscribeTo(SMALL)
const subscribeToWide = subscribeTo(WIDE)

/** Whether the screen is a small one. */
export const useSmallScreen = (): boolean => useSyncExternalStore(subscribeToSmall, () => matchMedia(SMALL).matches)

/** Whether the screen is a wide one. */
export const useWideScreen = (): boolean => useSyncExternalStore(subscribeToWide, () => matchMedia(WIDE).matches)
