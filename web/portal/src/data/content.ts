/** What the tenant tells everybody: help, contact, reading instructions. It is there without a network once it was seen. */
import useSWR from 'swr'
import { ApiError, api, unwrap } from '@shared/api/client.ts'
import type { ContactItem, MeterInstruction } from '@shared/contract/types.ts'
import { lastSeen } from '@/device/last-seen.ts'
import { useApplication } from './application.ts'
import { CALM, orElse } from './has-help.ts'
import { keys } from './keys.ts'

/** The help in Markdown; empty when the tenant has none. */
export function useHelp(language: string): { text: string | undefined; error: ApiError | undefined } {
  const { applicationId } = useApplication()
  const { data, error } = useSWR<string, ApiError>(
    keys.help(applicationId, language),
    (key: string) =>
      lastSeen(key, () =>
        orElse(
          unwrap(
            api.GET('/api/public/help/{applicationId}/{language}', {
              params: { path: { applicationId, language } },
              parseAs: 'text',
            }) as Promise<{ data?: string; response: Response }>,
          ),
          '',
        ),
      ),
    CALM,
  )
  return { text: data, error: data === undefined ? error : undefined }
}

/** How to reach the utility: the texts for a screen, in the language or else in the tenant's default one. */
export function useContact(language: string, path: string): readonly ContactItem[] {
  const { applicationId, defaultLanguage } = useApplication()
  const { data } = useSWR<ContactItem[], ApiError>(
    keys.contact(applicationId),
    (key: string) =>
      lastSeen(key, () =>
        unwrap(api.GET('/api/public/contact/{applicationId}', { params: { path: { applicationId } } })).then(
          ({ contactInformationItems }) => contactInformationItems,
        ),
      ),
    CALM,
  )
  const here = (data ?? []).filter((item) => item.path === '' || item.path === path)
  const own = here.filter((item) => item.language === language)
  return own.length > 0 ? own : here.filter((item) => item.language === defaultLanguage)
}

/** How to read certain meters, in all of the tenant's languages. */
export function useInstructions(): readonly MeterInstruction[] {
  const { applicationId } = useApplication()
  const { data } = useSWR<MeterInstruction[], ApiError>(
    keys.instructions(applicationId),
    (key: string) =>
      lastSeen(key, () =>
        unwrap(api.GET('/api/public/meterReadingHelp/{applicationId}', { params: { path: { applicationId } } })).then(
          ({ instructions }) => instructions,
        ),
      ),
    CALM,
  )
  return data ?? NONE
}

const NONE: readonly MeterInstruction[] = []
