/** What this browser does with what it keeps for the portal. */

/** Firefox asks the person, who knows what for only when they have just read that something waits. */
const isAsking = navigator.userAgent.includes('Firefox/')

/**
 * Asks the browser not to delete what waits when the device is short of room. `clicked`: the person has just confirmed
 * that something waits. A browser that refuses keeps it all the same, as long as there is room.
 */
export async function persist(clicked: boolean): Promise<void> {
  if (isAsking && !clicked) return
  await navigator.storage?.persist?.().catch(() => false)
}

/** WebKit, which all browsers of an iPhone are, and which no other engine claims to be without naming Chrome. */
const isWebKit = /AppleWebKit\//.test(navigator.userAgent) && !/Chrom(e|ium)\//.test(navigator.userAgent)

/** Whether the browser deletes everything of a site that was not used for seven days; it spares what is on the home screen. */
export const isForgetful = (): boolean => isWebKit && !matchMedia('(display-mode: standalone)').matches
