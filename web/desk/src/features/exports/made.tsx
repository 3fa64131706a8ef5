import { formatCount, formatDayOf, formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { Heads } from '@/components/heads.tsx'
import { FileButton } from '@/components/runs/file-button.tsx'
import { RunText } from '@/components/runs/run-text.tsx'
import { useFetching } from '@/components/runs/use-fetching.ts'
import { usePresetName } from '@/components/use-preset-name.ts'
import type { Exports, Run } from '@/data/types.ts'

interface Props {
  tenant: string
  runs: readonly Run[]
  presets: Exports['presets']
}

/** What was asked for here, and its files. */
export function Made({ tenant, runs }: Props) {
  const { t } = useTranslation('exports')
  const presetName = usePresetName()
  const { fetchOne, failure } = useFetching(tenant)
  return (
    <section className="fields" aria-labelledby="made">
      <h2 id="made">{t('made')}</h2>
      {failure && (
        <Message type="error" role="alert">
          {failure}
        </Message>
      )}
      <table className="stacks">
        <Heads names={[t('asked'), t('who'), t('what'), t('files')]} />
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td data-name={t('asked')}>{formatInstant(run.askedAt)}</td>
              <td data-name={t('who')}>{run.isScheduled ? t('bySchedule') : run.by}</td>
              <td data-name={t('what')}>
                {run.again !== undefined && run.again !== null
                  ? t('againNumber', { number: run.again })
                  : t(`lists.${run.what as 'TABLE' | 'WITHOUT_JOB' | 'MARKET'}`)}
                {run.season && ` · ${run.season}`}
                {run.preset && ` · ${presetName(run.preset)}`}
              </td>
              <td data-name={t('files')} className="long">
                <Outcome run={run} onFetch={(file) => void fetchOne(run.id, file)} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Outcome({ run, onFetch }: { run: Run; onFetch: (file: string) => void }) {
  const { t } = useTranslation('exports')
  const { state, files, filesUntil, waiting, leftOut, failure } = run
  return (
    <>
      {state === 'CANCELLED' && <p>{t('cancelled')}</p>}
      {state === 'FAILED' && (
        <p>
          {t('failed')} {failure && <RunText text={failure} />}
        </p>
      )}
      {state === 'DONE' && files.length === 0 && <p>{t('nothingNew')}</p>}
      {files.map(({ name, rows, missing, replaced, shortened }) => (
        <div key={name}>
          {filesUntil ? (
            <FileButton run={run} name={name} onFetch={() => onFetch(name)} />
          ) : (
            <span className="file">{name}</span>
          )}{' '}
          {t('readingsIn', { count: rows, number: formatCount(rows) })}
          {filesUntil && ` · ${t('until', { day: formatDayOf(filesUntil) })}`}
          {!filesUntil && ` · ${t('gone')}`}
          {missing > 0 && (
            <Message type="warning">{t('missing', { count: missing, number: formatCount(missing) })}</Message>
          )}
          {shortened > 0 && (
            <p className="soft">{t('shortened', { count: shortened, number: formatCount(shortened) })}</p>
          )}
          {replaced > 0 && (
            <Message type="warning">{t('replaced', { count: replaced, number: formatCount(replaced) })}</Message>
          )}
        </div>
      ))}
      {state === 'DONE' && Boolean(waiting) && (
        <span className="soft">{t('waiting', { count: waiting ?? 0, number: formatCount(waiting ?? 0) })}</span>
      )}
      {leftOut.length > 0 && (
        <>
          <span className="soft">{t('leftOut')}</span>
          {leftOut.map(({ why, readings, isFault }) => (
            <div key={why.de}>
              {formatCount(readings)} <RunText text={why} />
              {isFault && ` · ${t('toMend')}`}
            </div>
          ))}
        </>
      )}
    </>
  )
}
