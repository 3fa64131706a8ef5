import { Button, TextAreaField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { Heads } from '@/components/heads.tsx'
import { useByName } from '@/components/use-by-name.ts'
import { endHold, hold } from '@/data/privacy.ts'
import type { Hold } from '@/data/types.ts'

const isOvertaken = (failure: unknown): boolean => failure instanceof ApiError && failure.code === 'conflict'

interface DialogProps {
  tenant: string
  account: string
  /** The hold that is there, in whose place the new one is to be. */
  shown: Hold | undefined
  /** Looks for it anew. */
  look: () => Promise<Hold | undefined>
  onClose: () => void
}

/** Asks why nothing about a person is to go. */
export function HoldDialog({ tenant, account, shown, look, onClose }: DialogProps) {
  const { t } = useTranslation('privacy')
  const { byWhom } = useByName()
  // What is known of it stays as it was shown, until the answer says that there is another one.
  const [before, setBefore] = useState(shown)
  const [reason, setReason] = useState(shown?.reason ?? '')
  const [isMissing, setMissing] = useState(false)
  return (
    <AskDialog
      title={t('holdTitle')}
      go={t('holdNow')}
      check={() => {
        const isSaid = reason.trim() !== ''
        setMissing(!isSaid)
        return isSaid
      }}
      work={async () => {
        try {
          await hold(tenant, account, reason.trim(), before)
        } catch (failure) {
          if (isOvertaken(failure)) setBefore(await look())
          throw failure
        }
        onClose()
      }}
      told={(failure) => {
        if (isOvertaken(failure)) return t('holdOvertaken')
        return failure instanceof ApiError && failure.code === 'not-found' ? t('unknown', { account }) : undefined
      }}
      onClose={onClose}
    >
      <p>{t('holdText', { account })}</p>
      {before && <p>{t('heldAlready', { ...before, by: byWhom(before.by), since: formatInstant(before.since) })}</p>}
      <TextAreaField
        name="reason"
        label={t('reason')}
        autoComplete="off"
        rows={3}
        maxLength={1000}
        value={reason}
        hasError={isMissing}
        errorMessage={t('reasonMissing')}
        onChange={({ target }) => setReason(target.value)}
      />
    </AskDialog>
  )
}

interface EndProps {
  tenant: string
  hold: Hold
  onClose: () => void
}

/** Asks once more before what was held may go. */
export function EndHoldDialog({ tenant, hold: ending, onClose }: EndProps) {
  const { t } = useTranslation('privacy')
  const { byWhom } = useByName()
  const { account } = ending
  return (
    <AskDialog
      title={t('endHoldTitle')}
      go={t('endHoldNow')}
      isDestructive
      work={async () => {
        await endHold(tenant, ending)
        onClose()
      }}
      told={(failure) => (isOvertaken(failure) ? t('endOvertaken') : undefined)}
      onClose={onClose}
    >
      <p>{t('endHoldText', { account })}</p>
      <p>{t('endHoldWhich', { ...ending, by: byWhom(ending.by), since: formatInstant(ending.since) })}</p>
    </AskDialog>
  )
}

interface HoldsProps {
  holds: readonly Hold[]
  onEnd: (hold: Hold) => void
}

/** Persons of whom nothing goes. */
export function Holds({ holds, onEnd }: HoldsProps) {
  const { t } = useTranslation('privacy')
  const { nameOf } = useByName()
  if (holds.length === 0) return null
  return (
    <>
      <h2>{t('holds')}</h2>
      <table className="stacks">
        <Heads names={[t('about'), t('reason'), t('by'), t('since'), t('act')]} />
        <tbody>
          {holds.map((hold) => (
            <tr key={hold.account}>
              <th scope="row" data-name={t('about')} className="identifier">
                {hold.account}
              </th>
              <td data-name={t('reason')} className="long">
                {hold.reason}
              </td>
              <td data-name={t('by')}>{nameOf(hold.by)}</td>
              <td data-name={t('since')}>{formatInstant(hold.since)}</td>
              <td data-name={t('act')}>
                <Button size="small" aria-label={`${t('endHold')}: ${hold.account}`} onClick={() => onEnd(hold)}>
                  {t('endHold')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
