use desk::{at_once, patiently};
use domain::ids::TenantId;
use edge::{Answer, Code, FieldError, Problem};
use http::StatusCode;
use jiff::ToSpan as _;
use jiff::civil::Date;

use crate::call::Call;
use crate::error::Result;
use crate::query::{day, word};
use crate::view::desk::{DeskMailKind, DeskMails};

/// The mails of a kind that were sent
///
/// Of the last 35 days, for which a mail's fate is kept; the latest first.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/mails",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("kind" = DeskMailKind, Query, description = "What they are about"),
        ("day" = Option<String>, Query, description = "Sent on this day", format = Date),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
    ),
    responses((status = 200, description = "One page", body = DeskMails)),
)]
pub(crate) async fn desk_mail_list(call: Call) -> Result<Answer> {
    let Some(kind) = word::<DeskMailKind>(&call, "kind")? else {
        let error = FieldError::new("kind", "is needed");
        return Err(Problem::new(Code::MalformedRequest).with_fields(vec![error]).into());
    };
    let (zone, last) = (call.time_zone()?, call.today()?);
    let begin = |day: Date| day.to_zoned(zone.clone()).map(|begin| begin.timestamp()).map_err(Problem::internal);
    let day = day(&call, "day")?;
    // Those from before what is kept are left out by the store.
    let span = (begin(day.unwrap_or(last.saturating_sub(36.days())))?, begin(day.unwrap_or(last).saturating_add(1.day()))?);
    let cursor = call.request.query("cursor");
    let (store, tenant) = (call.store()?, call.tenant_id());
    let page = at_once(patiently(|| store.mails_of_kind(tenant, kind.into(), span, cursor.as_deref(), call.now))).await?;
    call.keep_audit_of_minute("desk mails").await?;
    Ok(Answer::json(StatusCode::OK, &DeskMails::new(kind, page))?)
}
