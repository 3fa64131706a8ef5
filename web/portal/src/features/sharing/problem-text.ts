import { ApiError } from '@shared/api/client.ts'
import { useProblemText } from '@shared/api/problem.ts'
import { useTranslation } from '@shared/i18n/react.tsx'

/** What went wrong with a share: where too many were made nothing has failed before, as the general words would have it (D-SHARES-14). */
export function useShareProblemText(): (error: unknown) => string {
  const { t } = useTranslation('sharing')
  const problemText = useProblemText()
  return (error) =>
    error instanceof ApiError && error.code === 'too-many-attempts'
      ? t('often', { count: Math.ceil((error.retryAfter ?? 0) / 60) || 1 })
      : problemText(error)
}
