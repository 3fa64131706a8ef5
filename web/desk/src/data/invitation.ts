import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'

const INVITATION = '/api/desk/invitations/{application}/{token}'

/** What an invitation is for. */
export const fetchInvitation = async (application: string, token: string) =>
  unwrap(api.GET(INVITATION, { params: { path: { application, token } }, ...byPerson }))

/** Makes the person who is logged in a member; good once. */
export const acceptInvitation = async (application: string, token: string) =>
  unwrap(api.POST(INVITATION, { params: { path: { application, token } }, ...byPerson }))
