/** A moment, by both of the device's clocks, which may be wrong by hours: they are not compared with the server's. */
export interface Moment {
  readonly date: number
  readonly steady: number
}

export const now = (): Moment => ({ date: Date.now(), steady: performance.now() })

/** Milliseconds since then. The steady clock stands still while some devices sleep, the other one jumps when it is set right. */
export const since = ({ date, steady }: Moment): number => Math.max(Date.now() - date, performance.now() - steady)

/** An access token with how long it is good for from its answer on. */
export interface AccessToken {
  readonly token: string
  readonly lifeMs: number
  readonly receivedAt: Moment
}

/** A token that has just come and is good for so long. */
export const fresh = (token: string, lifeMs: number): AccessToken => ({ token, lifeMs, receivedAt: now() })

/** Milliseconds for which a token is still good. */
export const left = ({ lifeMs, receivedAt }: AccessToken): number => lifeMs - since(receivedAt)
