/**
 * The logins of this browser: several accounts at once, each with its refresh token in IndexedDB and its access token in
 * memory only. Refresh tokens work once; therefore one tab at a time spends one, and tells the others what it got.
 */
import { useSyncExternalStore } from 'react'
import { ApiError, api, unwrap } from '@shared/api/client.ts'
import { type StoredSession, startDatabase } from '@/device/db.ts'
import { LONGEST_OBEYED_MS } from '@/device/pauses.ts'
import { channelOf, oneTabAtATime } from '@/device/tabs.ts'
import { type AccessToken, fresh, left, type Moment, now, since } from './access-token.ts'
import { readClaims } from './claims.ts'
import { continueSession, deleteSession, readSession, readSessions, writeSession } from './store.ts'

/** A logged-in account, as screens see it. */
export type Session = Omit<StoredSession, 'refreshToken'>

/** Refreshed in the background so long before the end (L4). */
const AHEAD_MS = 60_000
/** Refreshed before a call when less than this is left (L4). */
const ON_DEMAND_MS = 30_000
/** Pause between attempts that get no answer (L4). */
const RETRY_MS = 30_000
/** A connection that died in silence is given up after this: calls of every kind wait for the token, also those that have a limit. */
const PATIENCE_MS = 30_000
/** A tab asks no sooner than this for the next token, regardless of what its answers say and how often they are refused. */
const FLOOR_MS = 5_000
/** The portal logs out so long after its last account ended (L9). */
const LAST_ACCOUNT_MS = 2_000

/** Tabs have no common steady clock: what goes from one to the other is how long a token is still good. */
type Message =
  | { kind: 'added' | 'token'; accountId: string; token: string; lifeMs: number }
  | { kind: 'ended' | 'removed'; accountId: string }

/** Whether the server ended it is not sure of one that went while the page was away: then it may have been logged out. */
type EndListener = (session: Session, isSure: boolean) => void

let applicationId = ''
let sessions: readonly Session[] = []
const tokens = new Map<string, AccessToken>()
/** When an account may ask again: some seconds after its last answer, or when the server wants to be asked again. */
const pauses = new Map<string, { from: Moment; lasting: number; refusal?: ApiError }>()
const timers = new Map<string, number>()
const refreshing = new Map<string, Promise<AccessToken>>()
/** By account, what ends the calls that are under way: the server refuses them from the logout on. */
const ends = new Map<string, AbortController>()
const listeners = new Set<() => void>()
const endListeners = new Set<EndListener>()
/** Those that ended before anybody listened: the first refresh may be answered before there is a screen. */
const unheard = new Map<string, Session>()
/** Those that have ended and are still there. */
const ended = new Set<string>()
const channel = channelOf<Message>('zaehlwerk-sessions')
/** One message after the other: a logout must not be overtaken by the login before it, which has to be read first. */
let received = Promise.resolve()

/** Reads the stored logins and keeps their tokens fresh from now on. */
export async function startSessions(application: string): Promise<void> {
  applicationId = application
  channel.listen((message) => {
    received = received.then(() => receive(message)).catch(() => undefined)
  })
  // A page that comes back from a browser's memory has heard of nothing.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) received = received.then(catchUp).catch(() => undefined)
  })
  await startDatabase()
  for (const stored of await readSessions()) add(stored)
}

/** Takes note of who logged out and in while the page was away. */
async function catchUp(): Promise<void> {
  const stored = await readSessions()
  for (const { accountId } of sessions) {
    if (stored.some((session) => session.accountId === accountId)) continue
    // A logout has deleted what was entered, and who was logged out keeps it (D-LOGIN-12).
    end(accountId, false)
    remove(accountId)
  }
  for (const session of stored) if (!sessionOf(session.accountId)) add(session)
}

/** The accounts that are logged in, in the order of their ids. */
export const useSessions = (): readonly Session[] => useSyncExternalStore(onSessions, currentSessions)

/** The accounts that are logged in, outside of a component. */
export const currentSessions = (): readonly Session[] => sessions

const sessionOf = (accountId: string): Session | undefined =>
  sessions.find((session) => session.accountId === accountId)

/** Whether an account has all the roles (L6). */
export const hasRoles = (session: Session, ...roles: string[]): boolean =>
  roles.every((role) => session.roles.includes(role))

/** Calls back when the server ended a session, also for one that ended before and did not begin anew; the returned function stops that. */
export function onSessionEnded(listener: EndListener): () => void {
  endListeners.add(listener)
  const missed = [...unheard.values()]
  unheard.clear()
  for (const session of missed) listener(session, true)
  return () => endListeners.delete(listener)
}

