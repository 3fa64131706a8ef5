import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { formatCount, formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { RunText } from '@/components/runs/run-text.tsx'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import { startInvitations } from '@/data/letters.ts'
import type { Run, RunWords } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'

interface Props {
  tenant: string
  runs: readonly Run[]
  season: string
  noMails: RunWords | undefined
  isBusy: boolean
  reload: () => Promise<unknown>
}

/** Inviting whoever has an address by mail, of the season that is chosen. */
export function Invite({ tenant, runs, season, noMails, isBusy, reload }: Props) {
  const { t } = useTranslation('letters')
  const language = useStaffLanguage()
  const problemText = useDeskProblemText()
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const known = runs.find(
    ({ what, state, season: of }) => what === 'DUE_INVITATIONS' && state === 'DONE' && (of ?? '') === season,
  )
  const start = async (trial: boolean) => {
    await startInvitations(tenant, { trial, lang: language, ...(season !== '' && { season }) })
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
  return (
    <section className="card fields" aria-labelledby="invite">
      <h2 id="invite">{t('invite')}</h2>
      {noMails ? (
        <Message type="warning">
          {t('noMails')} <RunText text={noMails} />
        </Message>
      ) : (
        <>
          <p className="soft">{t('inviteText')}</p>
          <div className="row-of">
            <Button isDisabled={isBusy} onClick={() => void list()}>
              {t('listDue')}
            </Button>
            <Button variation="primary" isDisabled={isBusy} onClick={() => setAsking(true)}>
              {t('send')}
            </Button>
          </div>
        </>
      )}
      {failure !== undefined && (
        <Message type="error" role="alert">
          {problemText(failure)}
        </Message>
      )}
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
          <p>{t('sendText')}</p>
          {known?.mails && (
            <p>
              {formatInstant(known.askedAt)}:{' '}
              {t('due', { count: known.mails.due, number: formatCount(known.mails.due) })}
            </p>
          )}
        </AskDialog>
      )}
    </section>
  )
}
