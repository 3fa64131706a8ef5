/** Whether the portal's server can be reached: what the browser says, and what a small call finds out (L4). */
import { useSyncExternalStore } from 'react'
import { isPage, onAnswer } from '@shared/api/client.ts'
import { noteTime } from './clock.ts'
import { PAUSES } from './pauses.ts'

/** The edge answers it itself (D-OUTBOX-9): it costs neither the API nor the table anything. */
const PROBE = '/api/public/application'
/** A server that says nothing for so long is out of reach. In a cellar an answer takes its time, and readings arrive all the same. */
const PATIENCE_MS = 10_000

let online = navigator.onLine
/** Counts what was found out or is being looked for: an older answer says nothing about now. */
let latest = 0
/** When the server was looked for last, or has answered a call, in the page's milliseconds; 0: neither. */
let lookedAt = 0
/** How many there are that wait for the network. */
let awaited = 0
let timer: number | undefined
const listeners = new Set<() => void>()

// What was answered is as good as a look.
onAnswer(() => {
  lookedAt = performance.now()
  if (timer === undefined) return
  if (online) schedule()
  else look()
})

/** Looks at once unless the API has just answered, on each event of the browser, while the reader does something, and now and then while the page is to be seen. */
export function startConnectivity(): void {
  window.addEventListener('offline', () => {
    latest += 1
    set(false)
  })
  window.addEventListener('online', () => void probe())
  // Who comes back to the page comes from another network, or wants to see that it is back.
  document.addEventListener('visibilitychange', look)
  window.addEventListener('focus', look)
  // Who does something is to know whether it can be sent.
  for (const deed of ['input', 'keydown', 'pointerdown']) {
    document.addEventListener(deed, () => {
      if (performance.now() - lookedAt >= PAUSES.wanted) look()
    })
  }
  if (online && lookedAt === 0) void probe()
  schedule()
}

/** Says that something waits for the network, which is then looked for every 5 s while it is gone; the returned function ends that. */
export function awaitNetwork(): () => void {
  awaited += 1
  schedule()
  return () => {
    awaited -= 1
    schedule()
  }
}

const isVisible = () => document.visibilityState === 'visible'

function look(): void {
  if (isVisible()) void probe().then(schedule)
}

function schedule(): void {
  clearTimeout(timer)
  timer = window.setTimeout(
    () => {
      // One call at a time: in a cellar each takes longer than the pause between them.
      void (isVisible() ? probe() : Promise.resolve()).then(schedule)
    },
    online ? PAUSES.idle : awaited > 0 ? PAUSES.awaited : PAUSES.wanted,
  )
}

/** Whether the server could be reached when last tried. */
export const isOnline = (): boolean => online

/** The same for screens. */
export const useOnline = (): boolean => useSyncExternalStore(onConnectivity, isOnline)

/** Calls back when the network comes or goes; the returned function stops that. */
export function onConnectivity(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Looks whether the server is there. Any answer is one, but the page of a network that wants a login first. */
export async function probe(patience = PATIENCE_MS): Promise<boolean> {
  latest += 1
  lookedAt = performance.now()
  const own = latest
  const isReached =
    navigator.onLine &&
    (await fetch(PROBE, { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(patience) }).then(
      ({ headers }) => {
        if (isPage(headers)) return false
        noteTime(headers)
        return true
      },
      () => false,
    ))
  if (own === latest) set(isReached)
  return isReached
}

function set(next: boolean): void {
  if (next === online) return
  online = next
  schedule()
  for (const listener of listeners) listener()
}
