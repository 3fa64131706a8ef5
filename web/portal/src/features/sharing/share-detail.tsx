import { Button, Loader } from '@aws-amplify/ui-react'
import { type ComponentType, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { type Attempt, nextAttempt } from '@shared/api/attempts.ts'
import type { Job, Share, ShareLogin } from '@shared/contract/types.ts'
import { shortAddressLine } from '@shared/i18n/address.ts'
import { formatDayOf } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { useSmallScreen } from '@shared/ui/media.ts'
import { notify } from '@shared/ui/notify.ts'
import { ScreenMessage } from '@shared/ui/screen-message.tsx'
import type { Session } from '@/auth/sessions.ts'
import { useJobs } from '@/data/jobs.ts'
import { deleteShare, removeSharedJob, renewShareLogin, useShares } from '@/data/shares.ts'
import { Confirmation, type Question } from './confirmation.tsx'
import { OutcomeDialog } from './outcome-dialog.tsx'
import { SharedOn } from './shared-on.tsx'
import { Trash } from './trash.tsx'

interface Props {
  session: Session
  shareId: string
  Export: ComponentType<{ jobs: readonly Job[]; account: string }>
  /** The shares of the account. */
  backPath: string
}

/** One share: its meters, and what its maker can do with it (L2). */
export function ShareDetail({ session, shareId, Export, backPath }: Props) {
  const { t } = useTranslation('sharing')
  const { shares, error } = useShares(session.accountId)
  const isSmall = useSmallScreen()
  const share = shares?.find(({ id }) => id === shareId)
  if (!shares && !error) return <Loader size="large" aria-label={t('loading', { area: 'common' })} />
  if (!share) {
    const why = shares ? 'missing' : 'loadFailed'
    return (
      <ScreenMessage
        icon={shares ? 'search' : 'error'}
        level={isSmall ? 1 : 2}
        title={t(`${why}.title`)}
        action={
          <Link href={backPath} className="button-link">
            {t('missing.back')}
          </Link>
        }
      >
        <p>{t(`${why}.text`)}</p>
      </ScreenMessage>
    )
  }
  return <OpenShare session={session} share={share} Export={Export} backPath={backPath} />
}

function OpenShare({ session, share, Export, backPath }: Omit<Props, 'shareId'> & { share: Share }) {
  const { t } = useTranslation('sharing')
  const { jobs } = useJobs()
  const [, navigate] = useLocation()
  const [question, setQuestion] = useState<Question>()
  const [login, setLogin] = useState<ShareLogin>()
  /** The wish for new login data, as long as its question is open. */
  const renewal = useRef<Attempt>(undefined)
  const ids = new Set(share.jobIds)
  const shared = (jobs ?? []).filter(({ id }) => ids.has(id))
  // Who came by a link may look, but take nothing away (L6), nor end login data by new ones.
  const mayRemove = session.login === 'credentials'
  const { accountId } = session
  // Alone on a small screen, it is what the screen is about.
  const [Heading, Subheading] = useSmallScreen() ? (['h1', 'h2'] as const) : (['h2', 'h3'] as const)

  async function confirm({ kind, ...rest }: Question, andSharedOn: boolean) {
    if (kind === 'delete') {
      await deleteShare(accountId, share.id)
      navigate(backPath, { replace: true })
      notify({ type: 'success', title: t('delete.done', { name: share.name }) })
    } else if ('job' in rest) {
      await removeSharedJob(accountId, share.id, rest.job.id)
      notify({ type: 'success', title: t('remove.done', { meterNumber: rest.job.meter.meterNumber }) })
    } else {
      renewal.current = nextAttempt(renewal.current, String(andSharedOn))
      setLogin(await renewShareLogin(accountId, share.id, andSharedOn, renewal.current.key))
    }
  }

  return (
    <section className="panel share-detail" aria-labelledby="share-name">
      <Heading id="share-name" className="share-detail__title">
        {share.name}
      </Heading>
      <dl className="share-detail__facts">
        <div>
          <dt>{t('detail.created')}</dt>
          <dd className="figures">{formatDayOf(share.created)}</dd>
        </div>
        <div>
          <dt>{t('detail.username')}</dt>
          <dd className="identifier">{share.username}</dd>
        </div>
        <div>
          <dt>{t('detail.reshare')}</dt>
          <dd>{t(share.allowToReShare ? 'detail.yes' : 'detail.no')}</dd>
        </div>
      </dl>
      <div className="management__actions">
        {mayRemove && (
          <Button size="small" onClick={() => setQuestion({ kind: 'renew' })}>
            <Icon name="key" size={1.25} />
            <span className="button-text">{t('renew.button')}</span>
          </Button>
        )}
        <Export jobs={shared} account={share.name} />
        {mayRemove && (
          <Button size="small" onClick={() => setQuestion({ kind: 'delete' })}>
            <Trash />
            <span className="button-text">{t('delete.button')}</span>
          </Button>
        )}
      </div>
      <Subheading className="share-detail__subtitle">
        {t('meters', { count: share.jobIds.length, meters: share.jobIds.length })}
      </Subheading>
      <ul className="share-detail__jobs">
        {shared.map((job) => (
          <li key={job.id} className="share-detail__job">
            <span>
              <strong className="identifier">{job.meter.meterNumber}</strong>
              <span>{shortAddressLine(job)}</span>
            </span>
            {mayRemove && (
              <button
                type="button"
                className="icon-button"
                aria-label={t('remove.button', { meterNumber: job.meter.meterNumber })}
                onClick={() => setQuestion({ kind: 'remove', job })}
              >
                <Icon name="close" size={1.25} />
              </button>
            )}
          </li>
        ))}
      </ul>
      {share.allowToReShare && <SharedOn accountId={accountId} maker={share} mayDelete={mayRemove} isOpen />}
      <Confirmation
        accountId={accountId}
        question={question}
        share={share}
        onConfirm={confirm}
        onClose={() => {
          renewal.current = undefined
          setQuestion(undefined)
        }}
      />
      <OutcomeDialog accountId={accountId} share={share} login={login} onClose={() => setLogin(undefined)}>
        <Export jobs={shared} account={share.name} />
      </OutcomeDialog>
    </section>
  )
}
