import { useTranslation } from '@shared/i18n/react.tsx'
import type { OwnText } from '@/data/types.ts'
import { type JsonObject, objectOf, textsFile, withText } from './documents.ts'
import { DraftArea, DraftLine } from './draft-field.tsx'
import type { Editing } from './use-editing.ts'
import { useFault } from './use-fault.ts'

/** What is written of a text, apart from whose it is. */
export type Name =
  | 'greeting'
  | 'greetingByName'
  | 'closing'
  | 'regards'
  | 'subject'
  | 'subjectMany'
  | 'about'
  | 'aboutMany'
  | 'aboutAnytime'
  | 'aboutManyAnytime'
  | 'until'
  | 'untilMany'
  | 'text'

interface Props {
  editing: Editing
  language: string
  text: OwnText
}

/** A text of mails or letters: the tenant's own, and below it what stands there without one. */
export function OwnTextField({ editing, language, text: { key, places, needed, isLine, text } }: Props) {
  const { t } = useTranslation('settings')
  const file = textsFile(language)
  const own = (objectOf(editing.settings, file) ?? {})[key]
  const lang = language.slice(0, 2)
  const inBraces = (names: readonly string[]) => names.map((name) => `{${name}}`).join(', ')
  const field = {
    name: key,
    label: t(`mailText.${key.split('.').at(-1) as Name}`),
    description: (
      <>
        {t('places', { places: inBraces(places) })}
        {needed.length > 0 && ` ${t('neededPlaces', { places: inBraces(needed) })}`}
      </>
    ),
    value: typeof own === 'string' ? own : '',
    fault: useFault(editing.settings)(file, key),
    save: async (typed: string) =>
      editing.edit(file, (content) => withText(JSON.parse(content ?? '{}') as JsonObject, key, typed)),
  }
  return (
    <div className="own-text">
      {isLine ? (
        <DraftLine {...field} />
      ) : (
        <DraftArea {...field} lang={lang} rows={Math.min(20, 2 + Math.ceil(text.length / 60))} />
      )}
      <details>
        <summary>{t('withoutOwn')}</summary>
        <p className="mail-text" lang={lang}>
          {text === '' ? t('nothing') : text}
        </p>
      </details>
    </div>
  )
}
