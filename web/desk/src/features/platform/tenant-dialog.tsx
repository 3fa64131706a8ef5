import { TextField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { isEmail } from '@shared/rules/email.ts'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import { changeTenant, createTenant } from '@/data/platform.ts'
import type { Reached, SettingsFault, Tenant } from '@/data/types.ts'

interface Props {
  /** The one that is to be reached otherwise; none: a new one. */
  tenant?: Tenant
  /** Looks at it again. */
  reload?: () => Promise<Tenant | undefined>
  onClose: () => void
  /** It is so. */
  onDone: (tenant: string) => void
}

/** The server found something wrong, and did nothing. */
class Faulty extends Error {}

/** Another member had the utility reached otherwise since it was shown. */
const isOvertaken = (failure: unknown): boolean => failure instanceof ApiError && failure.code === 'conflict'

const reachedOf = ({ hosts, portalUrl, senderEmail }: Tenant): Reached => ({ hosts, portalUrl, senderEmail })

const ID = /^[a-z][a-z0-9-]{0,31}$/

/** A new utility, or where one is reached and what it sends mail from. */
export function TenantDialog({ tenant, reload, onClose, onDone }: Props) {
  const { t } = useTranslation('platform')
  const language = useStaffLanguage()
  const [id, setId] = useState(tenant?.tenant ?? '')
  const [name, setName] = useState('')
  const [hosts, setHosts] = useState(tenant?.hosts.join(', ') ?? '')
  const [url, setUrl] = useState(tenant?.portalUrl ?? '')
  const [email, setEmail] = useState(tenant?.senderEmail ?? '')
  /** What the fields began with. */
  const [seen, setSeen] = useState(tenant && reachedOf(tenant))
  const [isTried, setTried] = useState(false)
  const [faults, setFaults] = useState<readonly SettingsFault[]>([])

  const begin = (now: Tenant) => {
    setSeen(reachedOf(now))
    setHosts(now.hosts.join(', '))
    setUrl(now.portalUrl)
    setEmail(now.senderEmail)
    setFaults([])
  }
  const named = hosts.split(/[\s,]+/).filter(Boolean)
  const likely = named[0]?.includes('/') === false ? `https://${named[0]}` : ''
  const address = url.trim() || likely
  const sender = email.trim()
  const wrong = {
    id: !ID.test(id.trim()),
    name: !tenant && name.trim() === '',
    hosts: named.length === 0,
    email: sender !== '' && !isEmail(sender),
  }
  const fault = (...paths: string[]) =>
    faults
      .filter(({ path }) => paths.some((known) => path === known || path.startsWith(`${known}[`)))
      .map(({ reason }) => reason[language])
      .join('; ')
  const told = (isWrong: boolean, text: string, ...paths: string[]) => {
    const said = isTried && isWrong ? text : fault(...paths)
    return { hasError: said !== '', errorMessage: said }
  }
  const others = faults.filter(({ path }) => !/^(applicationId|name|hosts|portalUrl|communicationSettings)/.test(path))
  return (
    <AskDialog
      title={tenant ? t('changeTitle', { name: tenant.name }) : t('createTitle')}
      go={t(tenant ? 'save' : 'createNow')}
      check={() => {
        setTried(true)
        return !Object.values(wrong).includes(true)
      }}
      work={async () => {
        const deployed = { portalUrl: address, senderEmail: sender }
        try {
          const found = await (seen
            ? changeTenant(id, seen, { hosts: named, ...deployed })
            : createTenant({ tenant: id.trim(), name: name.trim(), host: named[0] ?? '', ...deployed }))
          setFaults(found)
          if (found.length > 0) throw new Faulty()
        } catch (caught) {
          const now = isOvertaken(caught) ? await reload?.() : undefined
          if (now) begin(now)
          throw caught
        }
        onDone(id.trim())
      }}
      told={(failure) => {
        if (isOvertaken(failure)) return t('overtaken')
        return failure instanceof Faulty ? t('faulty') : undefined
      }}
      onClose={onClose}
    >
      <p>{t(tenant ? 'changeText' : 'createText')}</p>
      {!tenant && (
        <>
          <TextField
            name="name"
            label={t('name')}
            autoComplete="off"
            value={name}
            {...told(wrong.name, t('badName'), 'name')}
            onChange={({ target }) => setName(target.value)}
          />
          <TextField
            name="tenant"
            label={t('id')}
            descriptiveText={t('idText')}
            autoComplete="off"
            value={id}
            {...told(wrong.id, t('badId'), 'applicationId')}
            onChange={({ target }) => setId(target.value)}
          />
        </>
      )}
      <TextField
        name="hosts"
        label={t(tenant ? 'hosts' : 'host')}
        descriptiveText={t('hostText')}
        autoComplete="off"
        value={hosts}
        {...told(wrong.hosts, t('badHost'), 'hosts')}
        onChange={({ target }) => setHosts(target.value)}
      />
      <TextField
        name="url"
        type="url"
        label={t('portal')}
        autoComplete="off"
        placeholder={likely}
        value={url}
        {...told(false, '', 'portalUrl')}
        onChange={({ target }) => setUrl(target.value)}
      />
      <TextField
        name="email"
        type="email"
        label={t('sender')}
        descriptiveText={t('senderText')}
        autoComplete="off"
        value={email}
        {...told(wrong.email, t('badEmail'), 'communicationSettings.senderEmail')}
        onChange={({ target }) => setEmail(target.value)}
      />
      {others.map(({ file, path, reason }) => (
        <Message key={file + path} type="error" role="alert">
          {`${file}: ${path}: ${reason[language]}`}
        </Message>
      ))}
    </AskDialog>
  )
}
