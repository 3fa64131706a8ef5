import { PasswordField, TextField } from '@aws-amplify/ui-react'
import { type FormEvent, lazy, Suspense, useId, useRef, useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { authenticate, enter, withoutBlanks } from '@/auth/login.ts'
import { useApplication } from '@/data/application.ts'
import { surely } from '@/offline/on-demand.ts'
import { useUnsentForm } from '@/sw/unsent.ts'
import { QrLogin } from './qr-login.tsx'

/** Without a network it is said when there is one again: the words, too, come after the first screen. */
const FailedLogin = lazy(async () => {
  await surely()
  return { default: (await import('./failed-login.tsx')).FailedLogin }
})

interface Props {
  onLogin: () => void
  /** A login link was scanned. */
  onToken: (token: string) => void
  /** Where a reading is sent without a login; absent where the tenant does not allow that. */
  publicPath: string | undefined
}

/** The login with what a letter or a reading card says. */
export function LoginForm({ onLogin, onToken, publicPath }: Props) {
  const { t } = useTranslation('login')
  const application = useApplication()
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [isSending, setSending] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const missing = useMissing(username, password)
  const reasonId = useId()
  const firstField = useRef<HTMLInputElement>(null)
  useUnsentForm(username !== '' || password !== '')

  const send = async () => {
    if (missing || isSending) return
    setFailure(undefined)
    setSending(true)
    try {
      await enter(
        application,
        await authenticate(application, { username: withoutBlanks(username), password: withoutBlanks(password) }),
      )
      onLogin()
    } catch (error) {
      setFailure(error)
      setSending(false)
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send()
  }

  return (
    <form className="login__form" aria-label={t('formLabel')} onSubmit={submit} noValidate>
      <TextField
        ref={firstField}
        className="identifier"
        aria-describedby={reasonId}
        name="username"
        size="large"
        label={t('username')}
        value={username}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        onChange={(event) => setUsername(event.target.value)}
      />
      <Password value={password} reasonId={reasonId} onChange={setPassword} />
      <BusyButton
        type="submit"
        variation="primary"
        size="large"
        isFullWidth
        isDisabled={missing !== undefined}
        isLoading={isSending}
        loadingText={t('submitting')}
        aria-describedby={reasonId}
      >
        {t('submit')}
      </BusyButton>
      <p id={reasonId} role="status" className="login__reason">
        {missing ?? t('blanks')}
      </p>
      <p className="login__or">
        <span>{t('or')}</span>
      </p>
      <QrLogin onToken={onToken} onFallBack={() => firstField.current?.focus()} />
      {failure !== undefined && (
        <Suspense>
          <FailedLogin
            failure={failure}
            publicPath={publicPath}
            onTryAgain={() => void send()}
            onClose={() => setFailure(undefined)}
          />
        </Suspense>
      )}
    </form>
  )
}

/** Why the button cannot be pressed yet (L5). */
function useMissing(username: string, password: string): string | undefined {
  const { t } = useTranslation('login')
  const { userNameMinLength, passwordMinLength } = useApplication().login
  const lengths = { username: userNameMinLength, password: passwordMinLength }
  const isNameShort = withoutBlanks(username).length < userNameMinLength
  const isPasswordShort = withoutBlanks(password).length < passwordMinLength
  if (isNameShort && isPasswordShort) return t('reason.both', lengths)
  if (isNameShort) return t('reason.username', lengths)
  if (isPasswordShort) return t('reason.password', lengths)
  return undefined
}

interface PasswordProps {
  value: string
  /** Why it is not enough as it is. */
  reasonId: string
  onChange: (value: string) => void
}

/** A letter's password is no secret to the person who holds the letter: a tenant may show it while it is typed (L5). */
function Password({ value, reasonId, onChange }: PasswordProps) {
  const { t } = useTranslation('login')
  const { passwordVisible } = useApplication().login
  const field = {
    className: 'identifier',
    name: 'password',
    size: 'large',
    label: t('password'),
    'aria-describedby': reasonId,
    value,
    autoComplete: 'current-password',
    autoCapitalize: 'none',
    spellCheck: false,
  } as const
  if (passwordVisible) {
    return <TextField {...field} autoCorrect="off" onChange={(event) => onChange(event.target.value)} />
  }
  return (
    <PasswordField
      {...field}
      showPasswordButtonLabel={t('passwordShow')}
      passwordIsShownLabel={t('passwordShown')}
      passwordIsHiddenLabel={t('passwordHidden')}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
