use desk::at_once;
use domain::ids::TenantId;
use domain::login::link_token;
use edge::{Answer, Problem};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::preview::LIFE;
use crate::tenant_settings::read;
use crate::view::desk::DeskPreview;

/// The portal as it is to be
///
/// An address that shows the drafts as they are now, for an hour, to every person who has it.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/settings/preview",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 200, description = "The address", body = DeskPreview)),
)]
pub(crate) async fn desk_settings_preview(call: Call) -> Result<Answer> {
    let found = read(&call).await?;
    if found.proposed.is_none() {
        return Err(Problem::invalid_field("state", "has faults, which the settings list").into());
    }
    let (store, tenant, token) = (call.store()?, call.tenant_id(), link_token(store::random()?));
    let expires_at = call.now + LIFE;
    at_once(store.keep_live_files(tenant, &found.files)).await?;
    at_once(store.put_tenant_preview(tenant, &token, &found.hashes(), expires_at)).await?;
    let url = format!("{}/api/public/preview/{token}", call.tenant.application.portal_url);
    Ok(Answer::json(StatusCode::OK, &DeskPreview { url, expires_at })?)
}
