import type { Translate } from './i18n.ts'

/** The two names that every tenant uses are read in the reader's language (L3); any other is the tenant's own. */
export function translatedRateName(rateName: string | null | undefined, t: Translate): string | null | undefined {
  if (rateName === 'Verbrauch') return t('rateName.consumption')
  return rateName === 'Einspeisung' ? t('rateName.feedIn') : rateName
}
