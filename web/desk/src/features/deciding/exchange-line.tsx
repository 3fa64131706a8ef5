import { formatDate, formatValue } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import type { Made } from '@/data/types.ts'

/** What a member says of an exchange, as it can be named once more. */
export function ExchangeLine({ exchange }: { exchange: NonNullable<Made['exchange']> }) {
  const { t } = useTranslation('deciding')
  const { day, finalValue, initialValue, newNumber, oldNumber } = exchange
  return (
    <>
      {t('namedExchange', {
        day: formatDate(day),
        last: formatValue(finalValue),
        first: formatValue(initialValue),
        number: newNumber ?? t('numberUnknown'),
      })}{' '}
      {oldNumber && t('namedOld', { number: oldNumber })}
    </>
  )
}
