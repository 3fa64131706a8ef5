import { useTranslation } from '@shared/i18n/react.tsx'
import type { FoundCustomer, Suggestion } from '@/data/types.ts'
import { placeLine } from './place.ts'

/** What the API calls the season of a tenant that has none. */
const NO_SEASON = 'default'

/** A job: whose it is, where and which meter, of which season, and whether it was read. */
export function JobLine({ job }: { job: Suggestion | FoundCustomer }) {
  const { t } = useTranslation('parts')
  const { t: common } = useTranslation()
  const { name, place, meterNumber, meterType, season, state } = job
  const meter = [meterType && common(`meterType.${meterType}`), meterNumber].filter(Boolean).join(' ')
  const facts = [
    place && placeLine(place),
    meter,
    season !== NO_SEASON && season,
    t(state === 'done' ? 'isRead' : 'isOpen'),
  ]
  return (
    <>
      <strong>{name}</strong> · {facts.filter(Boolean).join(' · ')}
    </>
  )
}
