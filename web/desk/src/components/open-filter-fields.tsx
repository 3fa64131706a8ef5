import { TextField } from '@aws-amplify/ui-react'
import { useTranslation } from '@shared/i18n/react.tsx'
import type { OpenValues } from '@/data/open-filter.ts'
import { METER_TYPES } from '@/data/types.ts'
import { DayFilter, Filter } from './filter.tsx'
import { useKindName } from './use-kind-name.ts'

interface Props {
  values: OpenValues
  set: (name: keyof OpenValues, value: string) => void
  /** Those that can be chosen. */
  seasons: readonly { readonly id: string; readonly name: string }[]
  /** Without the filter for addresses: all recipients have one anyway. */
  hasNoEmail?: boolean
}

/** By what the list of open jobs is narrowed down. */
export function OpenFilterFields({ values, set, seasons, hasNoEmail = false }: Props) {
  const { t } = useTranslation('parts')
  const kindName = useKindName()
  const yes = [['true', t('openFilter.yes')]] as const
  return (
    <div className="row-of">
      {seasons.length > 0 && (
        <Filter
          name="season"
          label={t('openFilter.season')}
          value={values.season}
          options={seasons.map(({ id, name }) => [id, name])}
          onChange={(value) => set('season', value)}
        />
      )}
      <Filter
        name="meterType"
        label={t('openFilter.meterType')}
        value={values.meterType}
        options={METER_TYPES.map((type) => [type, kindName(type)])}
        onChange={(value) => set('meterType', value)}
      />
      <TextField
        size="small"
        name="district"
        label={t('openFilter.district')}
        maxLength={100}
        value={values.district ?? ''}
        onChange={({ target }) => set('district', target.value)}
      />
      {/* Chosen at the season's districts, and only to be taken away here. */}
      {values.inDistrict && (
        <Filter
          name="inDistrict"
          label={t('openFilter.inDistrict')}
          value={values.inDistrict}
          options={[[values.inDistrict, values.inDistrict]]}
          onChange={(value) => set('inDistrict', value)}
        />
      )}
      <DayFilter
        name="dueUntil"
        label={t('openFilter.dueUntil')}
        value={values.dueUntil}
        onChange={(value) => set('dueUntil', value)}
      />
      <Filter
        name="overdue"
        label={t('openFilter.overdue')}
        value={values.overdue}
        options={yes}
        onChange={(value) => set('overdue', value)}
      />
      {!hasNoEmail && (
        <Filter
          name="email"
          label={t('openFilter.email')}
          value={values.email}
          options={[...yes, ['false', t('openFilter.no')]]}
          onChange={(value) => set('email', value)}
        />
      )}
    </div>
  )
}
