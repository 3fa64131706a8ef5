/**
 * The response headers of the portal and of the desk in production. It needs nothing of SST, so that the local product can serve what
 * was built with the same ones.
 */

const always = {
  // What lies below a name is said where the names are known (`distribution.ts`).
  'strict-transport-security': 'max-age=63072000',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Links to the portal hold login tokens.
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
}

/** A content security policy under which a page runs and shows its own files, and what `more` says. */
function policy(more: Record<string, string>): string {
  const directives = {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' blob: data:",
    'connect-src': "'self'",
    'font-src': "'self'",
    ...more,
    'form-action': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
  }
  return Object.entries(directives)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ')
}

/**
 * Headers of the portal's pages and files.
 *
 * @param photoOrigin Origin that photos are sent to with presigned requests, such as `https://bucket.s3.region.amazonaws.com`.
 */
export function siteHeaders(photoOrigin: string): Record<string, string> {
  return {
    ...always,
    'content-security-policy': policy({
      'connect-src': `'self' ${photoOrigin}`,
      'manifest-src': "'self'",
      'worker-src': "'self'",
    }),
    'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
    // An app of the utility that opens the portal may hand it a reading (docs/remote-readings.md); the portal looks at who sends (D-READING-15).
    'cross-origin-opener-policy': 'unsafe-none',
  }
}

/**
 * Headers of the desk's pages and files. It shows photos of readings by presigned addresses, sends those of readings that staff enter, and has
 * the browser keep files in a frame.
 *
 * @param photoOrigin As {@link siteHeaders} takes it.
 */
export function deskHeaders(photoOrigin: string): Record<string, string> {
  return {
    ...always,
    'content-security-policy': policy({
      'img-src': `'self' blob: data: ${photoOrigin}`,
      'connect-src': `'self' ${photoOrigin}`,
      'frame-src': photoOrigin,
      'worker-src': "'self'",
    }),
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    'cross-origin-opener-policy': 'same-origin',
  }
}

/** Headers of the API's answers, which no page may frame or run. */
export const apiHeaders: Record<string, string> = {
  ...always,
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}
