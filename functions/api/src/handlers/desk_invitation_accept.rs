use domain::ids::{MemberId, TenantId};
use domain::staff::ProviderId;
use edge::{Answer, Code};
use http::StatusCode;
use jiff::Timestamp;
use store::{Accepted, Audit, Store};

use crate::call::Visit;
use crate::error::Result;

/// The acceptance of an invitation
///
/// Binds the membership to the person who is logged in, by the provider that the tenant's members log in by. It is good once, and not for a member of the
/// tenant, whose roles another member changes.
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
        Accepted::Done => Ok(Answer::empty(StatusCode::NO_CONTENT)),
        Accepted::Already => Err(Code::OwnMembership.into()),
        // The answer to the same request may have got lost.
        Accepted::Gone if is_member(store, &tenant, member, visit.now).await? => Ok(Answer::empty(StatusCode::NO_CONTENT)),
        Accepted::Gone | Accepted::NotTheirs => Err(Code::NotFound.into()),
    }
}

/// Whether the member belongs to the tenant, and not for a time only.
async fn is_member(store: &Store, tenant: &TenantId, member: &MemberId, now: Timestamp) -> Result<bool> {
    let tenants = store.tenants_of_member(member, now).await?;
    Ok(tenants.iter().any(|of| of.tenant == *tenant && of.until.is_none()))
}
