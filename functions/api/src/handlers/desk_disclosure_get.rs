use desk::disclosure;
use domain::ids::{AccountId, TenantId};
use edge::{Answer, Code, Problem};
use http::{StatusCode, header};
use serde::Deserialize;
use store::StoreError;

use crate::call::Call;
use crate::error::Result;
use crate::query::word;
use crate::view::desk::DeskDisclosure;

/// Most records of a PDF: some two megabytes and seconds, of the six and 29 that an answer may have.
const MOST_RECORDS: usize = 1_000;

/// As what the disclosure comes.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Json,
    Pdf,
}

/// All that is stored about a person
///
/// As a file for the person (GDPR, Art. 15): of the account and of the accounts below it. The PDF, of at most 1,000 records, is in the tenant's language and
/// says what the law wants said beside the data. Disclosing is in the audit trail.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/customers/{account}/disclosure",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("account" = AccountId, Path, description = "The account"),
        ("format" = Option<String>, Query, description = "`pdf`: a document to read; else `json`"),
    ),
    responses((status = 200, description = "The file", content((DeskDisclosure = "application/json"), ([u8] = "application/pdf")))),
)]
pub(crate) async fn desk_disclosure_get(call: Call) -> Result<Answer> {
    let account: AccountId = call.path("account")?;
    let format = word::<Format>(&call, "format")?.unwrap_or(Format::Json);
    let most = if matches!(format, Format::Pdf) { MOST_RECORDS } else { usize::MAX };
    let Some(items) = call.store()?.subject_within(call.tenant_id(), &account, most).await? else {
        let detail = format!("The document would have more than {MOST_RECORDS} records; the JSON file has no such limit.");
        return Err(Problem::new(Code::ListTooLong).with_detail(detail).into());
    };
    if items.is_empty() {
        return Err(Code::NotFound.into());
    }
    call.keep_audit_of_account("desk disclosure", &account).await?;
    match format {
        Format::Json => {
            let file = DeskDisclosure { tenant: call.tenant_id().clone(), account, at: call.now, items };
            Ok(Answer::json(StatusCode::OK, &file)?.with_header(header::CONTENT_DISPOSITION, "attachment; filename=\"auskunft.json\""))
        }
        Format::Pdf => {
            let (tenant, now) = (call.tenant.clone(), call.now.to_zoned(call.time_zone()?));
            let drawn = tokio::task::spawn_blocking(move || disclosure::pdf(&tenant.application, &account, &items, &now)).await?;
            let pdf = drawn.map_err(|error| StoreError::Internal { operation: "draw", reason: error.to_string() })?;
            Ok(Answer::bytes("application/pdf", pdf).with_header(header::CONTENT_DISPOSITION, "attachment; filename=\"auskunft.pdf\""))
        }
    }
}
