use desk::invitations;
use domain::ids::TenantId;
use edge::{Answer, Problem};
use store::RunTask;

use crate::call::Call;
use crate::error::Result;
use crate::runs::{known_filter, start};
use crate::view::desk::{DeskInvitationsRequest, DeskRun};

/// Invitations by mail to customers with open jobs
///
/// A customer who was not invited to theirs yet gets a mail with a link, at the tenant's pace; with `trial` no mail is sent, and who would get one is listed.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/letters/invitations",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskInvitationsRequest,
    responses((status = 202, description = "It goes on", body = DeskRun)),
)]
pub(crate) async fn desk_letter_invite(call: Call) -> Result<Answer> {
    let DeskInvitationsRequest { trial, season, filter, lang } = call.request.json()?;
    if invitations::in_the_way(&call.tenant.application).is_some() {
        return Err(Problem::invalid_field("trial", "cannot be done: the tenant sends no invitations").into());
    }
    known_filter(&call, filter.as_ref(), season.as_ref()).await?;
    let season = filter.as_ref().map_or(season, |filter| filter.season.clone());
    match trial {
        true => start(&call, RunTask::DueInvitations { season, filter, lang }, None, ("desk invitations listed", None)).await,
        false => start(&call, RunTask::Invitations { season, filter }, None, ("desk invitations", None)).await,
    }
}
