use domain::ids::TenantId;
use edge::{Answer, Code};
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::query::word;
use crate::view::desk::DeskImportKind;

/// The end of a mapping that is kept
///
/// Files that were imported by it stay as they are.
#[utoipa::path(
    delete,
    path = "/api/desk/tenants/{tenant}/imports/mappings",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("kind" = DeskImportKind, Query, description = "What its files have"),
        ("name" = String, Query, description = "What it is called"),
    ),
    responses((status = 204, description = "It is gone")),
)]
pub(crate) async fn desk_mapping_delete(call: Call) -> Result<Answer> {
    let kind = word::<DeskImportKind>(&call, "kind")?.ok_or(Code::NotFound)?.into();
    let name = call.request.query("name").ok_or(Code::NotFound)?;
    let (store, tenant) = (call.store()?, call.tenant_id());
    let kept = store.kept_mappings(tenant).await?;
    let kept = kept.into_iter().find(|kept| kept.kind == kind && kept.name == name).ok_or(Code::NotFound)?;
    call.keep_audit("desk mapping deleted", None, Some(&kept.name)).await?;
    store.forget_mapping(tenant, kind, &kept.name).await?;
    Ok(Answer::empty(StatusCode::NO_CONTENT))
}
