import { useTranslation } from '@shared/i18n/react.tsx'
import { Counter } from '@shared/ui/counter.tsx'
import { LoginForm } from './login-form.tsx'
import { LoginTabs } from './login-tabs.tsx'
import './login.css'

interface Props {
  onLogin: () => void
  /** A login link was scanned. */
  onToken: (token: string) => void
  /** Where a reading is sent without a login; absent where the tenant does not allow that. */
  publicPath: string | undefined
}

/** The screen for everybody who is not logged in. */
export function LoginPage(props: Props) {
  const { t } = useTranslation('login')
  return (
    <div className="login">
      <div className="login__welcome">
        <Counter digits="0042718" decimals={1} />
        <h1>{t('title')}</h1>
        <p>{t('intro')}</p>
      </div>
      <div className="panel login__panel">
        {props.publicPath && <LoginTabs publicPath={props.publicPath} />}
        <LoginForm {...props} />
      </div>
    </div>
  )
}
