import { Link } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { stopReminders } from '@/data/communication.ts'
import { LinkPage } from './link-page.tsx'

interface Props {
  selfServiceToken: string
  /** The page for everything else that is sent. */
  registrationPath: string
}

/** Where a reminder's link leads. */
export function UnsubscribePage({ selfServiceToken, registrationPath }: Props) {
  const { t } = useTranslation('registration')
  return (
    <LinkPage
      page="unsubscribe"
      act={() => stopReminders(selfServiceToken)}
      goneIcon="search"
      onward={<Link href={registrationPath}>{t('link.unsubscribe.manage')}</Link>}
    />
  )
}
