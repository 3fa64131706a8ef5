import { SelectField } from '@aws-amplify/ui-react'
import { formatCount } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Icon } from '@shared/ui/icon.tsx'
import type { Filter, Urgency } from './filter.ts'

interface Props {
  readonly filter: Filter
  readonly onChange: (filter: Filter) => void
  /** Empty: there is nothing to choose from. */
  readonly addresses: readonly string[]
  /** How many meters are urgent. */
  readonly urgent: Readonly<Record<Urgency, number>>
}

const URGENCIES: readonly Urgency[] = ['overdue', 'soon']

/** The warnings about deadlines (L2, D-PORTAL-9), each of which leads to the meters that it counts, and the choice of an address. */
export function JobFilter({ filter, onChange, addresses, urgent }: Props) {
  const { t } = useTranslation('jobs')
  const urgencies = URGENCIES.filter((urgency) => urgent[urgency] > 0)
  return (
    <>
      {addresses.length > 0 && (
        <SelectField
          className="jobs__address"
          label={t('filter.address')}
          labelHidden
          value={filter.address}
          onChange={(event) => onChange({ ...filter, address: event.target.value })}
        >
          <option value="">{t('filter.allAddresses')}</option>
          {addresses.map((address) => (
            <option key={address}>{address}</option>
          ))}
        </SelectField>
      )}
      {urgencies.length > 0 && (
        <div role="group" aria-label={t('filter.label')} className="jobs__urgent">
          {urgencies.map((urgency) => {
            const isPressed = filter.urgency === urgency
            return (
              <button
                key={urgency}
                type="button"
                className={`urgent urgent--${urgency}`}
                aria-pressed={isPressed}
                onClick={() => onChange({ ...filter, urgency: isPressed ? undefined : urgency })}
              >
                <Icon name={isPressed ? 'check' : 'warning'} size={1.125} />
                {t(`filter.${urgency}`, { count: urgent[urgency], meters: formatCount(urgent[urgency]) })}
              </button>
            )
          })}
        </div>
      )}
    </>
  )
}
