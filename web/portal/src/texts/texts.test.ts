import { expect, test } from 'vitest'
import type { Texts } from '@shared/i18n/i18n.ts'
import page from '../../index.html?raw'

const files = {
  ...import.meta.glob<Texts>('./*/*.json', { eager: true, import: 'default' }),
  ...import.meta.glob<Texts>('./*/*.json', { eager: true, import: 'default', base: '../../../shared/i18n' }),
}
const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '../../../shared/**/*.{ts,tsx}', '!**/*.test.*'], {
  eager: true,
  query: '?raw',
  import: 'default',
})

const REFERENCE = 'de-FORMAL'
const LANGUAGES = ['de-FORMAL', 'de-INFORMAL', 'en-FORMAL']
const areas = Object.keys(files)
  .filter((path) => path.startsWith(`./${REFERENCE}/`))
  .map((path) => path.slice(REFERENCE.length + 3, -'.json'.length))

function flat(texts: Texts, prefix = ''): [key: string, text: string][] {
  return Object.entries(texts).flatMap(([key, value]) =>
    typeof value === 'string' ? [[prefix + key, value] as [string, string]] : flat(value, `${prefix}${key}.`),
  )
}

const textsOf = (language: string, area: string) => new Map(flat(files[`./${language}/${area}.json`] ?? {}))
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).toSorted()

test.each(areas.flatMap((area) => LANGUAGES.map((language) => [area, language] as const)))(
  'the texts of %s are complete in %s',
  (area, language) => {
    const reference = textsOf(REFERENCE, area)
    const texts = textsOf(language, area)
    expect([...texts.keys()].toSorted()).toEqual([...reference.keys()].toSorted())
    for (const [key, text] of texts) {
      expect(text.trim(), key).not.toBe('')
      // A singular may do without its number.
      if (!/_(zero|one)$/.test(key)) expect(placeholders(text), key).toEqual(placeholders(reference.get(key) ?? ''))
    }
  },
)

test.each(areas)('the formal and the informal texts of %s do not mix', (area) => {
  for (const [key, text] of textsOf('de-FORMAL', area))
    expect(text, key).not.toMatch(/\b(du|dein|deine|deinen|deiner|dir|dich)\b|\bversuche es\b/i)
  for (const [key, text] of textsOf('de-INFORMAL', area))
    expect(text, key).not.toMatch(/\b(Ihr|Ihre|Ihren|Ihrer|Ihnen)\b|\bSie\b/)
})

/** The messages that the specification quotes. */
const QUOTED = [
  'Ablesehistorie',
  'Aktualisierung fehlgeschlagen',
  'Anmeldung fehlgeschlagen. Bitte prüfen Sie Ihre Anmeldedaten.',
  'Anmeldung nicht möglich',
  'Anmeldung wird geprüft...',
  'Aufträge konnten nicht abgerufen werden',
  'Auswertung',
  'Bitte exakt {{count}} Nachkommastellen angeben.',
  'Der Zugang konnte nicht erstellt werden. Bitte versuchen Sie es später erneut.',
  'Die Ergebnisse konnten nicht gesendet werden. Bitte versuchen Sie es später erneut.',
  'Die Ergebnisse wurden erfolgreich gesendet.',
  'Die Zähler konnten nicht geteilt werden',
  'Die Zählerstandserfassung ist momentan nicht möglich',
  'E-Mail konnte nicht versandt werden',
  'Excel Download',
  'Excel-Export Fehler',
  'Fehler: Zugang erstellen',
  'Internet verfügbar',
  'Kein Internet',
  'Keine Internetverbindung',
  'Nicht erlaubt',
  'Senden erfolgreich',
  'Senden fehlgeschlagen',
  'Session abgelaufen',
  'wird geladen...',
  'Zähler {{meterNumber}}',
  'Zähler {{meterNumber}} u.a.',
  'Zugang abgelaufen',
  'Zugang nicht erstellt',
  'Zugang ungültig oder abgelaufen',
  // There with a comma that German does not have.
  'Zum Übermitteln Ihrer Daten stimmen Sie bitte der Datenschutzerklärung zu.',
]

test('what the specification quotes is said word for word', () => {
  const texts = new Set(areas.flatMap((area) => [...textsOf(REFERENCE, area).values()]))
  expect(QUOTED.filter((quoted) => !texts.has(quoted))).toEqual([])
  expect(page).toContain('wird geladen...')
})

test('no text is unused', () => {
  const code = Object.values(sources).join('\n')
  // A template stands for the texts that it may name: each of its holes for one part of a key.
  const dynamic = [...code.matchAll(/`([\w.]+(?:\$\{[^`}]*\}[\w.]*)+)`/g)].map(
    ([, template = '']) => new RegExp(`^${template.replaceAll('.', '\\.').replace(/\$\{[^}]*\}/g, '[\\w-]+')}$`),
  )
  const isUsed = (key: string) => {
    const base = key.replace(/(_feedIn)?(_(zero|one|other))?$/, '')
    return (
      code.includes(`'${base}'`) ||
      code.includes(`"${base}"`) ||
      code.includes(`${base}: true`) ||
      dynamic.some((template) => template.test(base))
    )
  }
  const unused = areas.flatMap((area) =>
    [...textsOf(REFERENCE, area).keys()].filter((key) => !isUsed(key)).map((key) => `${area}: ${key}`),
  )
  expect(unused).toEqual([])
})
