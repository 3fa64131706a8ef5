import type { Job } from '@shared/contract/types.ts'
import { formatDate } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { useRates, withUnit } from './rate.ts'

/** What the utility did not accept, and why: these rates are open again, and asked for while they may be read. */
export function RejectedReadings({ job, mayRead }: { readonly job: Job; readonly mayRead: boolean }) {
  const { t } = useTranslation('reading')
  const rates = useRates(job)
  const rejected = rates.flatMap((rate) => (rate.task.rejectedReading ? [{ rate, ...rate.task.rejectedReading }] : []))
  if (rejected.length === 0) return null
  return (
    <Message type="warning" title={t(mayRead ? 'rejected.title' : 'rejected.plainTitle')}>
      {rejected.map(({ rate, readingValue, readingDate, reason }) => (
        <p key={rate.task.taskId}>
          {rates.length > 1 && <strong>{rate.name}: </strong>}
          {t('rejected.text', { value: withUnit(readingValue, rate), day: formatDate(readingDate) })} {reason}
        </p>
      ))}
    </Message>
  )
}
