import { formatDate } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import type { Finding } from '@shared/rules/reading.ts'

/** Puts a remark into words (L8). */
export function useFindingText(): (finding: Finding) => string {
  const { t } = useTranslation('reading')
  return ({ code, limit = '', feedIn }) =>
    t(`finding.${code}`, { count: Number(limit), day: formatDate(limit), ...(feedIn && { context: 'feedIn' }) })
}
