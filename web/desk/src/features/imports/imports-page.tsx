import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { formatCount, formatInstant, formatSecond } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { Heads } from '@/components/heads.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { Going } from '@/components/runs/going.tsx'
import { Lately } from '@/components/runs/lately.tsx'
import { RunText } from '@/components/runs/run-text.tsx'
import { useByName } from '@/components/use-by-name.ts'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import { undoImport, useImports } from '@/data/imports.ts'
import { paths } from '@/data/paths.ts'
import { isOpen } from '@/data/runs.ts'
import type { Import, Run } from '@/data/types.ts'
import { Counts } from './counts.tsx'
import { SendFile } from './send-file.tsx'

/** Which files came in when, and what became of their lines; sending a new one, and taking one back. */
export function ImportsPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('imports')
  const language = useStaffLanguage()
  const [, go] = useLocation()
  const { data, error, reload } = useImports(tenant)
  const [undone, setUndone] = useState<Import>()
  const going = data?.runs.find(isOpen)
  const lately = data?.runs.filter((run) => !isOpen(run)) ?? []
  return (
    <Page title={t('title')}>
      <p className="soft">{t('text')}</p>
      <SendFile tenant={tenant} onSent={(file) => go(paths.importFile(tenant, file))} />
      {!data && <Pending error={error} retry={() => void reload()} />}
      {going && <Going tenant={tenant} known={going} onOver={() => void reload()} />}
      {lately.length > 0 && <Lately tenant={tenant} runs={lately} What={What} Outcome={Outcome} />}
      {data && <Earlier imports={data.imports} isBusy={going !== undefined} onUndo={setUndone} />}
      {undone && (
        <AskDialog
          title={t('undoTitle')}
          go={t('undoNow')}
          isDestructive
          work={async () => {
            await undoImport(tenant, undone.id, language)
            await reload()
            setUndone(undefined)
          }}
          onClose={() => setUndone(undefined)}
        >
          <p>{t('undoText', { file: undone.file, at: formatInstant(undone.begunAt) })}</p>
        </AskDialog>
      )}
    </Page>
  )
}

function What({ tenant, run: { what, source } }: { tenant: string; run: Run }) {
  const { t } = useTranslation('imports')
  return (
    <>
      {t(`whats.${what as 'REHEARSAL' | 'IMPORT' | 'UNDO'}`)}
      {source && (
        <>
          {' · '}
          <Link href={paths.importFile(tenant, source.file)}>{source.name}</Link>
        </>
      )}
    </>
  )
}

function Outcome({ run: { imported } }: { run: Run }) {
  const { t } = useTranslation('imports')
  if (!imported) return null
  const { counts, kept, stopped } = imported
  const more = (counts['kept'] ?? 0) - kept.length
  return (
    <>
      {stopped && `${t('partDone', { done: formatCount(stopped.done), of: formatCount(stopped.of) })} `}
      <Counts counts={counts} />
      {kept.length > 0 && (
        <details>
          <summary>{t('whatStays')}</summary>
          <ul className="plain">
            {kept.map((one) => (
              <li key={one.de}>
                <RunText text={one} />
              </li>
            ))}
          </ul>
          {more > 0 && t('moreStays', { count: more, number: formatCount(more) })}
        </details>
      )}
    </>
  )
}

interface EarlierProps {
  imports: readonly Import[]
  isBusy: boolean
  onUndo: (one: Import) => void
}

function Earlier({ imports, isBusy, onUndo }: EarlierProps) {
  const { t } = useTranslation('imports')
  const { nameOf } = useByName()
  return (
    <section className="fields" aria-labelledby="earlier">
      <h2 id="earlier">{t('history')}</h2>
      {imports.length === 0 && <p>{t('none')}</p>}
      {imports.length > 0 && (
        <table className="stacks">
          <Heads names={[t('begun'), t('who'), t('kind'), t('file'), t('state'), t('outcome'), t('act')]} />
          <tbody>
            {imports.map((one) => (
              <tr key={one.id}>
                <td data-name={t('begun')}>{formatInstant(one.begunAt)}</td>
                <td data-name={t('who')}>{nameOf(one.by)}</td>
                <td data-name={t('kind')}>
                  {t(`kindsOf.${one.kind as 'jobs' | 'accounts' | 'readings'}`)}
                  {one.season && ` · ${one.season}`}
                </td>
                <td data-name={t('file')} className="identifier">
                  {one.file}
                </td>
                <td data-name={t('state')}>
                  {one.undoneAt
                    ? t('undone', { at: formatInstant(one.undoneAt) })
                    : t(one.endedAt ? 'ended' : 'notEnded')}
                </td>
                <td data-name={t('outcome')}>
                  <Counts counts={one.counts} />
                </td>
                <td data-name={t('act')}>
                  {one.canBeUndone && (
                    <BusyButton
                      size="small"
                      isOff={isBusy}
                      ariaLabel={t('undoOne', {
                        file: one.file,
                        number: formatCount(one.counts['created'] ?? 0),
                        at: formatSecond(one.begunAt),
                      })}
                      onClick={() => onUndo(one)}
                    >
                      {t('undoAsk')}
                    </BusyButton>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}
