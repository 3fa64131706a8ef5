import type { Client } from 'openapi-fetch'
import type { paths } from '@shared/contract/schema.d.ts'
import type { FieldError, Problem } from '@shared/contract/types.ts'

/** Code of an error that no server reported: there was no answer. */
export const UNREACHABLE = 'unreachable'

/** Code of an answer that a machine between here and the API gave: a firewall, a proxy, the login page of a network. */
export const FOREIGN = 'foreign-answer'

/** Code of a photo that did not get to the store, which is at another address than the portal. */
export const PHOTO_STUCK = 'photo-stuck'

/** A call that did not succeed. `code` is the problem's code, or one of these. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: string
  /** Status of the answer; absent when there was none of ours. */
  readonly status: number | undefined
  /** The faults of single fields. */
  readonly fieldErrors: FieldError[]
  /** Seconds until another attempt makes sense. */
  readonly retryAfter: number | undefined
  /** The API itself said so. */
  readonly isOurs: boolean

  constructor(code: string, answer?: { status?: number; problem?: Partial<Problem>; retryAfter?: number | undefined }) {
    super(answer?.problem?.detail ?? code)
    this.code = code
    this.status = answer?.status
    this.fieldErrors = answer?.problem?.fieldErrors ?? []
    this.retryAfter = answer?.retryAfter
    this.isOurs = answer?.problem !== undefined
  }
}

interface Answer<T> {
  data?: T
  error?: unknown
  response: Response
}

/** The answer's content; throws [`ApiError`] for everything but success. */
export async function unwrap<T>(call: Promise<Answer<T>>): Promise<T> {
  return (await unwrapAnswer(call)).data as T
}

/** Like `unwrap`, with the response for its status and headers; 304 is a success without content. */
export async function unwrapAnswer<T>(call: Promise<Answer<T>>): Promise<{ data: T | undefined; response: Response }> {
  let answer: Answer<T>
  try {
    answer = await call
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    throw new ApiError(UNREACHABLE)
  }
  const { data, error, response } = answer
  if (response.ok || response.status === 304) return { data, response }
  const problem = isProblem(error) ? error : {}
  throw new ApiError(problem.code ?? 'internal-error', {
    status: response.status,
    problem,
    retryAfter: retryAfter(response),
  })
}

function isProblem(value: unknown): value is Partial<Problem> {
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string'
}

interface Options extends Omit<RequestInit, 'body'> {
  params?: {
    path?: Record<string, string>
    query?: Record<string, string | number | boolean | null | undefined>
    header?: Record<string, string>
  }
  body?: unknown
  /** As what a success is read. */
  parseAs?: 'json' | 'text' | 'blob'
  /** In the place of the page's own address. */
  baseUrl?: string
  fetch?: (request: Request) => Promise<Response>
}

const listeners = new Set<(headers: Headers) => void>()

/** Calls back each time the API has answered, with the answer's headers. */
export const onAnswer = (listener: (headers: Headers) => void): void => void listeners.add(listener)

/** Makes the calls of one method, with openapi-fetch's types and what we use of its options (D-PORTAL-17). */
const calls =
  (method: string) =>
  async (path: string, options: Options = {}): Promise<Answer<unknown>> => {
    const { params = {}, body, parseAs = 'json', baseUrl = '', fetch = globalThis.fetch, headers, ...init } = options
    const given = Object.entries(params.query ?? {}).filter(([, value]) => value !== undefined && value !== null)
    const query = given.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join('&')
    const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params.path?.[name] ?? ''))
    const request = new Request(`${baseUrl}${filled}${query && `?${query}`}`, {
      ...init,
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...Object.fromEntries(new Headers(headers)),
        ...params.header,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const response = await fetch(request)
    // Before anybody reads the content: a page of a firewall is no answer, with any status (D-OUTBOX-8).
    if (!isOurs(response)) throw notOurs(response)
    for (const listener of listeners) listener(response.headers)
    if (response.ok && parseAs !== 'json') return { data: await response[parseAs](), response }
    const text = await response.text()
    const content: unknown = text && JSON.parse(text)
    return response.ok ? { data: content || undefined, response } : { error: content, response }
  }

/** The API as its description types it. Calls that need a login go through `auth/call.ts`. */
export const api = { GET: calls('GET'), POST: calls('POST'), DELETE: calls('DELETE') } as unknown as Pick<
  Client<paths>,
  'GET' | 'POST' | 'DELETE'
>

/** Whether the API answered, as far as status and type tell: its answers are never pages, and its refusals are problems. */
function isOurs({ ok, status, headers }: Response): boolean {
  const type = headers.get('content-type') ?? ''
  if (ok) return !isPage(headers) && (type !== '' || status === 202 || status === 204)
  return status === 304 || type.startsWith('application/problem+json')
}

/** Whether an answer is a page for people: neither the API nor the edge sends one for a call. */
export const isPage = (headers: Headers): boolean => headers.get('content-type')?.startsWith('text/html') === true

/** What an answer that the API did not give says about it: to come later, that a function broke, or nothing at all. */
function notOurs(response: Response): ApiError {
  const { status, headers } = response
  // Not each of the gateway's answers says its kind; all have its id.
  const isOfGateway =
    headers.has('apigw-requestid') || headers.get('content-type')?.startsWith('application/json') === true
  if (status === 500 && isOfGateway) return new ApiError('internal-error', { status })
  const later = { retryAfter: retryAfter(response) }
  if (status === 429 || status >= 500) return new ApiError('temporarily-unavailable', { status, ...later })
  return new ApiError(FOREIGN, later)
}

/** Seconds until another attempt makes sense: a number of them, or a date (RFC 9110, 10.2.3). */
function retryAfter({ headers }: Response): number | undefined {
  const given = headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - serverTime(headers)) / 1000
  return seconds > 0 ? seconds : undefined
}

/** By the server's clock, which the date was made with. */
const serverTime = (headers: Headers): number => Date.parse(headers.get('date') ?? '') || Date.now()
