/** Every address of the portal. */
export const paths = {
  home: () => '/',
  jobs: () => '/ablesung',
  job: (jobId: string) => `/ablesung/${encodeURIComponent(jobId)}`,
} as const

/** The same addresses as the router matches them. */
export const patterns = {
  home: '/',
  jobs: '/ablesung/:jobId?',
} as const

/** The token of a login link (`/m/{token}`), if the address is one. */
export function linkToken(path: string): string | undefined {
  const token = /^\/m\/([A-Za-z0-9._~-]+)\/?$/.exec(path)?.[1]
  return token
}
