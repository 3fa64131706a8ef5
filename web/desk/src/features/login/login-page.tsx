import { useEffect } from 'react'
import { ApiError } from '@shared/api/client.ts'
import { useTranslation } from '@shared/i18n/react.tsx'
import { Message } from '@shared/ui/message.tsx'
import { AREAS, loginAddress, paths, tenantOf } from '@/data/paths.ts'
import { useDeskProblemText } from '@/session/problem-text.ts'
import { tellOthers } from '@/session/session.ts'

/** Why one is here, as the address says it. */
const REASONS = ['logout', 'here', 'again', 'denied', 'refused', 'unavailable'] as const

/** The way in: the login itself is the identity provider's. */
export function LoginPage({ error }: { error: ApiError | undefined }) {
  const { t } = useTranslation('desk')
  const problemText = useDeskProblemText()
  const given = new URLSearchParams(location.search)
  const reason = REASONS.find((known) => known === given.get('reason'))
  const isOut = reason === 'logout' || reason === 'here'
  const isLogin = location.pathname === '/login'
  const isInvited = location.pathname.startsWith('/invitation/')
  const tenant = isLogin ? given.get('tenant') : tenantOf(location.pathname)
  const returnTo = isLogin ? (tenant ? paths.area(tenant, AREAS[0]) : '/') : `${location.pathname}${location.search}`
  useEffect(() => {
    document.title = t('pageTitle', { page: t('login.title') })
  }, [t])
  return (
    <main className="entrance">
      <p className="brand">
        <img src="/icon.svg" alt="" width="40" height="40" />
        {t('title')}
      </p>
      <h1>{t('login.title')}</h1>
      <p>{t('login.text')}</p>
      {isInvited && <Message type="info">{t('login.invited')}</Message>}
      {reason && <Message type={reason === 'logout' ? 'success' : 'warning'}>{t(`login.${reason}`)}</Message>}
      {error && (
        <Message type="error" role="alert">
          {problemText(error)}
        </Message>
      )}
      <a className="button-link" href={loginAddress(returnTo, tenant)}>
        {t(reason && !isOut ? 'login.retry' : 'login.button')}
      </a>
    </main>
  )
}

/** The end of a login in a second window. */
export function LoginDone() {
  const { t } = useTranslation('desk')
  useEffect(() => {
    document.title = t('pageTitle', { page: t('session.doneTitle') })
    tellOthers()
    window.close()
  }, [t])
  return (
    <main className="entrance">
      <h1>{t('session.doneTitle')}</h1>
      <p>{t('session.doneText')}</p>
      <a href={paths.start()}>{t('notFound.back')}</a>
    </main>
  )
}
