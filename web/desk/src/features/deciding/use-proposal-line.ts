import { formatValue } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import type { Proposal } from '@/data/types.ts'

/** What waits for a second member, in one line. */
export function useProposalLine() {
  const { t } = useTranslation('deciding')
  return ({ kind, by, value }: Proposal): string =>
    t(`proposed.${kind}`, { name: by, value: value && formatValue(value) })
}
