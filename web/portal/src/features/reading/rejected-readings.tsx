import type { Job } from '@shared/contract/types.ts'
import { formatDate, formatValue } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'

/** What the utility did not accept, and why: these rates are open again, and asked for while they may be read. */
export function RejectedReadings({ job, mayRead }: { readonly job: Job; readonly mayRead: boolean }) {
  const { t } = useTranslation('reading')
  const rejected = job.meter.meterRateTasks.flatMap(({ taskId, rejectedReading }) =>
    rejectedReading ? [{ taskId, ...rejectedReading }] : [],
  )
  if (rejected.length === 0) return null
  return (
    <Message type="warning" title={t(mayRead ? 'rejected.title' : 'rejected.plainTitle')}>
      {rejected.map(({ taskId, readingValue, readingDate, reason }) => (
        <p key={taskId}>
          {t('rejected.text', { value: formatValue(readingValue), day: formatDate(readingDate) })} {reason}
        </p>
      ))}
    </Message>
  )
}
