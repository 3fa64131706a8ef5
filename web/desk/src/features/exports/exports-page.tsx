import { formatCount, formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { Heads } from '@/components/heads.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { useExports } from '@/data/exports.ts'
import type { Export } from '@/data/types.ts'

/** Which readings went out when, under which number. */
export function ExportsPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('exports')
  const { exports, error, reload } = useExports(tenant)
  const isInterrupted = exports?.some(({ isComplete }) => !isComplete) ?? false
  return (
    <Page title={t('title')}>
      <p className="soft">{t('text')}</p>
      {isInterrupted && <Message type="warning">{t('interrupted')}</Message>}
      {!exports && <Pending error={error} retry={reload} />}
      {exports && (exports.length === 0 ? <p>{t('none')}</p> : <History exports={exports} />)}
    </Page>
  )
}

function History({ exports }: { exports: readonly Export[] }) {
  const { t } = useTranslation('exports')
  return (
    <table className="stacks">
      <Heads
        names={[t('number'), t('kind'), t('begun'), t('state'), t('readings'), t('corrections'), t('cancellations')]}
      />
      <tbody>
        {exports.map(({ number, kind, begunAt, isComplete, counts }) => (
          <tr key={number}>
            <td data-name={t('number')} className="identifier">
              {number}
            </td>
            <td data-name={t('kind')}>{t(`kinds.${kind}`)}</td>
            <td data-name={t('begun')}>{formatInstant(begunAt)}</td>
            <td data-name={t('state')}>{t(isComplete ? 'complete' : 'incomplete')}</td>
            <td data-name={t('readings')}>
              {counts && formatCount(counts.originals + counts.corrections + counts.cancellations)}
            </td>
            <td data-name={t('corrections')}>{counts && formatCount(counts.corrections)}</td>
            <td data-name={t('cancellations')}>{counts && formatCount(counts.cancellations)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
