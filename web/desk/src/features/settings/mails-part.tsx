import { Button, CheckboxField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { Pending } from '@/components/pending.tsx'
import { fetchLetter, type MailWanted, useMailPreview, useOwnTexts } from '@/data/settings.ts'
import type { OwnText } from '@/data/types.ts'
import { DraftChoice } from './draft-field.tsx'
import { LanguageChoice, useLanguageChoice } from './language-choice.tsx'
import { MailFrame } from './mail-frame.tsx'
import { MAIL_KINDS } from './mail-kinds.ts'
import { OwnTextField } from './own-text-field.tsx'
import type { Editing } from './use-editing.ts'

const LETTER = 'LETTER'
type Kind = keyof typeof MAIL_KINDS | typeof LETTER
const isKind = (value: string): value is Kind => value === LETTER || Object.hasOwn(MAIL_KINDS, value)

/** The texts of a kind, and those that all mails have in common. */
function sorted(texts: readonly OwnText[], kind: Kind) {
  if (kind === LETTER) return { own: texts.filter(({ key }) => key.startsWith('letter.')), common: [] }
  return {
    own: texts.filter(({ key }) => key.startsWith(`mail.${MAIL_KINDS[kind]}.`)),
    common: texts.filter(({ key }) => key.split('.').length === 2 && key.startsWith('mail.')),
  }
}

/** What mails and letters say in the tenant's own words, beside how they look. */
export function MailsPart({ editing }: { editing: Editing }) {
  const { t } = useTranslation('settings')
  const { language, choose, languages } = useLanguageChoice(editing.settings)
  const [kind, setKind] = useState<Kind>('INVITATION')
  const { texts, error, reload } = useOwnTexts(editing.tenant, language)
  const { own, common } = sorted(texts ?? [], kind)
  const field = (text: OwnText) => <OwnTextField key={`${language} ${text.key}`} {...{ editing, language, text }} />
  return (
    <section className="fields" aria-labelledby="mails">
      <h2 id="mails">{t('mails')}</h2>
      <p className="soft">{t('mailsText', { place: '{tenant}' })}</p>
      <div className="row-of">
        <LanguageChoice {...{ language, choose, languages }} />
        <DraftChoice
          name="kind"
          label={t('mailKind')}
          value={kind}
          options={[...Object.keys(MAIL_KINDS), LETTER].map((value) => ({
            value,
            label: t(`mailKinds.${value as Kind}`),
          }))}
          save={(value) => setKind(isKind(value) ? value : 'INVITATION')}
        />
      </div>
      {!texts && <Pending error={error} retry={reload} />}
      {texts && (
        <div className="side-by-side">
          <div className="fields">
            {own.map(field)}
            {kind !== LETTER && own.length === 0 && <p>{t('noMailTexts')}</p>}
            {common.length > 0 && <h3>{t('commonTexts')}</h3>}
            {common.map(field)}
          </div>
          {kind === LETTER ? (
            <Letter editing={editing} language={language} />
          ) : (
            <Mail editing={editing} kind={kind} language={language} />
          )}
        </div>
      )}
    </section>
  )
}

/** A letter is drawn as a PDF, which the browser's own program shows. */
function Letter({ editing, language }: { editing: Editing; language: string }) {
  const { t } = useTranslation('settings')
  const { tenant, settings, act } = editing
  const show = async () => {
    await fetchLetter(tenant, t('letterFile'), language)
    return undefined
  }
  return (
    <section className="card fields seen" aria-label={t('looksSo')}>
      <p className="soft">{t('letterSeen')}</p>
      <div className="row-of">
        <Button isDisabled={settings.faults.length > 0} onClick={() => void act(show)}>
          {t('letter')}
        </Button>
      </div>
    </section>
  )
}

function Mail({ editing, kind, language }: { editing: Editing } & Pick<MailWanted, 'kind' | 'language'>) {
  const { t } = useTranslation('settings')
  const { tenant, settings } = editing
  const [several, setSeveral] = useState(false)
  const [anytime, setAnytime] = useState(false)
  const isFaulty = settings.faults.length > 0
  const wanted = isFaulty ? undefined : { kind, language, several, anytime }
  const { mail, error, reload } = useMailPreview(tenant, settings.state, wanted)
  return (
    <section className="card fields seen" aria-label={t('looksSo')}>
      <p className="soft">{t('mailSeen')}</p>
      <div className="row-of">
        <CheckboxField
          name="several"
          label={t('severalMeters')}
          checked={several}
          onChange={({ target }) => setSeveral(target.checked)}
        />
        <CheckboxField
          name="anytime"
          label={t('withoutDeadline')}
          checked={anytime}
          onChange={({ target }) => setAnytime(target.checked)}
        />
      </div>
      {isFaulty && <Message type="info">{t('notSeen')}</Message>}
      {!isFaulty && !mail && <Pending error={error} retry={reload} />}
      {!isFaulty && mail && (
        <>
          <p>
            <strong>{mail.subject}</strong>
          </p>
          <MailFrame title={t('mailOf', { subject: mail.subject })} html={mail.html} />
          <details>
            <summary>{t('mailAsText')}</summary>
            <pre className="mail-text">{mail.text}</pre>
          </details>
        </>
      )}
    </section>
  )
}
