/** Milliseconds between two looks whether the server is there (L9, D-OUTBOX-12): the edge answers them, and each is paid for. */
export const PAUSES = {
  /** As long as it is there and the reader does nothing on the page: nothing depends on it. */
  idle: 300_000,
  /** While the reader does something, or the server is out of reach and nothing waits for it. */
  wanted: 30_000,
  /** While the server is out of reach and something waits for it: the browser does not tell that a server is back. */
  awaited: 5_000,
} as const

/** The longest that anybody who says when to come again is obeyed, in milliseconds: a proxy in between may name any time (D-OUTBOX-8). */
export const LONGEST_OBEYED_MS = 3_600_000
