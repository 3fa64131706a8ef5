import { useState } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { BusyButton } from '@shared/ui/busy-button.tsx'
import { Message } from '@shared/ui/message.tsx'
import { startImport } from '@/data/imports.ts'
import type { Run } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { Counts } from './counts.tsx'

interface Props {
  tenant: string
  run: Run
  reload: () => Promise<unknown>
}

/** A run that was cancelled: of an import what is done and what is not, and having it go on there. */
export function Cancelled({ tenant, run, reload }: Props) {
  const { t } = useTranslation('imports')
  const problemText = useDeskProblemText()
  const [isBusy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const { imported, source, takenAt, reached } = run
  const rehearsal = source?.rehearsal
  if (!rehearsal) return <p>{t('cancelled')}</p>
  const stopped = imported?.stopped
  const resume = async () => {
    setFailure(undefined)
    setBusy(true)
    try {
      await startImport(tenant, rehearsal, { resumes: true })
      await reload()
    } catch (caught) {
      setFailure(caught)
    }
    setBusy(false)
  }
  const isAbout = (name: string) =>
    failure instanceof ApiError && failure.fieldErrors.some(({ field }) => field === name)
  const refusal = () =>
    (isAbout('rehearsal') && t('tooOld')) || (isAbout('resumes') && t('overtaken')) || problemText(failure)
  return (
    <>
      <p role="status">
        {t('cancelled')}{' '}
        {stopped
          ? t('stopped', { done: formatCount(stopped.done), of: formatCount(stopped.of), line: stopped.beforeLine })
          : t(reached === 0 && !takenAt ? 'stoppedBefore' : 'stoppedSomewhere')}
      </p>
      {stopped && imported && (
        <p>
          {t('doneSoFar')} <Counts counts={imported.counts} />
        </p>
      )}
      {failure !== undefined && (
        <Message type="error" role="alert">
          {refusal()}
        </Message>
      )}
      <div className="row-of">
        <BusyButton variation="primary" isLoading={isBusy} onClick={() => void resume()}>
          {t('resume')}
        </BusyButton>
        <span className="soft">{t('resumeText')}</span>
      </div>
    </>
  )
}
