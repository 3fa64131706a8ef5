import { formatMoment } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { useWaitingEntries } from './replay.ts'

/** Why what waits is not sent yet and when it will be, if the server said so; a limit of everything before that of one meter. */
export function useLaterText(): string | undefined {
  const { t } = useTranslation('offline')
  const limits = useWaitingEntries().flatMap(({ refusal, later, meterNumber }) =>
    refusal || !later ? [] : { ...later, meterNumber },
  )
  const limit = limits.find(({ code }) => code !== 'too-many-readings') ?? limits[0]
  if (!limit) return undefined
  const time = formatMoment(limit.until)
  return limit.code === 'too-many-readings'
    ? t('status.tomorrow', { number: limit.meterNumber, time })
    : t('status.later', { time })
}
