import { useTranslation } from '@shared/i18n/react.tsx'
import { at, type JsonObject, word } from './documents.ts'
import { DraftChoice, DraftLine, DraftSwitch } from './draft-field.tsx'
import type { Editing } from './use-editing.ts'
import { useTenant } from './use-tenant.ts'

/** Last part of the name of the parameter that holds the signing secret of a webhook that is new. */
const SECRET = 'webhook'
const MEDIA = ['electricity', 'gas'] as const
const ROLES = ['MSB', 'NB', 'LF', 'HKN-R'] as const

/** Where readings go as they come. */
export function WebhookCard({ editing }: { editing: Editing }) {
  const { t } = useTranslation('settings')
  const { tenant, fault, put } = useTenant(editing)
  const url = word(at(tenant, 'webhook.url'))
  return (
    <section className="card fields" aria-labelledby="webhook-settings">
      <h2 id="webhook-settings">{t('webhook')}</h2>
      <p className="soft">{t('webhookText')}</p>
      <DraftLine
        name="webhook.url"
        label={t('webhookUrl')}
        type="url"
        value={url}
        fault={fault('webhook.url') ?? fault('webhook.secretParameter')}
        save={async (typed) =>
          put('webhook', (document) => {
            const before = (at(document, 'webhook') ?? {}) as JsonObject
            return typed.trim() === '' ? null : { secretParameter: SECRET, ...before, url: typed.trim() }
          })
        }
      />
      {url !== '' && (
        <DraftSwitch
          name="webhook.paused"
          label={t('webhookPaused')}
          isOn={at(tenant, 'webhook.paused') === true}
          save={(isOn) => void put('webhook.paused', () => isOn)}
        />
      )}
    </section>
  )
}

/** Who sends and who receives the market's messages. */
export function MarketCard({ editing }: { editing: Editing }) {
  const { t } = useTranslation('settings')
  return (
    <section className="card fields" aria-labelledby="market-settings">
      <h2 id="market-settings">{t('market')}</h2>
      <p className="soft">{t('marketText')}</p>
      {MEDIA.map((medium) => (
        <Partners key={medium} medium={medium} editing={editing} />
      ))}
    </section>
  )
}

function Partners({ medium, editing }: { medium: (typeof MEDIA)[number]; editing: Editing }) {
  const { t } = useTranslation('settings')
  const { tenant, fault, put } = useTenant(editing)
  const path = `desk.market.${medium}`
  const partners = (at(tenant, path) ?? {}) as JsonObject
  const isSet = word(partners['sender']) !== ''
  // Roles and recipient are the sender's: without it they go, too.
  const save = async (name: string, typed: string) =>
    put(path, (document) => {
      const before = (at(document, path) ?? {}) as JsonObject
      if (name === 'sender' && typed === '') return undefined
      return { ...before, [name]: typed === '' ? null : typed }
    })
  const line = (name: 'sender' | 'recipient') => (
    <DraftLine
      name={`${path}.${name}`}
      label={t(`partner.${name}`)}
      value={word(partners[name])}
      fault={fault(`${path}.${name}`)}
      save={async (typed) => save(name, typed.trim())}
    />
  )
  const role = (name: 'role' | 'recipientRole') => (
    <DraftChoice
      name={`${path}.${name}`}
      label={t(`partner.${name}`)}
      value={word(partners[name])}
      fault={fault(`${path}.${name}`)}
      options={[{ value: '', label: t('none') }, ...ROLES.map((value) => ({ value, label: t(`roles.${value}`) }))]}
      save={(chosen) => void save(name, chosen)}
    />
  )
  return (
    <fieldset className="fields">
      <legend>{t(`medium.${medium}`)}</legend>
      <div className="row-of">
        {line('sender')}
        {isSet && role('role')}
      </div>
      {isSet && (
        <div className="row-of">
          {line('recipient')}
          {role('recipientRole')}
        </div>
      )}
    </fieldset>
  )
}
