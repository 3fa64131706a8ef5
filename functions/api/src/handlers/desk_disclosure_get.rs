use domain::ids::{AccountId, TenantId};
use edge::{Answer, Code};
use http::{StatusCode, header};

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskDisclosure;

/// All that is stored about a person
///
/// As a file for the person (GDPR, Art. 15): of the account and of the accounts below it. Disclosing is in the audit trail.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/customers/{account}/disclosure",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("account" = AccountId, Path, description = "The account"),
    ),
    responses((status = 200, description = "The file", body = DeskDisclosure)),
)]
pub(crate) async fn desk_disclosure_get(call: Call) -> Result<Answer> {
    let account: AccountId = call.path("account")?;
    let items = call.store()?.subject(call.tenant_id(), &account).await?;
    if items.is_empty() {
        return Err(Code::NotFound.into());
    }
    call.keep_audit("desk disclosure", Some(&account), None).await?;
    let file = DeskDisclosure { tenant: call.tenant_id().clone(), account, at: call.now, items };
    Ok(Answer::json(StatusCode::OK, &file)?.with_header(header::CONTENT_DISPOSITION, "attachment; filename=\"auskunft.json\""))
}
