import { useTranslation } from '@shared/i18n/react.tsx'
import { useSeason } from '@/data/season.ts'
import { Filter } from './filter.tsx'

interface Named {
  readonly id: string
  readonly name: string
}

/** The seasons to choose from; one that the address names is among them, though it has no name. */
export function choosable(seasons: readonly Named[], chosen: string | null | undefined): readonly Named[] {
  const isAmong = !chosen || seasons.some(({ id }) => id === chosen)
  return isAmong ? seasons : [...seasons, { id: chosen, name: chosen }]
}

interface Props {
  tenant: string
  value: string | undefined
  onChange: (value: string) => void
}

/** To which season a list is narrowed down, where there is one. */
export function SeasonFilter({ tenant, value, onChange }: Props) {
  const { t } = useTranslation('parts')
  const { data } = useSeason(tenant, undefined)
  const seasons = choosable(data?.seasons ?? [], value)
  if (seasons.length === 0) return null
  return (
    <Filter
      name="season"
      label={t('openFilter.season')}
      value={value}
      options={seasons.map(({ id, name }) => [id, name])}
      onChange={onChange}
    />
  )
}
