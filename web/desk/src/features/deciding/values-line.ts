import { formatValue } from '@shared/i18n/format.ts'
import type { ReadingWithoutJob } from '@/data/types.ts'

/** All counters of a reading in one line, with the names of their rates where there are several. */
export const valuesLine = ({ values }: ReadingWithoutJob): string =>
  values
    .map(({ value, rateName, obis }) => [values.length > 1 && (rateName ?? obis), formatValue(value)])
    .map((parts) => parts.filter(Boolean).join(' '))
    .join(', ')
