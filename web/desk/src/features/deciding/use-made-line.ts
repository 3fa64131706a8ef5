import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import type { Made } from '@/data/types.ts'

/** Who decided what and when, in one line. */
export function useMadeLine() {
  const { t } = useTranslation('deciding')
  const { t: parts } = useTranslation('parts')
  return ({ kind, by, at }: Made): string =>
    t('decidedBy', { what: parts(`made.${kind}`), name: by ?? t('somebody'), when: formatInstant(at) })
}
