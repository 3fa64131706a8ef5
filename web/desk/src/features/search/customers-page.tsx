import { useTranslation } from '@shared/i18n/react.tsx'
import { Page } from '@/components/page.tsx'
import { Search } from './search.tsx'

/** The start: whom the call is about. */
export function CustomersPage({ tenant }: { tenant: string }) {
  const { t } = useTranslation('search')
  return (
    <Page title={t('title')}>
      <Search tenant={tenant} />
    </Page>
  )
}
