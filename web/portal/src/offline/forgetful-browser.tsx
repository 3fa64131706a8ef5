import { useTranslation } from '@shared/i18n/react.tsx'
import { isForgetful } from '@/device/persistence.ts'

/** In a browser that deletes what was not opened for a week: to come back in time. */
export function ForgetfulBrowser() {
  const { t } = useTranslation('offline')
  return isForgetful() ? <p>{t('forgetful')}</p> : null
}
