import { Button } from '@aws-amplify/ui-react'
import { useState } from 'react'
import useSWR from 'swr'
import { formatInstant } from '@shared/i18n/format.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { Page } from '@/components/page.tsx'
import { useByName } from '@/components/use-by-name.ts'
import { acceptInvitation, fetchInvitation } from '@/data/invitation.ts'
import { AREAS, loginAddress, paths } from '@/data/paths.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { logOut } from '@/session/session.ts'

/** Who invites to what, and as whom one would accept; looking at it accepts nothing. */
export function InvitationPage({ tenant, token }: { tenant: string; token: string }) {
  const { t } = useTranslation('desk')
  const { nameOf } = useByName()
  const problemText = useDeskProblemText()
  const { data, error } = useSWR(['invitation', tenant, token], async () => fetchInvitation(tenant, token), {
    revalidateOnReconnect: false,
  })
  const [failure, setFailure] = useState<unknown>()
  const shown: unknown = failure ?? error
  const accept = async () => {
    await acceptInvitation(tenant, token)
    // The membership is new: everything that hangs on it is asked for anew.
    location.assign(data?.name === undefined ? paths.platform() : paths.area(tenant, AREAS[0]))
  }
  return (
    <Page title={t('invitation.title')}>
      {shown !== undefined && (
        <Message type="error" role="alert">
          {problemText(shown)}
        </Message>
      )}
      {data && (
        <section className="card">
          <p>
            {data.name === undefined
              ? t('invitation.platform', {
                  by: nameOf(data.invitedBy, t('invitation.operator')),
                  until: formatInstant(data.expiresAt),
                })
              : t('invitation.text', {
                  by: nameOf(data.invitedBy, t('invitation.operator')),
                  tenant: data.name,
                  until: formatInstant(data.expiresAt),
                })}
          </p>
          <ul>
            {data.roles.map((role) => (
              <li key={role}>{t(`role.${role}`)}</li>
            ))}
          </ul>
          <p>{t(data.needsOtherLogin ? 'invitation.elsewhere' : 'invitation.as', { name: data.acceptedBy })}</p>
          <div className="row-of">
            {data.needsOtherLogin ? (
              <a className="button-link" href={loginAddress(location.pathname, tenant)}>
                {t('invitation.otherLogin')}
              </a>
            ) : (
              <Button variation="primary" onClick={() => void accept().catch(setFailure)}>
                {t('invitation.accept')}
              </Button>
            )}
            <Button onClick={() => void logOut().catch(setFailure)}>{t('invitation.notMe')}</Button>
          </div>
        </section>
      )}
    </Page>
  )
}
