import { ApiError } from '@shared/api/client.ts'
import { accessToken, replaceToken } from './sessions.ts'

/** Headers of a call that an account makes. */
export type Bearer = { Authorization: string }

/**
 * Makes a call as an account: `call(job.login, (headers) => unwrap(api.GET('/api/pro/job', { headers })))`.
 * A token that the server refuses is replaced once.
 */
export async function call<T>(accountId: string, make: (headers: Bearer) => Promise<T>): Promise<T> {
  const token = await accessToken(accountId)
  try {
    return await make({ Authorization: `Bearer ${token}` })
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error
    return make({ Authorization: `Bearer ${await replaceToken(accountId, token)}` })
  }
}
