import { useState } from 'react'
import { formatCount, formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { Heads } from '@/components/heads.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { Going } from '@/components/runs/going.tsx'
import { useExports } from '@/data/exports.ts'
import { isOpen } from '@/data/runs.ts'
import type { Export, ExportRequest, Exports } from '@/data/types.ts'
import { ExportDialog } from './export-dialog.tsx'
import { Made } from './made.tsx'
import { Schedule } from './schedule.tsx'

/** Which readings went out when, under which number; and having them go out. */
export function ExportsPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('exports')
  const { data, error, reload } = useExports(tenant)
  const [wanted, setWanted] = useState<Pick<ExportRequest, 'again' | 'what'>>()
  const going = data?.runs.find(isOpen)
  const made = data?.runs.filter((run) => !isOpen(run)) ?? []
  return (
    <Page
      title={t('title')}
      tools={
        <BusyButton
          variation="primary"
          isOff={!data || going !== undefined}
          onClick={() => setWanted({ what: 'TABLE' })}
        >
          {t('new')}
        </BusyButton>
      }
    >
      <p className="soft">{t('text')}</p>
      {data?.hasMarket && <p className="soft">{t('marketAnswers')}</p>}
      {!data && <Pending error={error} retry={() => void reload()} />}
      {going && <Going tenant={tenant} known={going} onOver={() => void reload()} />}
      {data && made.length > 0 && <Made tenant={tenant} runs={made} presets={data.presets} />}
      {data && <Schedule tenant={tenant} scheduled={data.scheduled} seasons={data.seasons} />}
      {data && <Sent data={data} onAgain={setWanted} />}
      {data && wanted && (
        <ExportDialog
          tenant={tenant}
          data={data}
          wanted={wanted}
          onStarted={async () => {
            await reload()
            setWanted(undefined)
          }}
          onClose={() => {
            setWanted(undefined)
            void reload()
          }}
        />
      )}
    </Page>
  )
}

interface SentProps {
  data: Exports
  onAgain: (wanted: Pick<ExportRequest, 'again' | 'what'>) => void
}

function Sent({ data: { exports, runs }, onAgain }: SentProps) {
  const { t } = useTranslation('exports')
  const isGoing = runs.some(isOpen)
  return (
    <section className="fields" aria-labelledby="sent">
      <h2 id="sent">{t('history')}</h2>
      {exports.some(({ isComplete }) => !isComplete) && !isGoing && (
        <Message type="warning">{t('interrupted')}</Message>
      )}
      {exports.length === 0 && <p>{t('none')}</p>}
      {exports.length > 0 && (
        <table className="stacks">
          <Heads
            names={[
              t('number'),
              t('kind'),
              t('begun'),
              t('state'),
              t('readings'),
              t('corrections'),
              t('cancellations'),
              t('act'),
            ]}
            numbers={[t('readings'), t('corrections'), t('cancellations')]}
          />
          <tbody>
            {exports.map((one) => (
              <Row
                key={one.number}
                {...one}
                onAgain={() =>
                  onAgain({ again: one.number, what: one.kind === 'WITHOUT_JOB' ? 'WITHOUT_JOB' : 'TABLE' })
                }
                isBusy={isGoing}
              />
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

type RowProps = Export & { isBusy: boolean; onAgain: () => void }

function Row({ number, kind, begunAt, isComplete, counts, isBusy, onAgain }: RowProps) {
  const { t } = useTranslation('exports')
  const isTable = kind === 'TABLE' || kind === 'WITHOUT_JOB'
  return (
    <tr>
      <td data-name={t('number')} className="figures">
        {number}
      </td>
      <td data-name={t('kind')}>{t(`kinds.${kind}`)}</td>
      <td data-name={t('begun')}>{formatInstant(begunAt)}</td>
      <td data-name={t('state')}>{t(isComplete ? 'complete' : 'incomplete')}</td>
      <td data-name={t('readings')} className="number">
        {counts && formatCount(counts.originals + counts.corrections + counts.cancellations)}
      </td>
      <td data-name={t('corrections')} className="number">
        {counts && formatCount(counts.corrections)}
      </td>
      <td data-name={t('cancellations')} className="number">
        {counts && formatCount(counts.cancellations)}
      </td>
      <td data-name={t('act')}>
        {isTable && isComplete && (
          <BusyButton size="small" isOff={isBusy} ariaLabel={t('againNumber', { number })} onClick={onAgain}>
            {t('writeAgain')}
          </BusyButton>
        )}
      </td>
    </tr>
  )
}
