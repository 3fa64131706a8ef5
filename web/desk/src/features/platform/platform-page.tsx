import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Heads } from '@/components/heads.tsx'
import { Page } from '@/components/page.tsx'
import { Pending } from '@/components/pending.tsx'
import { paths } from '@/data/paths.ts'
import { useTenants } from '@/data/platform.ts'
import { TenantDialog } from './tenant-dialog.tsx'

/** Every utility, for the platform's staff. */
export function PlatformPage() {
  const { t } = useTranslation('platform')
  const { tenants, error, reload } = useTenants()
  const [, navigate] = useLocation()
  const [isCreating, setCreating] = useState(false)
  return (
    <Page
      title={t('title')}
      tools={
        <Button variation="primary" onClick={() => setCreating(true)}>
          {t('create')}
        </Button>
      }
    >
      {!tenants && <Pending error={error} retry={() => void reload()} />}
      {tenants && (
        <>
          <p>{t('count', { count: tenants.length })}</p>
          <table className="stacks">
            <Heads names={[t('name'), t('id'), t('portal'), t('access')]} />
            <tbody>
              {tenants.map(({ tenant, name, portalUrl, hasAccess }) => (
                <tr key={tenant}>
                  <td data-name={t('name')}>
                    <Link href={paths.platformTenant(tenant)}>{name}</Link>
                  </td>
                  <td data-name={t('id')}>{tenant}</td>
                  <td data-name={t('portal')}>{portalUrl}</td>
                  <td data-name={t('access')}>{t(hasAccess ? 'hasAccess' : 'noAccess')}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </>
      )}
      {isCreating && (
        <TenantDialog
          onClose={() => setCreating(false)}
          onDone={(tenant) => {
            void reload()
            navigate(paths.platformTenant(tenant))
          }}
        />
      )}
    </Page>
  )
}
