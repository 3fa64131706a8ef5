/**
 * The logins of this browser: several accounts at once, each with its refresh token in IndexedDB and its access token in
 * memory only. Refresh tokens work once; therefore one tab at a time spends one, and tells the others what it got.
 */
import { useSyncExternalStore } from 'react'
import { ApiError, api, unwrap } from '@shared/api/client.ts'
import type { StoredSession } from '@/device/db.ts'
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
/** The portal logs out so long after its last account ended (L9). */
const LAST_ACCOUNT_MS = 2_000

interface AccessToken {
  token: string
  expiresAt: number
}

type Message =
  | { kind: 'added' | 'token'; accountId: string; access: AccessToken }
  | { kind: 'ended' | 'removed'; accountId: string }

type EndListener = (session: Session) => void

let applicationId = ''
let sessions: readonly Session[] = []
const tokens = new Map<string, AccessToken>()
const timers = new Map<string, number>()
const refreshing = new Map<string, Promise<AccessToken>>()
const listeners = new Set<() => void>()
const endListeners = new Set<EndListener>()
const channel = new BroadcastChannel('zaehlwerk-sessions')
/** One message after the other: a logout must not be overtaken by the login before it, which has to be read first. */
let received = Promise.resolve()

/** Reads the stored logins and keeps their tokens fresh from now on. */
export async function startSessions(application: string): Promise<void> {
  applicationId = application
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    received = received.then(() => receive(data)).catch(() => undefined)
  })
  for (const stored of await readSessions()) add(stored)
}

/** The accounts that are logged in, in the order of their ids. */
export const useSessions = (): readonly Session[] => useSyncExternalStore(onSessions, currentSessions)

/** The accounts that are logged in, outside of a component. */
export const currentSessions = (): readonly Session[] => sessions

/** Whether an account has all the roles (L6). */
export const hasRoles = (session: Session, ...roles: string[]): boolean =>
  roles.every((role) => session.roles.includes(role))

/** Calls back when the server ended a session; the returned function stops that. */
export function onSessionEnded(listener: EndListener): () => void {
  endListeners.add(listener)
  return () => endListeners.delete(listener)
}

/**
 * Takes a new login in. With `exclusive`, all other accounts are logged out (L4, multiple accounts off).
 * A login of an account that is already there replaces its session.
 */
export async function addSession(stored: StoredSession, token: string, exclusive: boolean): Promise<void> {
  const { accountId } = stored
  const superseded = (await readSessions()).filter((old) => exclusive || old.accountId === accountId)
  // A refresh that is on its way would write the older session over this one.
  await exclusively(accountId, async () => {
    await writeSession(stored)
    const access = hold(accountId, token)
    add(stored)
    broadcast({ kind: 'added', accountId, access })
  })
  for (const old of superseded) {
    if (old.accountId !== accountId) {
      await forget(old.accountId)
      broadcast({ kind: 'removed', accountId: old.accountId })
    }
    void revoke(old.refreshToken)
  }
}

/** Logs every account out, here and in the other tabs, and revokes the sessions as far as the server can be reached. */
export async function logout(): Promise<void> {
  const stored = await readSessions()
  for (const { accountId } of stored) {
    await forget(accountId)
    broadcast({ kind: 'removed', accountId })
  }
  await Promise.all(stored.map(({ refreshToken }) => revoke(refreshToken)))
}

/**
 * A token that is good for at least 30 s. Throws [`ApiError`]: `session-ended` when the server refused to continue the
 * session, `unreachable` or a 429/5xx code when it could not say.
 */
export async function accessToken(accountId: string): Promise<string> {
  const held = tokens.get(accountId)
  return held && held.expiresAt - Date.now() > ON_DEMAND_MS ? held.token : (await refresh(accountId)).token
}

/** A token other than the one that the server has just refused. */
export async function replaceToken(accountId: string, refused: string): Promise<string> {
  if (tokens.get(accountId)?.token === refused) tokens.delete(accountId)
  return accessToken(accountId)
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
  navigator.locks.request(`zaehlwerk-refresh-${accountId}`, change)

async function exchange(accountId: string): Promise<AccessToken> {
  const stored = await readSession(accountId)
  if (!stored) throw new ApiError('session-ended')
  try {
    const body = { applicationId, refreshToken: stored.refreshToken }
    const answer = await unwrap(api.POST('/auth/token', { body }))
    if (!(await continueSession(stored, answer.refreshToken))) {
      // Who logged out while the answer was on its way must not come back.
      void revoke(answer.refreshToken)
      throw new ApiError('session-ended')
    }
    const access = hold(accountId, answer.token)
    broadcast({ kind: 'token', accountId, access })
    return access
  } catch (error) {
    if (!(error instanceof ApiError) || error.code === 'session-ended' || isPassing(error)) throw error
    await deleteSession(accountId)
    end(accountId)
    broadcast({ kind: 'ended', accountId })
    throw new ApiError('session-ended')
  }
}

/** An overloaded or failing server says nothing about the session, just as no answer does. */
const isPassing = ({ status }: ApiError) => status === undefined || status === 429 || status >= 500

function hold(accountId: string, token: string): AccessToken {
  const access = { token, expiresAt: (readClaims(token)?.exp ?? 0) * 1000 }
  take(accountId, access)
  return access
}

function take(accountId: string, access: AccessToken): void {
  tokens.set(accountId, access)
  schedule(accountId, access.expiresAt - Date.now() - AHEAD_MS)
}

function schedule(accountId: string, delay: number): void {
  clearTimeout(timers.get(accountId))
  const attempt = () => {
    refresh(accountId).catch((error: unknown) => {
      if (!(error instanceof ApiError && error.code === 'session-ended')) schedule(accountId, RETRY_MS)
    })
  }
  timers.set(accountId, window.setTimeout(attempt, Math.max(delay, 0)))
}

function add(stored: StoredSession): void {
  const { refreshToken: _, ...session } = stored
  const others = sessions.filter((other) => other.accountId !== session.accountId)
  sessions = [...others, session].toSorted((a, b) => a.accountId.localeCompare(b.accountId))
  if (!tokens.has(session.accountId)) schedule(session.accountId, 0)
  emit()
}

/** Ends an account that the server no longer knows; the last one stays on the screen for a moment, with the notice. */
function end(accountId: string): void {
  const session = sessions.find((other) => other.accountId === accountId)
  if (!session) return
  drop(accountId)
  for (const listener of endListeners) listener(session)
  if (sessions.length > 1) remove(accountId)
  else window.setTimeout(() => remove(accountId), LAST_ACCOUNT_MS)
}

async function forget(accountId: string): Promise<void> {
  await deleteSession(accountId)
  drop(accountId)
  remove(accountId)
}

function drop(accountId: string): void {
  clearTimeout(timers.get(accountId))
  timers.delete(accountId)
  tokens.delete(accountId)
}

function remove(accountId: string): void {
  if (tokens.has(accountId)) return
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
    if (sessions.some((session) => session.accountId === accountId)) take(accountId, message.access)
  } else if (message.kind === 'added') {
    const stored = await readSession(accountId)
    if (!stored) return
    take(accountId, message.access)
    add(stored)
  } else if (message.kind === 'ended') {
    end(accountId)
  } else {
    drop(accountId)
    remove(accountId)
  }
}

const broadcast = (message: Message) => channel.postMessage(message)

const emit = () => {
  for (const listener of listeners) listener()
}

/** Calls back when an account comes or goes; the returned function stops that. */
export function onSessions(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
