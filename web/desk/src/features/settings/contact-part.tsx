import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { MarkdownText } from '@shared/ui/markdown-text.tsx'
import { Message } from '@shared/ui/message.tsx'
import { at, CONTACT_FILE, contentOf, fileOf, type Json, languagesOf, parsed, word } from './documents.ts'
import { DraftArea, DraftChoice, DraftLine } from './draft-field.tsx'
import { useItems } from './items.ts'
import type { Editing } from './use-editing.ts'
import { useFault } from './use-fault.ts'

/** A text that says how to reach the utility. */
type Item = {
  readonly language: string
  readonly path: string
  readonly text: string
}

const itemsOf = (content: string | undefined): readonly Item[] | undefined => {
  const value = content === undefined ? [] : parsed(content)
  if (!Array.isArray(value)) return undefined
  const wordAt = (item: Json, name: string) => word(at(item, name))
  return (value as readonly Json[]).map((item) => ({
    language: wordAt(item, 'language'),
    path: wordAt(item, 'path'),
    text: wordAt(item, 'text'),
  }))
}

/** How to reach the utility, on all screens of the portal or on one. */
export function ContactPart({ editing }: { editing: Editing }) {
  const { t } = useTranslation('settings')
  const { settings, edit } = editing
  const list = useItems()
  const items = itemsOf(contentOf(fileOf(settings, CONTACT_FILE)))
  if (!items) return <Message type="error">{t('unreadable', { file: CONTACT_FILE })}</Message>
  const change = async (made: (items: readonly Item[]) => readonly Item[]) =>
    edit(CONTACT_FILE, (content) => JSON.stringify(made(itemsOf(content) ?? [])))
  return (
    <section className="fields" aria-labelledby="contact">
      <h2 id="contact">{t('contact')}</h2>
      <p className="soft">{t('markdown')}</p>
      {items.map((item, place) => (
        <ContactItem
          // The items have no names; when one goes, the fields of all begin anew.
          // oxlint-disable-next-line react/no-array-index-key
          key={`${place} of ${items.length}`}
          editing={editing}
          place={place}
          item={item}
          put={async (part) => change((now) => list.with(now, place, item, (one) => ({ ...one, ...part })))}
          remove={() => void change((now) => list.without(now, place, item))}
        />
      ))}
      <div className="row-of">
        <Button
          onClick={() =>
            void change((now) => [
              ...now,
              { language: languagesOf(settings)[0]?.name ?? '', path: '', text: t('newContact') },
            ])
          }
        >
          {t('addContact')}
        </Button>
      </div>
    </section>
  )
}

interface ItemProps {
  editing: Editing
  place: number
  item: Item
  put: (part: Partial<Item>) => Promise<boolean>
  remove: () => void
}

function ContactItem({ editing, place, item, put, remove }: ItemProps) {
  const { t } = useTranslation('settings')
  const faultAt = useFault(editing.settings)
  const [typed, setTyped] = useState<string>()
  const fault = (name: string) => faultAt(CONTACT_FILE, `[${place}].${name}`)
  const lang = item.language.slice(0, 2)
  return (
    <section className="card fields" aria-label={t('contactOf', { number: place + 1 })}>
      <div className="row-of">
        <DraftChoice
          name={`language-${place}`}
          label={t('language')}
          value={item.language}
          options={languagesOf(editing.settings).map(({ name, readableName }) => ({
            value: name,
            label: readableName,
          }))}
          save={(language) => void put({ language })}
        />
        <DraftLine
          name={`path-${place}`}
          label={t('contactPath')}
          description={t('contactPathText')}
          value={item.path}
          fault={fault('path')}
          save={async (path) => put({ path })}
        />
      </div>
      <div className="side-by-side">
        <DraftArea
          name={`text-${place}`}
          label={t('contactText')}
          rows={6}
          lang={lang}
          value={item.text}
          fault={fault('text')}
          onTyped={setTyped}
          save={async (text) => put({ text })}
        />
        <section className="card" aria-label={t('looksSo')}>
          <p className="soft">{t('looksSo')}</p>
          <MarkdownText text={typed ?? item.text} level={3} lang={lang} />
        </section>
      </div>
      <div className="row-of">
        <Button size="small" onClick={remove}>
          {t('removeContact')}
        </Button>
      </div>
    </section>
  )
}
