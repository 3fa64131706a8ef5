/// <reference lib="webworker" />
/**
 * Keeps the portal itself on the device, so that it opens without a network: what was used of it (D-START-4). Nothing that the API answers
 * passes through here: what was seen last is the pages' own business.
 */
import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching'
import { NavigationRoute, registerRoute } from 'workbox-routing'
import { isPage } from '@shared/api/client.ts'
import { type Keep, SKIP_WAITING } from './message.ts'

declare const self: ServiceWorkerGlobalScope

const PAGE = 'index.html'
/** Name of the cache of all other files. */
const FILES = 'files'
/** What every page is made of (`vite.config.ts`), but for its language. */
const ALWAYS = /^\/(?:browser\.js|assets\/(?:index|early|later|link|login|rolldown-runtime)-[\w-]{8}\.(?:js|css))$/
// oxlint-disable-next-line no-underscore-dangle -- The build looks for this name and puts the list of files there.
const files = self.__WB_MANIFEST as { url: string; revision: string | null }[]
/** By path, whether the file keeps its content for ever, because its name changes with it. */
const isFixed = new Map(files.map(({ url, revision }) => [`/${url}`, revision === null]))
const others = [...isFixed.keys()].filter((path) => path !== `/${PAGE}`)

precacheAndRoute(files.filter(({ url }) => url === PAGE))
cleanupOutdatedCaches()
registerRoute(new NavigationRoute(createHandlerBoundToURL(PAGE), { denylist: [/^\/(api|auth)\//] }))
registerRoute(
  ({ url, sameOrigin }) => sameOrigin && others.includes(url.pathname),
  ({ url, event }) => answer(url.pathname, event),
)

/** A file as the network has it. Rejects where a machine in between answers with a page, as the login page of a network (D-OUTBOX-8). */
async function fetchFile(path: string): Promise<Response> {
  const file = await fetch(path)
  if (isPage(file.headers)) throw new Error(`${path}: a page`)
  return file
}

/** A file: from the device where it cannot have changed, else from the network as long as there is one. */
async function answer(path: string, event: ExtendableEvent): Promise<Response> {
  const cache = await caches.open(FILES)
  const kept = await cache.match(path, { ignoreVary: true })
  if (kept && isFixed.get(path)) return kept
  try {
    const fresh = await fetchFile(path)
    // A device that is full shows it all the same.
    if (fresh.ok) event.waitUntil(cache.put(path, fresh.clone()).catch(() => undefined))
    return fresh
  } catch (error) {
    if (kept) return kept
    throw error
  }
}

const pathOf = (address: string) => new URL(address, self.location.origin).pathname

/** Fetches a file if it is not there in this version; what a page has used is still in the browser's own cache. Rejects without it. */
async function keep(path: string): Promise<void> {
  const cache = await caches.open(FILES)
  if (isFixed.get(path) && (await cache.match(path, { ignoreVary: true }))) return
  const file = await fetchFile(path)
  if (!file.ok) throw new Error(`${path}: ${file.status}`)
  await cache.put(path, file)
}

/** The name of a file in every version. */
const stem = (path: string) => path.replace(/-[\w-]{8}(?=\.\w+$)/, '')

/** What every page is made of, and what of this version stands in the place of what is kept of earlier ones, in whichever cache. */
async function needed(): Promise<string[]> {
  const caught = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()))
  const kept = new Set(caught.flat().map(({ url }) => stem(pathOf(url))))
  return others.filter((path) => ALWAYS.test(path) || kept.has(stem(path)))
}

/** A version that is not whole takes no other's place. */
async function install(): Promise<void> {
  await Promise.all((await needed()).map(keep))
}

self.addEventListener('install', (event) => event.waitUntil(install()))

/** Forgets the files of earlier versions. */
async function forgetOthers(): Promise<void> {
  const cache = await caches.open(FILES)
  const old = (await cache.keys()).filter(({ url }) => !others.includes(pathOf(url)))
  await Promise.all(old.map((request) => cache.delete(request)))
}

// The first visit may be the only one with a network.
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([self.clients.claim(), forgetOthers()])))

self.addEventListener('message', (event) => {
  const data = event.data as typeof SKIP_WAITING | Keep
  if (data === SKIP_WAITING) void self.skipWaiting()
  else {
    const wanted = data.keep === 'all' ? others : data.keep.map(pathOf).filter((path) => others.includes(path))
    event.waitUntil(Promise.allSettled(wanted.map(keep)))
  }
})
