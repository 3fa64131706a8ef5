use edge::Answer;
use http::StatusCode;

use crate::call::Visit;
use crate::error::Result;
use crate::staff::{self, Way};
use crate::view::DeskLogout;

/// The end of a session at the desk
///
/// Says where the browser ends that of the identity provider.
#[utoipa::path(
    post,
    path = "/desk/logout",
    tag = "desk",
    responses((status = 200, description = "The session has ended", body = DeskLogout)),
)]
pub(crate) async fn desk_logout(visit: Visit) -> Result<Answer> {
    let login = visit.staff()?;
    visit.audit_member(&login.member.id, visit.by()?, "desk logout").await?;
    visit.store()?.end_staff_session(&login.member.id, &login.session.id).await?;
    logged_out(&visit).await
}

/// The answer to a member who was logged out here.
///
/// # Errors
/// `internal-error` without the grants.
pub(super) async fn logged_out(visit: &Visit) -> Result<Answer> {
    let origin = visit.desk_origin()?;
    let member = visit.member()?;
    let (way, back) = match member.provider.tenant() {
        None => (Some(Way::of_platform(visit)?), format!("{origin}/")),
        Some(tenant) => (Way::of_tenant(visit, &tenant).await?, format!("{origin}/t/{tenant}")),
    };
    let location = match way {
        Some(Way { id, provider }) if id == member.provider => match provider {
            Ok(provider) => provider.logout(&back).await,
            Err(error) => Err(error),
        },
        // The tenant has another provider meanwhile, or none.
        _ => Ok(None),
    };
    let (location, cause) = match location {
        Ok(location) => (location, None),
        // Our own session has ended all the same.
        Err(error) => (None, Some(error.to_string())),
    };
    let answer = Answer::json(StatusCode::OK, &DeskLogout { location })?.with_cookie(&staff::no_session_cookie())?;
    let answer = answer.with_event(visit.staff_event("desk-logout", Some(&member.id))?);
    Ok(match cause {
        Some(cause) => answer.with_cause(cause),
        None => answer,
    })
}
