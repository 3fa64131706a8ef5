import createClient from 'openapi-fetch'
import type { paths } from '@shared/contract/schema.d.ts'
import type { FieldError, Problem } from '@shared/contract/types.ts'

/** The API as its description types it. Calls that need a login go through `auth/call.ts`. */
export const api = createClient<paths>()

/** Code of an error that no server reported: there was no answer. */
export const UNREACHABLE = 'unreachable'

/** A call that did not succeed. `code` is the problem's code, or `unreachable`. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: string
  /** Status of the answer; absent when there was none. */
  readonly status: number | undefined
  /** The faults of single fields. */
  readonly fieldErrors: FieldError[]
  /** Seconds until another attempt makes sense. */
  readonly retryAfter: number | undefined

  constructor(code: string, answer?: { status: number; problem?: Partial<Problem>; retryAfter?: number | undefined }) {
    super(answer?.problem?.detail ?? code)
    this.code = code
    this.status = answer?.status
    this.fieldErrors = answer?.problem?.fieldErrors ?? []
    this.retryAfter = answer?.retryAfter
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
  const retryAfter = Number(response.headers.get('retry-after'))
  throw new ApiError(problem.code ?? 'internal-error', {
    status: response.status,
    problem,
    retryAfter: retryAfter > 0 ? retryAfter : undefined,
  })
}

function isProblem(value: unknown): value is Partial<Problem> {
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string'
}
