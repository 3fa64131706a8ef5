import { Button } from '@aws-amplify/ui-react'
import { useRef, useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { Heads } from '@/components/heads.tsx'
import { Pending } from '@/components/pending.tsx'
import { RunText } from '@/components/runs/run-text.tsx'
import { ShownOnce } from '@/components/shown-once.tsx'
import type { RunWords, WebhookSecret } from '@/data/types.ts'
import { endOldSecrets, renewSecret, testWebhook, useSecrets } from '@/data/webhook.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'

type Tried = 'taken' | { readonly cause: RunWords } | { readonly failure: unknown }
type Asked = 'renew' | { readonly newest: WebhookSecret }

const isOvertaken = (failure: unknown): boolean => failure instanceof ApiError && failure.code === 'conflict'

/** Tries the receiver out, and renews the secret by which it knows messages to be genuine, without losing one. */
export function Signing({ tenant }: { tenant: string }) {
  const { t } = useTranslation('webhook')
  const problemText = useDeskProblemText()
  const [isTrying, setTrying] = useState(false)
  const [tried, setTried] = useState<Tried>()
  const { secrets, error, reload } = useSecrets(tenant)
  const [asked, setAsked] = useState<Asked>()
  const [secret, setSecret] = useState<string>()
  const [isEnded, setEnded] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)

  /** What was said holds of the secrets as they were. */
  const forget = () => {
    setTried(undefined)
    setEnded(false)
  }
  const test = async () => {
    setTrying(true)
    forget()
    try {
      const cause = await testWebhook(tenant)
      setTried(cause === undefined ? 'taken' : { cause })
    } catch (failure) {
      setTried({ failure })
    }
    setTrying(false)
  }
  const made = useMade()
  const close = () => {
    setAsked(undefined)
    void reload()
  }
  const [newest, ...older] = secrets ?? []
  return (
    <section className="card">
      <h2 ref={heading} tabIndex={-1}>
        {t('signing')}
      </h2>
      <p>{t('signingText')}</p>
      {secrets ? <Secrets secrets={secrets} /> : <Pending error={error} retry={() => void reload()} />}
      <div className="row-of">
        {newest && (
          <BusyButton size="small" isLoading={isTrying} onClick={() => void test()}>
            {t('test')}
          </BusyButton>
        )}
        <Button size="small" onClick={() => setAsked('renew')}>
          {t('renew')}
        </Button>
        {newest && older.length > 0 && (
          <Button size="small" onClick={() => setAsked({ newest })}>
            {t('endOld')}
          </Button>
        )}
      </div>
      <div role="status">
        {tried === 'taken' && <Message type="success">{t('testTaken')}</Message>}
        {tried !== undefined && tried !== 'taken' && (
          <Message type="error">
            {'cause' in tried ? (
              <>
                {t('testRefused')} <RunText text={tried.cause} />
              </>
            ) : (
              problemText(tried.failure)
            )}
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
            forget()
            close()
          }}
          told={(failure) => (isOvertaken(failure) ? t('renewOvertaken') : undefined)}
          onClose={close}
        >
          <p>{t('renewText')}</p>
        </AskDialog>
      )}
      {asked !== undefined && asked !== 'renew' && (
        <AskDialog
          title={t('endTitle')}
          go={t('endNow')}
          isDestructive
          work={async () => {
            await endOldSecrets(tenant, asked.newest)
            forget()
            setEnded(true)
            close()
            // The button that led here goes with the old secrets.
            heading.current?.focus()
          }}
          told={(failure) => (isOvertaken(failure) ? t('endOvertaken') : undefined)}
          onClose={close}
        >
          <p>{t('endStays', { fingerprint: asked.newest.fingerprint, made: made(asked.newest) })}</p>
          <p>{t('endText')}</p>
        </AskDialog>
      )}
      {secret !== undefined && (
        <Dialog
          open
          title={t('secretTitle')}
          isLocked
          onClose={() => setSecret(undefined)}
          actions={<Button onClick={() => setSecret(undefined)}>{t('secretKept')}</Button>}
        >
          <p>{t('secretText')}</p>
          <ShownOnce text={secret} />
        </Dialog>
      )}
    </section>
  )
}

/** Who made a secret, and when. */
function useMade() {
  const { t } = useTranslation('webhook')
  return ({ by, at }: WebhookSecret) => (by && at ? t('madeBy', { by, at: formatInstant(at) }) : t('madeElsewhere'))
}

/** The secrets that are good, by which one lead sees what another has made. */
function Secrets({ secrets }: { secrets: readonly WebhookSecret[] }) {
  const { t } = useTranslation('webhook')
  const made = useMade()
  if (secrets.length === 0) return <p>{t('noSecret')}</p>
  return (
    <table className="stacks">
      <Heads names={[t('fingerprint'), t('made')]} />
      <tbody>
        {secrets.map((secret) => (
          <tr key={secret.fingerprint}>
            <th scope="row" data-name={t('fingerprint')} className="identifier">
              {secret.fingerprint}
            </th>
            <td data-name={t('made')}>{made(secret)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
