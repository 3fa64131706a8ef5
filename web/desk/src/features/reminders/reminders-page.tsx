import { Radio, RadioGroupField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { formatCount, formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { UnknownFilters } from '@/components/filter.tsx'
import { OpenFilterFields } from '@/components/open-filter-fields.tsx'
import { OpenFilterWords } from '@/components/open-filter-words.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { Going } from '@/components/runs/going.tsx'
import { Lately } from '@/components/runs/lately.tsx'
import { MailsText } from '@/components/runs/mails-text.tsx'
import { RunText } from '@/components/runs/run-text.tsx'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import { useFilters } from '@/data/address.ts'
import { filterOf, isSameFilter, OPEN_FILTERS, type OpenValues } from '@/data/open-filter.ts'
import { startReminders, useReminders } from '@/data/reminders.ts'
import { isOpen } from '@/data/runs.ts'
import type { Reminders, Run } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'

const FILTERS = { to: ['open'], ...OPEN_FILTERS } as const

/** Who is reminded when, who would be now, and having it done. */
export function RemindersPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('reminders')
  const language = useStaffLanguage()
  const problemText = useDeskProblemText()
  const { data, error, reload } = useReminders(tenant)
  const { values, unknown, set } = useFilters(FILTERS)
  const { email: _, ...open } = values
  const filter = values.to === 'open' ? filterOf(open) : undefined
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const going = data?.runs.find(isOpen)
  const lately = data?.runs.filter((run) => !isOpen(run)) ?? []
  const known = lately.find(
    (run) => run.what === 'DUE_REMINDERS' && run.state === 'DONE' && isSameFilter(run.filter, filter),
  )
  const isOff = !data || going !== undefined || Boolean(data.inTheWay)

  const list = async () => {
    setFailure(undefined)
    try {
      await startReminders(tenant, { trial: true, ...(filter && { filter }), lang: language })
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
          <BusyButton isOff={isOff} onClick={() => void list()}>
            {t('list')}
          </BusyButton>
          <BusyButton variation="primary" isOff={isOff} onClick={() => setAsking(true)}>
            {t('send')}
          </BusyButton>
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
      <UnknownFilters unknown={unknown} />
      {data && !data.inTheWay && (
        <Whom seasons={data.seasons} values={values} set={set} isOpen={filter !== undefined} />
      )}
      {going && <Going tenant={tenant} known={going} onOver={() => void reload()} />}
      {lately.length > 0 && <Lately tenant={tenant} runs={lately} What={What} Outcome={Outcome} />}
      {isAsking && (
        <AskDialog
          title={t('sendTitle')}
          go={t('sendNow')}
          work={async () => {
            await startReminders(tenant, { trial: false, ...(filter && { filter }), lang: language })
            await reload()
            setAsking(false)
          }}
          onClose={() => {
            setAsking(false)
            void reload()
          }}
        >
          {filter && (
            <p>
              <OpenFilterWords filter={filter} />
            </p>
          )}
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
  const days = (count: number) => t('days', { count })
  const hasOpening = daysAfterOpening !== undefined && daysAfterOpening !== null
  return (
    <p>
      {t('rules', { before: days(daysBefore), most: atMost, between: days(daysBetween), pace: perSecond })}{' '}
      {hasOpening && `${t('opening', { count: daysAfterOpening })} `}
      {t(isAutomatic ? 'automatic' : 'manual')}
    </p>
  )
}

interface WhomProps {
  seasons: Reminders['seasons']
  values: OpenValues
  set: (name: keyof typeof FILTERS, value: string) => void
  isOpen: boolean
}

/** Whether all customers who are due are reminded, or only those with certain jobs open. */
function Whom({ seasons, values, set, isOpen }: WhomProps) {
  const { t } = useTranslation('reminders')
  return (
    <div className="fields">
      <RadioGroupField
        name="whom"
        legend={t('whom')}
        value={isOpen ? 'open' : 'all'}
        onChange={({ target }) => set('to', target.value === 'open' ? 'open' : '')}
      >
        <Radio value="all">{t('whomOf.all')}</Radio>
        <Radio value="open">{t('whomOf.open')}</Radio>
      </RadioGroupField>
      {isOpen && <OpenFilterFields values={values} set={set} seasons={seasons} hasNoEmail />}
    </div>
  )
}

function What({ run: { what, filter } }: { run: Run }) {
  const { t } = useTranslation('reminders')
  return (
    <>
      {t(`whats.${what as 'DUE_REMINDERS' | 'REMINDERS'}`)}
      {filter && (
        <>
          {' · '}
          <OpenFilterWords filter={filter} />
        </>
      )}
    </>
  )
}

function Outcome({ run: { what, mails } }: { run: Run }) {
  const { t } = useTranslation('reminders')
  if (!mails) return null
  if (what === 'REMINDERS') return <MailsText mails={mails} />
  return <>{t('due', { count: mails.due, number: formatCount(mails.due) })}</>
}
