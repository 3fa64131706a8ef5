/** SWR's keys: the path of the call, then what distinguishes one answer from another. */
export const keys = {
  application: '/api/public/application',
  helpLanguages: (applicationId: string) => `/api/public/help/${applicationId}`,
  help: (applicationId: string, language: string) => `/api/public/help/${applicationId}/${language}`,
  contact: (applicationId: string) => `/api/public/contact/${applicationId}`,
  instructions: (applicationId: string) => `/api/public/meterReadingHelp/${applicationId}`,
  jobs: (accountIds: readonly string[]) => ['/api/pro/job', ...accountIds] as const,
  /** The part of the jobs that has arrived while the rest is on its way. */
  arrivingJobs: (accountIds: readonly string[]) => ['/api/pro/job', 'arriving', ...accountIds] as const,
  /** Of a sub-account at any level below the account, or of the account itself. */
  shares: (accountId: string, of = accountId) => ['/api/pro/share/account', accountId, of] as const,
  deviceSessions: (accountId: string) => ['/api/pro/session', accountId] as const,
  registrationInfo: (accountId: string) => ['/api/pro/account/crm-registration-info', accountId] as const,
  registration: (selfServiceToken: string) => `/api/public/communication/${selfServiceToken}`,
  image: (login: string, jobId: string, taskId: string, imageId: string) =>
    ['/api/pro/job/image', login, jobId, taskId, imageId] as const,
} as const

/** Whether an answer is one that everybody may see, and not an account's. */
export const isPublic = (key: unknown): boolean => typeof key === 'string' && key.startsWith('/api/public/')
