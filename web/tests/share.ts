import type { APIRequestContext } from '@playwright/test'
import type { Job } from './ledger.ts'

const site = () => process.env['ZW_SITE'] ?? ''

/** An access that a journey has for itself. */
export interface NewAccess {
  /** Path of the link that logs in. */
  path: string
  jobs: Job[]
  /** Path of the page where it registers for digital communication. */
  registrationPath: (request: APIRequestContext) => Promise<string>
}

async function bearer(request: APIRequestContext, grant: object): Promise<{ authorization: string }> {
  const { applicationId } = await (await request.get(`${site()}/api/public/application`)).json()
  const login = await request.post(`${site()}/auth/token`, { data: { applicationId, ...grant } })
  return { authorization: `Bearer ${(await login.json()).token}` }
}

/** Shares jobs beside the browser. */
export async function shareJobs(
  request: APIRequestContext,
  { username, password }: { username: string; password: string },
  jobs: Job[],
): Promise<NewAccess> {
  const headers = await bearer(request, { username, password })
  const data = { name: 'Ablesung vor Ort', allowToReShare: false, jobIds: jobs.map(({ id }) => id) }
  const answer = await request.post(`${site()}/api/pro/share/job`, { headers, data })
  if (!answer.ok()) throw new Error(await answer.text())
  const { token, tokenUrl } = (await answer.json()) as { token: string; tokenUrl: string }
  return {
    path: new URL(tokenUrl).pathname,
    jobs,
    registrationPath: async (request) => {
      const info = await request.get(`${site()}/api/pro/account/crm-registration-info`, {
        headers: await bearer(request, { token }),
      })
      const { registrationUrl, selfServiceToken } = await info.json()
      return `${new URL(registrationUrl).pathname}/m/${selfServiceToken}?ref=zaehlwerk`
    },
  }
}
