/** So long a file may be on its way, in milliseconds: that of a connection that died in silence would be for ever. */
const PATIENCE_MS = 60_000

/** What has come, and what is on its way. */
const files = new Map<string, Promise<void>>()

async function ask(name: string, cache: RequestCache = 'default'): Promise<void> {
  const answer = await fetch(`/assets/${name}`, { cache, signal: AbortSignal.timeout(PATIENCE_MS) })
  if (!answer.headers.get('content-type')?.includes('script')) throw new Error(name, { cause: answer.status })
  await answer.blob()
}

/**
 * Resolves when the file of a script is in the browser's cache. Each is asked for once, however many wait for it, and again when it did not
 * come: rejects with the answer's status as the cause when something else came in its place, and without one when there is no network.
 */
export function file(name: string): Promise<void> {
  // What the cache has may be a page that a network put in the file's place.
  const whole = files.get(name) ?? ask(name).catch(() => ask(name, 'reload'))
  files.set(name, whole)
  whole.catch(() => files.delete(name))
  return whole
}
