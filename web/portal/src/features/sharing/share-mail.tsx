import { TextAreaField, TextField } from '@aws-amplify/ui-react'
import { type FormEvent, useId, useState } from 'react'
import { useProblemText } from '@shared/api/problem.ts'
import type { ShareLogin } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { splitEmails } from '@shared/rules/email-list.ts'
import { salutation as checkSalutation, MAX_SALUTATION } from '@shared/rules/share.ts'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { Message } from '@shared/ui/message.tsx'
import { useSessions } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'
import { type Failure, useShareMail } from './use-share-mail.ts'

interface Props {
  /** The account that shares. */
  accountId: string
  shareId: string
  login: ShareLogin
  /** The recipient has the login data now. */
  onSent: () => void
  onSending: (isSending: boolean) => void
}

/** Sends the login data by e-mail: one call a recipient, and each of them gets one (L5, L7). */
export function ShareMail({ accountId, shareId, login, onSent, onSending }: Props) {
  const { t } = useTranslation('sharing')
  const { t: inMail } = useTranslation('sharing', useMailLanguage(accountId))
  const [salutation, setSalutation] = useState(() => inMail('outcome.mail.greeting'))
  const [typed, setTyped] = useState('')
  const [wasLeft, setLeft] = useState(false)
  const { sent, failures, progress, send } = useShareMail({ accountId, shareId, login, onSent, onSending })
  const warningId = useId()

  const { valid, invalid } = splitEmails(typed)
  const isSent = (address: string) => sent.some((other) => other.toLowerCase() === address.toLowerCase())
  const recipients = valid.filter((address) => !isSent(address))
  const checked = checkSalutation(salutation)
  const salutationFault = 'fault' in checked ? t(`outcome.mail.${checked.fault}`, { count: MAX_SALUTATION }) : undefined
  const fault = faultOf()
  // While an address is typed it is none yet, and each letter would be read out.
  const shownFault = invalid.length > 0 && !wasLeft ? undefined : fault

  function faultOf(): string | undefined {
    if (invalid.length > 0) return t('outcome.mail.invalid', { addresses: invalid.join(', ') })
    return recipients.length === 0 ? t('outcome.mail.required') : undefined
  }

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (fault || salutationFault || progress) return
    const failed = await send(recipients, salutation)
    // What stays in the field is what there is still to be done.
    setTyped(failed.map(({ address }) => address).join('\n'))
  }

  return (
    <form className="share-mail" noValidate onSubmit={(event) => void submit(event)}>
      <fieldset className="share-mail__fields" disabled={progress !== undefined}>
        <TextField
          label={t('outcome.mail.salutation')}
          value={salutation}
          autoComplete="off"
          hasError={salutationFault !== undefined}
          errorMessage={salutationFault}
          onChange={(event) => setSalutation(event.target.value)}
        />
        <TextAreaField
          label={t('outcome.mail.recipients')}
          descriptiveText={t('outcome.mail.recipientsHint')}
          rows={3}
          value={typed}
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          hasError={wasLeft && invalid.length > 0}
          aria-describedby={shownFault ? warningId : undefined}
          onChange={(event) => {
            setTyped(event.target.value)
            setLeft(false)
          }}
          onBlur={() => setLeft(typed !== '')}
        />
      </fieldset>
      <div id={warningId} role="status">
        {progress ? (
          <p>{t('outcome.mail.sending', progress)}</p>
        ) : (
          shownFault &&
          (sent.length === 0 || typed.trim() !== '') && (
            <Message type="warning">
              <p>{shownFault}</p>
            </Message>
          )
        )}
      </div>
      <BusyButton
        type="submit"
        variation="primary"
        isDisabled={fault !== undefined || salutationFault !== undefined}
        isLoading={progress !== undefined}
        loadingText={t('busy')}
      >
        {t('outcome.mail.send', { count: Math.max(recipients.length, 1) })}
      </BusyButton>
      <div aria-live="polite" className="share-mail__report">
        {failures.length > 0 && <Failed failures={failures} />}
        {sent.length > 0 && (
          <Message type="success" title={t('outcome.mail.sent', { count: sent.length })}>
            <ul className="share-mail__sent" aria-label={t('outcome.mail.report')}>
              {sent.map((address) => (
                <li key={address}>{address}</li>
              ))}
            </ul>
          </Message>
        )}
      </div>
    </form>
  )
}

/** The recipients who got no mail, and why. */
function Failed({ failures }: { failures: readonly Failure[] }) {
  const { t } = useTranslation('sharing')
  const problemText = useProblemText()
  return (
    <Message type="error" title={t('outcome.mail.failed')}>
      <ul className="share-mail__failed">
        {failures.map(({ address, error }) => (
          <li key={address}>
            <Icon name="close" size={1} />
            <strong>{address}</strong>
            <span>{problemText(error)}</span>
          </li>
        ))}
      </ul>
      <p>{t('outcome.mail.retryHint')}</p>
    </Message>
  )
}

/** The language in which the server writes for this account. */
function useMailLanguage(accountId: string): string {
  const { defaultLanguage } = useApplication()
  const session = useSessions().find((other) => other.accountId === accountId)
  return session?.info.language ?? defaultLanguage
}
