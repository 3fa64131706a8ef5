import type { APIRequestContext } from '@playwright/test'
import type { components } from '../../shared/contract/schema.d.ts'

export type Job = components['schemas']['Job']

/** The jobs of an account as the server has them, asked for beside the browser. */
export const jobsOf = async (request: APIRequestContext, login: Login): Promise<Job[]> =>
  (await besideBrowser(request, login)).jobs

interface Login {
  username: string
  password: string
}

/** The same with the headers of the login. */
export async function besideBrowser(
  request: APIRequestContext,
  { username, password }: Login,
): Promise<{ headers: { authorization: string }; jobs: Job[] }> {
  const site = process.env['ZW_SITE'] ?? ''
  const { applicationId } = (await (await request.get(`${site}/api/public/application`)).json()) as {
    applicationId: string
  }
  const login = await request.post(`${site}/auth/token`, { data: { applicationId, username, password } })
  const { token } = (await login.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}` }
  const answer = await request.get(`${site}/api/pro/job?limit=500`, { headers })
  return { headers, jobs: ((await answer.json()) as { jobs: Job[] }).jobs }
}

/** Whether a meter was unread when the journeys began; which ones that are does not change while others are at it. */
export const wasOpen = ({ meter }: Job): boolean =>
  meter.meterRateTasks.every(({ readingResults }) =>
    readingResults.every(({ created }) => created >= (process.env['ZW_STARTED'] ?? '')),
  )

/** Every reading that the server has of these jobs: job, value, number of photos; in the order in which they came. */
export const readings = (jobs: readonly Job[], ids: readonly string[]): [id: string, value: string, photos: number][] =>
  jobs
    .filter(({ id }) => ids.includes(id))
    .flatMap(({ id, meter }) =>
      meter.meterRateTasks.flatMap(({ readingResults }) => readingResults.map((result) => ({ id, ...result }))),
    )
    .toSorted((a, b) => a.created.localeCompare(b.created))
    .map(({ id, readingValue, readingResultImages }) => [id, readingValue, readingResultImages.length])

/** A value that is not unusual: a little more than the last one, with the counter's digits. */
export function plausible(job: Job): string {
  const last = job.meter.meterRateTasks[0]?.readingEvents.at(-1)?.readingValue ?? '0'
  const [whole = '0', fraction] = last.split('.')
  const next = String(Number(whole) + 5).padStart(whole.length, '0')
  return fraction === undefined ? next : `${next},${fraction}`
}
