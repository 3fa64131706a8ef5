import { useTranslation } from '@shared/i18n/react.tsx'
import { placeLine } from '@/components/place.ts'
import type { Suggestion } from '@/data/types.ts'

/** What the API calls the season of a tenant that has none. */
const NO_SEASON = 'default'

/** A job that suggests itself, and why. */
export function SuggestionLine({ suggestion }: { suggestion: Suggestion }) {
  const { t } = useTranslation('deciding')
  const { t: common } = useTranslation()
  const { name, place, meterNumber, meterType, season, state, because } = suggestion
  const facts = [
    placeLine(place),
    `${common(`meterType.${meterType}`)} ${meterNumber}`,
    season !== NO_SEASON && season,
    state === 'done' && t('isRead'),
  ]
  return (
    <span>
      <strong>{name}</strong> · {facts.filter(Boolean).join(' · ')}
      <br />
      <span className="soft">{t('because', { reasons: because.map((fit) => t(`fit.${fit}`)).join(', ') })}</span>
    </span>
  )
}
