use desk::{at_once, audit, patiently};
use domain::audit::Action;
use domain::ids::{MemberId, TenantId};
use edge::{Answer, Problem};
use http::{StatusCode, header};
use jiff::ToSpan as _;
use jiff::civil::Date;
use serde::Deserialize;
use store::{AuditFilter, AuditPage};

use crate::call::Call;
use crate::error::Result;
use crate::query::{day, word};
use crate::view::desk::DeskAudit;

/// Most characters of a customer number.
const MOST_CHARACTERS: usize = 64;

/// As what the list comes.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Csv,
}

/// The audit trail
///
/// Of the days that are named, the latest first; as CSV all of it, which is refused above 20,000 lines. Looking at it is in the trail, too.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/audit",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("from" = Option<String>, Query, description = "The first day; absent: today", format = Date),
        ("to" = Option<String>, Query, description = "The last day; absent: the first", format = Date),
        ("customer" = Option<String>, Query, description = "About whoever has this customer number or account"),
        ("member" = Option<MemberId>, Query, description = "By this member"),
        ("action" = Option<Action>, Query, description = "What was done"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
        ("format" = Option<String>, Query, description = "`csv`: a file"),
    ),
    responses(
        (status = 200, description = "One page, or the file", content((DeskAudit = "application/json"), (String = "text/csv"))),
    ),
)]
pub(crate) async fn desk_audit_list(call: Call) -> Result<Answer> {
    let zone = call.time_zone()?;
    let first: Date = day(&call, "from")?.unwrap_or(call.today()?);
    let last: Date = day(&call, "to")?.unwrap_or(first);
    let begin = |day: Date| day.to_zoned(zone.clone()).map(|begin| begin.timestamp()).map_err(Problem::internal);
    let (store, tenant) = (call.store()?, call.tenant_id());
    let customer = call.request.query("customer").map(|told| told.chars().take(MOST_CHARACTERS).collect::<String>());
    let account = match &customer {
        Some(told) => at_once(audit::account(store, tenant, told.trim())).await?,
        None => None,
    };
    let is_unknown = customer.is_some() && account.is_none();
    let filter = AuditFilter {
        since: begin(first)?,
        // An unknown customer has no entries.
        until: if is_unknown { begin(first)? } else { begin(last.saturating_add(1.day()))? },
        account,
        member: word::<MemberId>(&call, "member")?,
        actions: word::<Action>(&call, "action")?.into_iter().collect(),
    };
    let answer = match word::<Format>(&call, "format")? {
        None => {
            let cursor = call.request.query("cursor");
            let page: AuditPage = at_once(patiently(|| store.audit_page(tenant, &filter, cursor.as_deref()))).await?;
            Answer::json(StatusCode::OK, &DeskAudit::from(page))?
        }
        Some(Format::Csv) => {
            let file = at_once(audit::csv(store, tenant, &filter, &zone)).await?;
            let answer = Answer::bytes("text/csv; charset=utf-8", file);
            answer.with_header(header::CONTENT_DISPOSITION, "attachment; filename=\"nachweise.csv\"")
        }
    };
    match &filter.account {
        Some(account) => call.keep_audit_of_account("desk audit", account).await?,
        None => call.keep_audit("desk audit", None, None).await?,
    }
    Ok(answer)
}
