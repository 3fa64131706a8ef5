import useSWR from 'swr'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import type { RemindersRequest, Run } from './types.ts'

/** When customers are reminded, and what was asked for here. */
export function useReminders(tenant: string) {
  const { data, error, mutate } = useSWR(['reminders', tenant], async () =>
    unwrap(api.GET('/api/desk/tenants/{tenant}/reminders', { params: { path: { tenant } }, ...byPerson })),
  )
  return { data, error: error as unknown, reload: async () => mutate() }
}

/** Has the customers who are due reminded, or listed. */
export const startReminders = async (tenant: string, body: RemindersRequest): Promise<Run> =>
  unwrap(api.POST('/api/desk/tenants/{tenant}/reminders', { params: { path: { tenant } }, body, ...byPerson }))
