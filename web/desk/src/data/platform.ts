import useSWR from 'swr'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import type { NewTenant, Reached, Role, SettingsFault } from './types.ts'

/** All tenants, for the platform's staff. */
export function useTenants() {
  const { data, error, mutate } = useSWR(['platform'], async () =>
    unwrap(api.GET('/api/desk/platform/tenants', byPerson)),
  )
  return { tenants: data?.tenants, error: error as unknown, reload: async () => mutate() }
}

const ofTenant = (tenant: string) => ({ params: { path: { tenant } }, ...byPerson })

/** Where a tenant is reached, whether it has a lead, and what the member may see of it. */
export function useTenant(tenant: string) {
  const { data, error, mutate } = useSWR(['platform', tenant], async () =>
    unwrap(api.GET('/api/desk/platform/tenants/{tenant}', ofTenant(tenant))),
  )
  return { found: data, error: error as unknown, reload: async () => mutate() }
}

/** Makes a tenant; what is wrong with it, or nothing. */
export async function createTenant(tenant: NewTenant): Promise<readonly SettingsFault[]> {
  return (await unwrap(api.POST('/api/desk/platform/tenants', { body: tenant, ...byPerson }))).faults
}

/** Has it reached otherwise than was shown; what is wrong with that, or nothing. */
export async function changeTenant(tenant: string, seen: Reached, wanted: Reached): Promise<readonly SettingsFault[]> {
  const { faults } = await unwrap(
    api.POST('/api/desk/platform/tenants/{tenant}', { body: { ...wanted, seen }, ...ofTenant(tenant) }),
  )
  return faults
}

/** Invites a lead by mail; the link, if that did not go out. */
export async function inviteLead(tenant: string, email: string): Promise<string | undefined> {
  const sent = await unwrap(
    api.POST('/api/desk/platform/tenants/{tenant}/leads', { body: { email }, ...ofTenant(tenant) }),
  )
  return sent?.link
}

/** Asks the tenant's leads for access. */
export const askForAccess = async (tenant: string, reason: string) =>
  unwrap(api.POST('/api/desk/platform/tenants/{tenant}/access', { body: { reason }, ...ofTenant(tenant) }))

/** Ends one's own access, or what one asked for. */
export const endAccess = async (tenant: string) =>
  unwrap(api.DELETE('/api/desk/platform/tenants/{tenant}/access', ofTenant(tenant)))

const ofAsking = (tenant: string, member: string) => ({ params: { path: { tenant, member } }, ...byPerson })

/** Gives who asked these roles for so many hours. */
export const giveAccess = async (tenant: string, member: string, roles: readonly Role[], hours: number) =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/access/{member}', {
      body: { roles: [...roles], hours },
      ...ofAsking(tenant, member),
    }),
  )

export const refuseAccess = async (tenant: string, member: string) =>
  unwrap(api.DELETE('/api/desk/tenants/{tenant}/access/{member}', ofAsking(tenant, member)))
