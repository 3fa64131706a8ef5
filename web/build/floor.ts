/** The oldest browsers that the portal is built for; a reader with an older one is told so by `portal/public/browser.js`. */
export const floor = { chrome: '112', firefox: '115', safari: '16.4' } as const

/** The same as a build's target. */
export const targets = Object.entries(floor).map(([browser, version]) => `${browser}${version}`)
