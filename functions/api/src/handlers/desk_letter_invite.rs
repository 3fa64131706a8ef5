use desk::invitations;
use domain::ids::TenantId;
use edge::{Answer, Problem};
use store::RunTask;

use crate::call::Call;
use crate::error::Result;
use crate::runs::{known_season, start};
use crate::view::desk::{DeskInvitationsRequest, DeskRun};

/// Invitations by mail to customers with open jobs
///
/// Whoever was not invited to theirs yet gets a mail with a link, at the tenant's pace; with `trial` nobody does, and who would is listed.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/letters/invitations",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskInvitationsRequest,
    responses((status = 202, description = "It goes on", body = DeskRun)),
)]
pub(crate) async fn desk_letter_invite(call: Call) -> Result<Answer> {
    let DeskInvitationsRequest { trial, season, lang } = call.request.json()?;
    if invitations::in_the_way(&call.tenant.application).is_some() {
        return Err(Problem::invalid_field("trial", "cannot be done: the tenant sends no invitations").into());
    }
    known_season(&call, season.as_ref()).await?;
    match trial {
        true => start(&call, RunTask::DueInvitations { season, lang }, None, ("desk invitations listed", None)).await,
        false => start(&call, RunTask::Invitations { season }, None, ("desk invitations", None)).await,
    }
}
