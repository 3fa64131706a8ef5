import { useState } from 'react'
import { formatCount, formatDayOf } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { fetchFile } from '@/data/runs.ts'
import type { Run } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { FileButton } from './file-button.tsx'

/** The files of a run, to be kept by the browser. */
export function Files({ tenant, run }: { tenant: string; run: Run }) {
  const { t } = useTranslation('runs')
  const { id, files, filesUntil } = run
  const problemText = useDeskProblemText()
  const [failure, setFailure] = useState<unknown>()
  const fetchOne = async (file: string) => {
    setFailure(undefined)
    try {
      await fetchFile(tenant, id, file)
    } catch (caught) {
      setFailure(caught)
    }
  }
  return (
    <>
      {failure !== undefined && (
        <Message type="error" role="alert">
          {problemText(failure)}
        </Message>
      )}
      {files.map(({ name, rows }) => (
        <div key={name}>
          {filesUntil ? <FileButton run={run} name={name} onFetch={() => void fetchOne(name)} /> : <span>{name}</span>}{' '}
          {t(name.endsWith('.pdf') ? 'lettersIn' : 'rowsIn', { count: rows, number: formatCount(rows) })}
          {filesUntil ? ` · ${t('until', { day: formatDayOf(filesUntil) })}` : ` · ${t('gone')}`}
        </div>
      ))}
    </>
  )
}
