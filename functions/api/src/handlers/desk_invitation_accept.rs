use domain::ids::TenantId;
use domain::staff::ProviderId;
use edge::{Answer, Code};
use http::StatusCode;
use store::Audit;

use crate::call::Visit;
use crate::error::Result;

/// The acceptance of an invitation
///
/// Binds the membership to whoever is logged in, by the provider that the tenant's members log in by. It is good once.
#[utoipa::path(
    post,
    path = "/api/desk/invitations/{application}/{token}",
    tag = "desk",
    params(
        ("application" = String, Path, description = "Which tenant invites"),
        ("token" = String, Path, description = "From the invitation's mail"),
    ),
    responses((status = 204, description = "The member belongs to the tenant")),
)]
pub(crate) async fn desk_invitation_accept(visit: Visit) -> Result<Answer> {
    let (tenant, token): (TenantId, String) = (visit.path("application")?, visit.path("token")?);
    let (store, member, network) = (visit.store()?, &visit.member()?.id, visit.network()?);
    let provider = match store.tenant(&tenant).await? {
        Some(tenant) => ProviderId::of(&tenant.application),
        None => ProviderId::platform(),
    };
    if visit.member()?.provider != provider {
        return Err(Code::NotFound.into());
    }
    let by = visit.by()?;
    let audit = Audit { by, command: "desk invitation accepted", member: Some(member), network: network.as_deref(), ..Audit::default() };
    match store.accept_staff_invitation(&tenant, &token, member, audit, visit.now).await? {
        true => Ok(Answer::empty(StatusCode::NO_CONTENT)),
        false => Err(Code::NotFound.into()),
    }
}
