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

/** Has the receiver never get a message. */
export const discardMessage = async (tenant: string, message: string) =>
  unwrap(
    api.DELETE('/api/desk/tenants/{tenant}/webhook/messages/{message}', {
      params: { path: { tenant, message } },
      ...byPerson,
    }),
  )
