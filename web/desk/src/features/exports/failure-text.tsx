import { useTranslation } from '@shared/i18n/react.tsx'
import type { RunFailure } from '@/data/types.ts'

/** Why a run did not come further, in the reader's language. */
export function FailureText({ failure }: { failure: RunFailure }) {
  const { language } = useTranslation('exports')
  return <>{language === 'de-FORMAL' ? failure.de : failure.en}</>
}
