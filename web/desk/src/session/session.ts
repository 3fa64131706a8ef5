/** Who is logged in at the desk and until when. All of it is the server's; nothing is kept in the browser. */
import { useSyncExternalStore } from 'react'
import { ApiError, api, unwrap, unwrapAnswer } from '@shared/api/client.ts'
import type { DeskMe, StaffRole } from '@shared/contract/types.ts'

/** How things stand. */
export type SessionState =
  | { readonly kind: 'out'; readonly error?: ApiError }
  | (Login & { readonly kind: 'in'; readonly phase: 'open' | 'ending' | 'ended' })

interface Login {
  readonly me: DeskMe
  /** When it ends if the member does nothing, by this device's clock in milliseconds. */
  readonly deadline: number
  /** It ends then even if the member is active (D-DESK-2). */
  readonly isLast: boolean
}

/** So long before the end it is said. */
const WARNING_MS = 2 * 60_000
/** What the member is and may is asked anew when a screen changes, if it is older. */
const FRESH_MS = 60_000
/** Who types is there: that much after the last call they are said to be. */
const PRESENCE_MS = 5 * 60_000

const ENDED = new Set(['session-missing', 'session-ended'])
const LOGGED_OUT = '/login?reason=logout'
/** Where the member is told that the identity provider's session may go on. */
const LOGGED_OUT_HERE = '/login?reason=here'
/** Has the provider ask the next person who logs in in this browser, within 30 days, who they are (D-DESK-17). */
const ASK_AGAIN = '__Host-desk-again=1; Path=/; Secure; SameSite=Lax; Max-Age=2592000'

/** The member wants to look on without a session: neither what the page asks for by itself nor a key tells its end again. */
let isLeftAtThat = false
/** To the other windows. */
const channel = new BroadcastChannel('desk-session')

let state: SessionState = { kind: 'out' }
let timer: ReturnType<typeof setTimeout> | undefined
let lastActive = Date.now()
let lastAsked = Date.now()
/** The last end of a session that the member has been told of. */
let seenEnd: string | undefined
const listeners = new Set<() => void>()
/** Calls that wait for a login in another window: true to be made again. */
let waiting: ((again: boolean) => void)[] = []

function set(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** How things stand, for components. */
export const useSession = (): SessionState => useSyncExternalStore(subscribe, () => state)

/** The member who is logged in; only where one is. */
export function useMe(): DeskMe {
  const session = useSession()
  if (session.kind !== 'in') throw new Error('nobody is logged in')
  return session.me
}

/** Whether a tenant is in rehearsal, as a lead has just put it into effect or seen it. */
export function learnRehearsal(tenant: string, isInRehearsal: boolean): void {
  if (state.kind !== 'in') return
  const learn = (one: DeskMe['memberships'][number]) => (one.tenant === tenant ? { ...one, isInRehearsal } : one)
  set({ ...state, me: { ...state.me, memberships: state.me.memberships.map(learn) } })
}

/** Whether a tenant is in rehearsal, for components. */
export const useRehearsal = (tenant: string): boolean =>
  useMe().memberships.some((one) => one.tenant === tenant && one.isInRehearsal)

/** Whether the member has a role, or one that may do the same, for a tenant. */
export function mayAt(me: DeskMe, tenant: string, needed: StaffRole): boolean {
  const ranks: StaffRole[] = ['support', 'clerk', 'lead']
  const roles = me.memberships.find((one) => one.tenant === tenant)?.roles ?? []
  return roles.some(
    (role) => role === needed || (ranks.includes(needed) && ranks.indexOf(role) >= ranks.indexOf(needed)),
  )
}

const withHeaders = (request: Request, isActive: boolean): Request => {
  request.headers.set('X-Desk', '1')
  // Another member may have logged in in this browser meanwhile.
  if (state.kind === 'in') request.headers.set('X-Desk-Member', state.me.id)
  if (isActive) request.headers.set('X-Desk-Active', '1')
  return request
}

/** Asks who is logged in; `isActive` renews the session. */
async function ask(isActive: boolean): Promise<Login> {
  const { data: me, response } = await unwrapAnswer(
    api.GET('/api/desk/me', { fetch: (request: Request) => fetch(withHeaders(request, isActive)) }),
  )
  if (!me) throw new ApiError('internal-error')
  lastAsked = Date.now()
  if (isActive) lastActive = Date.now()
  // The server's clock and this one need not be the same.
  const now = Date.parse(response.headers.get('date') ?? '') || Date.now()
  const [idle, end] = [Date.parse(me.idleUntil), Date.parse(me.endsAt)]
  return { me, deadline: Date.now() + Math.min(idle, end) - now, isLast: end <= idle }
}

/** Looks who is logged in. Never rejects. */
export async function startSession(): Promise<void> {
  try {
    enter(await ask(true))
  } catch (error) {
    const known = error instanceof ApiError ? error : new ApiError('internal-error')
    set({ kind: 'out', ...(!ENDED.has(known.code) && { error: known }) })
  }
  const here = () => {
    const isOpen = state.kind === 'in' && state.phase === 'open' && !isLeftAtThat
    if (isOpen && Date.now() - lastActive > PRESENCE_MS) void stay()
  }
  document.addEventListener('keydown', here)
  document.addEventListener('pointerdown', here)
  channel.addEventListener('message', ({ data }) => {
    if (data === 'login') void loggedInElsewhere()
    else if (state.kind === 'in') goOut(data === 'logout' ? LOGGED_OUT : LOGGED_OUT_HERE)
  })
  // What the browser kept of a page may be of a member who has logged out, and whoever comes back to it may stop the reload.
  addEventListener('pagehide', ({ persisted }) => {
    if (persisted) showNothing()
  })
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) location.reload()
  })
}

