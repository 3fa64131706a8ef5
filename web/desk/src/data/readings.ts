import { type Attempt, nextAttempt } from '@shared/api/attempts.ts'
import { post } from './client.ts'
import type { Entered, EntryChannel } from './types.ts'

/** A reading that staff enter for a customer. */
interface Entry {
  readonly job: string
  readonly channel: EntryChannel
  readonly readingDate: string
  readonly values: readonly { readonly register: string; readonly value: string }[]
  readonly confirmed?: string
  readonly late?: string
}

let last: Attempt | undefined

/** Sends a reading; the same content again, after a lost answer, is the same reading. */
export async function sendReading(tenant: string, entry: Entry): Promise<Entered> {
  last = nextAttempt(last, JSON.stringify([tenant, entry]))
  const entered = await post<Entered>(tenant, 'readings', { body: entry, headers: { 'Idempotency-Key': last.key } })
  last = undefined
  return entered
}
