use desk::platform;
use edge::Answer;
use http::StatusCode;

use crate::call::Visit;
use crate::error::Result;
use crate::platform::editor;
use crate::view::desk::{DeskTenantOutcome, DeskTenantRequest};

/// A new tenant
///
/// With the settings that every tenant begins with. It has no member until a lead is invited. What is wrong is answered, and nothing is made.
#[utoipa::path(
    post,
    path = "/api/desk/platform/tenants",
    tag = "desk",
    request_body = DeskTenantRequest,
    responses((status = 200, description = "What is wrong with it; nothing: there it is", body = DeskTenantOutcome)),
)]
pub(crate) async fn desk_tenant_create(visit: Visit) -> Result<Answer> {
    let DeskTenantRequest { tenant, name, host, portal_url, sender_email } = visit.request.json()?;
    let deployed = platform::Deployed { hosts: vec![host], portal_url, sender_email };
    let faults =
        platform::create(visit.store()?, (&tenant, &name), (deployed, visit.portal_hosts()), editor(&visit)?, visit.reach()).await?;
    if faults.is_empty() {
        visit.keep_audit_at(&tenant, "desk tenant", None).await?;
    }
    Ok(Answer::json(StatusCode::OK, &DeskTenantOutcome::new(faults))?)
}
