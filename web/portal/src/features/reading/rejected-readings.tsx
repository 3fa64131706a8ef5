import type { Job } from '@shared/contract/types.ts'
import { formatDate, formatValue } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'

/** What the utility did not accept, and why: these rates are open again. */
export function RejectedReadings({ job }: { readonly job: Job }) {
  const { t } = useTranslation('reading')
  const rejected = job.meter.meterRateTasks.flatMap(({ taskId, rejectedReading }) =>
    rejectedReading ? [{ taskId, ...rejectedReading }] : [],
  )
  if (rejected.length === 0) return null
  return (
    <Message type="warning" title={t('rejected.title')}>
      {rejected.map(({ taskId, readingValue, readingDate, reason }) => (
        <p key={taskId}>
          {t('rejected.text', { value: formatValue(readingValue), day: formatDate(readingDate) })} {reason}
        </p>
      ))}
    </Message>
  )
}
