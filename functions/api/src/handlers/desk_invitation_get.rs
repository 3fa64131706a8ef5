use domain::ids::TenantId;
use domain::staff::ProviderId;
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Visit;
use crate::error::Result;
use crate::view::DeskInvitation;

/// An invitation
///
/// Looking at it uses nothing up: mail scanners open links, too.
#[utoipa::path(
    get,
    path = "/api/desk/invitations/{application}/{token}",
    tag = "desk",
    params(
        ("application" = String, Path, description = "Which tenant invites"),
        ("token" = String, Path, description = "From the invitation's mail"),
    ),
    responses((status = 200, description = "The invitation", body = DeskInvitation)),
)]
pub(crate) async fn desk_invitation_get(visit: Visit) -> Result<Answer> {
    let (id, token): (TenantId, String) = (visit.path("application")?, visit.path("token")?);
    let store = visit.store()?;
    let invitation = store.staff_invitation(&id, &token, visit.now).await?.ok_or(Code::NotFound)?;
    let (name, provider) = match store.tenant(&id).await? {
        Some(tenant) => (Some(tenant.application.name.clone()), ProviderId::of(&tenant.application)),
        None if id == TenantId::platform() => (None, ProviderId::platform()),
        None => return Err(Code::NotFound.into()),
    };
    let (by, needs_other_login) = (visit.by()?.to_owned(), visit.member()?.provider != provider);
    Ok(Answer::json(StatusCode::OK, &DeskInvitation { needs_other_login, ..DeskInvitation::new(id, name, invitation, by) })?)
}
