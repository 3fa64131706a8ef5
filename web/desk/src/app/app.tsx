import type { ReactNode } from 'react'
import { SWRConfig } from 'swr'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { AREAS, decoded, paths } from '@/data/paths.ts'
import { InvitationPage } from '@/features/login/invitation-page.tsx'
import { LoginDone, LoginPage } from '@/features/login/login-page.tsx'
import { SessionsPage } from '@/features/login/sessions-page.tsx'
import { useMe, useSession } from '@/session/session.ts'
import { NoTenant } from './no-tenant.tsx'
import { NotFound } from './not-found.tsx'
import { INVITATION, PLATFORM_TENANT, Platform, PlatformTenant, screens, TENANT } from './screens.ts'
import { Shell } from './shell.tsx'

/** The desk: the login, or the areas of a tenant. */
export function App() {
  const session = useSession()
  const [path] = useLocation()
  if (path === paths.loginDone()) return <LoginDone />
  if (session.kind === 'out' || path === '/login')
    return <LoginPage error={session.kind === 'out' ? session.error : undefined} />
  return (
    // What is shown stays until the new is there; a clerk's list does not change under their hands because the window got the focus.
    <SWRConfig value={{ revalidateOnFocus: false, keepPreviousData: false, shouldRetryOnError: false }}>
      <Switch>
        <Route path="/">
          <ToTenant />
        </Route>
        <Route<{ tenant: string }> path={TENANT}>
          {({ tenant }) => <Tenant key={tenant} tenant={decoded(tenant)} />}
        </Route>
        <Route path={paths.sessions()}>
          <Shell>
            <SessionsPage />
          </Shell>
        </Route>
        <Route path={paths.platform()}>
          <OfPlatform>
            <Platform />
          </OfPlatform>
        </Route>
        <Route<{ tenant: string }> path={PLATFORM_TENANT}>
          {({ tenant }) => (
            <OfPlatform>
              <PlatformTenant tenant={decoded(tenant)} />
            </OfPlatform>
          )}
        </Route>
        <Route<{ tenant: string; token: string }> path={INVITATION}>
          {({ tenant, token }) => (
            <Shell>
              <InvitationPage tenant={decoded(tenant)} token={decoded(token)} />
            </Shell>
          )}
        </Route>
        <Route>
          <Shell>
            <NotFound />
          </Shell>
        </Route>
      </Switch>
    </SWRConfig>
  )
}

/** What only those see who run the product. */
function OfPlatform({ children }: { children: ReactNode }) {
  const { isPlatform } = useMe()
  return <Shell>{isPlatform ? children : <NotFound />}</Shell>
}

/** The start: the first area of the first tenant, or all tenants. */
function ToTenant() {
  const {
    memberships: [first],
    isPlatform,
  } = useMe()
  if (isPlatform) return <Redirect to={paths.platform()} replace />
  if (first) return <Redirect to={paths.area(first.tenant, AREAS[0])} replace />
  return (
    <Shell>
      <NoTenant />
    </Shell>
  )
}

function Tenant({ tenant }: { tenant: string }) {
  const { memberships } = useMe()
  const isMember = memberships.some((one) => one.tenant === tenant)
  return (
    <Shell tenant={isMember ? tenant : undefined}>
      {isMember ? (
        <Switch>
          <Route path="/t/:tenant">
            <Redirect to={paths.area(tenant, AREAS[0])} replace />
          </Route>
          {screens.map(({ path, Screen }) => (
            <Route<{ id?: string }> key={path} path={path}>
              {({ id = '' }) => <Screen tenant={tenant} id={decoded(id)} />}
            </Route>
          ))}
          <Route>
            <NotFound />
          </Route>
        </Switch>
      ) : (
        <NotFound />
      )}
    </Shell>
  )
}
