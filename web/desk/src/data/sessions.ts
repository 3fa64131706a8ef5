import useSWR from 'swr'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'

/** Where I am logged in. */
export function useSessions() {
  const { data, error, mutate } = useSWR('sessions', async () => unwrap(api.GET('/api/desk/sessions', byPerson)))
  return { sessions: data?.sessions, error: error as unknown, reload: mutate }
}

/** Ends one of my sessions. */
export const endSession = async (session: string) =>
  unwrap(api.DELETE('/api/desk/sessions/{session}', { params: { path: { session } }, ...byPerson }))
