use desk::platform;
use domain::ids::TenantId;
use edge::Answer;
use http::StatusCode;

use crate::call::Visit;
use crate::error::Result;
use crate::platform::{editor, tenant_of};
use crate::view::desk::{DeskTenantChange, DeskTenantOutcome};

/// Other addresses for a tenant
///
/// And what it sends mail from: what a tenant cannot set itself (D-SETTINGS-3). What is wrong is answered, and nothing is changed.
#[utoipa::path(
    post,
    path = "/api/desk/platform/tenants/{tenant}",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskTenantChange,
    responses((status = 200, description = "What is wrong with it; nothing: it is so", body = DeskTenantOutcome)),
)]
pub(crate) async fn desk_tenant_change(visit: Visit) -> Result<Answer> {
    let tenant = tenant_of(&visit).await?.application_id;
    let DeskTenantChange { hosts, portal_url, sender_email, seen } = visit.request.json()?;
    let deployed = platform::Deployed { hosts, portal_url, sender_email };
    let wanted = (&seen.into(), deployed, visit.portal_hosts());
    let faults = platform::change(visit.store()?, &tenant, wanted, editor(&visit)?, visit.reach()).await?;
    if faults.is_empty() {
        visit.keep_audit_at(&tenant, "desk tenant changed", None).await?;
    }
    Ok(Answer::json(StatusCode::OK, &DeskTenantOutcome::new(faults))?)
}
