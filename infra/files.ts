/**
 * Which addresses of the portal are files. It needs nothing of SST, so that the local product can answer as production does.
 */

/** The files of the builds of portal and desk beside their folders `assets`. */
export const siteFiles = ['/browser.js', '/icon.svg', '/index.html', '/service-worker.js']

/** What browsers, scanners and other programs ask for; no screen's address ends so. */
export const fileEnding =
  /\.(css|env|gif|html?|ico|jpe?g|js|json|map|mjs|pdf|php|png|svg|txt|webmanifest|webp|woff2?|xml|zip)$/i

/** What is answered by others than the portal's pages. */
export const elsewhere = /^\/(api|auth|assets)\//

/** Whether an address names a file that is not there. Under any other one the portal itself answers, and its router knows what to show. */
export const isMissingFile = (path: string): boolean =>
  fileEnding.test(path) && !elsewhere.test(path) && !siteFiles.includes(path)
