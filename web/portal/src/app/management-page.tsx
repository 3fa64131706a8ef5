import { Redirect } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { useSessions } from '@/auth/sessions.ts'
import { ExportButton } from '@/features/export/export-button.tsx'
import { Management } from '@/features/sharing/management.tsx'
import { PageTitle } from './page-title.tsx'
import { paths } from './paths.ts'

interface Props {
  accountId?: string | undefined
  shareId?: string | undefined
}

/** The accounts and their shares. Who has a single account is sent straight to it (L2). */
export function ManagementPage({ accountId, shareId }: Props) {
  const { t } = useTranslation('sharing')
  const sessions = useSessions()
  const [only] = sessions
  if (!accountId && only && sessions.length === 1) return <Redirect to={paths.managedAccount(only.accountId)} replace />
  return (
    <>
      <PageTitle>{t('title')}</PageTitle>
      <Management accountId={accountId} shareId={shareId} path={paths.managedAccount} Export={ExportButton} />
    </>
  )
}
