/** The time by the server's clock, which says what may be read and sent; the device's may be wrong by days (D-READING-29). */
import { onAnswer } from '@shared/api/client.ts'

/** What an answer takes on its way, and minutes that the reader does not notice, are no other time. */
const TOLERATED_MS = 3_600_000

/** So many milliseconds the server's clock is ahead of the device's, as far as that is known. */
let ahead = 0
const listeners = new Set<() => void>()

onAnswer(noteTime)

/** Milliseconds since 1970; without a network by what the last answer said. */
export const timeOfServer = (): number => Date.now() + ahead

/** Learns the server's time from an answer. */
export function noteTime(headers: Headers): void {
  const time = Date.parse(headers.get('date') ?? '')
  // What may be stored on the way may have been made at any time.
  if (!time || !headers.get('cache-control')?.includes('no-store')) return
  const difference = time - Date.now()
  ahead = Math.abs(difference) > TOLERATED_MS ? difference : 0
  for (const listener of listeners) listener()
}

/** Calls back when an answer has said what time it is; the returned function stops that. */
export function onTime(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
