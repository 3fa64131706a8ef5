/** SWR's keys: the path of the call, then what distinguishes one answer from another. */
export const keys = {
  application: '/api/public/application',
  contact: (applicationId: string) => ['/api/public/contact', applicationId] as const,
  jobs: (accountIds: readonly string[]) => ['/api/pro/job', ...accountIds] as const,
  /** The part of the jobs that has arrived while the rest is on its way. */
  arrivingJobs: (accountIds: readonly string[]) => ['/api/pro/job', 'arriving', ...accountIds] as const,
  shares: (accountId: string) => ['/api/pro/share/account', accountId] as const,
  image: (login: string, jobId: string, taskId: string, imageId: string) =>
    ['/api/pro/job/image', login, jobId, taskId, imageId] as const,
} as const
