import type { APIRequestContext, Page } from '@playwright/test'

const site = () => process.env['ZW_SITE'] ?? ''

/** Revokes a page's sessions behind its back. */
export async function endSessions(page: Page, request: APIRequestContext): Promise<void> {
  const tokens = await page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('zaehlwerk')
        opening.addEventListener('error', () => reject(new Error('no database')))
        opening.addEventListener('success', () => {
          const all = opening.result.transaction('sessions').objectStore('sessions').getAll()
          all.addEventListener('success', () => {
            opening.result.close()
            resolve((all.result as { refreshToken: string }[]).map(({ refreshToken }) => refreshToken))
          })
        })
      }),
  )
  const { applicationId } = (await (await request.get(`${site()}/api/public/application`)).json()) as {
    applicationId: string
  }
  for (const refreshToken of tokens)
    await request.post(`${site()}/auth/logout`, { data: { applicationId, refreshToken } })
}

/** A page comes back from the memory of the browser, as after a way to another site, and the device has no session any more. */
export const comeBackWithoutSessions = (page: Page): Promise<void> =>
  page.evaluate(
    () =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('zaehlwerk')
        opening.addEventListener('error', () => reject(new Error('no database')))
        opening.addEventListener('success', () => {
          const change = opening.result.transaction('sessions', 'readwrite')
          change.objectStore('sessions').clear()
          change.addEventListener('complete', () => {
            opening.result.close()
            window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
            resolve()
          })
        })
      }),
  )

/** The sessions on the device were renewed last so many days ago. */
export const ageSessions = (page: Page, days: number): Promise<void> =>
  page.evaluate(
    (age) =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('zaehlwerk')
        opening.addEventListener('error', () => reject(new Error('no database')))
        opening.addEventListener('success', () => {
          const change = opening.result.transaction('sessions', 'readwrite')
          const sessions = change.objectStore('sessions')
          const all = sessions.getAll()
          all.addEventListener('success', () => {
            for (const session of all.result as { renewed: number }[]) {
              session.renewed -= age
              sessions.put(session)
            }
          })
          change.addEventListener('complete', () => {
            opening.result.close()
            resolve()
          })
        })
      }),
    days * 86_400_000,
  )
