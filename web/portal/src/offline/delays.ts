/** How long a server that says "later" without saying when is left alone: first for so long, then twice as long, up to the longest; in milliseconds. */
export const FIRST_DELAY_MS = 5_000
export const LONGEST_DELAY_MS = 300_000
