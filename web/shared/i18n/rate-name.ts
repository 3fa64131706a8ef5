import type { TFunction } from 'i18next'

/** The two names that every tenant uses are read in the reader's language (L3); any other is the tenant's own. */
export function translatedRateName(rateName: string | null | undefined, t: TFunction): string | null | undefined {
  if (rateName === 'Verbrauch') return t('rateName.consumption')
  return rateName === 'Einspeisung' ? t('rateName.feedIn') : rateName
}
