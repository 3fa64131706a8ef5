import { formatDate } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import type { OpenFilter } from '@/data/types.ts'
import { useKindName } from './use-kind-name.ts'

/** What a filter of open jobs says, in words. */
export function OpenFilterWords({ filter }: { filter: OpenFilter }) {
  const { t } = useTranslation('parts')
  const kindName = useKindName()
  const { season, meterTypes = [], district, inDistrict, dueUntil, overdue, email } = filter
  const words = [
    season && t('openFilter.words.season', { season }),
    meterTypes.map((type) => kindName(type)).join(t('openFilter.words.or')),
    district && t('openFilter.words.district', { district }),
    inDistrict && t('openFilter.words.inDistrict', { district: inDistrict }),
    dueUntil && t('openFilter.words.dueUntil', { day: formatDate(dueUntil) }),
    overdue && t('openFilter.words.overdue'),
    typeof email === 'boolean' && t(email ? 'openFilter.words.reachable' : 'openFilter.words.unreachable'),
  ].filter(Boolean)
  return <>{t('openFilter.chosen', { words: words.join(', ') || t('openFilter.words.all') })}</>
}
