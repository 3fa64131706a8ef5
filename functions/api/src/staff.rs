//! Who calls at the desk: the session, and what the member may do for the tenant of the path.

use std::sync::Arc;
use std::time::Duration;

use domain::config::Application;
use domain::email::EmailAddress;
use domain::ids::TenantId;
use domain::staff::{ProviderId, Role};
use edge::{Code, Cookie, Request, SameSite};
use grants::Clients;
use http::{Method, header};
use identity::{Begun, IdentityError, Person, Provider};
use jiff::Timestamp;
use store::StaffLogin;

use crate::call::Visit;
use crate::error::Result;
use crate::login_state::LoginState;

/// The cookie of a session at the desk.
pub(crate) const SESSION_COOKIE: &str = "__Host-desk";
/// The cookie by which the page says that a member has left here, and the provider was not told (D-DESK-17).
const AGAIN_COOKIE: &str = "__Host-desk-again";

/// A way to log in: a provider, or why it cannot be used now.
pub(crate) struct Way {
    pub id: ProviderId,
    pub provider: Result<Arc<Provider>, IdentityError>,
}

impl Way {
    /// That of the platform's own provider.
    ///
    /// # Errors
    /// `internal-error` without the grant.
    pub(crate) fn of_platform(visit: &Visit) -> Result<Self> {
        Ok(Self { id: ProviderId::platform(), provider: Ok(visit.identity()?.clone()) })
    }

    /// That of the tenant's own provider; none: the tenant has none, or there is no such tenant.
    ///
    /// # Errors
    /// `internal-error` without the grants.
    pub(crate) async fn of_tenant(visit: &Visit, tenant: &TenantId) -> Result<Option<Self>> {
        let Some(found) = visit.store()?.tenant(tenant).await? else { return Ok(None) };
        let Some(login) = &found.application.desk.login else { return Ok(None) };
        let provider = visit.tenant_providers()?.of(tenant, login).await;
        Ok(Some(Self { id: ProviderId::of(&found.application), provider }))
    }

    /// Begins a login by it, for this browser.
    pub(crate) async fn begin(&self, origin: &str, request: &Request) -> Result<Begun, IdentityError> {
        self.provider.clone()?.begin(&self.callback(origin), request.cookie(AGAIN_COOKIE).is_some()).await
    }

    /// The person who came back from the provider with this code.
    pub(crate) async fn finish(&self, origin: &str, code: &str, login: &LoginState, now: Timestamp) -> Result<Person, IdentityError> {
        self.provider.clone()?.finish(&self.callback(origin), code, &login.nonce, &login.verifier, now).await
    }

    /// The address to which the provider sends browsers back: one for each, so that the answer of one is never taken for another's (RFC 9207, section 4).
    fn callback(&self, origin: &str) -> String {
        format!("{origin}/desk/callback/{}", self.id.place())
    }
}

/// Lets the invited person log in, where members of the tenant do so by the platform's own user pool (D-DESK-18).
pub(crate) async fn admit(visit: &Visit, application: &Application, email: &EmailAddress) -> Result<()> {
    if application.desk.login.is_none() {
        visit.user_pool()?.admit(email).await?;
    }
    Ok(())
}

/// Where a person who is not logged in is told why.
pub(crate) fn refused(id: &ProviderId, reason: &str) -> String {
    match id.tenant() {
        Some(tenant) => format!("/login?reason={reason}&tenant={tenant}"),
        None => format!("/login?reason={reason}"),
    }
}

/// The cookie of a session that was opened just now.
pub(crate) fn session_cookie(value: &str) -> Cookie<'_> {
    Cookie { name: SESSION_COOKIE, value, path: "/", same_site: SameSite::Strict, life: store::STAFF_SESSION_LIFE }
}

/// The cookie that takes the session's away.
pub(crate) fn no_session_cookie() -> Cookie<'static> {
    Cookie { life: Duration::ZERO, ..session_cookie("") }
}

/// What takes the page's word away once a member has logged in.
pub(crate) fn no_again_cookie() -> Cookie<'static> {
    Cookie { name: AGAIN_COOKIE, value: "", path: "/", same_site: SameSite::Lax, life: Duration::ZERO }
}

/// Refuses what the desk's page did not send: no other site can add the header, nor say another origin than its own (D-DESK-3).
pub(crate) fn check_page(request: &Request, origin: &str) -> Result<()> {
    let is_ours = request.header("x-desk") == Some("1");
    let is_from_here = request.header("sec-fetch-site").is_none_or(|site| site == "same-origin");
    let only_reads = matches!(request.method, Method::GET | Method::HEAD);
    let has_origin = only_reads || request.header(header::ORIGIN) == Some(origin);
    if is_ours && is_from_here && has_origin { Ok(()) } else { Err(Code::CrossSite.into()) }
}

/// Who is logged in, and what they may do for this tenant. A call that a person caused renews the session, which polls and pictures do not. A page that shows
/// another member's name does nothing in this member's.
pub(crate) async fn logged_in(request: &Request, clients: &Clients, tenant: Option<&TenantId>, now: Timestamp) -> Result<StaffLogin> {
    check_page(request, clients.desk_origin()?)?;
    let cookie = request.cookie(SESSION_COOKIE).ok_or(Code::SessionMissing)?;
    let store = clients.store()?;
    let login = store.staff_login(cookie, tenant, now).await?.ok_or(Code::SessionEnded)?;
    if request.header("x-desk-member").is_some_and(|shown| shown != login.member.id.as_str()) {
        return Err(Code::SessionEnded.into());
    }
    if request.header("x-desk-active") == Some("1") && !store.renew_staff_session(&login.member.id, &login.session, now).await? {
        return Err(Code::SessionEnded.into());
    }
    Ok(login)
}

/// Whether the member logs in as members of this tenant do (D-DESK-15). Else the tenant is answered like one that does not exist.
pub(crate) fn check_provider(login: &StaffLogin, expected: &ProviderId) -> Result<()> {
    let opens = login.member.provider.opens(expected, login.until.is_some());
    if opens { Ok(()) } else { Err(Code::NotFound.into()) }
}

/// Whether the member may do what needs this role. A tenant that is none of the member's is answered like one that does not exist.
pub(crate) fn check_role(login: &StaffLogin, needed: Role) -> Result<()> {
    match login.may(needed) {
        true => Ok(()),
        false if login.roles.is_empty() => Err(Code::NotFound.into()),
        false => Err(Code::RoleMissing.into()),
    }
}