function showNothing(): void {
  document.documentElement.hidden = true
}

/** Leaves the page of a member who has logged out. Nothing of it is shown until the next one comes, which takes a while or can be stopped. */
function goOut(target: string): void {
  // Where the browser asks first, as of a text that is not kept yet, the page may stay.
  const asks = !dispatchEvent(new Event('beforeunload', { cancelable: true }))
  if (!asks) showNothing()
  location.assign(target)
}

function enter(login: Login): void {
  isLeftAtThat = false
  set({ ...login, kind: 'in', phase: 'open' })
  clearTimeout(timer)
  timer = setTimeout(() => void look(), Math.max(login.deadline - WARNING_MS - Date.now(), 0))
}

/** Near the end: another tab may have done something meanwhile. */
async function look(): Promise<void> {
  if (state.kind !== 'in') return
  try {
    const now = await ask(false)
    if (now.deadline - Date.now() > WARNING_MS) enter(now)
    else if (now.deadline > Date.now()) {
      const isSeen = now.isLast && seenEnd === now.me.endsAt
      set({ ...now, kind: 'in', phase: isSeen ? 'open' : 'ending' })
      timer = setTimeout(() => void look(), now.deadline - Date.now() + 1_000)
    } else ended()
  } catch (error) {
    if (error instanceof ApiError && ENDED.has(error.code)) ended()
    // Without a network it is not known; it is asked again.
    else timer = setTimeout(() => void look(), 30_000)
  }
}

function ended(): void {
  clearTimeout(timer)
  if (state.kind === 'in') set({ ...state, phase: 'ended' })
}

/** Goes on until the end, which nothing puts off and which is not told again. */
export function awaitEnd(): void {
  if (state.kind !== 'in') return
  seenEnd = state.me.endsAt
  set({ ...state, phase: 'open' })
}

/** Goes on: the member is there. */
export async function stay(): Promise<void> {
  lastActive = Date.now()
  try {
    enter(await ask(true))
  } catch (error) {
    if (error instanceof ApiError && ENDED.has(error.code)) ended()
  }
}

/** Learns what has become of the member's roles and tenants meanwhile; without an answer it stays as it is. */
export async function freshen(): Promise<void> {
  if (state.kind !== 'in' || state.phase !== 'open' || Date.now() - lastAsked < FRESH_MS) return
  lastAsked = Date.now()
  const { me } = state
  const now = await ask(false).catch(() => undefined)
  if (now?.me.id === me.id && state.phase === 'open') enter(now)
}

