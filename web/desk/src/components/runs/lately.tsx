import type { ComponentType } from 'react'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import type { Run } from '@/data/types.ts'
import { Heads } from '../heads.tsx'
import { Files } from './files.tsx'
import { RunText } from './run-text.tsx'

interface Props {
  tenant: string
  runs: readonly Run[]
  What: ComponentType<{ tenant: string; run: Run }>
  Outcome: ComponentType<{ run: Run }>
}

/** What was asked for on a page, and what came out. */
export function Lately({ tenant, runs, What, Outcome }: Props) {
  const { t } = useTranslation('runs')
  return (
    <section className="fields" aria-labelledby="lately">
      <h2 id="lately">{t('lately')}</h2>
      <table className="stacks">
        <Heads names={[t('asked'), t('who'), t('what'), t('outcome'), t('files')]} />
        <tbody>
          {runs.map((run) => (
            <tr key={run.id}>
              <td data-name={t('asked')}>{formatInstant(run.askedAt)}</td>
              <td data-name={t('who')}>{run.by}</td>
              <td data-name={t('what')}>
                <What tenant={tenant} run={run} />
              </td>
              <td data-name={t('outcome')}>
                {run.state === 'CANCELLED' && `${t('cancelled')} `}
                {run.state === 'FAILED' && (
                  <>
                    {t('givenUp')} {run.failure && <RunText text={run.failure} />}{' '}
                  </>
                )}
                <Outcome run={run} />
              </td>
              <td data-name={t('files')}>{run.files.length > 0 && <Files tenant={tenant} run={run} />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
