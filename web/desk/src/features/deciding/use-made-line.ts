import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { useByName } from '@/components/use-by-name.ts'
import type { Made } from '@/data/types.ts'

/** Who decided what and when, in one line. */
export function useMadeLine() {
  const { t } = useTranslation('deciding')
  const { t: parts } = useTranslation('parts')
  const { byWhom } = useByName()
  return ({ kind, by, at }: Made): string =>
    t('decidedBy', { what: parts(`made.${kind}`), by: byWhom(by ?? t('somebody')), when: formatInstant(at) })
}
