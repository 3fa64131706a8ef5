/**
 * Makes the calls that are certain in the document's head, while the portal itself is still on its way (D-START-1): the tenant's
 * settings, and after a link the login, who it is for and the jobs. It imports nothing that is large: it has to be there first.
 */

import { file } from '@shared/api/files.ts'
import type { AccountInfo, Application } from '@shared/contract/types.ts'
import { LANGUAGE_KEY } from '@shared/ui/setting-keys.ts'
import { begin, call, giveUpLink, JOBS_PAGE, keep, LOGIN_PATIENCE_MS, linkCalls as signal } from './early.ts'
import { linkToken } from './link.ts'

/** Name of the followed link's token in the state of the page. */
const KEPT = 'followed'

let cameAt: number | undefined

/** When the tenant's settings came, in the page's milliseconds; now, where they did not come by this module. */
export const settingsCameAt = (): number => cameAt ?? performance.now()

/**
 * Takes the token out of the address bar at once, so that it is not copied, bookmarked or seen there. Until the link has led to its page, a
 * reload finds it in the state of the page: what has to come before that may not come.
 */
function takeLinkToken(): string | undefined {
  // Some printed links have a slash too many (P2).
  const token = /^\/\/?m\//.test(location.pathname) ? linkToken(location.pathname) : undefined
  if (token) history.replaceState({ [KEPT]: token }, '', '/')
  const kept: unknown = history.state?.[KEPT]
  return typeof kept === 'string' ? kept : undefined
}

/** The link has led to its page or was given up: the token is not needed any more. */
export function forgetLinkToken(): void {
  if (history.state?.[KEPT]) history.replaceState(null, '', location.pathname)
}

/** Asks for what a followed link leads to; resolves when that is answered, or will not be. */
async function followLink(token: string, applicationId: string): Promise<void> {
  const body = JSON.stringify({ applicationId, token })
  const headers = { 'content-type': 'application/json' }
  const timer = setTimeout(giveUpLink, LOGIN_PATIENCE_MS)
  const login = await begin<{ token: string }>(call.login(token), '/auth/token', {
    method: 'POST',
    headers,
    body,
    signal,
  })
  if (!login) return clearTimeout(timer)
  const authorization = `Bearer ${login.token}`
  // Not read here: jobs may be many.
  const jobs = fetch(`/api/pro/job?limit=${JOBS_PAGE}`, { headers: { authorization }, cache: 'no-store', signal })
  jobs.catch(() => undefined)
  keep(call.jobs(authorization), jobs)
  const info = await begin<AccountInfo>(call.account(authorization), '/api/pro/account/info', {
    headers: { authorization },
    signal,
  })
  clearTimeout(timer)
  prepareTexts(info?.language ?? undefined)
  await jobs.catch(() => undefined)
}

/** Fetches files whose names the page has: as files and not as modules, of which a failure would be kept (`fetched-imports`). */
function prepare(...parts: string[]): void {
  for (const part of parts) {
    const [named] = document.getElementsByName(part)
    if (named instanceof HTMLMetaElement) file(named.content).catch(() => undefined)
  }
}

/** Fetches what comes after the first screen, all of it at once: one file would ask for the other only when it is there. */
export const prepareRest = (): void => prepare('link', 'login', 'later')

const prepareTexts = (language: string | undefined): void => prepare(`texts-${language}`)

function chosenLanguage(): string | undefined {
  try {
    return localStorage.getItem(LANGUAGE_KEY) ?? undefined
  } catch {
    return undefined
  }
}

/** The token of the link that was followed. */
export const followed = takeLinkToken()

async function start(): Promise<void> {
  prepare(followed ? 'link' : 'login')
  const chosen = chosenLanguage()
  prepareTexts(chosen)
  const application = await begin<Application>(call.application, '/api/public/application')
  if (!application) return
  cameAt = performance.now()
  if (!chosen) prepareTexts(application.defaultLanguage)
  if (followed) await followLink(followed, application.applicationId)
}

/** Resolves when all calls are answered that are made here, or will not be. */
export const answered = start()
