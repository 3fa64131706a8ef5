import { SearchField } from '@aws-amplify/ui-react'
import { type ComponentType, useState } from 'react'
import { Link } from 'wouter'
import type { Job } from '@shared/contract/types.ts'
import { formatCount, formatDayOf } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import { useSmallScreen } from '@shared/ui/media.ts'
import { Message } from '@shared/ui/message.tsx'
import { ScreenMessage } from '@shared/ui/screen-message.tsx'
import { type Session, useSessions } from '@/auth/sessions.ts'
import { useJobs } from '@/data/jobs.ts'
import { useShares } from '@/data/shares.ts'
import { ShareButton } from './share-button.tsx'
import { ShareDetail } from './share-detail.tsx'
import { useShareable } from './shareable.ts'
import './sharing.css'

interface Props {
  accountId: string | undefined
  shareId: string | undefined
  path: (accountId: string, shareId?: string) => string
  Export: ComponentType<{ jobs: readonly Job[]; account: string }>
}

/** The accounts, the shares that each of them made, and the one that is open: side by side, or alone on a small screen (L2). */
export function Management({ accountId, shareId, path, Export }: Props) {
  const { t } = useTranslation('sharing')
  const isSmall = useSmallScreen()
  const session = useSessions().find((other) => other.accountId === accountId)
  const accounts = <Accounts currentId={accountId} path={path} />
  const shares = session && (
    <Shares key={session.accountId} session={session} currentId={shareId} path={path} Export={Export} />
  )
  const detail = session && shareId && (
    <ShareDetail key={shareId} session={session} shareId={shareId} Export={Export} backPath={path(session.accountId)} />
  )
  if (isSmall) return detail || shares || accounts
  return (
    <div className="management">
      <div className="management__list">
        {accounts}
        {shares}
      </div>
      <div className="management__detail">
        {detail || (session ? <ChooseShare accountId={session.accountId} /> : <Choose>{t('pick.account')}</Choose>)}
      </div>
    </div>
  )
}

/** Nothing is open beside the list yet. */
function Choose({ children }: { children: string }) {
  const { t } = useTranslation('sharing')
  return (
    <ScreenMessage icon="share" level={2} title={t('pick.title')}>
      <p>{children}</p>
    </ScreenMessage>
  )
}

function ChooseShare({ accountId }: { accountId: string }) {
  const { t } = useTranslation('sharing')
  const { shares } = useShares(accountId)
  return shares?.length ? <Choose>{t('pick.share')}</Choose> : null
}

function Accounts({ currentId, path }: Pick<Props, 'path'> & { currentId: string | undefined }) {
  const { t } = useTranslation('sharing')
  const sessions = useSessions()
  const isSmall = useSmallScreen()
  // With a single one there is nothing to choose from, but the screen needs its name.
  if (sessions.length < 2 && !isSmall) return <h1 className="management__title">{t('title')}</h1>
  return (
    <>
      <h1 className="management__title">{t('title')}</h1>
      <nav aria-label={t('accounts')} className="management__accounts">
        {sessions.map(({ accountId, info }) => (
          <Link
            key={accountId}
            href={path(accountId)}
            className="management__account"
            aria-current={accountId === currentId ? 'page' : undefined}
          >
            <Icon name="user" />
            <span>{info.name}</span>
          </Link>
        ))}
      </nav>
    </>
  )
}

/** The account that made this one, when it is logged in, too: the meters of both are listed as its own. */
function useMaker({ info }: Session): Session | undefined {
  return useSessions().find(({ accountId }) => accountId === info.parentId)
}

/** With more shares than fit on a screen, one is searched. */
const SEARCHED_FROM = 10

const folded = (text: string) => text.toLocaleLowerCase()

interface SharesProps extends Pick<Props, 'path' | 'Export'> {
  session: Session
  currentId: string | undefined
}

function Shares({ session, currentId, path, Export }: SharesProps) {
  const { t } = useTranslation('sharing')
  const { accountId, info } = session
  const { shares, error } = useShares(accountId)
  const { jobs } = useJobs()
  const own = (jobs ?? []).filter(({ login }) => login === accountId)
  const mayShare = useShareable(own).length > 0
  const maker = useMaker(session)
  const isSmall = useSmallScreen()
  const [search, setSearch] = useState('')
  const isLong = (shares?.length ?? 0) > SEARCHED_FROM
  const found = isLong ? shares?.filter(({ name }) => folded(name).includes(folded(search.trim()))) : shares
  const Heading = isSmall ? 'h1' : 'h2'
  return (
    <section className="management__shares" aria-labelledby="shares-title">
      <Heading id="shares-title" className="management__subtitle">
        {t('shares', { name: info.name })}
      </Heading>
      <div className="management__actions">
        <ShareButton jobs={own} Export={Export} />
        <Export jobs={own} account={info.name} />
      </div>
      {error && (
        <Message type="error" title={t('loadFailed.title')}>
          <p>{t('loadFailed.text')}</p>
        </Message>
      )}
      {maker && jobs && own.length === 0 ? (
        <p className="management__none">
          {t('atMaker.text', { name: maker.info.name })}{' '}
          <Link href={path(maker.accountId, accountId)}>{t('atMaker.open')}</Link>
        </p>
      ) : (
        shares?.length === 0 && jobs && <p className="management__none">{t(mayShare ? 'noShares' : 'notShareable')}</p>
      )}
      {isLong && (
        <SearchField
          label={t('search.label')}
          labelHidden
          placeholder={t('search.label')}
          clearButtonLabel={t('search.clear')}
          hasSearchButton={false}
          hasSearchIcon
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onClear={() => setSearch('')}
        />
      )}
      <p role="status">{isLong && found?.length === 0 && t('search.none')}</p>
      <ul className="management__share-list">
        {found?.map((share) => (
          <li key={share.id}>
            <Link
              href={path(accountId, share.id)}
              className="management__share"
              aria-current={share.id === currentId ? 'page' : undefined}
            >
              <span className="management__share-text">
                <strong>{share.name}</strong>
                <span>
                  {t('meters', { count: share.jobIds.length, meters: formatCount(share.jobIds.length) })} ·{' '}
                  {t('since', { date: formatDayOf(share.created) })}
                </span>
              </span>
              <Icon name="forward" size={1.25} />
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
