use desk::reminders;
use domain::ids::TenantId;
use edge::{Answer, Problem};
use store::RunTask;

use crate::call::Call;
use crate::error::Result;
use crate::runs::{known_filter, start};
use crate::view::desk::{DeskReminderRequest, DeskRun};

/// Reminders now
///
/// A customer who is due by the tenant's settings gets one, at the tenant's pace; with `trial` no mail is sent, and who would get one is listed.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/reminders",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskReminderRequest,
    responses((status = 202, description = "It goes on", body = DeskRun)),
)]
pub(crate) async fn desk_reminder_create(call: Call) -> Result<Answer> {
    let DeskReminderRequest { trial, filter, lang } = call.request.json()?;
    if reminders::in_the_way(&call.tenant.application).is_some() {
        return Err(Problem::invalid_field("trial", "cannot be done: the tenant sends no reminders").into());
    }
    known_filter(&call, filter.as_ref(), None).await?;
    if trial {
        return start(&call, RunTask::DueReminders { filter, lang }, None, ("desk reminders listed", None)).await;
    }
    start(&call, RunTask::Reminders { filter }, None, ("desk reminders", None)).await
}
