import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { formatCount, formatDayOf } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { fetchFile } from '@/data/runs.ts'
import type { Run } from '@/data/types.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'

/** The files of a run, to be kept by the browser. */
export function Files({ tenant, run: { id, files, filesUntil } }: { tenant: string; run: Run }) {
  const { t } = useTranslation('runs')
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
          {filesUntil ? (
            <Button size="small" className="file" onClick={() => void fetchOne(name)}>
              {name}
            </Button>
          ) : (
            <span>{name}</span>
          )}{' '}
          {t(name.endsWith('.pdf') ? 'lettersIn' : 'rowsIn', { count: rows, number: formatCount(rows) })}
          {filesUntil ? ` · ${t('until', { day: formatDayOf(filesUntil) })}` : ` · ${t('gone')}`}
        </div>
      ))}
    </>
  )
}
