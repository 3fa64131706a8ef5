import { type Attempt, nextAttempt } from '@shared/api/attempts.ts'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import type { Entered, Entry } from './types.ts'

let last: Attempt | undefined

/** Sends a reading; the same content again, after a lost answer, is the same reading. */
export async function sendReading(tenant: string, entry: Entry): Promise<Entered> {
  last = nextAttempt(last, JSON.stringify([tenant, entry]))
  const entered = await unwrap(
    api.POST('/api/desk/tenants/{tenant}/readings', {
      params: { path: { tenant }, header: { 'Idempotency-Key': last.key } },
      body: entry,
      ...byPerson,
    }),
  )
  last = undefined
  return entered
}
