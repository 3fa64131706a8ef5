/** Every address of the portal. */
export const paths = {
  home: () => '/',
  introduction: () => '/introduction',
  /** The login of one account more. */
  addAccount: () => '/anmelden',
  /** Where one is logged in. */
  devices: () => '/geraete',
  management: () => '/management',
  /** The shares of an account, or one of them. */
  managedAccount: (accountId: string, shareId?: string) =>
    `/management/account/${encodeURIComponent(accountId)}${shareId ? `/${encodeURIComponent(shareId)}` : ''}`,
  publicReading: () => '/ablesung-ohne-zugang',
  accessibility: () => '/accessibility',
  jobs: () => '/ablesung',
  job: (jobId: string) => `/ablesung/${encodeURIComponent(jobId)}`,
  newReading: () => '/ablesung/neu',
  evaluation: () => '/auswertung',
  evaluationOf: (jobId: string) => `/auswertung/${encodeURIComponent(jobId)}`,
  help: () => '/help',
  registration: (selfServiceToken: string) => `/registrierung/m/${encodeURIComponent(selfServiceToken)}`,
} as const

/** The same addresses as the router matches them. */
export const patterns = {
  home: '/',
  introduction: '/introduction',
  addAccount: '/anmelden',
  devices: '/geraete',
  management: '/management',
  managedAccount: '/management/account/:accountId/:shareId?',
  publicReading: '/ablesung-ohne-zugang',
  accessibility: '/accessibility',
  newReading: '/ablesung/neu',
  jobs: '/ablesung/:jobId?',
  evaluation: '/auswertung/:jobId?',
  help: '/help',
  /** The built-in CRM's own pages; its mails and the tenant's settings have their addresses. */
  registration: '/registrierung/m/:selfServiceToken',
  confirmation: '/registrierung/bestaetigen/:token',
  unsubscribe: '/abmelden/:selfServiceToken',
  /** Where the staff's desk leads. */
  preview: '/vorschau',
} as const

/** The page above a deeper one; with a single account there is no list of accounts above its shares. */
export function pathAbove(path: string, hasSeveralAccounts: boolean): string {
  // What a mail or a CRM leads to has nothing above it.
  if (/^\/(registrierung|abmelden)\//.test(path)) return paths.home()
  const above = path.slice(0, path.lastIndexOf('/'))
  if (above !== '/management/account') return above
  return hasSeveralAccounts ? paths.management() : paths.home()
}
