import useSWR from 'swr'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import type { RunWords, WebhookSecret } from './types.ts'

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
export async function testWebhook(tenant: string): Promise<RunWords | undefined> {
  const { cause } = await unwrap(api.POST('/api/desk/tenants/{tenant}/webhook/test', ofTenant(tenant)))
  return cause ?? undefined
}

/** Makes a new signing secret beside the one until now, and gives it this once. */
export async function renewSecret(tenant: string): Promise<string> {
  return (await unwrap(api.POST('/api/desk/tenants/{tenant}/webhook/secret', ofTenant(tenant)))).secret
}

/** The signing secrets that are good, the newest first. */
export function useSecrets(tenant: string) {
  const { data, error, mutate } = useSWR(['webhook-secrets', tenant], async () =>
    unwrap(api.GET('/api/desk/tenants/{tenant}/webhook/secret', ofTenant(tenant))),
  )
  return { secrets: data?.secrets, error: error as unknown, reload: async () => mutate() }
}

/** Signs by this secret alone from now on, if it is still the newest. */
export const endOldSecrets = async (tenant: string, { fingerprint }: WebhookSecret) =>
  unwrap(
    api.DELETE('/api/desk/tenants/{tenant}/webhook/secret', {
      params: { path: { tenant }, query: { newest: fingerprint } },
      ...byPerson,
    }),
  )

/** Has the receiver never get a message. */
export const discardMessage = async (tenant: string, message: string) =>
  unwrap(
    api.DELETE('/api/desk/tenants/{tenant}/webhook/messages/{message}', {
      params: { path: { tenant, message } },
      ...byPerson,
    }),
  )
