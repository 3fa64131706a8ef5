import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'

/** How many lines became what, in the order in which people ask. */
const KINDS = [
  'created',
  'updated',
  'moved',
  'unchanged',
  'repeated',
  'withoutAccount',
  'closed',
  'toClear',
  'incomplete',
  'removed',
  'restored',
  'kept',
  'faulty',
] as const

/** The counts of an import in a sentence. */
export function Counts({ counts }: { counts: Readonly<Record<string, number>> }) {
  const { t } = useTranslation('imports')
  const parts = KINDS.flatMap((kind) => {
    const count = counts[kind] ?? 0
    return count > 0 ? [t(`counts.${kind}`, { number: formatCount(count) })] : []
  })
  return <>{parts.length > 0 ? parts.join(', ') : t('nothing')}</>
}
