import { Loader } from '@aws-amplify/ui-react'
import { useState } from 'react'
import type { Share } from '@shared/contract/types.ts'
import { formatCount, formatDayOf } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { notify } from '@shared/ui/notify.ts'
import { deleteShare, useShares } from '@/data/shares.ts'
import { Confirmation } from './confirmation.tsx'
import { Trash } from './trash.tsx'

interface Props {
  /** The account that looks. */
  accountId: string
  /** The share whose own shares are shown. */
  maker: Share
  mayDelete: boolean
  /** Shown at once; else when it is opened. */
  isOpen?: boolean
}

/** What was shared on from a share, and from there again: every account above can end it (D-SHARES-11). */
export function SharedOn({ accountId, maker, mayDelete, isOpen = false }: Props) {
  const { t } = useTranslation('sharing')
  const [wasOpened, setOpened] = useState(isOpen)
  return (
    <details className="shared-on" open={isOpen} onToggle={(event) => event.currentTarget.open && setOpened(true)}>
      <summary>{t('sharedOn.open', { name: maker.name })}</summary>
      {wasOpened && <SharesOf accountId={accountId} maker={maker} mayDelete={mayDelete} />}
    </details>
  )
}

function SharesOf({ accountId, maker, mayDelete }: Omit<Props, 'isOpen'>) {
  const { t } = useTranslation('sharing')
  const { shares, error } = useShares(accountId, maker.id)
  const [ending, setEnding] = useState<Share>()

  async function end() {
    if (!ending) return
    await deleteShare(accountId, ending.id)
    notify({ type: 'success', title: t('delete.done', { name: ending.name }) })
  }

  if (!shares) {
    return error ? <p>{t('sharedOn.failed')}</p> : <Loader size="small" aria-label={t('loading', { area: 'common' })} />
  }
  if (shares.length === 0) return <p>{t('sharedOn.none')}</p>
  return (
    <>
      <p>
        <strong>{t('sharedOn.title', { count: shares.length, shares: formatCount(shares.length) })}</strong>
      </p>
      {mayDelete && <p>{t('sharedOn.text', { name: maker.name })}</p>}
      <ul className="shared-on__list">
        {shares.map((share) => (
          <li key={share.id}>
            <div className="share-detail__job">
              <span>
                <strong>{share.name}</strong>
                <span>
                  {t('meters', { count: share.jobIds.length, meters: formatCount(share.jobIds.length) })} ·{' '}
                  {t('since', { date: formatDayOf(share.created) })}
                </span>
              </span>
              {mayDelete && (
                <button
                  type="button"
                  className="icon-button"
                  aria-label={t('sharedOn.delete', { name: share.name })}
                  onClick={() => setEnding(share)}
                >
                  <Trash />
                </button>
              )}
            </div>
            {share.allowToReShare && <SharedOn accountId={accountId} maker={share} mayDelete={mayDelete} />}
          </li>
        ))}
      </ul>
      <Confirmation
        accountId={accountId}
        question={ending && { kind: 'delete' }}
        share={ending ?? maker}
        onConfirm={end}
        onClose={() => setEnding(undefined)}
      />
    </>
  )
}
