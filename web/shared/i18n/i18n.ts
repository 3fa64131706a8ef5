import i18next, { type BackendModule, type Namespace } from 'i18next'
import { initReactI18next } from 'react-i18next'

/** Texts of one area: keys to texts, grouped at will. */
export type Texts = { [key: string]: string | Texts }

/** Files of texts by `./<language>/<area>.json`, each fetched when its area is shown. */
export type TextFiles = Record<string, () => Promise<Texts>>

/** A tenant's own texts: language, then `<area>.<key>`, to text. */
export type Overlay = Record<string, Record<string, string>>

const FALLBACK = 'de-FORMAL'

const sharedFiles: TextFiles = import.meta.glob<Texts>(['./*/*.json'], { import: 'default' })

let files = sharedFiles

let overlay: Overlay = {}
let tenantLanguages: string[] = [FALLBACK]

/** i18next asks in the canonical spelling, `de-formal`. */
const sameLanguage = (name: string) => (other: string) => other.toLowerCase() === name.toLowerCase()

async function texts(language: string, area: string): Promise<Texts> {
  const path = Object.keys(files).find(sameLanguage(`./${language}/${area}.json`)) ?? `./${FALLBACK}/${area}.json`
  const ours = structuredClone((await files[path]?.()) ?? {})
  const tenantLanguage = Object.keys(overlay).find(sameLanguage(language))
  for (const [key, text] of Object.entries((tenantLanguage && overlay[tenantLanguage]) || {})) {
    if (key.startsWith(`${area}.`)) put(ours, key.slice(area.length + 1).split('.'), text)
  }
  return ours
}

function put(texts: Texts, path: string[], text: string): void {
  const [head, ...rest] = path
  if (head === undefined) return
  if (rest.length === 0) {
    texts[head] = text
    return
  }
  const below = texts[head]
  const group = typeof below === 'object' ? below : {}
  texts[head] = group
  put(group, rest, text)
}

const backend: BackendModule = {
  type: 'backend',
  init: () => undefined,
  read: (language: string, area: string) => texts(language, area),
}

export interface TextOptions {
  /** The application's own texts. */
  files: TextFiles
  /** The areas that are there when the start is over. */
  areas: string[]
  /** The language to begin with. */
  language: string
  /** All languages of the switch. */
  languages: string[]
  /** The tenant's texts, which go before ours. */
  overlay: Overlay
}

/** Starts the texts of an application, and of what all applications share. */
export async function startTexts(options: TextOptions): Promise<void> {
  files = { ...sharedFiles, ...options.files }
  overlay = options.overlay
  tenantLanguages = options.languages
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = locale(language)
  })
  await i18next
    .use(backend)
    .use(initReactI18next)
    .init({
      lng: options.language,
      fallbackLng: FALLBACK,
      load: 'currentOnly',
      ns: ['common', 'errors', ...options.areas],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      returnNull: false,
      react: { useSuspense: true },
    })
}

/** Fetches the texts of further areas, so that a screen that is about to appear need not wait for them. */
export const loadTexts = (areas: Namespace): Promise<void> => i18next.loadNamespaces(areas)

/** Changes the language of all screens, once its texts are there. */
export const changeLanguage = async (language: string): Promise<void> => {
  await i18next.changeLanguage(language)
}

/** The tenant's name of the language in use: `de-FORMAL`. */
export const currentLanguage = (): string => tenantLanguages.find(sameLanguage(i18next.language)) ?? FALLBACK

/** A text that a tenant wrote, and its language for screen readers where that is not the one of the screen. */
export interface TenantText {
  readonly text: string
  readonly lang: string | undefined
}

/** The `lang` of a text in this language, one of the tenant's; undefined in the language of the screen. */
export const foreignLang = (language: string): string | undefined =>
  locale(language) === locale(currentLanguage()) ? undefined : locale(language)

/** A text of the tenant's settings in the reader's language where its translations have it under this key, else as it was written. */
export function tenantText(key: string, text: string, writtenIn: string): TenantText {
  const translated = overlay[currentLanguage()]?.[key]
  return translated === undefined ? { text, lang: foreignLang(writtenIn) } : { text: translated, lang: undefined }
}

/** The locale for numbers, dates and the `lang` attribute: `de-INFORMAL` is German. */
export const locale = (language: string): string => language.split('-')[0]?.toLowerCase() ?? 'de'
