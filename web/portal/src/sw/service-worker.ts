/// <reference lib="webworker" />
/**
 * Keeps the portal itself on the device, so that it opens without a network. Nothing that the API answers passes through
 * here: what was seen last is the pages' own business.
 */
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { SKIP_WAITING } from './message.ts'

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] }

// oxlint-disable-next-line no-underscore-dangle -- The build looks for this name and puts the list of files there.
precacheAndRoute(self.__WB_MANIFEST)
cleanupOutdatedCaches()
registerRoute(new NavigationRoute(createHandlerBoundToURL('index.html'), { denylist: [/^\/(api|auth)\//] }))

// The first visit may be the only one with a network.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('message', (event) => {
  if (event.data === SKIP_WAITING) void self.skipWaiting()
})
