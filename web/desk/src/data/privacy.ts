import useSWR from 'swr'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import { keepFile } from './download.ts'
import type { ErasureGround, Hold } from './types.ts'

/** Erasures under way, and the last of those that were carried out. */
export function useErasures(tenant: string) {
  const { data, error, mutate } = useSWR(['erasures', tenant], async () =>
    unwrap(api.GET('/api/desk/tenants/{tenant}/erasures', { params: { path: { tenant } }, ...byPerson })),
  )
  return { erasures: data, error: error as unknown, reload: async () => mutate() }
}

/** All that is stored about a person, as a file of this name: a document to read, or one for programs. */
export async function disclose(tenant: string, account: string, name: string, format: 'json' | 'pdf'): Promise<void> {
  const file = await unwrap(
    api.GET('/api/desk/tenants/{tenant}/customers/{account}/disclosure', {
      params: { path: { tenant, account }, query: { format } },
      parseAs: 'blob',
      ...byPerson,
    }),
  )
  keepFile(file, `${name}.${format}`)
}

const ofPerson = (tenant: string, account: string) => ({ params: { path: { tenant, account } }, ...byPerson })

/** Asks for the erasure of all that is stored about a person. */
export const askForErasure = async (tenant: string, account: string, confirmation: string, ground: ErasureGround) =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/erasures/{account}', {
      body: { confirmation, ground },
      ...ofPerson(tenant, account),
    }),
  )

/** Agrees to an erasure that another member asked for. */
export const confirmErasure = async (tenant: string, account: string) =>
  unwrap(api.POST('/api/desk/tenants/{tenant}/erasures/{account}/confirmation', ofPerson(tenant, account)))

/** Takes back what awaits a second member. */
export const withdrawErasure = async (tenant: string, account: string) =>
  unwrap(api.DELETE('/api/desk/tenants/{tenant}/erasures/{account}', ofPerson(tenant, account)))

/** Has nothing about a person go until the hold ends; it takes the place of the one that was shown, if one was. */
export const hold = async (tenant: string, account: string, reason: string, shown: Hold | undefined) =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/holds/{account}', {
      body: { reason, ...(shown && { seen: shown.since }) },
      ...ofPerson(tenant, account),
    }),
  )

/** What is stored about a person is kept as long as that of others again, if this is still what keeps it. */
export const endHold = async (tenant: string, { account, since }: Hold) =>
  unwrap(
    api.DELETE('/api/desk/tenants/{tenant}/holds/{account}', {
      params: { path: { tenant, account }, query: { since } },
      ...byPerson,
    }),
  )
