use desk::at_once;
use desk::audit::{self, AuditFilter};
use domain::ids::{AccountId, MemberId, TenantId};
use edge::{Answer, Problem};
use http::{StatusCode, header};
use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::Deserialize;

use crate::call::Call;
use crate::error::Result;
use crate::query::{value, word};
use crate::view::desk::DeskAudit;

/// Most characters of an action.
const MOST_CHARACTERS: usize = 50;

/// As what the list comes.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Csv,
}

/// Who looked at and changed what
///
/// Of the days that are named; as CSV all of it, at most 20,000 lines. Looking at it is in the trail, too.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/audit",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("from" = Option<String>, Query, description = "The first day; absent: today", format = Date),
        ("to" = Option<String>, Query, description = "The last day; absent: the first", format = Date),
        ("account" = Option<AccountId>, Query, description = "About this account"),
        ("member" = Option<MemberId>, Query, description = "By this member"),
        ("action" = Option<String>, Query, description = "What was done, such as `desk customer`"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
        ("format" = Option<String>, Query, description = "`csv`: a file"),
    ),
    responses(
        (status = 200, description = "One page, or the file", content((DeskAudit = "application/json"), (String = "text/csv"))),
    ),
)]
pub(crate) async fn desk_audit_list(call: Call) -> Result<Answer> {
    let zone = call.time_zone()?;
    let first: Date = value(&call, "from")?.unwrap_or(call.today()?);
    let last: Date = value(&call, "to")?.unwrap_or(first);
    let begin = |day: Date| day.to_zoned(zone.clone()).map(|begin| begin.timestamp()).map_err(Problem::internal);
    let filter = AuditFilter {
        since: begin(first)?,
        until: begin(last.saturating_add(1.day()))?,
        account: word::<AccountId>(&call, "account")?,
        member: word::<MemberId>(&call, "member")?,
        action: call.request.query("action").map(|action| action.chars().take(MOST_CHARACTERS).collect()),
    };
    let (store, tenant) = (call.store()?, call.tenant_id());
    let answer = match word::<Format>(&call, "format")? {
        None => {
            let cursor = call.request.query("cursor");
            let page = at_once(audit::page(store, tenant, &filter, cursor.as_deref())).await?;
            Answer::json(StatusCode::OK, &DeskAudit::from(page))?
        }
        Some(Format::Csv) => {
            let file = at_once(audit::csv(store, tenant, &filter, &zone)).await?;
            let answer = Answer::bytes("text/csv; charset=utf-8", file);
            answer.with_header(header::CONTENT_DISPOSITION, "attachment; filename=\"nachweise.csv\"")
        }
    };
    call.keep_audit("desk audit", filter.account.as_ref(), None).await?;
    Ok(answer)
}
