import { formatMoment } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import type { OutboxEntry } from '@/device/entry.ts'

/** Why what waits of these is not sent yet, where that is known: a limit of the server, with its end, of everything before that of one meter; or a photo. */
export function useLaterText(entries: readonly OutboxEntry[]): string | undefined {
  const { t } = useTranslation('offline')
  const limits = entries.flatMap(({ refusal, later, meterNumber }) =>
    refusal || !later ? [] : { ...later, meterNumber },
  )
  const limit = limits.find(({ code }) => code !== 'too-many-readings') ?? limits[0]
  const stuck = entries.find(({ refusal, isPhotoStuck }) => !refusal && isPhotoStuck)
  if (!limit) return stuck && t('status.photo', { number: stuck.meterNumber })
  const time = formatMoment(limit.until)
  return limit.code === 'too-many-readings'
    ? t('status.tomorrow', { number: limit.meterNumber, time })
    : t('status.later', { time })
}
