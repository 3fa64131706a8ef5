import { useProblemText } from '@shared/api/problem.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { type Refusal, refusalError } from '@/device/entry.ts'

/** Says why an entry was not taken. */
export function useRefusalText(): (refusal: Refusal) => string {
  const { t } = useTranslation('offline')
  const problemText = useProblemText()
  return (refusal) => (refusal.code === 'too-old' ? t('queued.tooOld') : problemText(refusalError(refusal)))
}
