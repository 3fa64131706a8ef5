import { Button, TextField } from '@aws-amplify/ui-react'
import { useId, useState } from 'react'
import { formatDayOf } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { isEmail } from '@shared/rules/email.ts'
import { ConsentField } from '@shared/ui/consent-field.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { liftSuppression, switchOff, switchOn } from '@/data/customer.ts'
import type { Customer } from '@/data/types.ts'
import { Facts } from './facts.tsx'
import { Mend } from './mend.tsx'

interface Props {
  tenant: string
  customer: Customer
  /** Something was switched. */
  onChanged: () => void
}

type Asked = 'on' | 'off'

/** Which addresses get mails, switched on or off for a customer who asks by phone. */
export function Communication({ tenant, customer, onChanged }: Props) {
  const { t } = useTranslation('customer')
  const heading = useId()
  const [asked, setAsked] = useState<Asked>()
  const [done, setDone] = useState<Asked>()
  const { registeredEmail, pendingEmail, email, noReminders, registersHere, suppressed } = customer
  const getsMails = Boolean(registeredEmail || pendingEmail || (email && !noReminders))
  const dialog = {
    tenant,
    customer,
    onDone: () => {
      setDone(asked)
      setAsked(undefined)
      onChanged()
    },
    onClose: () => setAsked(undefined),
  }
  return (
    <section className="card" aria-labelledby={heading}>
      <h2 id={heading}>{t('communication')}</h2>
      <Facts
        facts={[
          [t('registered'), registeredEmail],
          [t('pending'), pendingEmail],
          [t('fileEmail'), email],
          [t('reminders'), noReminders ? t('noReminders') : undefined],
        ]}
      />
      {suppressed.length > 0 && (
        <Message type="warning">
          {suppressed.map(({ email: address, since }) => (
            <p key={address}>{t('suppressed', { email: address, since: formatDayOf(since) })}</p>
          ))}
          <Mend label={t('tryAgain')} work={async () => liftSuppression(tenant, customer.account)} onDone={onChanged} />
        </Message>
      )}
      {!registeredEmail && !pendingEmail && <p className="soft">{t('notRegistered')}</p>}
      {registersHere ? (
        <div className="row-of">
          <Button onClick={() => setAsked('on')}>{t(registeredEmail ? 'otherAddress' : 'switchOn')}</Button>
          {getsMails && <Button onClick={() => setAsked('off')}>{t('switchOff')}</Button>}
        </div>
      ) : (
        <p className="soft">{t('registersElsewhere')}</p>
      )}
      <div role="status">
        {done && <Message type="success">{t(done === 'on' ? 'confirmationSent' : 'switchedOff')}</Message>}
      </div>
      {asked === 'on' && <OnDialog {...dialog} />}
      {asked === 'off' && <OffDialog {...dialog} />}
    </section>
  )
}

interface DialogProps {
  tenant: string
  customer: Customer
  onDone: () => void
  onClose: () => void
}

function OnDialog({ tenant, customer: { account, name }, onDone, onClose }: DialogProps) {
  const { t } = useTranslation('customer')
  const [email, setEmail] = useState('')
  const [consents, setConsents] = useState(false)
  const [isTried, setTried] = useState(false)
  const address = email.trim()
  return (
    <AskDialog
      title={t('switchOn')}
      go={t('sendConfirmation')}
      check={() => {
        setTried(true)
        return isEmail(address) && consents
      }}
      work={async () => {
        await switchOn(tenant, account, address)
        onDone()
      }}
      onClose={onClose}
    >
      <p>{t('switchOnText', { name })}</p>
      <TextField
        name="email"
        type="email"
        label={t('address')}
        autoComplete="off"
        maxLength={120}
        value={email}
        hasError={isTried && !isEmail(address)}
        errorMessage={t('addressWrong')}
        onChange={({ target }) => setEmail(target.value)}
      />
      <ConsentField
        name="consents"
        label={t('consents')}
        checked={consents}
        error={isTried && !consents ? t('consentNeeded') : undefined}
        onChange={setConsents}
      />
    </AskDialog>
  )
}

function OffDialog({ tenant, customer: { account, name }, onDone, onClose }: DialogProps) {
  const { t } = useTranslation('customer')
  return (
    <AskDialog
      title={t('switchOff')}
      go={t('switchOffNow')}
      work={async () => {
        await switchOff(tenant, account)
        onDone()
      }}
      onClose={onClose}
    >
      <p>{t('switchOffText', { name })}</p>
    </AskDialog>
  )
}
