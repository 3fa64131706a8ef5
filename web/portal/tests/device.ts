import { expect, type Page } from '@playwright/test'

/** A draft with a photo. */
export const WITH_PHOTO = '"photoIds":["'

/** Waits until all of this is among the drafts on the device: a reload takes no account of what is still on its way there. */
export async function expectKept(page: Page, ...parts: string[]): Promise<void> {
  for (const part of parts) await expect.poll(() => stored(page, 'drafts')).toContain(part)
}

/** Waits until nothing that was entered is on the device. */
export async function expectNothingKept(page: Page): Promise<void> {
  for (const store of ['outbox', 'drafts', 'photos']) await expect.poll(() => stored(page, store)).toBe('[[],[]]')
}

/** Waits until an answer of the server is on the device, by its key or by what is in it. */
export async function expectSeen(page: Page, part: string): Promise<void> {
  await expect.poll(() => stored(page, 'answers')).toContain(part)
}

/** Has photos that are picked be prepared only once the returned function is called. */
export async function holdPhotos(page: Page): Promise<() => Promise<void>> {
  await page.addInitScript(() => {
    const post = Object.getOwnPropertyDescriptor(Worker.prototype, 'postMessage')?.value as (
      this: Worker,
      message: unknown,
    ) => void
    const released = new Promise((resolve) => window.addEventListener('release', resolve))
    Worker.prototype.postMessage = function (this: Worker, message: unknown) {
      void released.then(() => post.call(this, message))
    }
  })
  return () => page.evaluate(() => void window.dispatchEvent(new Event('release')))
}

/** Waits until the portal opens without a network: the service worker has the page, and every file that was used. */
export async function expectInstalled(page: Page): Promise<void> {
  const missing = () =>
    page.evaluate(async () => {
      await navigator.serviceWorker.ready
      const used = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
      const needed = ['/index.html', ...used.filter((path) => path.startsWith('/assets/'))]
      const kept = await Promise.all(needed.map((path) => caches.match(path, { ignoreSearch: true, ignoreVary: true })))
      return needed.filter((_, place) => !kept[place])
    })
  await expect.poll(missing).toEqual([])
}

/** All keys and values of one of the portal's stores. */
const stored = (page: Page, name: string) =>
  page.evaluate(
    (name) =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('zaehlwerk')
        opening.addEventListener('error', () => reject(new Error('no database')))
        opening.addEventListener('success', () => {
          const database = opening.result
          const reading = database.transaction(name)
          const store = reading.objectStore(name)
          const [keys, values] = [store.getAllKeys(), store.getAll()]
          reading.addEventListener('complete', () => {
            database.close()
            resolve(JSON.stringify([keys.result, values.result]))
          })
        })
      }),
    name,
  )
