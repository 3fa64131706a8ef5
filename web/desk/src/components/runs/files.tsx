import { formatCount, formatDayOf } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import type { Run } from '@/data/types.ts'
import { FileButton } from './file-button.tsx'
import { useFetching } from './use-fetching.ts'

/** The files of a run, to be kept by the browser. */
export function Files({ tenant, run }: { tenant: string; run: Run }) {
  const { t } = useTranslation('runs')
  const { id, files, filesUntil } = run
  const { fetchOne, failure } = useFetching(tenant)
  return (
    <>
      {failure && (
        <Message type="error" role="alert">
          {failure}
        </Message>
      )}
      {files.map(({ name, rows }) => (
        <div key={name}>
          {filesUntil ? (
            <FileButton run={run} name={name} onFetch={() => void fetchOne(id, name)} />
          ) : (
            <span className="file">{name}</span>
          )}{' '}
          {t(name.endsWith('.pdf') ? 'lettersIn' : 'rowsIn', { count: rows, number: formatCount(rows) })}
          {filesUntil ? ` · ${t('until', { day: formatDayOf(filesUntil) })}` : ` · ${t('gone')}`}
        </div>
      ))}
    </>
  )
}
