import useSWR, { mutate } from 'swr'
import { twiceIfLost } from '@shared/api/attempts.ts'
import { ApiError, api, unwrap } from '@shared/api/client.ts'
import type { Registration, RegistrationInfo, ShareMail } from '@shared/contract/types.ts'
import { call } from '@/auth/call.ts'
import { keys } from './keys.ts'

/** A connection that died in silence is given up after this: the dialog is locked meanwhile. */
const RECEIPT_PATIENCE_MS = 30_000

/** Most jobs of one receipt; what is left is the next one's. */
const RECEIPT_JOBS = 500

/** Sends the login data of a share to one recipient; the key lets a repeated request be the same mail. Throws [`ApiError`]. */
export async function sendShareMail(accountId: string, body: ShareMail, key: string): Promise<void> {
  await call(accountId, (caller) =>
    unwrap(
      api.POST('/api/communication/email/share/account', {
        body,
        ...caller,
        headers: { ...caller.headers, 'Idempotency-Key': key },
      }),
    ),
  )
}

/** An account's part in digital communication; without an account, or without an answer, undefined (L8: silent). */
export function useRegistrationInfo(accountId: string | undefined): RegistrationInfo | undefined {
  const { data } = useSWR<RegistrationInfo, ApiError>(
    accountId === undefined ? null : keys.registrationInfo(accountId),
    () => call(accountId ?? '', (caller) => unwrap(api.GET('/api/pro/account/crm-registration-info', caller))),
    { revalidateOnFocus: false, revalidateOnReconnect: false },
  )
  return data
}

/** Asks for it again. Never rejects. */
export const refreshRegistrationInfo = (accountId: string): Promise<unknown> =>
  mutate(keys.registrationInfo(accountId)).catch(() => undefined)

/** How many jobs have their receipts on the way, and what went wrong before all had. */
export interface RequestedReceipts {
  readonly count: number
  readonly failure?: unknown
}

/** Asks for receipts of all readings that have none yet. Never rejects. */
export async function requestReceipts(accountId: string): Promise<RequestedReceipts> {
  let count = 0
  for (;;) {
    try {
      const { jobCount } = await twiceIfLost(receiptRequest(accountId))
      count += jobCount
      if (jobCount < RECEIPT_JOBS) return { count }
    } catch (failure) {
      const isEnd = count > 0 && failure instanceof ApiError && failure.code === 'receipt-blocked'
      return isEnd ? { count } : { count, failure }
    }
  }
}

/** Asks for one receipt, however often it is called. */
function receiptRequest(accountId: string): () => Promise<{ jobCount: number }> {
  const key = crypto.randomUUID()
  return () =>
    call(
      accountId,
      (caller) =>
        unwrap(
          api.POST('/api/pro/job/reading-receipts', {
            ...caller,
            headers: { ...caller.headers, 'Idempotency-Key': key },
          }),
        ),
      { patienceMs: RECEIPT_PATIENCE_MS },
    )
}

/** What is registered under a self-service token. */
export function useRegistration(selfServiceToken: string): {
  registration: Registration | undefined
  error: ApiError | undefined
  reload: () => Promise<unknown>
} {
  const { data, error, mutate } = useSWR<Registration, ApiError>(keys.registration(selfServiceToken), () =>
    unwrap(api.GET('/api/public/communication/{selfServiceToken}', { params: { path: { selfServiceToken } } })),
  )
  return { registration: data, error, reload: () => mutate() }
}

/** Asks the owner of an address to confirm it, in this language. Throws [`ApiError`]. */
export async function register(selfServiceToken: string, email: string, language: string, key: string): Promise<void> {
  await unwrap(
    api.POST('/api/public/communication/{selfServiceToken}', {
      params: { path: { selfServiceToken }, header: { 'Idempotency-Key': key } },
      body: { email, privacyAccepted: true, language },
    }),
  )
}

/** Ends digital communication. Throws [`ApiError`]. */
export async function revokeRegistration(selfServiceToken: string): Promise<void> {
  await unwrap(api.DELETE('/api/public/communication/{selfServiceToken}', { params: { path: { selfServiceToken } } }))
}

/** Ends reminders, and nothing else. Throws [`ApiError`]. */
export async function stopReminders(selfServiceToken: string): Promise<void> {
  await unwrap(api.POST('/api/public/unsubscribe/{selfServiceToken}', { params: { path: { selfServiceToken } } }))
}

/** Confirms an address, by the token of the mail that was sent to it. Throws [`ApiError`]. */
export async function confirmRegistration(token: string): Promise<void> {
  await unwrap(api.POST('/api/public/communication/confirmation/{token}', { params: { path: { token } } }))
}
