import { Button, TextField } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { formatCount, formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { Files } from '@/components/runs/files.tsx'
import { RunText } from '@/components/runs/run-text.tsx'
import { useByName } from '@/components/use-by-name.ts'
import { startImport } from '@/data/imports.ts'
import type { Imported, Run } from '@/data/types.ts'
import { Anew } from './anew.tsx'
import { Cancelled } from './cancelled.tsx'
import { Counts } from './counts.tsx'

/** The file that has the rows at fault. */
const FAULTS = /^(fehler|faults)\.xlsx$/

interface Props {
  tenant: string
  run: Run
  /** Something was changed since. */
  isStale: boolean
  reload: () => Promise<unknown>
}

/** What a rehearsal or an import of the file came to; of a rehearsal, doing it. */
export function Rehearsed({ tenant, run, isStale, reload }: Props) {
  const { t } = useTranslation('imports')
  const [isAsking, setAsking] = useState(false)
  const { what, state, imported, failure } = run
  const isRehearsal = what === 'REHEARSAL'
  const isThrough = state === 'DONE' && imported
  // What is none is absent.
  const isNothing = isThrough && Object.keys(imported.counts).every((count) => count === 'faulty')
  const mendable = run.files.find(({ name }) => FAULTS.test(name))
  return (
    <section className="card" aria-labelledby="outcome">
      <h2 id="outcome" tabIndex={-1}>
        {t(isRehearsal ? 'rehearsed' : 'imported')}
      </h2>
      {state === 'CANCELLED' && <Cancelled tenant={tenant} run={run} reload={reload} />}
      {state === 'FAILED' && (
        <Message type="error" role="alert">
          {t('failed')} {failure && <RunText text={failure} />}
        </Message>
      )}
      {isThrough && (
        <>
          <p>
            <strong>
              <Counts counts={imported.counts} />
            </strong>
          </p>
          {isRehearsal && <p className="soft">{t('nothingWritten')}</p>}
          <Findings imported={imported} isRehearsal={isRehearsal} />
          {run.files.length > 0 && <Files tenant={tenant} run={run} />}
          {mendable && <p className="soft">{t('faultsMend', { file: mendable.name })}</p>}
        </>
      )}
      {isThrough && isRehearsal && (
        <>
          {isStale && <Message type="warning">{t('stale')}</Message>}
          {isNothing ? (
            <p>{t('nothingToImport')}</p>
          ) : (
            <div className="row-of">
              <Button variation="primary" isDisabled={isStale} onClick={() => setAsking(true)}>
                {t('import')}
              </Button>
            </div>
          )}
        </>
      )}
      {isAsking && imported && (
        <Ask
          imported={imported}
          start={async (closing) => {
            await startImport(tenant, run.id, { closing })
            await reload()
            setAsking(false)
          }}
          onClose={() => {
            setAsking(false)
            void reload()
          }}
        />
      )}
    </section>
  )
}

function Findings({ imported, isRehearsal }: { imported: Imported; isRehearsal: boolean }) {
  const { t } = useTranslation('imports')
  const { byWhom } = useByName()
  const { faults, moreFaults, warnings, closing, before, anew } = imported
  return (
    <>
      {anew && <Anew anew={anew} />}
      {isRehearsal && before && (
        <Message type="warning">{t('before', { by: byWhom(before.by), at: formatInstant(before.at) })}</Message>
      )}
      {warnings.map((warning) => (
        <Message key={warning.de} type="warning">
          <RunText text={warning} />
        </Message>
      ))}
      {closing && (
        <Message type={closing.isMuch ? 'warning' : 'info'}>
          {t('closing', {
            count: closing.missing,
            missing: formatCount(closing.missing),
            open: formatCount(closing.open),
          })}
          {(imported.counts['faulty'] ?? 0) > 0 && ` ${t('noneClosed')}`}
        </Message>
      )}
      {faults.length > 0 && (
        <div className="columns-of">
          <h3>{t('faults')}</h3>
          <ul>
            {faults.map((fault) => (
              <li key={fault.de}>
                <RunText text={fault} />
              </li>
            ))}
          </ul>
          {moreFaults > 0 && <p className="soft">{t('moreFaults', { count: moreFaults })}</p>}
        </div>
      )}
    </>
  )
}

interface AskProps {
  imported: Imported
  start: (closing: number | undefined) => Promise<void>
  onClose: () => void
}

/** Once more before anything is written; where many jobs would be closed, their number has to be typed. */
function Ask({ imported: { counts, closing }, start, onClose }: AskProps) {
  const { t } = useTranslation('imports')
  const [typed, setTyped] = useState('')
  const [isTried, setTried] = useState(false)
  const isAsked = closing?.isMuch === true
  const isRight = !isAsked || typed.trim() === String(closing.missing)
  return (
    <AskDialog
      title={t('importTitle')}
      go={t('importNow')}
      check={() => {
        setTried(true)
        return isRight
      }}
      work={async () => start(isAsked ? closing.missing : undefined)}
      told={(failure) =>
        failure instanceof ApiError && failure.fieldErrors.some(({ field }) => field === 'rehearsal')
          ? t('tooOld')
          : undefined
      }
      onClose={onClose}
    >
      <p>
        <Counts counts={counts} />
      </p>
      {(counts['faulty'] ?? 0) > 0 && <p>{t('faultyStay')}</p>}
      {isAsked && (
        <TextField
          name="closing"
          label={t('typeNumber', { count: closing.missing, number: formatCount(closing.missing) })}
          inputMode="numeric"
          autoComplete="off"
          value={typed}
          hasError={isTried && !isRight}
          errorMessage={t('wrongNumber')}
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
    </AskDialog>
  )
}
