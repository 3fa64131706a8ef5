/** The desk's calls of the API, below a tenant. */
import { api, unwrap } from '@shared/api/client.ts'
import { byPage, byPerson } from '@/session/session.ts'

interface Options {
  body?: object
  query?: Record<string, string | number | boolean | undefined>
  headers?: Record<string, string>
  /** Of an answer that is a file. */
  parseAs?: 'blob'
}

type Method = (path: string, options: object) => Promise<{ data?: unknown; error?: unknown; response: Response }>
const methods = api as unknown as Record<'GET' | 'POST' | 'DELETE', Method>

const calls =
  (method: keyof typeof methods, by: typeof byPerson) =>
  async <T>(tenant: string, path: string, { body, query, headers, parseAs }: Options = {}): Promise<T> =>
    (await unwrap(
      methods[method](`/api/desk/tenants/${encodeURIComponent(tenant)}/${path}`, {
        ...(body && { body }),
        ...(query && { params: { query } }),
        ...(headers && { headers }),
        ...(parseAs && { parseAs }),
        ...by,
      }),
    )) as T

/** Reads something that a person asked for. */
export const get = calls('GET', byPerson)
/** Reads something that the page itself asks for. */
export const poll = calls('GET', byPage)
/** Changes something, or reads what no address may say. */
export const post = calls('POST', byPerson)
/** Takes something back. */
export const remove = calls('DELETE', byPerson)
