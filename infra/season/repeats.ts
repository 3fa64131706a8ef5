/** How a function repeats a transaction that met another one, or for which there was no room (`functions/store/src/tx.rs`). */
import { rustConstant } from './inputs.ts'

const ATTEMPTS = rustConstant('store/src/tx.rs', 'ATTEMPTS')
const [FIRST, LONGEST] = ['FIRST_MICROS', 'LONGEST_MICROS'].map(
  (name) => rustConstant('store/src/random.rs', name) / 1000,
)

/** Milliseconds before an attempt, on the average: by chance between a quarter and the whole of a time that doubles. */
const pause = (attempt: number) => (5 / 8) * Math.min((FIRST ?? 0) * 2 ** attempt, LONGEST ?? 0)

/** Milliseconds that were waited at each attempt, the first one first. */
export const waits: readonly number[] = Array.from({ length: ATTEMPTS }, (_, attempt) =>
  Array.from({ length: attempt }, (_, before) => pause(before + 1)).reduce((sum, wait) => sum + wait, 0),
)

/** Seconds after which the last attempt is made. */
export const PATIENCE = Math.ceil((waits.at(-1) ?? 0) / 1000)

/** What there is room for under one partition key. */
export interface Room {
  /** The share of attempts that find room. */
  ofAttempts: number
  /** The share of requests for which there is room at all, if no other request were at work there. */
  ofAll: number
}

/** The share of requests that are through at each attempt; who meets one of several partition keys meets each as often. */
export function throughAt(rooms: readonly Room[]): number[] {
  return waits.map((_, attempt) => {
    const here = rooms.map(({ ofAttempts, ofAll }) => {
      const through = (attempts: number) => Math.min(ofAll, 1 - (1 - ofAttempts) ** attempts)
      return through(attempt + 1) - through(attempt)
    })
    return here.reduce((sum, share) => sum + share, 0) / rooms.length
  })
}
