//! What those who run the product do at the desk, as its handlers have it.

use desk::settings::Editor;
use domain::config::Application;
use domain::ids::TenantId;
use edge::Code;

use crate::call::Visit;
use crate::error::Result;

/// The member at the desk.
pub(crate) fn editor(visit: &Visit) -> Result<Editor<'_>> {
    Ok(Editor { by: visit.by()?, member: &visit.member()?.id, at: visit.now })
}

/// The tenant of the path as it is in effect now.
pub(crate) async fn tenant_of(visit: &Visit) -> Result<Application> {
    let id: TenantId = visit.path("tenant")?;
    Ok(visit.store()?.tenant_now(&id).await?.ok_or(Code::NotFound)?.application)
}
