/** New versions of the portal: found in the background, taken over when a person says so (P "Update"). */
import { useSyncExternalStore } from 'react'
import { type Keep, SKIP_WAITING } from './message.ts'

/** Between two looks for a new version while the portal stays open. */
const LOOK_MS = 3_600_000

let registration: ServiceWorkerRegistration | undefined
let isAvailable = false
let isAccepted = false
const listeners = new Set<() => void>()

/** Puts the service worker to work; the development server has none. */
export async function startUpdates(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  let { controller } = serviceWorker
  serviceWorker.addEventListener('controllerchange', () => {
    if (isAccepted) location.reload()
    // Another tab took the new version; this one still runs the old. WebKit may tell of one and the same twice.
    else if (controller && controller !== serviceWorker.controller) offer()
    controller = serviceWorker.controller
  })
  void tellFiles(serviceWorker)
  registration = await serviceWorker.register('/service-worker.js')
  const current = registration
  const follow = () => {
    const worker = current.installing
    worker?.addEventListener('statechange', () => {
      // The first one has the page already, where its event is late.
      if (worker.state === 'installed' && serviceWorker.controller && serviceWorker.controller !== worker) offer()
    })
  }
  current.addEventListener('updatefound', follow)
  follow()
  if (current.waiting && serviceWorker.controller) offer()
  const look = () => {
    if (navigator.onLine) current.update().catch(() => undefined)
  }
  window.setInterval(look, LOOK_MS)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && look())
}

/** Whether a newer version can be had. */
export const useUpdateAvailable = (): boolean => useSyncExternalStore(subscribe, () => isAvailable)

/** Tells the service worker which files this page has used, once those that come pass through it; of a portal on the home screen, all. */
async function tellFiles(serviceWorker: ServiceWorkerContainer): Promise<void> {
  if (!serviceWorker.controller) {
    await new Promise((resolve) => serviceWorker.addEventListener('controllerchange', resolve, { once: true }))
  }
  const used = performance.getEntriesByType('resource').map(({ name }) => name)
  const isOnHomeScreen = matchMedia('(display-mode: standalone)').matches
  const message: Keep = { keep: isOnHomeScreen ? 'all' : used.filter((name) => name.startsWith(location.origin)) }
  serviceWorker.controller?.postMessage(message)
}

/** Takes the newer version: the page loads anew once it is active. */
export function acceptUpdate(): void {
  isAccepted = true
  if (registration?.waiting) registration.waiting.postMessage(SKIP_WAITING)
  else location.reload()
}

/** Whether the page is about to load anew because its reader said so. */
export const isUpdating = (): boolean => isAccepted

function offer(): void {
  isAvailable = true
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
