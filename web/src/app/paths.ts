/** Every address of the portal. */
export const paths = {
  home: () => '/',
  introduction: () => '/introduction',
  /** The login of one account more. */
  addAccount: () => '/anmelden',
  publicReading: () => '/ablesung-ohne-zugang',
  jobs: () => '/ablesung',
  job: (jobId: string) => `/ablesung/${encodeURIComponent(jobId)}`,
  evaluation: () => '/auswertung',
  evaluationOf: (jobId: string) => `/auswertung/${encodeURIComponent(jobId)}`,
} as const

/** The same addresses as the router matches them. */
export const patterns = {
  home: '/',
  introduction: '/introduction',
  addAccount: '/anmelden',
  publicReading: '/ablesung-ohne-zugang',
  jobs: '/ablesung/:jobId?',
  evaluation: '/auswertung/:jobId?',
} as const
