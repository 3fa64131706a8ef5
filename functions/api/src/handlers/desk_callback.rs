use domain::device::DeviceKind;
use domain::staff::ProviderId;
use edge::{Answer, Code, Problem};
use http::header;
use identity::{IdentityError, Person};
use store::{Identity, NewMember};

use crate::call::Visit;
use crate::error::Result;
use crate::login_state::{self, LoginState};
use crate::staff::{self, SESSION_COOKIE, Way};

/// Where the identity provider sends a browser back to
///
/// Opens a session for the person that the provider knows. Reached again, it leads to the start page of the member who is logged in.
#[utoipa::path(
    get,
    path = "/desk/callback/{provider}",
    tag = "desk",
    params(
        ("provider" = String, Path, description = "Which identity provider"),
        ("code" = Option<String>, Query, description = "What the provider gives the person for"),
        ("state" = Option<String>, Query, description = "Which login it is"),
        ("iss" = Option<String>, Query, description = "The provider's issuer, if it says so"),
        ("error" = Option<String>, Query, description = "Why there is no code"),
    ),
    responses((status = 303, description = "The page that somebody wanted to see, or with a reason that of the login")),
)]
pub(crate) async fn desk_callback(visit: Visit) -> Result<Answer> {
    let (platform, origin) = (Way::of_platform(&visit)?, visit.desk_origin()?);
    let place: String = visit.path("provider")?;
    let way = match ProviderId::tenant_of_place(&place) {
        Some(tenant) => Way::of_tenant(&visit, &tenant).await?,
        None => Some(platform).filter(|platform| place == platform.id.place()),
    };
    let way = way.ok_or(Code::NotFound)?;
    let query = |name: &str| visit.request.query(name).map(|value| value.into_owned());
    let state = query("state").unwrap_or_default();
    let Some(login) = LoginState::of(&visit.request, &visit.identity()?.sealer()?, &way.id, &state, visit.now) else {
        return again(&visit, origin, &way.id).await;
    };
    let refused = |reason: &str, event: &'static str, cause: String| -> Result<Answer> {
        let answer = login_state::to(origin, &staff::refused(&way.id, reason))?.with_cause(cause);
        Ok(answer.with_cookie(&login_state::forgotten(&login_state::cookie_name(&state)))?.with_event(visit.staff_event(event, None)?))
    };
    if query("iss").is_some_and(|issuer| way.provider.as_ref().is_ok_and(|provider| issuer != provider.issuer())) {
        return refused("refused", "desk-login-refused", "another issuer answers".to_owned());
    }
    let Some(code) = query("code").filter(|_| query("error").is_none()) else {
        return refused("denied", "desk-login-denied", "the provider gave no code".to_owned());
    };
    let person = match way.finish(origin, &code, &login, visit.now).await {
        Ok(person) => person,
        Err(error @ IdentityError::Settings(_)) => return Err(Problem::internal(error).into()),
        Err(error @ IdentityError::Unavailable(_)) => return refused("unavailable", "desk-login-failed", error.to_string()),
        Err(error @ IdentityError::Refused(_)) => return refused("refused", "desk-login-refused", error.to_string()),
    };
    let Person { subject, name, email } = person;
    let person = NewMember {
        identity: Identity { provider: way.id, subject },
        name: name.unwrap_or_default(),
        email: email.and_then(|email| email.parse().ok()),
        random: store::random()?,
    };
    let store = visit.store()?;
    // D-DESK-6: a member who was not invited yet has no tenant.
    let member = store.member_for(&person).await?;
    let device = DeviceKind::of_user_agent(visit.request.header(header::USER_AGENT).unwrap_or_default());
    let session = store.open_staff_session(&member, device, store::random()?, visit.now).await?;
    let session = session.ok_or_else(|| Problem::internal("the member is gone"))?;
    let by = [person.name.as_str(), person.email.as_ref().map_or("", |email| email.as_str()), member.as_str()];
    let by = by.into_iter().find(|by| !by.is_empty()).unwrap_or_default();
    visit.audit_member(&member, by, "desk login").await?;
    Ok(login_state::to(origin, &login.back)?
        .with_cookie(&staff::session_cookie(session.as_str()))?
        .with_cookie(&login_state::forgotten(&login_state::cookie_name(&state)))?
        .with_cookie(&staff::no_again_cookie())?
        .with_event(visit.staff_event("desk-login", Some(&member))?))
}

/// The answer to a browser that comes back without a login that it began: by the back key, by a reload, or by a link that another person made.
async fn again(visit: &Visit, origin: &str, id: &ProviderId) -> Result<Answer> {
    let is_logged_in = match visit.request.cookie(SESSION_COOKIE) {
        Some(cookie) => visit.store()?.staff_login(cookie, None, visit.now).await?.is_some(),
        None => false,
    };
    if is_logged_in {
        return Ok(login_state::to(origin, "/")?);
    }
    Ok(login_state::to(origin, &staff::refused(id, "again"))?.with_event(visit.staff_event("desk-login-unknown", None)?))
}
