import { Button, TextAreaField, TextField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { isEmail } from '@shared/rules/email.ts'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { HandedLink } from '@/components/handed-link.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { AREAS, paths } from '@/data/paths.ts'
import { askForAccess, endAccess, inviteLead, useTenant } from '@/data/platform.ts'
import type { Tenant } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { startSession } from '@/session/session.ts'
import { TenantDialog } from './tenant-dialog.tsx'

/** A utility, for the platform's staff: where it is reached, who leads it, and access for a time. */
export function TenantPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('platform')
  const problemText = useDeskProblemText()
  const { found, error, reload } = useTenant(tenant)
  const [dialog, setDialog] = useState<'change' | 'lead' | 'ask'>()
  const [said, setSaid] = useState<string>()
  const [byHand, setByHand] = useState<{ email: string; link: string }>()
  const [failure, setFailure] = useState<unknown>()
  const close = () => setDialog(undefined)
  const done = (text?: string) => {
    close()
    setSaid(text)
    setFailure(undefined)
    void reload()
  }
  const end = async () => {
    setFailure(undefined)
    setSaid(undefined)
    try {
      await endAccess(tenant)
      // The tenant is none of the member's any more.
      await startSession()
    } catch (caught) {
      setFailure(caught)
    }
    await reload()
  }
  return (
    <Page title={found?.name ?? tenant}>
      <div role="status">{said !== undefined && <Message type="success">{said}</Message>}</div>
      {failure !== undefined && (
        <Message type="error" role="alert">
          {problemText(failure)}
        </Message>
      )}
      {!found && <Pending error={error} retry={() => void reload()} />}
      {found && (
        <>
          <Reached tenant={found} onChange={() => setDialog('change')} />
          <Leads tenant={found} onInvite={() => setDialog('lead')} />
          <Access tenant={found} onAsk={() => setDialog('ask')} onEnd={() => void end()} />
        </>
      )}
      {dialog === 'change' && found && (
        <TenantDialog tenant={found} reload={reload} onClose={close} onDone={() => done(t('changed'))} />
      )}
      {dialog === 'lead' && (
        <LeadDialog
          tenant={tenant}
          onClose={close}
          onDone={(email, link) => {
            done(link === undefined ? t('sent', { email }) : undefined)
            setByHand(link === undefined ? undefined : { email, link })
          }}
        />
      )}
      {byHand && <HandedLink {...byHand} onClose={() => setByHand(undefined)} />}
      {dialog === 'ask' && <AccessDialog tenant={tenant} onClose={close} onDone={() => done(t('asked'))} />}
    </Page>
  )
}

function Reached({ tenant, onChange }: { tenant: Tenant; onChange: () => void }) {
  const { t } = useTranslation('platform')
  return (
    <section className="card">
      <h2>{t('reached')}</h2>
      <dl className="facts">
        <dt>{t('id')}</dt>
        <dd>{tenant.tenant}</dd>
        <dt>{t('hosts')}</dt>
        <dd>{tenant.hosts.join(', ')}</dd>
        <dt>{t('portal')}</dt>
        <dd>
          <a href={tenant.portalUrl} target="_blank" rel="noreferrer">
            {tenant.portalUrl}
          </a>
        </dd>
        <dt>{t('sender')}</dt>
        <dd>{tenant.senderEmail || t('noSender')}</dd>
      </dl>
      <div className="row-of">
        <Button size="small" onClick={onChange}>
          {t('change')}
        </Button>
      </div>
    </section>
  )
}

function Leads({ tenant, onInvite }: { tenant: Tenant; onInvite: () => void }) {
  const { t } = useTranslation('platform')
  return (
    <section className="card">
      <h2>{t('leads')}</h2>
      <p>{t('leadCount', { count: tenant.leads })}</p>
      {tenant.invited.length > 0 && (
        <ul>
          {tenant.invited.map(({ id, email, expiresAt }) => (
            <li key={id}>{t('invited', { email, until: formatInstant(expiresAt) })}</li>
          ))}
        </ul>
      )}
      <div className="row-of">
        <Button size="small" onClick={onInvite}>
          {t('inviteLead')}
        </Button>
      </div>
    </section>
  )
}

interface AccessProps {
  tenant: Tenant
  onAsk: () => void
  onEnd: () => void
}

function Access({ tenant, onAsk, onEnd }: AccessProps) {
  const { t } = useTranslation('platform')
  const { t: desk } = useTranslation('desk')
  const { access } = tenant
  const isGiven = access && access.roles.length > 0
  const roles = access?.roles.map((role) => desk(`role.${role}`)).join(', ') ?? ''
  return (
    <section className="card">
      <h2>{t('accessTitle')}</h2>
      {!access && <p>{t('accessNone')}</p>}
      {access && !isGiven && <p>{t('accessAsked', { until: formatInstant(access.until) })}</p>}
      {isGiven && <p>{t('accessGiven', { roles, until: formatInstant(access.until) })}</p>}
      <div className="row-of">
        {!access && (
          <Button size="small" onClick={onAsk}>
            {t('ask')}
          </Button>
        )}
        {isGiven && (
          <a className="button-link button-link--small" href={paths.area(tenant.tenant, AREAS[0])}>
            {t('goThere')}
          </a>
        )}
        {access && (
          <Button size="small" onClick={onEnd}>
            {t(isGiven ? 'end' : 'takeBack')}
          </Button>
        )}
      </div>
    </section>
  )
}

interface DialogProps {
  tenant: string
  onClose: () => void
}

function LeadDialog({ tenant, onClose, onDone }: DialogProps & { onDone: (email: string, link?: string) => void }) {
  const { t } = useTranslation('platform')
  const [email, setEmail] = useState('')
  const [isTried, setTried] = useState(false)
  const address = email.trim()
  return (
    <AskDialog
      title={t('inviteLeadTitle')}
      go={t('send')}
      check={() => {
        setTried(true)
        return isEmail(address)
      }}
      work={async () => {
        onDone(address, await inviteLead(tenant, address))
      }}
      told={(failure) => (failure instanceof ApiError && failure.code === 'mail-refused' ? t('notSent') : undefined)}
      onClose={onClose}
    >
      <p>{t('inviteLeadText')}</p>
      <TextField
        name="email"
        type="email"
        label={t('email')}
        autoComplete="off"
        value={email}
        hasError={isTried && !isEmail(address)}
        errorMessage={t('badEmail')}
        onChange={({ target }) => setEmail(target.value)}
      />
    </AskDialog>
  )
}

const REASON = 500

function AccessDialog({ tenant, onClose, onDone }: DialogProps & { onDone: () => void }) {
  const { t } = useTranslation('platform')
  const [reason, setReason] = useState('')
  const [isTried, setTried] = useState(false)
  const isBad = reason.trim() === ''
  return (
    <AskDialog
      title={t('askTitle')}
      go={t('askNow')}
      check={() => {
        setTried(true)
        return !isBad
      }}
      work={async () => {
        await askForAccess(tenant, reason.trim())
        onDone()
      }}
      onClose={onClose}
    >
      <p>{t('askText')}</p>
      <TextAreaField
        name="reason"
        label={t('reason')}
        rows={3}
        maxLength={REASON}
        value={reason}
        hasError={isTried && isBad}
        errorMessage={t('badReason')}
        onChange={({ target }) => setReason(target.value)}
      />
    </AskDialog>
  )
}
