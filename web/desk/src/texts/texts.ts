import { startTexts as start, type Texts } from '@shared/i18n/i18n.ts'

const files = import.meta.glob<Texts>('./*/*.json', { import: 'default' })

/** The desk's languages, by their own names. */
export const LANGUAGES = { 'de-FORMAL': 'Deutsch', 'en-FORMAL': 'English' } as const

const isOurs = (language: string | null): language is keyof typeof LANGUAGES =>
  language !== null && Object.hasOwn(LANGUAGES, language)

/** Starts the desk's texts in the language that was chosen, else in the browser's. */
export function startTexts(chosen: string | null): Promise<void> {
  const byBrowser = navigator.language.startsWith('de') ? 'de-FORMAL' : 'en-FORMAL'
  return start({ files, areas: ['desk', 'errors'], language: isOurs(chosen) ? chosen : byBrowser, overlay: {} })
}
