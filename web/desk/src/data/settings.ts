import useSWR from 'swr'
import { ApiError, api, UNREACHABLE, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import { keepFile } from './download.ts'
import type { MailSample, Settings } from './types.ts'

const of = (tenant: string) => ({ params: { path: { tenant } }, ...byPerson })
const ofVersion = (tenant: string, version: string) => ({ params: { path: { tenant, version } }, ...byPerson })

/** The tenant's settings with what is to be different. */
export function useSettings(tenant: string) {
  const { data, error, mutate } = useSWR(['settings', tenant], async () => getSettings(tenant))
  return {
    settings: data,
    error: error as unknown,
    /** Takes an answer that has them, or asks for them again; until then they stay as they are, with all that is typed into them. */
    keep: async (settings?: Settings) => (settings ? mutate(settings, { revalidate: false }) : mutate()),
  }
}

export const getSettings = async (tenant: string): Promise<Settings> =>
  unwrap(api.GET('/api/desk/tenants/{tenant}/settings', of(tenant)))

/** Whether it is unknown if a change was made: the answer did not come. */
export const isLost = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === UNREACHABLE || error.code === 'temporarily-unavailable')

/** Asks once more where no answer came: the server knows again what it has done (D-SETTINGS-2). */
async function answered(ask: () => Promise<Settings>): Promise<Settings> {
  try {
    return await ask()
  } catch (error) {
    if (!isLost(error)) throw error
    return ask()
  }
}

/** What a file is to have; nothing: it is to go. `seen` is the hash of what it had before the change. */
export const putDraft = async (
  tenant: string,
  draft: { file: string; content?: string | undefined; seen?: string | undefined },
): Promise<Settings> => {
  const body = {
    file: draft.file,
    ...(draft.content !== undefined && { content: draft.content }),
    ...(draft.seen !== undefined && { seen: draft.seen }),
  }
  return answered(async () => unwrap(api.POST('/api/desk/tenants/{tenant}/settings/drafts', { ...of(tenant), body })))
}

/** Gives the drafts up that were shown. */
export const discardDrafts = async (tenant: string, state: string): Promise<Settings> =>
  answered(async () =>
    unwrap(
      api.DELETE('/api/desk/tenants/{tenant}/settings/drafts', {
        params: { path: { tenant }, query: { state } },
        ...byPerson,
      }),
    ),
  )

/** Puts the drafts into effect that were shown. */
export const applyDrafts = async (tenant: string, state: string): Promise<Settings> =>
  answered(async () => unwrap(api.POST('/api/desk/tenants/{tenant}/settings', { ...of(tenant), body: { state } })))

/** Makes drafts of a version's files, in the place of those that were shown. */
export const goBack = async (tenant: string, version: string, state: string): Promise<Settings> =>
  answered(async () =>
    unwrap(
      api.POST('/api/desk/tenants/{tenant}/settings/versions/{version}', {
        ...ofVersion(tenant, version),
        body: { state },
      }),
    ),
  )

/** The files of a version. */
export function useVersion(tenant: string, version: string) {
  const { data, error, mutate } = useSWR(['settings version', tenant, version], async () =>
    unwrap(api.GET('/api/desk/tenants/{tenant}/settings/versions/{version}', ofVersion(tenant, version))),
  )
  return { files: data?.files, error: error as unknown, reload: async () => mutate() }
}

/** The texts of mails and letters that the tenant may write itself, in a language. */
export function useOwnTexts(tenant: string, language: string) {
  const { data, error, mutate } = useSWR(['own texts', tenant, language], async () =>
    unwrap(
      api.GET('/api/desk/tenants/{tenant}/settings/texts', {
        params: { path: { tenant }, query: { language } },
        ...byPerson,
      }),
    ),
  )
  return { texts: data?.texts, error: error as unknown, reload: () => void mutate() }
}

/** Which mail is looked at. */
export interface MailWanted {
  readonly kind: MailSample
  readonly language: string
  readonly several: boolean
  readonly anytime: boolean
}

/** A sample mail as it is to look, by the drafts of this state; none while nothing is wanted. */
export function useMailPreview(tenant: string, state: string, wanted: MailWanted | undefined) {
  const { data, error, mutate } = useSWR(
    wanted && ['mail', tenant, state, wanted],
    async () =>
      unwrap(
        api.GET('/api/desk/tenants/{tenant}/settings/mail', {
          params: { path: { tenant }, query: { ...(wanted as MailWanted) } },
          ...byPerson,
        }),
      ),
    { keepPreviousData: true },
  )
  return { mail: data, error: error as unknown, reload: () => void mutate() }
}

/** Has the browser keep a sample letter, as letters are to look; in the tenant's own language, if none is named. */
export async function fetchLetter(tenant: string, name: string, language?: string): Promise<void> {
  const params = { path: { tenant }, query: { ...(language !== undefined && { language }) } }
  const letter = await unwrap(
    api.GET('/api/desk/tenants/{tenant}/settings/letter', { params, ...byPerson, parseAs: 'blob' }) as Promise<{
      data?: Blob
      response: Response
    }>,
  )
  keepFile(letter, `${name}.pdf`)
}

/** The address of the portal as it is to be. */
export const preview = async (tenant: string): Promise<string> =>
  (await unwrap(api.POST('/api/desk/tenants/{tenant}/settings/preview', of(tenant)))).url
