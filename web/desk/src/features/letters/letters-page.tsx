import { useState } from 'react'
import { useTranslation } from '@shared/i18n/react.tsx'
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
import { Returned } from './returned.tsx'

const WHATS = ['DUE_LETTERS', 'LETTERS', 'HAND_OVER', 'DUE_INVITATIONS', 'INVITATIONS'] as const

/** Who is told of their jobs by letter or by mail: listing them, drawing letters, handing them over or calling them back, and sending mails. */
export function LettersPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('letters')
  const { data, error, reload } = useLetters(tenant)
  const [season, setSeason] = useState('')
  const going = data?.runs.find(isOpen)
  const lately = data?.runs.filter((run) => !isOpen(run)) ?? []
  const common = { tenant, runs: lately, isBusy: going !== undefined, reload }
  return (
    <Page title={t('title')}>
      <p className="soft">{t('text')}</p>
      {!data && <Pending error={error} retry={() => void reload()} />}
      {going && <Going tenant={tenant} known={going} onOver={() => void reload()} />}
      <Drawn {...common} />
      {data && <NewLetters {...common} seasons={data.seasons} season={season} onSeason={setSeason} />}
      {data && <Invite {...common} season={season} noMails={data.noMails ?? undefined} />}
      <Returned tenant={tenant} />
      {lately.length > 0 && <Lately tenant={tenant} runs={lately} What={What} Outcome={Outcome} />}
    </Page>
  )
}

function What({ run }: { run: Run }) {
  const { t } = useTranslation('letters')
  const what = WHATS.find((one) => one === run.what)
  return <>{[what && t(`whats.${what}`), run.season].filter(Boolean).join(' · ')}</>
}
