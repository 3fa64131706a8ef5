import { Loader } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { useProblemText } from '@shared/api/problem.ts'
import type { DeviceSession } from '@shared/contract/types.ts'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { notify } from '@shared/ui/notify.ts'
import { type Session, useSessions } from '@/auth/sessions.ts'
import { endDeviceSession, useDeviceSessions } from '@/data/device-sessions.ts'
import './devices.css'
import { LogoutEverywhere } from './logout-everywhere.tsx'

/** Where the accounts of this browser are logged in, each with its own login data, and the way to end that. */
export function Devices() {
  const { t } = useTranslation('devices')
  const sessions = useSessions()
  return (
    <div className="devices">
      <h1>{t('title')}</h1>
      <p className="devices__introduction">{t('introduction')}</p>
      {sessions.map((session) => (
        <Account key={session.accountId} session={session} />
      ))}
    </div>
  )
}

function Account({ session }: { session: Session }) {
  const { t } = useTranslation('devices')
  const { accountId, info } = session
  const { devices, error } = useDeviceSessions(accountId)
  return (
    <section className="panel devices__account" aria-labelledby={`devices-${accountId}`}>
      <h2 id={`devices-${accountId}`} className="devices__name">
        {info.name}
      </h2>
      {error && !devices && (
        <Message type="error" title={t('loadFailed.title')}>
          <p>{t('loadFailed.text')}</p>
        </Message>
      )}
      {!devices && !error && <Loader size="large" aria-label={t('loading', { area: 'common' })} />}
      <ul className="devices__list">
        {devices?.map((device) => (
          <Device key={device.id} accountId={accountId} device={device} />
        ))}
      </ul>
      <LogoutEverywhere account={info} />
    </section>
  )
}

function Device({ accountId, device }: { accountId: string; device: DeviceSession }) {
  const { t } = useTranslation('devices')
  const problemText = useProblemText()
  const [isBusy, setBusy] = useState(false)
  const kind = t(`device.${device.device}`)
  const used = formatInstant(device.lastUsed)

  async function end() {
    setBusy(true)
    try {
      await endDeviceSession(accountId, device.id)
      notify({ type: 'success', title: t('ended', { device: kind }) })
    } catch (failure) {
      notify({ type: 'error', title: t('endFailed'), message: problemText(failure), topic: 'devices' })
    } finally {
      setBusy(false)
    }
  }

  return (
    <li className="devices__device">
      <span className="devices__text">
        <strong>{kind}</strong>
        {device.isCurrent && <span className="devices__here">{t('here')}</span>}
        <span>{t('lastUsed', { time: used })}</span>
        <span>{t(device.login === 'token' ? 'sinceByLink' : 'since', { time: formatInstant(device.since) })}</span>
      </span>
      {!device.isCurrent && (
        <BusyButton
          size="small"
          isLoading={isBusy}
          loadingText={t('busy')}
          aria-label={t('endLabel', { device: kind, time: used })}
          onClick={() => void end()}
        >
          {t('end')}
        </BusyButton>
      )}
    </li>
  )
}
