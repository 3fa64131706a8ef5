//! The built-in CRM's own pages: whoever has the token of a registration may see and change it.

use domain::config::CrmAdapter;
use domain::ids::AccountId;
use edge::{Code, Problem};
use store::Registration;

use crate::call::Call;
use crate::error::store_problem;

/// A tenant with a CRM of its own has its registration pages there.
///
/// # Errors
/// `not-found`.
pub(crate) fn is_builtin(call: &Call) -> Result<(), Problem> {
    match call.tenant.application.crm {
        CrmAdapter::Builtin => Ok(()),
        CrmAdapter::Http { .. } => Err(Problem::new(Code::NotFound)),
    }
}

/// The registration that the path's token opens.
///
/// # Errors
/// `not-found`.
pub(crate) async fn opened(call: &Call) -> Result<(AccountId, Registration), Problem> {
    is_builtin(call)?;
    let token: String = call.path("selfServiceToken")?;
    let found = call.store()?.registration_by_token(call.tenant_id(), &token).await.map_err(store_problem)?;
    found.ok_or_else(|| Problem::new(Code::NotFound))
}
