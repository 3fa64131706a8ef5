import { Button } from '@aws-amplify/ui-react'
import { lazy, Suspense, useState } from 'react'
import { Link } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { useSessions } from '@/auth/sessions.ts'
import { useApplication } from '@/data/application.ts'
import { useJobs } from '@/data/jobs.ts'
import { useOnline } from '@/device/connectivity.ts'
import { useDraftCount } from '@/device/drafts.ts'
import type { OutboxEntry } from '@/device/entry.ts'
import { persist } from '@/device/persistence.ts'
import { useClaims } from './claims.ts'
import { useCloseWarning } from './close-warning.ts'
import { DiscardAllDialog, DiscardDialog } from './discard-dialog.tsx'
import { ForgetfulBrowser } from './forgetful-browser.tsx'
import { useLaterText } from './later-text.ts'
import './offline-status.css'
import { discard, useAllEntries } from './outbox.ts'
import { useRefusalText } from './refusal-text.ts'
import { replay, useIsSending, useWaitingEntries } from './replay.ts'
import { JOB_CLOSED } from './sender.ts'
import { discardUnsentOfAbsent } from './unsent.ts'
import { useNotices, useOfflineDialog } from './use-notices.ts'

const PreviewNote = lazy(async () => ({ default: (await import('./preview-note.tsx')).PreviewNote }))

/** Where the reader can look at an entry. */
type EntryPath = (entry: OutboxEntry) => string

/** What is to be known about the network and about readings that have not arrived: notices, panel, dialog (L2, L4). */
export function OfflineStatus({ pathOf }: { pathOf: EntryPath }) {
  const isLoggedIn = useSessions().length > 0
  const entries = useWaitingEntries()
  const waiting = entries.filter(({ refusal }) => !refusal)
  const dialog = useOfflineDialog(waiting.length > 0)
  useNotices(waiting.length, dialog.isOpen)
  useCloseWarning(waiting.length > 0)
  useClaims()
  return (
    <>
      {useApplication().isPreview && (
        <Suspense>
          <PreviewNote />
        </Suspense>
      )}
      {isLoggedIn ? (
        <StatusPanel waiting={waiting.length} refused={entries.filter(({ refusal }) => refusal)} pathOf={pathOf} />
      ) : (
        <LoggedOut />
      )}
      <OfflineDialog open={dialog.isOpen} onClose={dialog.close} />
    </>
  )
}

/** How many readings wait, why, and what can be done. */
function StatusPanel(props: { waiting: number; refused: readonly OutboxEntry[]; pathOf: EntryPath }) {
  const { waiting, refused, pathOf } = props
  const { t } = useTranslation('offline')
  const isOnline = useOnline()
  const [isRetrying, setRetrying] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  // What the portal tries by itself without a network is nothing to look at.
  const isSending = (useIsSending() && isOnline) || isRetrying
  const later = useLaterText(useWaitingEntries())

  async function retry() {
    setFailed(false)
    setRetrying(true)
    setFailed(!(await replay(true).catch(() => false)))
    setRetrying(false)
  }

  return (
    <section className="offline-status" aria-label={t('status.label')} hidden={waiting + refused.length === 0}>
      {waiting > 0 && (
        <div className="offline-status__part">
          <Icon name={isOnline ? 'clock' : 'offline'} />
          <div className="offline-status__text">
            <div role="status">
              <strong>{t('status.waiting', { count: waiting })}</strong>
              <p>{isSending ? t('status.sending') : isOnline ? (later ?? t('status.online')) : t('status.offline')}</p>
            </div>
            <p role="alert" className="offline-status__failed">
              {hasFailed && !isSending && t('status.failed')}
            </p>
          </div>
          <BusyButton size="small" isLoading={isSending} loadingText={t('status.sending')} onClick={() => void retry()}>
            {t('status.retry')}
          </BusyButton>
        </div>
      )}
      {refused.length > 0 && (
        <div className="offline-status__part offline-status__part--refused">
          <Icon name="warning" />
          <div className="offline-status__text">
            <div role="status">
              <strong>{t('status.attention', { count: refused.length })}</strong>
              <p>{t('status.attentionText')}</p>
            </div>
            <ul className="offline-status__refused">
              {refused.map((entry) => (
                <RefusedLine key={entry.key} entry={entry} path={pathOf(entry)} />
              ))}
            </ul>
          </div>
        </div>
      )}
    </section>
  )
}

/** One reading that was not taken: the way to it or, where its meter is no longer shown, what is left to do with it. */
function RefusedLine({ entry, path }: { entry: OutboxEntry; path: string }) {
  const { t } = useTranslation('offline')
  const { jobs = [], isComplete } = useJobs()
  const [isDiscarding, setDiscarding] = useState(false)
  const refusalText = useRefusalText()
  const { key, meterNumber, refusal } = entry
  const number = { number: meterNumber }
  const isOfJob = entry.kind === 'send-task-results'
  // The list may have the meter as another account's, whose screen does not show this reading.
  const job = isOfJob && jobs.find(({ id, login }) => id === entry.jobId && login === entry.accountId)
  const isGone = isOfJob && isComplete && !job
  // As on the meter's screen: it may be sent again (D-OUTBOX-1).
  const isOpenAgain = refusal?.code === JOB_CLOSED && job && !job.closed
  return (
    <li>
      {isGone ? (
        <strong>{t('status.gone', number)}</strong>
      ) : (
        <Link href={path} className="offline-status__link">
          {t('status.look', number)}
        </Link>
      )}
      {refusal && !isOpenAgain && <span>{refusalText(refusal)}</span>}
      {isGone && (
        <Button
          size="small"
          aria-label={`${t('queued.discard')}: ${t('status.gone', number)}`}
          onClick={() => setDiscarding(true)}
        >
          {t('queued.discard')}
        </Button>
      )}
      <DiscardDialog
        entry={isDiscarding ? entry : undefined}
        onKeep={() => setDiscarding(false)}
        onDiscard={() => void discard(key)}
      />
    </li>
  )
}

/** Before the login: that something waits or is begun, and nothing about whom it belongs to. What is of an access that has ended can only be given up. */
function LoggedOut() {
  const { t } = useTranslation('offline')
  const [isDiscarding, setDiscarding] = useState(false)
  const waiting = useAllEntries().length
  const begun = useDraftCount()
  if (waiting + begun === 0) return null
  return (
    <section className="offline-status" aria-label={t('status.label')}>
      <div className="offline-status__part">
        <Icon name="clock" />
        <p className="offline-status__text">
          {waiting > 0 && `${t('status.loggedOut', { count: waiting })} `}
          {begun > 0 && `${t('status.begun', { count: begun })} `}
          {t('status.ended')}
        </p>
        <Button size="small" onClick={() => setDiscarding(true)}>
          {t('queued.discard')}
        </Button>
      </div>
      <DiscardAllDialog
        unsent={isDiscarding ? { waiting, begun } : undefined}
        onKeep={() => setDiscarding(false)}
        onDiscard={() => {
          setDiscarding(false)
          void discardUnsentOfAbsent()
        }}
      />
    </section>
  )
}

/** What has just become of a reading that could not be sent, and what becomes of it. */
function OfflineDialog({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation('offline')
  const understand = () => {
    void persist(true)
    onClose()
  }
  return (
    <Dialog
      open={open}
      title={t('dialog.title')}
      onClose={onClose}
      actions={
        <Button variation="primary" onClick={understand}>
          {t('dialog.close')}
        </Button>
      }
    >
      <p>{t('dialog.text')}</p>
      <p>{t('dialog.keepOpen')}</p>
      <ForgetfulBrowser />
    </Dialog>
  )
}
