import { useCallback, useEffect, useState } from 'react'
import { ApiError, api, unwrap } from '@shared/api/client.ts'
import { readClaims } from '@/auth/claims.ts'
import { isOnline, onConnectivity, probe } from '@/device/connectivity.ts'

/** A visitor's session. It cannot be renewed, only replaced. */
export interface Session {
  readonly token: string
  readonly roles: readonly string[]
  /** When it ends, by this device's clock. */
  readonly expiresAt: number
}

export type SessionState =
  | { readonly state: 'pending' | 'off' | 'expired' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'ready'; readonly session: Session }

const PENDING = { state: 'pending' } as const

/** Fetches a session on entry, and tells when it is over (P4). */
export function useVisitorSession(): { current: SessionState; refresh: () => void; expire: () => void } {
  const [current, setCurrent] = useState<SessionState>(PENDING)
  const expire = useCallback(() => setCurrent({ state: 'expired' }), [])

  const isPending = current.state === 'pending'
  useEffect(() => {
    if (!isPending) return
    const left = new AbortController()
    fetchSession(left.signal).then(
      (session) => !left.signal.aborted && setCurrent({ state: 'ready', session }),
      (error: unknown) => {
        const isOff = error instanceof ApiError && error.code === 'feature-disabled'
        if (left.signal.aborted) return
        setCurrent(isOff ? { state: 'off' } : { state: 'failed', error })
        // Notes that the network is gone, so that its return is noticed.
        if (error instanceof ApiError && error.status === undefined) void probe()
      },
    )
    return () => left.abort()
  }, [isPending])

  const hasFailed = current.state === 'failed'
  useEffect(() => (hasFailed ? onConnectivity(() => isOnline() && setCurrent(PENDING)) : undefined), [hasFailed])

  const expiresAt = current.state === 'ready' ? current.session.expiresAt : undefined
  useEffect(() => {
    if (expiresAt === undefined) return
    const look = () => isOver({ expiresAt }) && expire()
    const timer = setTimeout(expire, expiresAt - Date.now())
    // A timer stands still while the device sleeps.
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [expiresAt, expire])

  const refresh = useCallback(() => setCurrent(PENDING), [])
  return { current, refresh, expire }
}

async function fetchSession(signal: AbortSignal): Promise<Session> {
  const { token, expiresIn } = await unwrap(api.POST('/auth/token-unknown-readings', { signal }))
  return { token, roles: readClaims(token)?.roles ?? [], expiresAt: Date.now() + expiresIn * 1000 }
}

const COPY_ROLES = ['ROLE_KSA_UNKNOWN_READINGS', 'ROLE_KSA_SEND_UNKNOWNUSER_READINGRECEIPT']

/** Whether the session may ask for a copy by e-mail (P6). */
export const mayAskForCopy = ({ roles }: Session): boolean => COPY_ROLES.every((role) => roles.includes(role))

/** Whether nothing can be sent with it any more. */
export function isOver({ expiresAt }: Pick<Session, 'expiresAt'>): boolean {
  return Date.now() >= expiresAt
}
