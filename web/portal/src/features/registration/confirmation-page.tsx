import { Link } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { confirmRegistration } from '@/data/communication.ts'
import { LinkPage } from './link-page.tsx'

/** Where the link of a confirmation mail leads. */
export function ConfirmationPage({ token }: { token: string }) {
  const { t } = useTranslation()
  return (
    <LinkPage
      page="confirmation"
      act={() => confirmRegistration(token)}
      goneIcon="clock"
      instead={
        <Link href="/" className="button-link">
          {t('notFound.back')}
        </Link>
      }
    />
  )
}
