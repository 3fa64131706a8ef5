/**
 * Answers to calls that were made before the portal was there (`begin.ts`). A module that needs one makes its call by `early`, with the
 * same outcome as without this module.
 */

/** Jobs in one answer. */
export const JOBS_PAGE = 500

/** A connection that died in silence is given up after this: a reader who logs in waits for nothing else. */
export const LOGIN_PATIENCE_MS = 30_000

const link = new AbortController()

/** For the calls that are made with a followed link. */
export const linkCalls = link.signal

/** Ends the calls of a followed link whose login is not taken in, before that login is ended: they would be refused. */
export function giveUpLink(): void {
  link.abort()
  calls.clear()
}

const calls = new Map<string, Promise<Response>>()
/** What the portal has asked for itself, and so must not be asked for here. */
const taken = new Set<string>()

/** `fetch` for a call that may have been made already; each answer is handed out once. */
export function early(call: string): (request: Request) => Promise<Response> {
  return (request) => {
    const answer = calls.get(call)
    calls.delete(call)
    taken.add(call)
    return answer ?? fetch(request)
  }
}

/** Keeps an answer that is on its way for the caller who makes that call. */
export function keep(name: string, answer: Promise<Response>): void {
  calls.set(name, answer)
}

/** Names of the calls: each with what its answer depends on. */
export const call = {
  application: 'application',
  login: (token: string) => `login ${token}`,
  account: (authorization: string) => `account ${authorization}`,
  jobs: (authorization: string) => `jobs ${authorization}`,
} as const

/** Makes a call; resolves with its content, undefined when that is none to go on with. */
export async function begin<T>(name: string, path: string, init?: RequestInit): Promise<T | undefined> {
  if (taken.has(name)) return undefined
  const answer = fetch(path, init)
  keep(name, answer)
  try {
    // Read before the portal reads it.
    return (await answer.then((response) => (response.ok ? response.clone().json() : undefined))) as T | undefined
  } catch {
    // The caller that takes the answer says so.
    return undefined
  }
}
