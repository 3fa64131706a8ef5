use std::collections::BTreeMap;

use edge::Answer;
use futures::{StreamExt as _, TryStreamExt as _, stream};
use http::StatusCode;

use crate::call::Visit;
use crate::error::Result;
use crate::view::desk::{DeskTenantLine, DeskTenants};

/// Tenants that are read at once.
const AT_ONCE: usize = 8;

/// All tenants
///
/// For the platform's staff.
#[utoipa::path(
    get,
    path = "/api/desk/platform/tenants",
    tag = "desk",
    responses((status = 200, description = "The tenants", body = DeskTenants)),
)]
pub(crate) async fn desk_tenant_list(visit: Visit) -> Result<Answer> {
    let store = visit.store()?;
    let mine: BTreeMap<_, _> =
        store.tenants_of_member(&visit.member()?.id, visit.now).await?.into_iter().map(|own| (own.tenant, own.roles)).collect();
    let ids = store.tenant_ids().await?;
    let tenants: Vec<_> = stream::iter(ids).map(|id| async move { store.tenant(&id).await }).buffered(AT_ONCE).try_collect().await?;
    let line = |tenant: &store::Tenant| {
        let has_access = mine.contains_key(&tenant.application.application_id);
        DeskTenantLine::new(&tenant.application, has_access)
    };
    let tenants = tenants.iter().flatten().map(|tenant| line(tenant)).collect();
    Ok(Answer::json(StatusCode::OK, &DeskTenants { tenants })?)
}