/** Tells the other windows that a member has logged in here. */
export function tellOthers(): void {
  channel.postMessage('login')
}

/** A member has logged in in another window: what waits is done again, once, if it is the same person. */
export async function loggedInElsewhere(): Promise<void> {
  if (state.kind === 'out') {
    location.reload()
    return
  }
  try {
    enter(await ask(true))
    settle(true)
  } catch (error) {
    // Still no member, or another one.
    if (error instanceof ApiError && ENDED.has(error.code)) ended()
  }
}

function settle(again: boolean): void {
  const calls = waiting
  waiting = []
  for (const call of calls) call(again)
}

/** Leaves it at that: what waits fails, and what was typed stays. */
export function giveUp(): void {
  settle(false)
  isLeftAtThat = true
  if (state.kind === 'in') set({ ...state, phase: 'open' })
}

async function isEnded(response: Response): Promise<boolean> {
  if (response.status !== 401) return false
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  return typeof problem === 'object' && problem !== null && 'code' in problem && ENDED.has(String(problem.code))
}

/** Another member has decided already. */
export class DecidedAlready extends ApiError {
  /** What was decided, as far as the answer says it. */
  readonly decision: unknown

  constructor(problem: object) {
    super('decided-already', { status: 409, problem })
    this.decision = 'decision' in problem ? problem.decision : undefined
  }
}

/** Reads of a refusal what only the desk is told. */
async function throwDecided(response: Response): Promise<void> {
  if (response.status !== 409) return
  const problem: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  if (typeof problem === 'object' && problem !== null && 'code' in problem && problem.code === 'decided-already')
    throw new DecidedAlready(problem)
}

/** A call whose session has ended waits for a login in another window, and is then made once more; each time it may take `patience` milliseconds. */
async function send(request: Request, isActive: boolean, patience?: number): Promise<Response> {
  const again = withHeaders(request, isActive).clone()
  const attempt = async (request: Request) => {
    const response = await fetch(request, patience === undefined ? {} : { signal: AbortSignal.timeout(patience) })
    await throwDecided(response)
    return response
  }
  const response = await attempt(request)
  if (!(await isEnded(response))) {
    if (isActive && response.ok) lastActive = Date.now()
    return response
  }
  if (isLeftAtThat && !isActive) return response
  const answered = new Promise<boolean>((resolve) => waiting.push(resolve))
  ended()
  return (await answered) ? attempt(again) : response
}

/** Options of a call that a person caused: it renews the session. */
export const byPerson = { fetch: (request: Request): Promise<Response> => send(request, true) }

/** The same of one that is given up after a while; how long the member takes to log in again is not part of it. */
export const byPersonWithin = (patience: number) => ({
  fetch: (request: Request): Promise<Response> => send(request, true, patience),
})

/** Options of a call that the page makes by itself. */
export const byPage = { fetch: (request: Request): Promise<Response> => send(request, false) }

/** Whether a member is logged in. */
export const isLoggedIn = (): boolean => state.kind === 'in' && state.phase !== 'ended'

/** Options of a call whose answer is not waited for: the end of the session is not told by it. */
export const unattended = { fetch: (request: Request): Promise<Response> => fetch(withHeaders(request, false)) }

/** Goes where the identity provider ends its own session; the other windows show nothing more either. */
async function leave(end: () => Promise<{ location?: string | null }>): Promise<void> {
  let target: string | null | undefined
  try {
    target = (await end()).location
  } catch (error) {
    // Whose session has ended is out already, but only here.
    if (!(error instanceof ApiError && ENDED.has(error.code))) throw error
  }
  // The provider would take the next person at this computer for this one.
  if (!target) document.cookie = ASK_AGAIN
  channel.postMessage(target ? 'logout' : 'logout here')
  goOut(target ?? LOGGED_OUT_HERE)
}

const options = { fetch: (request: Request) => fetch(withHeaders(request, true)) }

/** Ends the session here. */
export const logOut = (): Promise<void> => leave(async () => unwrap(api.POST('/desk/logout', options)))

/** Ends all of the member's sessions. */
export const logOutEverywhere = (): Promise<void> =>
  leave(async () => unwrap(api.DELETE('/api/desk/sessions', options)))
