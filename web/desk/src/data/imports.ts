import useSWR from 'swr'
import { api, unwrap } from '@shared/api/client.ts'
import { byPerson } from '@/session/session.ts'
import type { ImportKind, RehearsalRequest, Run, StaffLanguage } from './types.ts'

/** Most bytes of a file. */
export const MAX_BYTES = 200_000_000

/** The last imports, and what was asked for here. */
export function useImports(tenant: string) {
  const { data, error, mutate } = useSWR(['imports', tenant], async () =>
    unwrap(api.GET('/api/desk/tenants/{tenant}/imports', { params: { path: { tenant } }, ...byPerson })),
  )
  return { data, error: error as unknown, reload: async () => mutate() }
}

/** A file that was sent, with what stands in it. */
export function useImportFile(tenant: string, file: string) {
  const { data, error, mutate } = useSWR(['import file', tenant, file], async () =>
    unwrap(
      api.GET('/api/desk/tenants/{tenant}/imports/files/{file}', { params: { path: { tenant, file } }, ...byPerson }),
    ),
  )
  return { data, error: error as unknown, reload: async () => mutate() }
}

/** The file did not get to the store, which has another address than the desk; or the store took it not. */
export class NotStored extends Error {
  override readonly name = 'NotStored'
  /** The store's address. */
  readonly host: string

  constructor(url: string) {
    const { host } = new URL(url)
    super(`the file did not get to ${host}`)
    this.host = host
  }
}

/** Sends a file, and tells how much of it is there, from 0 to 1; answers what it is called. Rejects with [`NotStored`] where the desk can be reached and the store cannot. */
export async function sendFile(
  tenant: string,
  file: File,
  kind: ImportKind,
  { onPart, signal }: { onPart: (part: number) => void; signal: AbortSignal },
): Promise<string> {
  const { uploadId, url, headers } = await unwrap(
    api.POST('/api/desk/tenants/{tenant}/imports/files', {
      params: { path: { tenant } },
      body: { name: file.name, bytes: file.size, kind },
      signal,
      ...byPerson,
    }),
  )
  await put(url, headers, file, { onPart, signal })
  return uploadId
}

/** One PUT, by the only means of a browser that tells how far it is. */
async function put(
  url: string,
  headers: Record<string, string>,
  file: File,
  { onPart, signal }: { onPart: (part: number) => void; signal: AbortSignal },
): Promise<void> {
  return new Promise((done, failed) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    // The browser sets the length itself, and lets no script do so.
    const own = Object.entries(headers).filter(([name]) => name !== 'content-length')
    for (const [name, value] of own) request.setRequestHeader(name, value)
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (total > 0) onPart(loaded / total)
    })
    request.addEventListener('load', () => {
      // What is there already is this file, whose answer was lost.
      if (request.status === 200 || request.status === 412) done()
      else failed(new NotStored(url))
    })
    for (const end of ['error', 'abort']) request.addEventListener(end, () => failed(new NotStored(url)))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

/** Has it said what an import would do. */
export const rehearse = async (tenant: string, wanted: RehearsalRequest): Promise<Run> =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/imports/rehearsals', {
      params: { path: { tenant } },
      body: wanted,
      ...byPerson,
    }),
  )

/** Has done what a rehearsal showed, or its import go on that was cancelled. */
export const startImport = async (
  tenant: string,
  rehearsal: string,
  { closing, resumes = false }: { closing?: number | undefined; resumes?: boolean },
): Promise<Run> =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/imports', {
      params: { path: { tenant } },
      body: { rehearsal, resumes, ...(closing !== undefined && { closing }) },
      ...byPerson,
    }),
  )

/** Has an import taken back. */
export const undoImport = async (tenant: string, id: string, lang: StaffLanguage): Promise<Run> =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/imports/{import}/undo', {
      params: { path: { tenant, import: id } },
      body: { lang },
      ...byPerson,
    }),
  )

/** Keeps a mapping for the next file. */
export const keepMapping = async (tenant: string, name: string, kind: ImportKind, mapping: Record<string, unknown>) =>
  unwrap(
    api.POST('/api/desk/tenants/{tenant}/imports/mappings', {
      params: { path: { tenant } },
      body: { name, kind, mapping },
      ...byPerson,
    }),
  )

/** Forgets a mapping that is kept. */
export const forgetMapping = async (tenant: string, name: string, kind: ImportKind) =>
  unwrap(
    api.DELETE('/api/desk/tenants/{tenant}/imports/mappings', {
      params: { path: { tenant }, query: { kind, name } },
      ...byPerson,
    }),
  )
