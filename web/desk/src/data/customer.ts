import { type Attempt, nextAttempt } from '@shared/api/attempts.ts'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import { keepFile } from './download.ts'
import { usePages } from './pages.ts'
import type { StaffLanguage } from './types.ts'

const customer = async (tenant: string, account: string, cursor: string | null) =>
  unwrap(
    api.GET('/api/desk/tenants/{tenant}/customers/{account}', {
      params: { path: { tenant, account }, query: { ...(cursor && { cursor }) } },
      ...byPerson,
    }),
  )

/** A customer, and further jobs of theirs page by page. Each look is in the trail: what is not opened is not looked at. */
export function useCustomer(tenant: string, account: string) {
  const { pages, ...list } = usePages(
    ['customer', tenant, account],
    async (cursor) => customer(tenant, account, cursor),
    { keepPreviousData: false, revalidateOnReconnect: false },
  )
  return { ...list, customer: pages?.[0], jobs: pages?.flatMap(({ jobs }) => jobs) ?? [] }
}

/** The address where the portal is seen as the customer sees it, for a quarter of an hour. */
export const previewOf = async (tenant: string, account: string): Promise<string> =>
  (
    await unwrap(
      api.POST('/api/desk/tenants/{tenant}/customers/{account}/preview', {
        params: { path: { tenant, account } },
        ...byPerson,
      }),
    )
  ).url

/** Gives a customer new login data, and keeps the letter that tells them as a file of this name. */
export async function renewLogin(
  tenant: string,
  account: string,
  endShares: boolean,
  language: StaffLanguage,
  name: string,
): Promise<void> {
  const letter = await unwrap(
    api.POST('/api/desk/tenants/{tenant}/customers/{account}/login', {
      params: { path: { tenant, account } },
      body: { endShares, language },
      parseAs: 'blob',
      ...byPerson,
    }),
  )
  keepFile(letter, `${name}.pdf`)
}

let last: Attempt | undefined

/** Has the address confirmed by a mail to it; the same address again, after a lost answer, is the same mail. */
export async function switchOn(tenant: string, account: string, email: string): Promise<void> {
  last = nextAttempt(last, JSON.stringify([tenant, account, email]))
  await unwrap(
    api.POST('/api/desk/tenants/{tenant}/customers/{account}/communication', {
      params: { path: { tenant, account }, header: { 'Idempotency-Key': last.key } },
      body: { email, privacyAccepted: true },
      ...byPerson,
    }),
  )
  last = undefined
}

/** Forgets what the customer registered; no reminder goes to the address of the utility's file either. */
export async function switchOff(tenant: string, account: string): Promise<void> {
  await unwrap(
    api.DELETE('/api/desk/tenants/{tenant}/customers/{account}/communication', {
      params: { path: { tenant, account } },
      ...byPerson,
    }),
  )
}

/** Has mails go again to the customer's addresses that one came back from. */
export async function liftSuppression(tenant: string, account: string): Promise<void> {
  await unwrap(
    api.DELETE('/api/desk/tenants/{tenant}/customers/{account}/suppression', {
      params: { path: { tenant, account } },
      ...byPerson,
    }),
  )
}
