//! The built-in CRM's own pages: whoever has the token of a registration may see and change it.

use domain::config::CrmAdapter;
use domain::ids::AccountId;
use edge::Code;
use store::Registration;

use crate::call::Call;
use crate::error::Result;

/// A tenant with a CRM of its own has its registration pages there.
///
/// # Errors
/// `not-found`.
pub(crate) fn is_builtin(call: &Call) -> Result<()> {
    match call.tenant.application.crm {
        CrmAdapter::Builtin => Ok(()),
        CrmAdapter::Http { .. } => Err(Code::NotFound.into()),
    }
}

/// The registration that the path's token opens.
///
/// # Errors
/// `not-found`.
pub(crate) async fn opened(call: &Call) -> Result<(AccountId, Registration)> {
    is_builtin(call)?;
    let token: String = call.path("selfServiceToken")?;
    let found = call.store()?.registration_by_token(call.tenant_id(), &token).await?;
    found.ok_or(Code::NotFound.into())
}
