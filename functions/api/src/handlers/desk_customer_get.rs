use desk::{at_once, customers};
use domain::ids::{AccountId, TenantId};
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskCustomer;

/// A customer on one screen
///
/// With the first 25 jobs and every reading of them. Looking at it is in the audit trail.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/customers/{account}",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("account" = AccountId, Path, description = "The account"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the jobs before"),
    ),
    responses((status = 200, description = "The customer", body = DeskCustomer)),
)]
pub(crate) async fn desk_customer_get(call: Call) -> Result<Answer> {
    let account: AccountId = call.path("account")?;
    let cursor = call.request.query("cursor");
    let file = at_once(customers::file(call.store()?, call.tenant_id(), &account, cursor.as_deref(), call.now)).await?;
    let customer = DeskCustomer::new(file.ok_or(Code::NotFound)?, &call.tenant.application, call.today()?)?;
    call.keep_audit("desk customer", Some(&account), None).await?;
    Ok(Answer::json(StatusCode::OK, &customer)?)
}
