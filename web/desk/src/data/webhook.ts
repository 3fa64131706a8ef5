import useSWR from 'swr'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'

/** How it stands with the receiver of readings, and what it did not take. */
export function useWebhook(tenant: string) {
  const { data, error, mutate } = useSWR(['webhook', tenant], async () =>
    unwrap(api.GET('/api/desk/tenants/{tenant}/webhook', { params: { path: { tenant } }, ...byPerson })),
  )
  return { webhook: data, error: error as unknown, reload: async () => mutate() }
}

/** Has messages that could not be delivered sent again; without any, all. Gives how many there were. */
export async function sendAgain(tenant: string, messages: readonly string[]): Promise<number> {
  const { revived } = await unwrap(
    api.POST('/api/desk/tenants/{tenant}/webhook/retry', {
      params: { path: { tenant } },
      body: { messages: [...messages] },
      ...byPerson,
    }),
  )
  return revived
}

const ofTenant = (tenant: string) => ({ params: { path: { tenant } }, ...byPerson })

/** Sends a message that says nothing; why it was not taken, or nothing. */
export async function testWebhook(tenant: string): Promise<string | undefined> {
  const { cause } = await unwrap(api.POST('/api/desk/tenants/{tenant}/webhook/test', ofTenant(tenant)))
  return cause ?? undefined
}

/** Makes a new signing secret beside the one until now, and gives it this once. */
export async function renewSecret(tenant: string): Promise<string> {
  return (await unwrap(api.POST('/api/desk/tenants/{tenant}/webhook/secret', ofTenant(tenant)))).secret
}

/** Signs by the newest secret alone from now on. */
export const endOldSecret = async (tenant: string) =>
  unwrap(api.DELETE('/api/desk/tenants/{tenant}/webhook/secret', ofTenant(tenant)))

/** Has the receiver never get a message. */
export const discardMessage = async (tenant: string, message: string) =>
  unwrap(
    api.DELETE('/api/desk/tenants/{tenant}/webhook/messages/{message}', {
      params: { path: { tenant, message } },
      ...byPerson,
    }),
  )
