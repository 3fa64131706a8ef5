import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { endOldSecret, renewSecret, testWebhook } from '@/data/webhook.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'

type Tried = 'taken' | { readonly cause: string } | { readonly failure: unknown }

/** Tries the receiver out, and renews the secret by which it knows messages to be genuine, without losing one. */
export function Signing({ tenant }: { tenant: string }) {
  const { t } = useTranslation('webhook')
  const problemText = useDeskProblemText()
  const [isTrying, setTrying] = useState(false)
  const [tried, setTried] = useState<Tried>()
  const [asked, setAsked] = useState<'renew' | 'end'>()
  const [secret, setSecret] = useState<string>()
  const [isEnded, setEnded] = useState(false)

  const test = async () => {
    setTrying(true)
    setTried(undefined)
    try {
      const cause = await testWebhook(tenant)
      setTried(cause === undefined ? 'taken' : { cause })
    } catch (failure) {
      setTried({ failure })
    }
    setTrying(false)
  }
  return (
    <section className="card">
      <h2>{t('signing')}</h2>
      <p>{t('signingText')}</p>
      <div className="row-of">
        <BusyButton size="small" isLoading={isTrying} onClick={() => void test()}>
          {t('test')}
        </BusyButton>
        <Button size="small" onClick={() => setAsked('renew')}>
          {t('renew')}
        </Button>
        <Button size="small" onClick={() => setAsked('end')}>
          {t('endOld')}
        </Button>
      </div>
      <div role="status">
        {tried === 'taken' && <Message type="success">{t('testTaken')}</Message>}
        {tried !== undefined && tried !== 'taken' && (
          <Message type="error">
            {'cause' in tried ? t('testRefused', { cause: tried.cause }) : problemText(tried.failure)}
          </Message>
        )}
        {isEnded && <Message type="success">{t('ended')}</Message>}
      </div>
      {asked === 'renew' && (
        <AskDialog
          title={t('renewTitle')}
          go={t('renewNow')}
          work={async () => {
            setSecret(await renewSecret(tenant))
            setEnded(false)
            setAsked(undefined)
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{t('renewText')}</p>
        </AskDialog>
      )}
      {asked === 'end' && (
        <AskDialog
          title={t('endTitle')}
          go={t('endNow')}
          isDestructive
          work={async () => {
            await endOldSecret(tenant)
            setEnded(true)
            setAsked(undefined)
          }}
          onClose={() => setAsked(undefined)}
        >
          <p>{t('endText')}</p>
        </AskDialog>
      )}
      {secret !== undefined && (
        <Dialog
          open
          title={t('secretTitle')}
          onClose={() => setSecret(undefined)}
          actions={<Button onClick={() => setSecret(undefined)}>{t('secretKept')}</Button>}
        >
          <p>{t('secretText')}</p>
          <p>
            <code className="identifier">{secret}</code>
          </p>
        </Dialog>
      )}
    </section>
  )
}
