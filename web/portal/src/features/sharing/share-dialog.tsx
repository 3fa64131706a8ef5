import { Button } from '@aws-amplify/ui-react'
import { type ComponentType, useMemo, useRef, useState } from 'react'
import { isLost } from '@shared/api/attempts.ts'
import { ApiError } from '@shared/api/client.ts'
import { problemCode } from '@shared/api/problem.ts'
import type { CreatedShare, FieldError, Job } from '@shared/contract/types.ts'
import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { checkJobCount, shareName } from '@shared/rules/share.ts'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Dialog } from '@shared/ui/dialog.tsx'
import { dismissTopic, notify } from '@shared/ui/notify.ts'
import { useSessions } from '@/auth/sessions.ts'
import { AccountPicker } from '@/components/account-picker.tsx'
import { createShare } from '@/data/shares.ts'
import { useUnsentForm } from '@/sw/unsent.ts'
import { isShareFault } from './fault.ts'
import { OutcomeDialog } from './outcome-dialog.tsx'
import { useShareProblemText } from './problem-text.ts'
import { type ShareDraft, ShareForm } from './share-form.tsx'
import './sharing.css'

export interface ShareDialogProps {
  /** The jobs that may be shared; when they belong to several accounts, the reader picks one. */
  jobs: readonly Job[]
  /** The one of them that is meant at first; undefined: none is. */
  chosenId?: string | undefined
  /** Saves jobs as an Excel file. */
  Export: ComponentType<{ jobs: readonly Job[]; account: string }>
  onClose: () => void
}

const TOPIC = 'share'

/** Shares jobs: whose they become is named first, then how that person comes in (L2). */
export function ShareDialog({ jobs: all, chosenId, Export, onClose }: ShareDialogProps) {
  const { t } = useTranslation('sharing')
  const accounts = useSessions().filter(({ accountId }) => all.some(({ login }) => login === accountId))
  const first = all.find(({ id }) => id === chosenId)
  const [accountId, setAccountId] = useState(first?.login ?? accounts[0]?.accountId ?? '')
  const jobs = useMemo(() => all.filter(({ login }) => login === accountId), [all, accountId])
  const draftName = (chosen: ReadonlySet<string>) => {
    const number = jobs.find(({ id }) => chosen.has(id))?.meter.meterNumber
    if (!number) return ''
    return t(chosen.size > 1 ? 'form.nameOfMany' : 'form.nameOfOne', { meterNumber: number })
  }
  const newDraft = (account: string): ShareDraft => {
    const own = all.filter(({ login }) => login === account)
    // D-SHARES-12: the maker shares no more than they have chosen; where there is one, nothing is to be chosen.
    const begin = first?.login === account ? [first] : own.length === 1 ? own : []
    return { name: undefined, allowToReShare: false, chosen: new Set(begin.map(({ id }) => id)) }
  }
  const [draft, setDraft] = useState(() => newDraft(accountId))
  const [isSending, setSending] = useState(false)
  const [created, setCreated] = useState<CreatedShare>()
  const attempt = useRef({ content: '', key: '' })
  const reportFailure = useFailure()
  useUnsentForm(true)

  const name = shareName(draft.name ?? draftName(draft.chosen))
  // As long as the name follows the meters, it is missing because they are.
  const onName = 'finding' in name && draft.name !== undefined ? name.finding : undefined
  const fault = (onName ?? checkJobCount(draft.chosen.size))?.code

  async function create() {
    if (fault || !('name' in name)) return
    const jobIds = jobs.filter(({ id }) => draft.chosen.has(id)).map(({ id }) => id)
    const body = { name: name.name, allowToReShare: draft.allowToReShare, jobIds }
    const content = JSON.stringify(body)
    // A second attempt at the same share gets the answer of the first, if that came through.
    if (attempt.current.content !== content) attempt.current = { content, key: crypto.randomUUID() }
    setSending(true)
    dismissTopic(TOPIC)
    try {
      setCreated(await createShare(accountId, body, attempt.current.key))
    } catch (error) {
      reportFailure(error)
    } finally {
      setSending(false)
    }
  }

  if (created) {
    const shared = jobs.filter(({ id }) => created.jobIds.includes(id))
    return (
      <OutcomeDialog accountId={accountId} share={created} login={created} onClose={onClose}>
        <Export jobs={shared} account={created.name} />
      </OutcomeDialog>
    )
  }
  return (
    <Dialog
      open
      isWide
      isLocked={isSending}
      title={t('form.title')}
      onClose={onClose}
      actions={
        <>
          <BusyButton
            variation="primary"
            isDisabled={fault !== undefined}
            isLoading={isSending}
            loadingText={t('form.sending')}
            onClick={() => void create()}
          >
            {t('form.create', { count: draft.chosen.size, meters: formatCount(draft.chosen.size) })}
          </BusyButton>
          <Button isDisabled={isSending} onClick={onClose}>
            {t('form.cancel')}
          </Button>
        </>
      }
    >
      <AccountPicker
        label={t('form.account')}
        accounts={accounts}
        accountId={accountId}
        onPick={(account) => {
          setAccountId(account)
          setDraft(newDraft(account))
        }}
      />
      <ShareForm
        key={accountId}
        jobs={jobs}
        draft={draft}
        name={draft.name ?? draftName(draft.chosen)}
        fault={fault}
        isPickerOpen={first?.login !== accountId}
        onChange={setDraft}
      />
    </Dialog>
  )
}

/** Says why a share was not made, or may have been all the same: with the fields' faults where the server names them (L8). */
function useFailure(): (error: unknown) => void {
  const { t } = useTranslation('sharing')
  const problemText = useShareProblemText()
  const textOf = ({ code, limit, message }: FieldError) =>
    isShareFault(code) ? t(`fault.${code}`, { count: Number(limit ?? 0) }) : message
  return (error) => {
    const faults = error instanceof ApiError ? error.fieldErrors.map(textOf) : []
    const text = problemCode(error) === 'internal-error' ? t('error.text') : problemText(error)
    notify({
      type: 'error',
      title: t(faults.length > 0 ? 'failed.title' : 'error.title'),
      message:
        faults.length > 0
          ? [t('failed.text'), ...new Set(faults)].join(', ')
          : isLost(error)
            ? `${text} ${t('error.lost')}`
            : text,
      topic: TOPIC,
    })
  }
}
