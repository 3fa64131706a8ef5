import useSWR from 'swr'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import type { InvitationsRequest, LettersRequest, Returned, Run, StaffLanguage } from './types.ts'

/** What was asked for of letters and invitations, and the seasons that they can be about. */
export function useLetters(tenant: string) {
  const { data, error, mutate } = useSWR(['letters', tenant], async () =>
    unwrap(api.GET('/api/desk/tenants/{tenant}/letters', { params: { path: { tenant } }, ...byPerson })),
  )
  return { data, error: error as unknown, reload: async () => mutate() }
}

/** Has letters drawn, or lists who would get one. */
export const startLetters = async (tenant: string, body: LettersRequest): Promise<Run> =>
  unwrap(api.POST('/api/desk/tenants/{tenant}/letters', { params: { path: { tenant } }, body, ...byPerson }))

/** Has customers invited by mail, or lists who would be. */
export const startInvitations = async (tenant: string, body: InvitationsRequest): Promise<Run> =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/letters/invitations', { params: { path: { tenant } }, body, ...byPerson }),
  )

/** Has drawn letters go to their recipients, or goes on with it. */
export const handOver = async (tenant: string, run: string, lang: StaffLanguage): Promise<Run> =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/letters/{run}/hand-over', {
      params: { path: { tenant, run } },
      body: { lang },
      ...byPerson,
    }),
  )

/** Has drawn letters never work. */
export const callBack = async (tenant: string, run: string) =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/letters/{run}/call-back', { params: { path: { tenant, run } }, ...byPerson }),
  )

/** Notes that a letter came back, by its code or its account. */
export const letterReturned = async (tenant: string, code: string): Promise<Returned> =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/letters/returned', {
      params: { path: { tenant } },
      body: { code },
      ...byPerson,
    }),
  )

/** Notes that a customer's address is right again. */
export const letterNotReturned = async (tenant: string, account: string) =>
  unwrap(
    api.DELETE('/api/desk/tenants/{tenant}/letters/returned/{account}', {
      params: { path: { tenant, account } },
      ...byPerson,
    }),
  )
