/** The texts of an application: files by language and area, and over them what a tenant wrote (D-PORTAL-16). */
import type { TextAreas } from './areas.d.ts'

/** Texts of one area: keys to texts, grouped at will. */
export type Texts = { readonly [key: string]: string | Texts }

/** Files of texts by `./<language>/<area>.json`, each fetched when its area is shown. */
export type TextFiles = Record<string, () => Promise<Texts>>

/** A tenant's own texts: language, then `<area>.<key>`, to text. */
export type Overlay = Record<string, Record<string, string>>

export type Area = keyof TextAreas

/** The key of a text that follows a count or a context is the one without the ending. */
type Base<Key extends string> = Key extends `${infer Start}_${'zero' | 'one' | 'other' | 'feedIn'}` ? Start : Key

type Keys<T> = { [Key in keyof T & string]: T[Key] extends string ? Base<Key> : `${Key}.${Keys<T[Key]>}` }[keyof T &
  string]

/** The texts of an area: `navigation.home`. */
export type TextKey<A extends Area> = Keys<TextAreas[A]>

/** What a text is told; each fills the place of its name, `{{name}}`. */
export interface TextValues {
  readonly [name: string]: string | number | null | undefined
  /** Chooses among `key_zero`, `key_one` and `key_other`, as the language has them. */
  readonly count?: number | undefined
  /** Chooses `key_<context>` where there is one. */
  readonly context?: 'feedIn' | undefined
  /** What is said where there is no such text; without it the key. */
  readonly fallback?: string | undefined
}

/** Looks a text of an area up, or, by name, one of another area that is there. */
export interface Translate<A extends Area = 'common'> {
  (key: TextKey<A>, values?: TextValues): string
  <Other extends Area>(key: TextKey<Other>, values: TextValues & { readonly area: Other }): string
}

const FALLBACK = 'de-FORMAL'

/** How often a file is asked for, and how long after a failure: a network in a cellar comes and goes. */
const ATTEMPTS = 5
const RETRY_MS = 350

const sharedFiles: TextFiles = import.meta.glob<Texts>(['./*/*.json'], { import: 'default' })

let files = sharedFiles
let overlay: Overlay = {}
let current = FALLBACK

/** What has come, and what is on its way, by `<language>/<area>`. */
const loaded = new Map<string, Texts>()
const loading = new Map<string, Promise<void>>()

const translates = new Map<string, unknown>()
const listeners = new Set<() => void>()

async function fetched(path: string, attempt = 1): Promise<Texts> {
  try {
    return (await files[path]?.()) ?? {}
  } catch (error) {
    if (attempt === ATTEMPTS) throw error
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS * 2 ** (attempt - 1)))
    return fetched(path, attempt + 1)
  }
}

const areaOf = (name: string) => name.slice(name.indexOf('/') + 1) as Area

async function load(name: string): Promise<void> {
  const area = areaOf(name)
  try {
    // A language that only the tenant has shows ours where the tenant has no text.
    const path = `./${name}.json` in files ? `./${name}.json` : `./${FALLBACK}/${area}.json`
    loaded.set(name, await fetched(path))
  } finally {
    loading.delete(name)
  }
}

/** Resolves when the texts of an area are there; undefined when they are already. */
export function areaOnItsWay(area: Area, language = current): Promise<void> | undefined {
  const name = `${language}/${area}`
  if (loaded.has(name)) return undefined
  const begun = loading.get(name) ?? load(name)
  loading.set(name, begun)
  return begun
}

function textAt(language: string, area: Area, key: string): string | undefined {
  const own = overlay[language]?.[`${area}.${key}`]
  if (own !== undefined) return own
  let place: string | Texts | undefined = loaded.get(`${language}/${area}`)
  for (const part of key.split('.')) place = typeof place === 'object' ? place[part] : undefined
  return typeof place === 'string' ? place : undefined
}

const allPluralRules = new Map<string, Intl.PluralRules>()

function pluralRules(language: string): Intl.PluralRules {
  const rules = allPluralRules.get(language) ?? new Intl.PluralRules(language)
  allPluralRules.set(language, rules)
  return rules
}

/** The endings of a key, the most particular one first. */
function endings(language: string, { count, context }: TextValues): string[] {
  const contexts = context ? [`_${context}`, ''] : ['']
  if (count === undefined) return contexts
  const category = pluralRules(locale(language)).select(count)
  const plurals = [...(count === 0 ? ['_zero'] : []), `_${category}`, '_other', '']
  return contexts.flatMap((ending) => plurals.map((plural) => ending + plural))
}

/** The texts of an area that is there, always the same function for the same language. */
export function translate<A extends Area>(area: A, language = current): Translate<A> {
  const name = `${language}/${area}`
  const existing = translates.get(name) as Translate<A> | undefined
  if (existing) return existing
  const made = (key: string, values: TextValues & { readonly area?: Area } = {}) => {
    const within = values.area ?? area
    for (const ending of endings(language, values)) {
      const text = textAt(language, within, key + ending)
      if (text !== undefined) return text.replace(/\{\{(\w+)\}\}/g, (_, place: string) => String(values[place] ?? ''))
    }
    return values.fallback ?? key
  }
  translates.set(name, made)
  return made
}

export interface TextOptions {
  /** The application's own texts. */
  files: TextFiles
  /** The areas that are there when the start is over. */
  areas: readonly Area[]
  /** The language to begin with. */
  language: string
  /** The tenant's texts, which go before ours. */
  overlay: Overlay
}

/** Starts the texts of an application, and of what all applications share. */
export async function startTexts(options: TextOptions): Promise<void> {
  files = { ...sharedFiles, ...options.files }
  overlay = options.overlay
  await loadTexts(['common', ...options.areas], options.language)
  show(options.language)
}

/** Fetches the texts of further areas, so that a screen that is about to appear need not wait for them. */
export async function loadTexts(areas: readonly Area[], language = current): Promise<void> {
  await Promise.all(areas.map(async (area) => areaOnItsWay(area, language)))
}

let wanted = FALLBACK

/** Changes the language of all screens, once its texts are there; where they cannot be had, everything stays as it is. */
export async function changeLanguage(language: string): Promise<void> {
  wanted = language
  const inUse = new Set([...loaded.keys(), ...loading.keys()].map(areaOf))
  try {
    await loadTexts([...inUse], language)
  } catch {
    return
  }
  if (language === wanted) show(language)
}

function show(language: string): void {
  current = language
  document.documentElement.lang = locale(language)
  for (const listener of listeners) listener()
}

/** Calls back whenever the language has changed; ends that when the answer is called. */
export function onLanguage(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The tenant's name of the language in use: `de-FORMAL`. */
export const currentLanguage = (): string => current

/** A text that a tenant wrote, and its language for screen readers where that is not the one of the screen. */
export interface TenantText {
  readonly text: string
  readonly lang: string | undefined
}

/** The `lang` of a text in this language, one of the tenant's; undefined in the language of the screen. */
export const foreignLang = (language: string): string | undefined =>
  locale(language) === locale(current) ? undefined : locale(language)

/** A text of the tenant's settings in the reader's language where its translations have it under this key, else as it was written. */
export function tenantText(key: string, text: string, writtenIn: string): TenantText {
  const translated = overlay[current]?.[key]
  return translated === undefined ? { text, lang: foreignLang(writtenIn) } : { text: translated, lang: undefined }
}

/** The locale for numbers, dates and the `lang` attribute: `de-INFORMAL` is German. */
export const locale = (language: string): string => language.split('-')[0]?.toLowerCase() ?? 'de'
