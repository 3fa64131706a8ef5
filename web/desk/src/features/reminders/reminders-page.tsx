import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { formatCount, formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { Going } from '@/components/runs/going.tsx'
import { Lately } from '@/components/runs/lately.tsx'
import { MailsText } from '@/components/runs/mails-text.tsx'
import { RunText } from '@/components/runs/run-text.tsx'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import { startReminders, useReminders } from '@/data/reminders.ts'
import { isOpen } from '@/data/runs.ts'
import type { Reminders, Run } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'

/** Who is reminded when, who would be now, and having it done. */
export function RemindersPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('reminders')
  const language = useStaffLanguage()
  const problemText = useDeskProblemText()
  const { data, error, reload } = useReminders(tenant)
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const going = data?.runs.find(isOpen)
  const lately = data?.runs.filter((run) => !isOpen(run)) ?? []
  const known = lately.find(({ what, state }) => what === 'DUE_REMINDERS' && state === 'DONE')
  const isOff = !data || going !== undefined || Boolean(data.inTheWay)

  const list = async () => {
    setFailure(undefined)
    try {
      await startReminders(tenant, true, language)
    } catch (caught) {
      setFailure(caught)
    }
    await reload()
  }
  return (
    <Page
      title={t('title')}
      tools={
        <>
          <Button isDisabled={isOff} onClick={() => void list()}>
            {t('list')}
          </Button>
          <Button variation="primary" isDisabled={isOff} onClick={() => setAsking(true)}>
            {t('send')}
          </Button>
        </>
      }
    >
      <p className="soft">{t('text')}</p>
      {failure !== undefined && (
        <Message type="error" role="alert">
          {problemText(failure)}
        </Message>
      )}
      {!data && <Pending error={error} retry={() => void reload()} />}
      {data && <Rules {...data} />}
      {going && <Going tenant={tenant} known={going} onOver={() => void reload()} />}
      {lately.length > 0 && <Lately tenant={tenant} runs={lately} What={What} Outcome={Outcome} />}
      {isAsking && (
        <AskDialog
          title={t('sendTitle')}
          go={t('sendNow')}
          work={async () => {
            await startReminders(tenant, false, language)
            await reload()
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
              {t('known', {
                count: known.mails.due,
                number: formatCount(known.mails.due),
                at: formatInstant(known.askedAt),
              })}
            </p>
          )}
        </AskDialog>
      )}
    </Page>
  )
}

function Rules({ inTheWay, isAutomatic, daysBefore, daysAfterOpening, daysBetween, atMost, perSecond }: Reminders) {
  const { t } = useTranslation('reminders')
  if (inTheWay)
    return (
      <Message type="warning">
        {t('inTheWay')} <RunText text={inTheWay} />
      </Message>
    )
  const hasOpening = daysAfterOpening !== undefined && daysAfterOpening !== null
  return (
    <p>
      {t('rules', { before: daysBefore, most: atMost, between: daysBetween, pace: perSecond })}{' '}
      {hasOpening && `${t('opening', { count: daysAfterOpening })} `}
      {t(isAutomatic ? 'automatic' : 'manual')}
    </p>
  )
}

function What({ run: { what } }: { run: Run }) {
  const { t } = useTranslation('reminders')
  return <>{t(`whats.${what as 'DUE_REMINDERS' | 'REMINDERS'}`)}</>
}

function Outcome({ run: { what, mails } }: { run: Run }) {
  const { t } = useTranslation('reminders')
  if (!mails) return null
  if (what === 'REMINDERS') return <MailsText mails={mails} />
  return <>{t('due', { count: mails.due, number: formatCount(mails.due) })}</>
}
