import useSWR from 'swr'
import { type ApiError, api, unwrap } from '@shared/api/client.ts'
import type { CustomerPreview } from '@shared/contract/types.ts'

/** What a customer sees, by the token that a member of the staff was given; asked for once, because nothing renews it. */
export const useCustomerPreview = (token: string) =>
  useSWR<CustomerPreview, ApiError>(
    ['customer-preview', token],
    async () => unwrap(api.POST('/api/public/customer-preview', { body: { token } })),
    { revalidateOnFocus: false, revalidateOnReconnect: false, revalidateIfStale: false },
  )
