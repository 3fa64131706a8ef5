/** Whether the portal's server can be reached: what the browser says, and what a small call finds out (L4). */
import { useSyncExternalStore } from 'react'
import { api } from '@shared/api/client.ts'

/** Between two calls that look whether the server is there (L9). */
const PROBE_MS = 30_000
/** A server that says nothing for so long is out of reach. In a cellar an answer takes its time, and readings arrive all the same. */
const PATIENCE_MS = 10_000

let online = navigator.onLine
/** Counts what was found out or is being looked for: an older answer says nothing about now. */
let latest = 0
const listeners = new Set<() => void>()

/** Looks at once, on each event of the browser, and every 30 s. */
export function startConnectivity(): void {
  window.addEventListener('offline', () => {
    latest += 1
    set(false)
  })
  window.addEventListener('online', () => void probe())
  window.setInterval(() => void probe(), PROBE_MS)
  if (online) void probe()
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

/** Looks whether the server is there. Any answer is one; what it says is for those who asked for something. */
export async function probe(patience = PATIENCE_MS): Promise<boolean> {
  latest += 1
  const own = latest
  const isReached =
    navigator.onLine &&
    (await api.HEAD('/api/public/application', { cache: 'no-store', signal: AbortSignal.timeout(patience) }).then(
      () => true,
      () => false,
    ))
  if (own === latest) set(isReached)
  return isReached
}

function set(next: boolean): void {
  if (next === online) return
  online = next
  for (const listener of listeners) listener()
}
