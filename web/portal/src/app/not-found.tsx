import { Link } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { ScreenMessage } from '@shared/ui/screen-message.tsx'
import { PageTitle } from './page-title.tsx'
import { paths } from './paths.ts'

/** An address that leads nowhere. */
export function NotFound() {
  const { t } = useTranslation()
  return (
    <>
      <PageTitle>{t('notFound.title')}</PageTitle>
      <ScreenMessage
        icon="search"
        title={t('notFound.title')}
        action={
          <Link href={paths.home()} className="button-link">
            {t('notFound.back')}
          </Link>
        }
      >
        <p>{t('notFound.text')}</p>
      </ScreenMessage>
    </>
  )
}
