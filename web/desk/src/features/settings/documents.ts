/** The files of a tenant as documents: what is in them, and with something changed. */
import type { Settings, SettingsFile } from '@/data/types.ts'

export const TENANT_FILE = 'tenant.json'
export const CONTACT_FILE = 'contact.json'
export const LOGO_FILE = 'logo.png'
export const EXPORTS_FILE = 'exports.json'
/** Where it says that the tenant is in rehearsal. */
export const REHEARSAL = 'rehearsal'
/** Where the exports are that begin by themselves. */
export const SCHEDULED = 'desk.exports.scheduled'
export const textsFile = (language: string): string => `translations/${language}.json`
export const helpFile = (language: string): string => `help/${language}.md`

/** A document or a part of it. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json }
export type JsonObject = { readonly [name: string]: Json }

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value as people type it; empty for none. */
export const word = (value: Json | undefined): string => {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export const fileOf = (settings: Settings, name: string): SettingsFile | undefined =>
  settings.files.find((file) => file.name === name)

/** What a file is to have; nothing where it is to go, or is not there. */
export const contentOf = (file: SettingsFile | undefined): string | undefined =>
  (file?.draft ? file.draft.content : file?.content) ?? undefined

/** The document; nothing where it is none. */
export function parsed(content: string | undefined): Json | undefined {
  try {
    return content === undefined ? undefined : (JSON.parse(content) as Json)
  } catch {
    return undefined
  }
}

/** The object that a file is to have; empty where there is no such file, nothing where it is no object. */
export function objectOf(settings: Settings, name: string): JsonObject | undefined {
  const content = contentOf(fileOf(settings, name))
  const value = content === undefined ? {} : parsed(content)
  return isObject(value) ? value : undefined
}

/** What is at a path such as `theme.primaryColor`. */
export function at(document: Json | undefined, path: string): Json | undefined {
  let place = document
  for (const name of path.split('.')) place = isObject(place) ? place[name] : undefined
  return place
}

/** The document with another value at a path; without one there, nothing is there. */
export function withAt(document: JsonObject, path: string, value: Json | undefined): JsonObject {
  const [name = '', ...rest] = path.split('.')
  const { [name]: before, ...others } = document
  if (rest.length === 0) return value === undefined ? others : { ...document, [name]: value }
  return { ...document, [name]: withAt(isObject(before) ? before : {}, rest.join('.'), value) }
}

/** Whether a text is none of the portal's: it stands in mails or letters. */
export const isOfMails = (key: string): boolean => key.startsWith('mail.') || key.startsWith('letter.')

/** A file of texts with something put in for a key, or without one of the tenant's own. */
export const withText = (own: JsonObject, key: string, text: string): string => {
  const { [key]: _, ...others } = own
  const all = text.trim() === '' ? others : { ...others, [key]: text }
  return JSON.stringify(Object.fromEntries(Object.entries(all).toSorted(([one], [other]) => one.localeCompare(other))))
}

/** One language that the portal is to have. */
export interface Language {
  readonly name: string
  readonly readableName: string
}

export function languagesOf(settings: Settings): readonly Language[] {
  const languages = at(objectOf(settings, TENANT_FILE), 'languages')
  const found = Array.isArray(languages) ? (languages as readonly Json[]) : []
  return found.flatMap((language) => {
    const [name, readableName] = [at(language, 'name'), at(language, 'readableName')]
    return typeof name === 'string' && typeof readableName === 'string' ? [{ name, readableName }] : []
  })
}

/** A document as people read it. */
export const readable = (content: string): string => {
  const value = parsed(content)
  return value === undefined ? content : `${JSON.stringify(value, null, 2)}\n`
}

/** A difference between two files: where, what it was and what it is. */
export interface Difference {
  readonly path: string
  readonly before?: string | undefined
  readonly after?: string | undefined
}

const shown = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value))

function leaves(value: Json, path: string, found: Map<string, string>): Map<string, string> {
  const below: [string, Json][] = Array.isArray(value)
    ? (value as readonly Json[]).map((item, place) => [`${path}[${place + 1}]`, item])
    : isObject(value)
      ? Object.entries(value).map(([name, item]) => [path === '' ? name : `${path}.${name}`, item])
      : []
  if (below.length === 0) found.set(path, shown(value))
  for (const [place, item] of below) leaves(item, place, found)
  return found
}

/** What is different in a file: each value of a document, else the file as a whole. */
export function differences(before: string | undefined, after: string | undefined): readonly Difference[] {
  const [old, now] = [before, after].map((content) => {
    const value = parsed(content)
    if (value !== undefined) return leaves(value, '', new Map())
    return new Map(content === undefined ? [] : [['', content]])
  }) as [Map<string, string>, Map<string, string>]
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((path) => old.get(path) !== now.get(path))
    .toSorted((one, other) => one.localeCompare(other, undefined, { numeric: true }))
    .map((path) => ({ path, before: old.get(path), after: now.get(path) }))
}
