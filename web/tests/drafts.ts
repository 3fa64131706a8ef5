import { expect, type Page } from '@playwright/test'

/** A draft with a photo. */
export const WITH_PHOTO = '"photoIds":["'

/** Waits until all of this is on the device: a reload takes no account of what is still on its way there. */
export async function expectKept(page: Page, ...parts: string[]): Promise<void> {
  for (const part of parts) await expect.poll(() => kept(page)).toContain(part)
}

/** Everything that the device keeps of what was begun. */
const kept = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('zaehlwerk')
        opening.addEventListener('error', () => reject(new Error('no database')))
        opening.addEventListener('success', () => {
          const all = opening.result.transaction('drafts').objectStore('drafts').getAll()
          all.addEventListener('success', () => {
            opening.result.close()
            resolve(JSON.stringify(all.result))
          })
        })
      }),
  )
