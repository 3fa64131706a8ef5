import { useTranslation } from '@shared/i18n/react.tsx'
import type { StaffLanguage } from '@/data/types.ts'

/** In which language lists for the reader are written. */
export function useStaffLanguage(): StaffLanguage {
  const { language } = useTranslation('desk')
  return language.startsWith('de') ? 'de' : 'en'
}
