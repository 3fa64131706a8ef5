use domain::ids::TenantId;
use edge::Answer;
use http::StatusCode;

use crate::call::Call;
use crate::error::Result;
use crate::view::desk::{DeskErasure, DeskErasures};

/// Most erasures that were carried out, on a list.
const MOST_DONE: usize = 100;

/// Erasures of persons' data
///
/// Those under way, the last of those that were carried out, which name no person, and persons of whom nothing goes.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/erasures",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    responses((status = 200, description = "The erasures", body = DeskErasures)),
)]
pub(crate) async fn desk_erasure_list(call: Call) -> Result<Answer> {
    let (store, tenant) = (call.store()?, call.tenant_id());
    let (open, holds) = futures::try_join!(store.open_erasures(tenant), store.holds(tenant))?;
    let done = store.erasure_records(tenant).await?.into_iter().rev().take(MOST_DONE).map(Into::into).collect();
    let me = &call.member()?.id;
    let settings = &call.tenant.application;
    let erasures = DeskErasures {
        is_held: settings.retention.legal_hold,
        needs_second_member: settings.desk.erasure.needs_second_member,
        open: open.into_iter().map(|erasure| DeskErasure::new(erasure, me, &holds)).collect(),
        done,
        holds: holds.list().iter().cloned().map(Into::into).collect(),
    };
    Ok(Answer::json(StatusCode::OK, &erasures)?)
}
