import { useTranslation } from '@shared/i18n/react.tsx'
import { notify } from '@shared/ui/notify.ts'
import type { SendOwnReading } from '@/device/entry.ts'
import type { FormEntry } from '@/forms/use-entry.ts'
import { SENDING } from '@/offline/use-notices.ts'
import { type Draft, readingOf } from './draft.ts'

interface Options {
  readonly entry: FormEntry<Draft, SendOwnReading>
  /** The account whose reading it is. */
  readonly accountId: string
  readonly today: string
  readonly onSent: () => void
  readonly onQueued: () => void
}

/** Sends a reading without a job, and says what became of it. */
export function useSubmission({ entry, accountId, today, onSent, onQueued }: Options): () => Promise<void> {
  const { t } = useTranslation('unknownReading')
  return async () => {
    const reading = readingOf(entry.draft, today)
    const { meterNumber } = reading
    const outcome = await entry.send({ kind: 'unknown-reading', accountId, meterNumber, reading })
    if (outcome.state === 'sent') {
      notify({ type: 'success', title: t('sent.title'), message: t('sent.text'), topic: SENDING })
      onSent()
    } else if (outcome.state === 'kept') {
      // What becomes of it is said by those who keep it (D-OUTBOX-10).
      onQueued()
    }
  }
}
