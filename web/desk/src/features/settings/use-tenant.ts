import { type Json, type JsonObject, objectOf, TENANT_FILE, withAt } from './documents.ts'
import type { Editing } from './use-editing.ts'
import { useFault } from './use-fault.ts'

/** The tenant's document, nothing where it is none; what is wrong at a place of it; and how a place is changed, by what the document is to have there now. */
export function useTenant({ settings, edit }: Editing) {
  const faultAt = useFault(settings)
  return {
    tenant: objectOf(settings, TENANT_FILE),
    fault: (path: string) => faultAt(TENANT_FILE, path),
    put: async (path: string, made: (document: JsonObject) => Json | undefined) =>
      edit(TENANT_FILE, (content) => {
        const document = JSON.parse(content ?? '{}') as JsonObject
        return JSON.stringify(withAt(document, path, made(document)))
      }),
  }
}
