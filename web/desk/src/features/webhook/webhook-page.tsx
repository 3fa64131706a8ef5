import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { Heads } from '@/components/heads.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { RunText } from '@/components/runs/run-text.tsx'
import type { Webhook } from '@/data/types.ts'
import { discardMessage, sendAgain, useSecrets, useWebhook } from '@/data/webhook.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { Signing } from './signing.tsx'

/** How it stands with the receiver of readings, and what to do about what it did not take. */
export function WebhookPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('webhook')
  const problemText = useDeskProblemText()
  const { webhook, error, reload } = useWebhook(tenant)
  const [discarded, setDiscarded] = useState<string>()
  const [retried, setRetried] = useState<number>()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  const act = async (work: () => Promise<unknown>) => {
    setFailure(undefined)
    setRetried(undefined)
    setBusy(true)
    try {
      await work()
    } catch (caught) {
      setFailure(caught)
    }
    setBusy(false)
    await reload()
  }
  const again = (messages: readonly string[]) => void act(async () => setRetried(await sendAgain(tenant, messages)))
  const isToRetry = webhook !== undefined && (webhook.deadCount > 0 || webhook.waiting > 0 || webhook.isGone)
  return (
    <Page
      title={t('title')}
      tools={
        <BusyButton variation="primary" isDisabled={!isToRetry} isLoading={isBusy} onClick={() => again([])}>
          {t('retryAll')}
        </BusyButton>
      }
    >
      <div role="status">
        {retried !== undefined && <Message type="success">{t('retried', { count: retried })}</Message>}
      </div>
      {failure !== undefined && (
        <Message type="error" role="alert">
          {problemText(failure)}
        </Message>
      )}
      {!webhook && <Pending error={error} retry={() => void reload()} />}
      {webhook && !webhook.url && <p>{t('none')}</p>}
      {webhook?.url && (
        <>
          <Standing tenant={tenant} webhook={webhook} url={webhook.url} />
          <Signing tenant={tenant} />
        </>
      )}
      {webhook && (webhook.url || webhook.deadCount > 0) && (
        <>
          <h2>{t('dead')}</h2>
          <Dead webhook={webhook} onAgain={(id) => again([id])} onDiscard={setDiscarded} />
        </>
      )}
      {discarded !== undefined && (
        <AskDialog
          title={t('discardTitle')}
          go={t('discardNow')}
          isDestructive
          work={async () => {
            await discardMessage(tenant, discarded)
            setDiscarded(undefined)
            await reload()
          }}
          onClose={() => setDiscarded(undefined)}
        >
          <p>{t('discardText')}</p>
        </AskDialog>
      )}
    </Page>
  )
}

function Standing({ tenant, webhook, url }: { tenant: string; webhook: Webhook; url: string }) {
  const { t } = useTranslation('webhook')
  const { secrets } = useSecrets(tenant)
  const { isPaused, isGone, failingSince, retryAt, waiting, hasMore, refused, oldest } = webhook
  const state = () => {
    if (isPaused) return t('paused')
    if (isGone) return t('gone')
    if (secrets?.length === 0) return t('unsigned')
    if (failingSince && retryAt)
      return t('failing', { since: formatInstant(failingSince), retry: formatInstant(retryAt) })
    return t('sound')
  }
  return (
    <dl className="facts card">
      <dt>{t('address')}</dt>
      <dd className="identifier">{url}</dd>
      <dt>{t('state')}</dt>
      <dd>{state()}</dd>
      <dt>{t('waiting')}</dt>
      <dd>
        {t(hasMore ? 'atLeast' : 'count', { count: waiting })}
        {oldest && refused > 0 && ` · ${t('refusedBefore', { refused, oldest: formatInstant(oldest) })}`}
      </dd>
      <dt>{t('lastTaken')}</dt>
      <dd>{webhook.lastDelivery ? formatInstant(webhook.lastDelivery) : t('never')}</dd>
      {webhook.lastError && webhook.lastErrorAt && (
        <>
          <dt>{t('lastError')}</dt>
          <dd>
            {formatInstant(webhook.lastErrorAt)} · <RunText text={webhook.lastError} />
          </dd>
        </>
      )}
    </dl>
  )
}

interface DeadProps {
  webhook: Webhook
  onAgain: (id: string) => void
  onDiscard: (id: string) => void
}

function Dead({ webhook: { dead, deadCount }, onAgain, onDiscard }: DeadProps) {
  const { t } = useTranslation('webhook')
  if (deadCount === 0) return <p>{t('noneDead')}</p>
  return (
    <>
      {dead.length < deadCount && <p className="soft">{t('shown', { shown: dead.length, count: deadCount })}</p>}
      <table className="stacks">
        <Heads names={[t('message'), t('about'), t('received'), t('attempts'), t('cause'), t('act')]} />
        <tbody>
          {dead.map(({ id, kind, job, received, attempts, cause }) => {
            const about = [job, t(`kind.${kind}`), received && formatInstant(received)].filter(Boolean).join(', ')
            return (
              <tr key={id}>
                <td data-name={t('message')}>{t(`kind.${kind}`)}</td>
                <th scope="row" data-name={t('about')} className="identifier">
                  {job}
                </th>
                <td data-name={t('received')}>{received && formatInstant(received)}</td>
                <td data-name={t('attempts')}>{attempts}</td>
                <td data-name={t('cause')}>
                  <RunText text={cause} />
                </td>
                <td data-name={t('act')}>
                  <div className="row-of">
                    <Button size="small" aria-label={`${t('again')}: ${about}`} onClick={() => onAgain(id)}>
                      {t('again')}
                    </Button>
                    <Button size="small" aria-label={`${t('discard')}: ${about}`} onClick={() => onDiscard(id)}>
                      {t('discard')}
                    </Button>
                  </div>
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </>
  )
}
