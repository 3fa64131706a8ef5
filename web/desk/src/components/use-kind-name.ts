import { useTranslation } from '@shared/i18n/react.tsx'
import type { MeterType } from '@/data/types.ts'

/** What a kind of meter is called beside the others: before a number, one of none of them is just a meter. */
export function useKindName() {
  const { t } = useTranslation('parts')
  const { t: common } = useTranslation()
  return (type: MeterType): string => (type === 'GENERIC_METER' ? t('otherKind') : common(`meterType.${type}`))
}
