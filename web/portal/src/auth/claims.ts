/** What the portal reads from an access token; the server alone decides what a token is worth. */
export interface Claims {
  /** The account that the token is for. */
  accountId: string
  /** Roles of the account. */
  roles: string[]
  /** Through which kind of login the session began. */
  login: 'credentials' | 'token'
}

/** Reads a token's claims; undefined when it is none of ours. */
export function readClaims(token: string): Claims | undefined {
  try {
    const body = token.split('.')[1] ?? ''
    const bytes = Uint8Array.from(atob(body.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0))
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return isClaims(claims) ? claims : undefined
  } catch {
    return undefined
  }
}

function isClaims(value: unknown): value is Claims {
  const claims = value as Partial<Claims> | null
  return typeof claims === 'object' && typeof claims?.accountId === 'string' && Array.isArray(claims.roles)
}
