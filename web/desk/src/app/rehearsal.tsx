import { Link } from 'wouter'
import { useTranslation } from '@shared/i18n/react.tsx'
import { paths } from '@/data/paths.ts'
import { mayAt, useMe, useRehearsal } from '@/session/session.ts'

/** That the tenant is in rehearsal, for as long as it is, and where a lead ends that. */
export function Rehearsal({ tenant }: { tenant: string }) {
  const { t } = useTranslation('desk')
  const me = useMe()
  if (!useRehearsal(tenant)) return null
  return (
    <aside className="rehearsal" aria-label={t('rehearsal.name')}>
      <strong>{t('rehearsal.name')}</strong> <span>{t('rehearsal.text')}</span>{' '}
      {mayAt(me, tenant, 'lead') && <Link href={paths.settings(tenant, 'portal')}>{t('rehearsal.missing')}</Link>}
    </aside>
  )
}
