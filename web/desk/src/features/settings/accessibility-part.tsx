import { Button } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { at, type Json, type JsonObject, TENANT_FILE, word } from './documents.ts'
import { DraftArea, DraftChoice, DraftLine } from './draft-field.tsx'
import { isSame, Overtaken, useItems } from './items.ts'
import type { Editing } from './use-editing.ts'
import { useTenant } from './use-tenant.ts'

const CONTACT = ['person', 'email', 'phone', 'postal', 'form'] as const
const OFFICE = ['name', 'contact', 'postal', 'email', 'phone', 'form', 'web'] as const
const REGIMES = ['BITV', 'BFSG'] as const
const ALTERNATIVES = 'accessibility.alternatives'
const LEGALS = 'accessibility.legals'

const listOf = (document: JsonObject | undefined, path: string): readonly JsonObject[] => {
  const found = at(document, path)
  return Array.isArray(found) ? (found as readonly JsonObject[]) : []
}
/** An empty field is none. */
const orNone = (typed: string): Json => (typed.trim() === '' ? null : typed.trim())

/** What the accessibility statement of the portal says. */
export function AccessibilityPart({ editing }: { editing: Editing }) {
  const { t } = useTranslation('settings')
  const { tenant, fault, put } = useTenant(editing)
  if (!tenant) return <Message type="error">{t('unreadable', { file: TENANT_FILE })}</Message>
  const legals = listOf(tenant, LEGALS)
  const path = (name: string) => `accessibility.${name}`
  const line = (name: string, label: string) => (
    <DraftLine
      key={name}
      name={path(name)}
      label={label}
      value={word(at(tenant, path(name)))}
      fault={fault(path(name))}
      save={async (typed) => put(path(name), () => orNone(typed))}
    />
  )
  return (
    <>
      <section className="card fields" aria-labelledby="statement">
        <h2 id="statement">{t('statement')}</h2>
        <p className="soft">{t('statementText')}</p>
        <DraftChoice
          name={path('regime')}
          label={t('regime')}
          value={word(at(tenant, path('regime')))}
          options={[
            { value: '', label: t('none') },
            ...REGIMES.map((value) => ({ value, label: t(`regimes.${value}`) })),
          ]}
          save={(regime) => void put(path('regime'), () => orNone(regime))}
        />
        {line('companyName', t('statementField.companyName'))}
        {line('mainUrl', t('statementField.mainUrl'))}
        <DraftArea
          name={LEGALS}
          label={t('legals')}
          description={t('legalsText')}
          rows={4}
          value={legals.map(({ text }) => word(text)).join('\n')}
          save={async (typed) =>
            put(LEGALS, (document) => {
              if (!isSame(listOf(document, LEGALS), legals)) throw new Overtaken()
              return lines(typed).map((text) => ({ text }))
            })
          }
        />
        <DraftArea
          name={path('customContent')}
          label={t('customContent')}
          description={t('customContentText')}
          rows={4}
          value={word(at(tenant, path('customContent')))}
          fault={fault(path('customContent'))}
          save={async (typed) => put(path('customContent'), () => orNone(typed))}
        />
      </section>
      <section className="card fields" aria-labelledby="barriers">
        <h2 id="barriers">{t('barriers')}</h2>
        {CONTACT.map((name) => line(`contact.${name}`, t(`statementField.contact.${name}`)))}
      </section>
      <section className="card fields" aria-labelledby="office">
        <h2 id="office">{t('office')}</h2>
        <p className="soft">{t('officeText')}</p>
        {OFFICE.map((name) => line(`enforcementOffice.${name}`, t(`statementField.office.${name}`)))}
      </section>
      <Alternatives editing={editing} />
    </>
  )
}

const lines = (typed: string): readonly string[] =>
  typed
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Other ways to the same service. */
function Alternatives({ editing }: { editing: Editing }) {
  const { t } = useTranslation('settings')
  const { tenant, fault, put } = useTenant(editing)
  const items = listOf(tenant, ALTERNATIVES)
  const list = useItems()
  const change = async (made: (items: readonly JsonObject[]) => readonly JsonObject[]) =>
    put(ALTERNATIVES, (document) => made(listOf(document, ALTERNATIVES)))
  return (
    <section className="card fields" aria-labelledby="alternatives">
      <h2 id="alternatives">{t('alternatives')}</h2>
      {items.map((item, place) => (
        <fieldset
          // The items have no names; when one goes, the fields of all begin anew.
          // oxlint-disable-next-line react/no-array-index-key
          key={`${place} of ${items.length}`}
          className="fields"
        >
          <legend>{t('alternativeNumber', { number: place + 1 })}</legend>
          {(['title', 'description', 'link', 'text'] as const).map((name) => (
            <DraftLine
              key={name}
              name={`${name}-${place}`}
              label={t(`alternative.${name}`)}
              value={word(item[name])}
              fault={fault(`${ALTERNATIVES}[${place}].${name}`)}
              save={async (typed) => {
                // These two must be there.
                const value = name === 'title' || name === 'description' ? typed : orNone(typed)
                return change((now) => list.with(now, place, item, (one) => ({ ...one, [name]: value })))
              }}
            />
          ))}
          <div className="row-of">
            <Button
              size="small"
              aria-label={`${t('removeAlternative')}: ${word(item['title']) || t('alternativeNumber', { number: place + 1 })}`}
              onClick={() => void change((now) => list.without(now, place, item))}
            >
              {t('removeAlternative')}
            </Button>
          </div>
        </fieldset>
      ))}
      <div className="row-of">
        <Button onClick={() => void change((now) => [...now, { title: t('newAlternative'), description: '' }])}>
          {t('addAlternative')}
        </Button>
      </div>
    </section>
  )
}
