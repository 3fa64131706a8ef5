import { accessToken, currentSessions, endEverywhere, forget } from './sessions.ts'

/** The server forgets a session that was not renewed for so long; a device that cannot ask it does, too (D-SECURITY-5). */
const LIFE_MS = 30 * 86_400_000

/** Ends the sessions that are too old, before anything of them is shown. Never rejects. */
export async function endOldSessions(): Promise<void> {
  const latest = Date.now() - LIFE_MS
  const old = currentSessions().filter(({ renewed = Infinity }) => renewed < latest)
  await Promise.all(
    old.map(({ accountId }) =>
      // The device's clock may be wrong, and the server knows better.
      accessToken(accountId).catch(async () => {
        await endEverywhere(accountId)
        // The last one, too, is not to be seen any more.
        await forget(accountId)
      }),
    ),
  )
}
