import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { ScreenMessage } from '@/ui/screen-message.tsx'
import { PageTitle } from './page-title.tsx'
import { paths } from './paths.ts'

/** The reading without a login, as long as it cannot be had (P8). */
export function PublicReading() {
  const { t } = useTranslation()
  return (
    <>
      <PageTitle>{t('publicReading.title')}</PageTitle>
      <ScreenMessage
        icon="clock"
        title={t('publicReading.unavailable')}
        action={
          <Link href={paths.home()} className="button-link">
            {t('publicReading.home')}
          </Link>
        }
      >
        <p>{t('publicReading.text')}</p>
      </ScreenMessage>
    </>
  )
}
