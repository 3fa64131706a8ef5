import { TextField } from '@aws-amplify/ui-react'
import { type FormEvent, useRef, useState } from 'react'
import { type Attempt, nextAttempt } from '@shared/api/attempts.ts'
import { useProblemText } from '@shared/api/problem.ts'
import { currentLanguage } from '@shared/i18n/i18n.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { isEmail } from '@shared/rules/email.ts'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { PrivacyField } from '@shared/ui/privacy-field.tsx'
import { useApplication } from '@/data/application.ts'
import { register } from '@/data/communication.ts'
import { useUnsentForm } from '@/sw/unsent.ts'

interface Props {
  selfServiceToken: string
  title: string
  /** The address gets a mail, by which its owner confirms it. */
  onAsked: (email: string) => void
}

/** An address and the consent to its use. */
export function RegistrationForm({ selfServiceToken, title, onAsked }: Props) {
  const { t } = useTranslation('registration')
  const { privacy } = useApplication().config.legal
  const problemText = useProblemText()
  const [email, setEmail] = useState('')
  const [acceptsPrivacy, setAcceptsPrivacy] = useState(false)
  const [wasTried, setTried] = useState(false)
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const attempt = useRef<Attempt>(undefined)
  const field = useRef<HTMLInputElement>(null)
  const consent = useRef<HTMLInputElement>(null)
  const isValid = isEmail(email)
  useUnsentForm(email !== '')

  async function send(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (isSending) return
    if (!isValid || !acceptsPrivacy) {
      const missing = isValid ? consent : field
      missing.current?.focus()
      return
    }
    // A mail whose answer was lost is the same mail when it is asked for again.
    attempt.current = nextAttempt(attempt.current, email)
    setSending(true)
    setFailure(undefined)
    try {
      await register(selfServiceToken, email.trim(), currentLanguage(), attempt.current.key)
      onAsked(email.trim())
    } catch (error) {
      setFailure(error)
    } finally {
      setSending(false)
    }
  }

  return (
    <form className="panel registration__form" noValidate onSubmit={(event) => void send(event)}>
      <h2>{title}</h2>
      <TextField
        ref={field}
        label={t('form.email')}
        type="email"
        autoComplete="email"
        isRequired
        value={email}
        hasError={wasTried && !isValid}
        errorMessage={t('form.emailInvalid')}
        onChange={(event) => setEmail(event.target.value)}
      />
      <PrivacyField
        ref={consent}
        url={privacy.enabled ? privacy.url : undefined}
        checked={acceptsPrivacy}
        onChange={setAcceptsPrivacy}
        error={wasTried && !acceptsPrivacy ? t('form.privacyRequired') : undefined}
      />
      <div role="alert">
        {failure !== undefined && (
          <Message type="error" title={t('form.failed')}>
            <p>{problemText(failure)}</p>
          </Message>
        )}
      </div>
      <BusyButton type="submit" variation="primary" size="large" isLoading={isSending} loadingText={t('busy')}>
        {t('form.send')}
      </BusyButton>
    </form>
  )
}
