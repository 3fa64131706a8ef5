/**
 * The response headers of the portal in production. It needs nothing of SST, so that the local product can serve the
 * built portal with the same ones.
 */

const always = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Links to the portal hold login tokens.
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/**
 * Headers of the portal's pages and files.
 *
 * @param photoOrigin Origin that photos are sent to with presigned requests, such as `https://bucket.s3.region.amazonaws.com`.
 */
export function siteHeaders(photoOrigin: string): Record<string, string> {
  const policy = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' blob: data:",
    'connect-src': `'self' ${photoOrigin}`,
    'font-src': "'self'",
    'manifest-src': "'self'",
    'worker-src': "'self'",
    'form-action': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  }
  return {
    ...always,
    'content-security-policy': Object.entries(policy)
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
    'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
    // An app of the utility that opens the portal may hand it a reading (docs/remote-readings.md); the portal looks at who sends (D-READING-15).
    'cross-origin-opener-policy': 'unsafe-none',
  }
}

/** Headers of the API's answers, which no page may frame or run. */
export const apiHeaders: Record<string, string> = {
  ...always,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