/**
 * Takes a new login in. With `exclusive`, all other accounts are logged out (L4, multiple accounts off).
 * A login of an account that is already there replaces its session.
 */
export async function addSession(stored: StoredSession, access: AccessToken, exclusive: boolean): Promise<void> {
  const { accountId } = stored
  const superseded = (await readSessions()).filter((old) => exclusive || old.accountId === accountId)
  // A refresh that is on its way would write the older session over this one.
  await exclusively(accountId, async () => {
    await writeSession({ ...stored, renewed: Date.now() })
    take(accountId, access)
    add(stored)
    broadcast({ kind: 'added', accountId, token: access.token, lifeMs: left(access) })
  })
  for (const old of superseded) {
    if (old.accountId !== accountId) await leave(old.accountId)
    void revoke(old.refreshToken)
  }
}

/** Logs every account out, here and in the other tabs, and revokes the sessions as far as the server can be reached. */
export async function logout(): Promise<void> {
  const stored = await readSessions()
  for (const { accountId } of stored) {
    await leave(accountId)
  }
  await Promise.all(stored.map(({ refreshToken }) => revoke(refreshToken)))
}

/** Forgets an account whose sessions all have ended at its own wish, here and in the other tabs. */
export async function leave(accountId: string): Promise<void> {
  await forget(accountId)
  broadcast({ kind: 'removed', accountId })
}

/**
 * A token that is good for at least 30 s. Throws [`ApiError`]: `session-ended` when the server refused to continue the
 * session, `unreachable` or a 429/5xx code when it could not say.
 */
export async function accessToken(accountId: string): Promise<string> {
  const held = tokens.get(accountId)
  return held && left(held) > ON_DEMAND_MS ? held.token : (await refresh(accountId)).token
}

/** A token other than the one that the server has just refused. */
export async function replaceToken(accountId: string, refused: string): Promise<string> {
  if (tokens.get(accountId)?.token === refused) tokens.delete(accountId)
  return accessToken(accountId)
}

/** Aborted when the account is logged out, before its session is ended at the server. */
export function sessionEnd(accountId: string): AbortSignal {
  const end = ends.get(accountId) ?? new AbortController()
  ends.set(accountId, end)
  return end.signal
}

/** One refresh at a time: in this tab by the promise, among tabs by the lock. */
function refresh(accountId: string): Promise<AccessToken> {
  const running = refreshing.get(accountId)
  if (running) return running
  const before = tokens.get(accountId)?.token
  const promise = exclusively(accountId, async () => {
    // Another tab may have refreshed while this one waited.
    const held = tokens.get(accountId)
    return held && held.token !== before ? held : exchange(accountId)
  }).finally(() => refreshing.delete(accountId))
  refreshing.set(accountId, promise)
  return promise
}

/** One change of an account's session at a time, among all tabs. */
const exclusively = <T>(accountId: string, change: () => Promise<T>): Promise<T> =>
  oneTabAtATime(`zaehlwerk-refresh-${accountId}`, change)

async function exchange(accountId: string): Promise<AccessToken> {
  await pauseOf(accountId)
  const stored = await readSession(accountId)
  if (!stored) {
    window.setTimeout(() => void endUnstored(accountId), LAST_ACCOUNT_MS)
    throw new ApiError('session-ended')
  }
  try {
    const body = { applicationId, refreshToken: stored.refreshToken }
    const answer = await unwrap(api.POST('/auth/token', { body, signal: AbortSignal.timeout(PATIENCE_MS) }))
    const { token, refreshToken } = answer
    const next = { ...stored, refreshToken, roles: rolesOf(token) ?? stored.roles, renewed: Date.now() }
    if (!(await continueSession(stored, next))) {
      // Who logged out while the answer was on its way must not come back.
      void revoke(refreshToken)
      throw new ApiError('session-ended')
    }
    const access = fresh(token, answer.expiresIn * 1000)
    renew(accountId, access)
    broadcast({ kind: 'token', accountId, token: access.token, lifeMs: access.lifeMs })
    return access
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'session-ended') throw error
    if (error.code !== 'refresh-invalid') {
      // D-LOGIN-11: an overloaded or failing server, or a machine before it, says nothing about the session, just as no answer does.
      // Another machine in between says nothing about when: calls try it again (D-OUTBOX-8).
      if (error.isOurs && error.retryAfter) {
        const lasting = Math.min(error.retryAfter * 1000, LONGEST_OBEYED_MS)
        pauses.set(accountId, { from: now(), lasting, refusal: error })
      }
      throw error
    }
    await endEverywhere(accountId)
    throw new ApiError('session-ended')
  }
}

/** Milliseconds until an account may ask again. */
function pauseLeft(accountId: string): number {
  const pause = pauses.get(accountId)
  return pause ? Math.max(pause.lasting - since(pause.from), 0) : 0
}

