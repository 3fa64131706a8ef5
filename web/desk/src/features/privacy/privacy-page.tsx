import { Button, TextField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { Heads } from '@/components/heads.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { useByName } from '@/components/use-by-name.ts'
import { confirmErasure, disclose, useErasures, withdrawErasure } from '@/data/privacy.ts'
import type { Erasures, Hold } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { ErasureDialog } from './erasure-dialog.tsx'
import { EndHoldDialog, HoldDialog, Holds } from './holds.tsx'

/** What was not done, and for whom; its words follow the language of the screen. */
interface Failure {
  readonly refused: unknown
  readonly account: string
  /** What it means that there is nothing of theirs. */
  readonly isGone: 'unknown' | 'notOpen'
}

/** What a person may ask for: what is stored about them, and that it goes. */
export function PrivacyPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('privacy')
  const problemText = useDeskProblemText()
  const { erasures, error, reload } = useErasures(tenant)
  const [account, setAccount] = useState('')
  const [isErasing, setErasing] = useState(false)
  const [isHolding, setHolding] = useState(false)
  const [ending, setEnding] = useState<Hold>()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure>()
  const named = account.trim()

  const told = ({ refused, account, isGone }: Failure) => {
    const code = refused instanceof ApiError ? refused.code : undefined
    if (code === 'not-found') return t(isGone, { account })
    return code === 'list-too-long' ? t('tooLong', { account }) : problemText(refused)
  }
  const act = async (work: () => Promise<unknown>, account: string, isGone: Failure['isGone']) => {
    setFailure(undefined)
    setBusy(true)
    try {
      await work()
    } catch (refused) {
      setFailure({ refused, account, isGone })
    }
    setBusy(false)
    void reload()
  }
  const give = (format: 'json' | 'pdf') =>
    void act(async () => disclose(tenant, named, t('file', { account: named }), format), named, 'unknown')
  const settle = (work: () => Promise<unknown>, listed: string) => void act(work, listed, 'notOpen')
  /** What was refused before must not stand beside what is done next. */
  const begin = (next: () => void) => {
    setFailure(undefined)
    next()
  }
  return (
    <Page title={t('title')}>
      {erasures?.isHeld && <Message type="warning">{t('held')}</Message>}
      <form
        className="row-of"
        onSubmit={(event) => {
          event.preventDefault()
          if (named) give('pdf')
        }}
      >
        <TextField
          name="account"
          label={t('account')}
          descriptiveText={t('accountHint')}
          autoComplete="off"
          value={account}
          onChange={({ target }) => begin(() => setAccount(target.value))}
        />
        <BusyButton type="submit" variation="primary" isDisabled={!named} isLoading={isBusy}>
          {t('disclose')}
        </BusyButton>
        <BusyButton isDisabled={!named} isLoading={isBusy} onClick={() => give('json')}>
          {t('discloseJson')}
        </BusyButton>
        <Button isDisabled={!named || !erasures || erasures.isHeld} onClick={() => begin(() => setErasing(true))}>
          {t('erase')}
        </Button>
        <Button isDisabled={!named || !erasures} onClick={() => begin(() => setHolding(true))}>
          {t('hold')}
        </Button>
      </form>
      {failure !== undefined && (
        <Message type="error" role="alert">
          {told(failure)}
        </Message>
      )}
      {!erasures && <Pending error={error} retry={() => void reload()} />}
      {erasures && (
        <>
          <h2>{t('open')}</h2>
          <Open
            open={erasures.open}
            onConfirm={(one) => settle(async () => confirmErasure(tenant, one), one)}
            onWithdraw={(one) => settle(async () => withdrawErasure(tenant, one), one)}
          />
          <Holds holds={erasures.holds} onEnd={(hold) => begin(() => setEnding(hold))} />
          <Done done={erasures.done} />
        </>
      )}
      {isHolding && (
        <HoldDialog
          tenant={tenant}
          account={named}
          shown={erasures?.holds.find((hold) => hold.account === named)}
          look={async () => (await reload())?.holds.find((hold) => hold.account === named)}
          onClose={() => {
            setHolding(false)
            void reload()
          }}
        />
      )}
      {ending && (
        <EndHoldDialog
          tenant={tenant}
          hold={ending}
          onClose={() => {
            setEnding(undefined)
            void reload()
          }}
        />
      )}
      {isErasing && (
        <ErasureDialog
          tenant={tenant}
          account={named}
          needsSecond={erasures?.needsSecondMember ?? false}
          onClose={() => {
            setErasing(false)
            void reload()
          }}
        />
      )}
    </Page>
  )
}

interface OpenProps {
  open: Erasures['open']
  onConfirm: (account: string) => void
  onWithdraw: (account: string) => void
}

function Open({ open, onConfirm, onWithdraw }: OpenProps) {
  const { t } = useTranslation('privacy')
  const { nameOf } = useByName()
  if (open.length === 0) return <p>{t('none')}</p>
  return (
    <table className="stacks">
      <Heads names={[t('about'), t('requested'), t('by'), t('groundShort'), t('state'), t('act')]} />
      <tbody>
        {open.map(({ account, requestedAt, by, ground, state, awaitsSecond, isMine }) => (
          <tr key={account}>
            <th scope="row" data-name={t('about')} className="identifier">
              {account}
            </th>
            <td data-name={t('requested')}>{formatInstant(requestedAt)}</td>
            <td data-name={t('by')}>{by ? nameOf(by) : t('byCommand')}</td>
            <td data-name={t('groundShort')}>{ground && t(`grounds.${ground}`)}</td>
            <td data-name={t('state')}>{t(awaitsSecond && state === 'HELD' ? 'awaitsBoth' : `states.${state}`)}</td>
            <td data-name={t('act')}>
              {awaitsSecond && (
                <div className="row-of">
                  {!isMine && state !== 'HELD' && (
                    <Button size="small" aria-label={`${t('confirm')}: ${account}`} onClick={() => onConfirm(account)}>
                      {t('confirm')}
                    </Button>
                  )}
                  <Button size="small" aria-label={`${t('withdraw')}: ${account}`} onClick={() => onWithdraw(account)}>
                    {t('withdraw')}
                  </Button>
                </div>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Done({ done }: { done: Erasures['done'] }) {
  const { t } = useTranslation('privacy')
  if (done.length === 0) return null
  return (
    <>
      <h2>{t('done')}</h2>
      <p className="soft">{t('doneText', { count: done.length })}</p>
      <table className="stacks">
        <Heads names={[t('fingerprint'), t('requested'), t('erased')]} />
        <tbody>
          {done.map(({ fingerprint, requestedAt, erasedAt }) => (
            <tr key={`${fingerprint} ${erasedAt}`}>
              <td data-name={t('fingerprint')} className="identifier">
                {fingerprint.slice(0, 16)}
              </td>
              <td data-name={t('requested')}>{formatInstant(requestedAt)}</td>
              <td data-name={t('erased')}>{formatInstant(erasedAt)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
