/** A page tells the waiting version of the portal to take over. */
export const SKIP_WAITING = 'skip-waiting'

/** A page tells which files it uses, by their addresses; or that the device is to have all of them. */
export interface Keep {
  keep: readonly string[] | 'all'
}