/** Waits some seconds after the last answer. Whom the server has told when to come again is told the same until then. */
async function pauseOf(accountId: string): Promise<void> {
  const wait = pauseLeft(accountId)
  if (wait === 0) return
  const refusal = pauses.get(accountId)?.refusal
  if (refusal) throw refusal
  await new Promise((resolve) => setTimeout(resolve, wait))
}

function take(accountId: string, access: AccessToken): void {
  tokens.set(accountId, access)
  pauses.set(accountId, { from: now(), lasting: FLOOR_MS })
  schedule(accountId, Math.max(left(access) - AHEAD_MS, FLOOR_MS))
}

const rolesOf = (token: string): string[] | undefined => readClaims(token)?.roles

/** Takes the next token of a session. The server says anew with each what its account may do (L6). */
function renew(accountId: string, access: AccessToken): void {
  take(accountId, access)
  const roles = rolesOf(access.token)
  const before = sessionOf(accountId)
  if (!roles || !before || String(roles) === String(before.roles)) return
  sessions = sessions.map((session) => (session === before ? { ...session, roles } : session))
  emit()
}

function schedule(accountId: string, delay: number): void {
  clearTimeout(timers.get(accountId))
  const attempt = () => {
    refresh(accountId).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'session-ended') return
      schedule(accountId, Math.max(pauseLeft(accountId), RETRY_MS))
    })
  }
  timers.set(accountId, window.setTimeout(attempt, delay))
}

function add(stored: StoredSession): void {
  const { refreshToken: _, ...session } = stored
  const { accountId } = session
  // Who is logged in again need not hear that an earlier login ended.
  unheard.delete(accountId)
  ended.delete(accountId)
  const others = sessions.filter((other) => other.accountId !== accountId)
  sessions = [...others, session].toSorted((a, b) => a.accountId.localeCompare(b.accountId))
  if (!tokens.has(accountId)) schedule(accountId, 0)
  emit()
}

/** Ends an account that the server no longer knows; the last one stays on the screen for a moment, with the notice. */
function end(accountId: string, isSure = true): void {
  const session = sessionOf(accountId)
  // One that has ended already is on the screen for a moment.
  if (!session || ended.has(accountId)) return
  ended.add(accountId)
  drop(accountId)
  if (endListeners.size === 0) unheard.set(accountId, session)
  for (const listener of endListeners) listener(session, isSure)
  if (sessions.length > 1) remove(accountId)
  else window.setTimeout(() => remove(accountId), LAST_ACCOUNT_MS)
}

/** Ends a login here and in the other tabs, which keep what was typed there: its owner has not logged out. */
export async function endEverywhere(accountId: string): Promise<void> {
  await deleteSession(accountId)
  end(accountId)
  broadcast({ kind: 'ended', accountId })
}

/** Ends an account whose data the browser has cleared under the page. A logout has removed it by now, here and in the other tabs. */
async function endUnstored(accountId: string): Promise<void> {
  if (!(await readSession(accountId))) end(accountId)
}

/** Takes an account off the screen of this tab. */
export async function forget(accountId: string): Promise<void> {
  await deleteSession(accountId)
  drop(accountId)
  remove(accountId)
}

function drop(accountId: string): void {
  clearTimeout(timers.get(accountId))
  timers.delete(accountId)
  tokens.delete(accountId)
  pauses.delete(accountId)
  ends.get(accountId)?.abort()
  ends.delete(accountId)
}

function remove(accountId: string): void {
  if (tokens.has(accountId)) return
  ended.delete(accountId)
  sessions = sessions.filter((other) => other.accountId !== accountId)
  emit()
}

/** Ends a session at the server, as far as it can be reached. */
export async function revoke(refreshToken: string): Promise<void> {
  await api.POST('/auth/logout', { body: { applicationId, refreshToken }, keepalive: true }).catch(() => undefined)
}

async function receive(message: Message): Promise<void> {
  const { accountId } = message
  if (message.kind === 'token') {
    if (sessionOf(accountId)) renew(accountId, fresh(message.token, message.lifeMs))
  } else if (message.kind === 'added') {
    const stored = await readSession(accountId)
    if (!stored) return
    take(accountId, fresh(message.token, message.lifeMs))
    add(stored)
  } else if (message.kind === 'ended') {
    end(accountId)
  } else {
    drop(accountId)
    remove(accountId)
  }
}

const broadcast = (message: Message) => channel.tell(message)

const emit = () => {
  for (const listener of listeners) listener()
}

/** Calls back when an account comes, goes or has other roles; the returned function stops that. */
export function onSessions(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
