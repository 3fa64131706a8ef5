import { type ReactNode, Suspense, useId, useState } from 'react'
import type { ShareLogin } from '@shared/contract/types.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { useApplication } from '@/data/application.ts'
import { CopyField } from './copy-field.tsx'
import { QrCode } from './qr-code.tsx'
import { ShareMail } from './share-mail.tsx'

const WAYS = ['link', 'web', 'mail'] as const
type Way = (typeof WAYS)[number]

interface Props {
  /** The account that shares. */
  accountId: string
  shareId: string
  login: ShareLogin
  /** The maker or a recipient has the login data now. */
  onHandedOver: () => void
  /** Mails are on their way, which takes as long as there are recipients. */
  onSending: (isSending: boolean) => void
  /** What else can be done with the share. */
  children?: ReactNode
}

/** How the person comes in: by link, with user name and password, or by an e-mail with both (L2). It is shown this once. */
export function ShareOutcome({ accountId, shareId, login, onHandedOver, onSending, children }: Props) {
  const { t } = useTranslation('sharing')
  const { emailSharingEnabled } = useApplication().features
  const [way, setWay] = useState<Way>('link')
  const name = useId()
  return (
    <div className="share-outcome">
      <Message type="warning">
        <p>{t('outcome.once')}</p>
      </Message>
      <fieldset className="share-outcome__ways">
        <legend className="visually-hidden">{t('outcome.way')}</legend>
        {WAYS.filter((one) => one !== 'mail' || emailSharingEnabled).map((one) => (
          <label key={one} className="share-outcome__way">
            <input type="radio" name={name} checked={way === one} onChange={() => setWay(one)} />
            {t(`outcome.${one}.title`)}
          </label>
        ))}
      </fieldset>
      <p className="share-outcome__text">{t(`outcome.${way}.text`)}</p>
      {way === 'link' && <CopyField label={t('outcome.link.field')} value={login.tokenUrl} onCopied={onHandedOver} />}
      {way === 'web' && <WebLogin login={login} onHandedOver={onHandedOver} />}
      {/* A maker who looks at the other ways meanwhile finds the addresses again. */}
      <div hidden={way !== 'mail'}>
        {emailSharingEnabled && (
          <Suspense>
            <ShareMail
              accountId={accountId}
              shareId={shareId}
              login={login}
              onSent={onHandedOver}
              onSending={onSending}
            />
          </Suspense>
        )}
      </div>
      {children}
    </div>
  )
}

function WebLogin({ login, onHandedOver }: Pick<Props, 'login' | 'onHandedOver'>) {
  const { t } = useTranslation('sharing')
  const { portalUrl } = useApplication()
  const { username, password, tokenUrl } = login
  return (
    <div className="web-login">
      <div className="web-login__fields">
        <CopyField label={t('outcome.web.username')} value={username} onCopied={onHandedOver} />
        <CopyField label={t('outcome.web.password')} value={password} onCopied={onHandedOver} />
        <CopyField label={t('outcome.web.direct')} value={tokenUrl} onCopied={onHandedOver} />
        {/* The portal's address alone lets no recipient in. */}
        <CopyField label={t('outcome.web.portal')} value={portalUrl} />
      </div>
      <QrCode text={tokenUrl} label={t('outcome.web.qr')} />
    </div>
  )
}
