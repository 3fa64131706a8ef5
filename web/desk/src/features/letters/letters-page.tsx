import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { OpenFilterWords } from '@/components/open-filter-words.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { Going } from '@/components/runs/going.tsx'
import { Lately } from '@/components/runs/lately.tsx'
import { useLetters } from '@/data/letters.ts'
import { isOpen } from '@/data/runs.ts'
import type { Run } from '@/data/types.ts'
import { Drawn } from './drawn.tsx'
import { Invite } from './invite.tsx'
import { NewLetters } from './new-letters.tsx'
import { Outcome } from './outcome.tsx'
import { RecipientsCard } from './recipients.tsx'
import { Returned } from './returned.tsx'
import { useRecipients } from './use-recipients.ts'

const WHATS = ['DUE_LETTERS', 'LETTERS', 'HAND_OVER', 'DUE_INVITATIONS', 'INVITATIONS'] as const

/** Who is told of their jobs by letter or by mail: listing them, drawing letters, handing them over or calling them back, and sending mails. */
export function LettersPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('letters')
  const { data, error, reload } = useLetters(tenant)
  const recipients = useRecipients()
  const [failure, setFailure] = useState<unknown>()
  const isOdd = failure instanceof ApiError && failure.fieldErrors.some(({ field }) => field === 'accounts')
  const going = data?.runs.find(isOpen)
  const lately = data?.runs.filter((run) => !isOpen(run)) ?? []
  const common = { tenant, runs: lately, isBusy: going !== undefined, reload }
  return (
    <Page title={t('title')}>
      <p className="soft">{t('text')}</p>
      {!data && <Pending error={error} retry={() => void reload()} />}
      {going && <Going tenant={tenant} known={going} onOver={() => void reload()} />}
      <Drawn {...common} />
      {data && <RecipientsCard tenant={tenant} recipients={recipients} seasons={data.seasons} isOdd={isOdd} />}
      {data && <NewLetters {...common} {...recipients} failure={isOdd ? undefined : failure} onFailure={setFailure} />}
      {data && <Invite {...common} {...recipients} noMails={data.noMails ?? undefined} />}
      <Returned tenant={tenant} />
      {lately.length > 0 && <Lately tenant={tenant} runs={lately} What={What} Outcome={Outcome} />}
    </Page>
  )
}

function What({ run }: { run: Run }) {
  const { t } = useTranslation('letters')
  const what = WHATS.find((one) => one === run.what)
  return (
    <>
      {[what && t(`whats.${what}`), !run.filter && run.season].filter(Boolean).join(' · ')}
      {run.filter && (
        <>
          {' · '}
          <OpenFilterWords filter={run.filter} />
        </>
      )}
    </>
  )
}
