import { useId, useState } from 'react'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AskDialog } from '@/components/ask-dialog.tsx'
import { Files } from '@/components/runs/files.tsx'
import { useStaffLanguage } from '@/components/use-staff-language.ts'
import { callBack, handOver } from '@/data/letters.ts'
import type { Run } from '@/data/types.ts'
import { useRehearsal } from '@/session/session.ts'
import { LettersText } from './outcome.tsx'

interface Props {
  tenant: string
  runs: readonly Run[]
  isBusy: boolean
  reload: () => Promise<unknown>
}

/** Letters about which nothing is decided yet, or whose hand-over was stopped. */
export function Drawn({ tenant, runs, isBusy, reload }: Props) {
  const { t } = useTranslation('letters')
  const language = useStaffLanguage()
  const reasonId = useId()
  const [asked, setAsked] = useState<'handOver' | 'callBack'>()
  const isInRehearsal = useRehearsal(tenant)
  const drawn = runs.find((run) => isUndecided(run) || isHalfHandedOver(run, runs))
  if (!drawn?.letters) return null
  const isHalf = drawn.lettersEnd !== undefined && drawn.lettersEnd !== null
  const end = () => {
    setAsked(undefined)
    void reload()
  }
  const work = async () => {
    if (asked === 'callBack') await callBack(tenant, drawn.id)
    else await handOver(tenant, drawn.id, language)
    await reload()
    setAsked(undefined)
  }
  return (
    <section className="card fields" aria-labelledby="drawn">
      <h2 id="drawn">{t(isHalf ? 'half' : 'drawn')}</h2>
      <p>
        <LettersText {...drawn.letters} isHandOver={false} />
      </p>
      <p className="soft">{t('drawnBy', { by: drawn.by, at: formatInstant(drawn.askedAt) })}</p>
      {isHalf ? <Message type="warning">{t('halfText')}</Message> : <p>{t('drawnText')}</p>}
      {isInRehearsal && (
        <Message type="info">
          <p id={reasonId}>{t(isHalf ? 'halfInRehearsal' : 'inRehearsal')}</p>
        </Message>
      )}
      <Files tenant={tenant} run={drawn} />
      <div className="row-of">
        <BusyButton
          variation="primary"
          isOff={isBusy || isInRehearsal}
          aria-describedby={isInRehearsal ? reasonId : undefined}
          onClick={() => setAsked('handOver')}
        >
          {t(isHalf ? 'goOn' : 'handOver')}
        </BusyButton>
        {!isHalf && (
          <BusyButton isOff={isBusy} onClick={() => setAsked('callBack')}>
            {t('callBack')}
          </BusyButton>
        )}
      </div>
      {asked && (
        <AskDialog
          title={t(`askTitle.${asked}`)}
          go={t(`askNow.${asked}`)}
          isDestructive={asked === 'callBack'}
          work={work}
          onClose={end}
        >
          <p>{t(`askText.${asked}`)}</p>
        </AskDialog>
      )}
    </section>
  )
}

/** Drawn letters that can still be handed over or called back. */
export const isUndecided = ({ what, state, letters, lettersEnd, filesUntil }: Run): boolean =>
  what === 'LETTERS' && state === 'DONE' && (letters?.letters ?? 0) > 0 && !lettersEnd && Boolean(filesUntil)

const isHalfHandedOver = (run: Run, runs: readonly Run[]): boolean =>
  run.what === 'LETTERS' &&
  run.lettersEnd?.isHandedOver === true &&
  Boolean(run.filesUntil) &&
  !runs.some(({ handsOver, state }) => handsOver === run.id && state === 'DONE')
