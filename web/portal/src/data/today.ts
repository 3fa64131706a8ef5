import { useSyncExternalStore } from 'react'
import { dayIn, type IsoDate } from '@shared/rules/window.ts'
import { onTime, timeOfServer } from '@/device/clock.ts'
import { useApplication } from './application.ts'

/** Every time zone is so many milliseconds from UTC, or a multiple of it: days begin at no other time. */
const QUARTER_MS = 15 * 60_000

/** Today's date by the server's clock, where the tenant's days begin and end, also on a page that stays open. */
export function useToday(): IsoDate {
  const { timeZone } = useApplication()
  return useSyncExternalStore(subscribe, () => dayIn(timeZone, new Date(timeOfServer())))
}

function subscribe(look: () => void): () => void {
  let timer: number
  const wait = () => {
    timer = window.setTimeout(
      () => {
        look()
        wait()
      },
      QUARTER_MS - (timeOfServer() % QUARTER_MS),
    )
  }
  wait()
  // The server's quarters need not begin with those of the device.
  const stop = onTime(() => {
    look()
    window.clearTimeout(timer)
    wait()
  })
  // A device that slept does not run its timers.
  document.addEventListener('visibilitychange', look)
  window.addEventListener('focus', look)
  return () => {
    window.clearTimeout(timer)
    stop()
    document.removeEventListener('visibilitychange', look)
    window.removeEventListener('focus', look)
  }
}
