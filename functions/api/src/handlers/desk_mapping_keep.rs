use domain::ids::TenantId;
use edge::{Answer, Problem};
use http::StatusCode;
use store::KeptMapping;

use super::desk_rehearsal_create::document;
use crate::call::Call;
use crate::error::Result;
use crate::view::desk::DeskMappingRequest;

/// Most characters of a name.
const LONGEST_NAME: usize = 60;
/// Most mappings that a tenant keeps.
const MOST: usize = 50;

/// A mapping that is kept for the next file
///
/// In place of one of the same kind and name.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/imports/mappings",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskMappingRequest,
    responses((status = 204, description = "It is kept")),
)]
pub(crate) async fn desk_mapping_keep(call: Call) -> Result<Answer> {
    let DeskMappingRequest { name, kind, mapping } = call.request.json()?;
    let name = name.trim().to_owned();
    if !(1..=LONGEST_NAME).contains(&name.chars().count()) || name.chars().any(|letter| letter.is_control() || letter == '/') {
        return Err(Problem::invalid_field("name", "must have 1 to 60 characters, and no slash").into());
    }
    let mapping = document(&mapping)?;
    let (store, tenant, kind) = (call.store()?, call.tenant_id(), kind.into());
    let kept = store.kept_mappings(tenant).await?;
    if kept.len() >= MOST && !kept.iter().any(|kept| kept.kind == kind && kept.name == name) {
        return Err(Problem::invalid_field("name", "must be one of the 50 that are kept already").into());
    }
    call.keep_audit("desk mapping kept", None, Some(&name)).await?;
    let kept = KeptMapping { name, kind, mapping, by: call.by()?.to_owned(), at: call.now };
    store.keep_mapping(tenant, &kept).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
