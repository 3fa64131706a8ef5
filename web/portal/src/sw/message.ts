/** A page tells the waiting version of the portal to take over. */
export const SKIP_WAITING = 'skip-waiting'
