import { useTranslation } from '@shared/i18n/react.tsx'
import { Devices } from '@/features/devices/devices.tsx'
import { PageTitle } from './page-title.tsx'

/** Where one is logged in. */
export function DevicesPage() {
  const { t } = useTranslation('devices')
  return (
    <>
      <PageTitle>{t('title')}</PageTitle>
      <Devices />
    </>
  )
}
