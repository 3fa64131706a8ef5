import type { APIRequestContext } from '@playwright/test'
import type { Job } from './ledger.ts'

const site = () => process.env['ZW_SITE'] ?? ''

/** An access that a journey has for itself. */
export interface NewAccess {
  /** Path of the link that logs in. */
  path: string
  /** The link's token. */
  token: string
  jobs: Job[]
}

/** What logs in. */
type Grant = { token: string } | { username: string; password: string }

async function bearer(request: APIRequestContext, grant: Grant): Promise<{ authorization: string }> {
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
  return { path: new URL(tokenUrl).pathname, token, jobs }
}

/** Path of the page where the holder of this login registers for digital communication. */
export async function registrationPath(request: APIRequestContext, grant: Grant): Promise<string> {
  const headers = await bearer(request, grant)
  const info = await request.get(`${site()}/api/pro/account/crm-registration-info`, { headers })
  const { registrationUrl, selfServiceToken } = await info.json()
  return `${new URL(registrationUrl).pathname}/m/${selfServiceToken}?ref=zaehlwerk`
}
