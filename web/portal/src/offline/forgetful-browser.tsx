import { useTranslation } from '@shared/i18n/react.tsx'
import { keepsNothing } from '@/device/db.ts'
import { isForgetful } from '@/device/persistence.ts'

/** In a browser that deletes what was not opened for a week: to come back in time; in one that keeps nothing: to stay. */
export function ForgetfulBrowser() {
  const { t } = useTranslation('offline')
  if (keepsNothing()) return <p>{t('unkept.text')}</p>
  return isForgetful() ? <p>{t('forgetful')}</p> : null
}
