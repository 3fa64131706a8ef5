import { useEffect, useRef, useState } from 'react'
import { formatCount, formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { OpenFilterWords } from '@/components/open-filter-words.tsx'
import { RunText } from '@/components/runs/run-text.tsx'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import { startInvitations } from '@/data/letters.ts'
import type { Run, RunWords } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { Refused } from './refused.tsx'
import { type Chosen, isAbout, type Recipients } from './use-recipients.ts'

interface Props {
  tenant: string
  runs: readonly Run[]
  whom: Recipients['whom']
  chosen: Chosen
  noMails: RunWords | undefined
  isBusy: boolean
  reload: () => Promise<unknown>
}

/** The part of the page by which one comes here. */
const PART = 'invite'

/** Inviting by mail the chosen customers who have an address. */
export function Invite({ tenant, runs, whom, chosen, noMails, isBusy, reload }: Props) {
  const { t } = useTranslation('letters')
  const language = useStaffLanguage()
  const problemText = useDeskProblemText()
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const heading = useRef<HTMLHeadingElement>(null)
  const known = runs.find((run) => run.what === 'DUE_INVITATIONS' && run.state === 'DONE' && isAbout(run, chosen))
  const refused = runs.find(({ what }) => what === 'DUE_INVITATIONS' || what === 'INVITATIONS')
  const { accounts: _, ...to } = chosen
  useEffect(() => {
    // From the list of open jobs one comes to this part.
    if (window.location.hash === `#${PART}`) heading.current?.focus()
  }, [])
  const start = async (trial: boolean) => {
    await startInvitations(tenant, { trial, lang: language, ...to })
    await reload()
  }
  const list = async () => {
    setFailure(undefined)
    try {
      await start(true)
    } catch (caught) {
      setFailure(caught)
      await reload()
    }
  }
  const outcome = known?.mails && (
    <p>
      {t('shown', { at: formatInstant(known.askedAt) })}{' '}
      {t('due', { count: known.mails.due, number: formatCount(known.mails.due) })}
    </p>
  )
  return (
    <section className="card fields" aria-labelledby={PART}>
      <h2 id={PART} ref={heading} tabIndex={-1}>
        {t('invite')}
      </h2>
      {noMails ? (
        <Message type="warning">
          {t('noMails')} <RunText text={noMails} />
        </Message>
      ) : whom === 'accounts' ? (
        <p>{t('noListByMail')}</p>
      ) : (
        <>
          <p className="soft">{t('inviteText')}</p>
          <div className="row-of">
            <BusyButton isOff={isBusy} onClick={() => void list()}>
              {t('listDue')}
            </BusyButton>
            <BusyButton variation="primary" isOff={isBusy} onClick={() => setAsking(true)}>
              {t('send')}
            </BusyButton>
          </div>
          <div role="status">{outcome}</div>
        </>
      )}
      {failure !== undefined && (
        <Message type="error" role="alert">
          {problemText(failure)}
        </Message>
      )}
      <Refused run={refused} chosen={chosen} />
      {isAsking && (
        <AskDialog
          title={t('sendTitle')}
          go={t('sendNow')}
          work={async () => {
            await start(false)
            setAsking(false)
          }}
          onClose={() => {
            setAsking(false)
            void reload()
          }}
        >
          {chosen.filter && (
            <p>
              <OpenFilterWords filter={chosen.filter} />
            </p>
          )}
          <p>{t('sendText')}</p>
          {outcome}
        </AskDialog>
      )}
    </section>
  )
}
