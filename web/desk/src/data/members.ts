import useSWR from 'swr'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import type { Role } from './types.ts'

/** Who works for the tenant, and who is invited. */
export function useMembers(tenant: string) {
  const { data, error, mutate } = useSWR(['members', tenant], async () =>
    unwrap(api.GET('/api/desk/tenants/{tenant}/members', { params: { path: { tenant } }, ...byPerson })),
  )
  return { found: data, error: error as unknown, reload: async () => mutate() }
}

/** Invites by mail, again if that invitation is open as it was shown; the link, if the mail did not go out. */
export async function invite(
  tenant: string,
  email: string,
  roles: readonly Role[],
  again?: string,
): Promise<string | undefined> {
  const sent = await unwrap(
    api.POST('/api/desk/tenants/{tenant}/members', {
      params: { path: { tenant } },
      body: { email, roles: [...roles], ...(again && { again }) },
      ...byPerson,
    }),
  )
  return sent?.link
}

const ofMember = (tenant: string, member: string) => ({ params: { path: { tenant, member } }, ...byPerson })

/** Gives a member other roles in the place of those that were shown. */
export const changeRoles = async (tenant: string, member: string, seen: readonly Role[], roles: readonly Role[]) =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/members/{member}', {
      body: { roles: [...roles], seen: [...seen] },
      ...ofMember(tenant, member),
    }),
  )

/** Invites a member whose login is another one now, at their own address; again if that invitation is still open. */
export const relogin = async (tenant: string, member: string, again?: string) =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/members/{member}/invitation', {
      params: { path: { tenant, member }, query: again === undefined ? {} : { again } },
      ...byPerson,
    }),
  )

export const removeMember = async (tenant: string, member: string) =>
  unwrap(api.DELETE('/api/desk/tenants/{tenant}/members/{member}', ofMember(tenant, member)))

/** Takes back an invitation that is not accepted yet. */
export const withdrawInvitation = async (tenant: string, invitation: string) =>
  unwrap(
    api.DELETE('/api/desk/tenants/{tenant}/invitations/{invitation}', {
      params: { path: { tenant, invitation } },
      ...byPerson,
    }),
  )
