import { Button, CheckboxField, TextField } from '@aws-amplify/ui-react'
import { useEffect, useRef, useState } from 'react'
import useSWR from 'swr'
import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Heads } from '@/components/heads.tsx'
import { Pending } from '@/components/pending.tsx'
import { isOfMails, type JsonObject, objectOf, textsFile, withText, word } from './documents.ts'
import { DraftArea } from './draft-field.tsx'
import { LanguageChoice, useLanguageChoice } from './language-choice.tsx'
import type { Editing } from './use-editing.ts'
import { useFault } from './use-fault.ts'

type Texts = Readonly<Record<string, string>>

const PORTAL: Readonly<Record<string, () => Promise<{ default: Texts }>>> = {
  'de-FORMAL': () => import('virtual:portal-texts/de-FORMAL'),
  'de-INFORMAL': () => import('virtual:portal-texts/de-INFORMAL'),
  'en-FORMAL': () => import('virtual:portal-texts/en-FORMAL'),
}

/** Texts that are shown at once, and so many more each time. */
const PAGE = 25

/** What stands in double braces in a text, as it is written: customers read what the portal does not know by exactly that. */
const placesOf = (text: string): string[] => [...text.matchAll(/\{\{[^{}]*\}\}/g)].map(([place]) => place)

const FORM = /(?:_(?:zero|one|two|few|many|other|feedIn))+$/

/** The places that the portal fills in any form of a text; undefined: it has no such text. */
function knownPlaces(texts: Texts, key: string): string[] | undefined {
  const base = key.replace(FORM, '')
  const forms = Object.keys(texts).filter((other) => other.replace(FORM, '') === base)
  if (forms.length === 0) return undefined
  // What chooses among forms for counts is told to each of them.
  const counted = forms.some((form) => form.endsWith('_other')) ? ['{{count}}'] : []
  return [...new Set([...forms.flatMap((form) => placesOf(texts[form] ?? '')), ...counted])]
}

/** What the portal says where the tenant says nothing. */
function usePortalTexts(language: string) {
  // A language that only the tenant has is written from the German texts.
  const load = PORTAL[language] ?? PORTAL['de-FORMAL']
  const { data, error, mutate } = useSWR(['portal texts', language], async () => (await load?.())?.default ?? {})
  return { texts: data, error: error as unknown, reload: () => void mutate() }
}

/** Every text of the portal with what the tenant says in its place. */
export function TextsPart({ editing }: { editing: Editing }) {
  const { t } = useTranslation('settings')
  const { language, choose, languages } = useLanguageChoice(editing.settings)
  const { texts, error, reload } = usePortalTexts(language)
  const [words, setWords] = useState('')
  const [isOwnOnly, setOwnOnly] = useState(false)
  const [most, setMost] = useState(PAGE)
  const own = objectOf(editing.settings, textsFile(language)) ?? {}
  const wanted = words.trim().toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const mine = Object.keys(own).filter((key) => !isOfMails(key))
  const keys = [...new Set([...Object.keys(texts ?? {}), ...mine])].filter((key) => {
    if (isOwnOnly && !Object.hasOwn(own, key)) return false
    const text = `${key} ${texts?.[key] ?? ''} ${word(own[key])}`.toLocaleLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  return (
    <section className="fields" aria-labelledby="texts">
      <h2 id="texts">{t('texts')}</h2>
      <p className="soft">{t('textsText', { place: '{{name}}' })}</p>
      <div className="row-of">
        <LanguageChoice {...{ language, choose, languages }} />
        <TextField
          name="words"
          type="search"
          label={t('findText')}
          autoComplete="off"
          value={words}
          onChange={({ target }) => {
            setWords(target.value)
            setMost(PAGE)
          }}
        />
      </div>
      <CheckboxField
        name="ownOnly"
        label={t('ownOnly', { count: mine.length })}
        checked={isOwnOnly}
        onChange={({ target }) => setOwnOnly(target.checked)}
      />
      {!texts && <Pending error={error} retry={reload} />}
      {texts && (
        <>
          <p role="status">{t('found', { count: keys.length, shown: formatCount(keys.length) })}</p>
          <table className="stacks texts">
            <Heads names={[t('textKey'), t('portalText'), t('ownText')]} />
            <tbody>
              {keys.slice(0, most).map((key) => (
                <OwnText key={`${language} ${key}`} {...{ editing, language, name: key, own, texts }} />
              ))}
            </tbody>
          </table>
          {keys.length > most && <Button onClick={() => setMost(most + PAGE)}>{t('more')}</Button>}
        </>
      )}
    </section>
  )
}

interface OwnTextProps {
  editing: Editing
  language: string
  name: string
  /** The portal's. */
  texts: Texts
  own: JsonObject
}

function OwnText({ editing, language, name, texts, own }: OwnTextProps) {
  const { t } = useTranslation('settings')
  const faultAt = useFault(editing.settings)
  const [isOpen, setOpen] = useState(false)
  const cell = useRef<HTMLTableCellElement>(null)
  useEffect(() => {
    if (isOpen) cell.current?.querySelector('textarea')?.focus()
  }, [isOpen])
  const file = textsFile(language)
  const text = texts[name]
  const mine = own[name]
  const known = knownPlaces(texts, name)
  const odd = known ? placesOf(word(mine)).filter((place) => !known.includes(place)) : []
  const oddText =
    odd.length > 0
      ? t('oddPlaces', { count: odd.length, places: odd.join(', '), known: known?.join(', ') || t('noPlaces') })
      : undefined
  const lang = language.slice(0, 2)
  return (
    <tr>
      <td data-name={t('textKey')}>
        <code>{name}</code>
      </td>
      <td data-name={t('portalText')} lang={lang} className="long">
        {text ?? t('noPortalText')}
      </td>
      <td ref={cell} data-name={t('ownText')} className="long">
        {mine === undefined && !isOpen ? (
          <Button size="small" aria-label={t('writeFor', { key: name })} onClick={() => setOpen(true)}>
            {t('write')}
          </Button>
        ) : (
          <DraftArea
            name={name}
            label={<span className="visually-hidden">{t('ownTextOf', { key: name })}</span>}
            rows={Math.min(6, 1 + Math.ceil((text ?? '').length / 60))}
            lang={lang}
            value={typeof mine === 'string' ? mine : ''}
            fault={faultAt(file, name) ?? oddText}
            save={async (typed) =>
              editing.edit(file, (content) => withText(JSON.parse(content ?? '{}') as JsonObject, name, typed))
            }
          />
        )}
      </td>
    </tr>
  )
}
