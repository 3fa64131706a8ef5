//! What the tenant wrote for everybody: answered with a tag that changes with any part of it.

use domain::ids::TenantId;
use edge::{Answer, Code, Etag, Problem};
use http::StatusCode;
use serde::Serialize;

use crate::call::Call;
use crate::view::VIEW_VERSION;

/// The tag of what the path names, and the check that it is the portal's own tenant that it names.
pub(crate) fn etag_of(call: &Call) -> Result<Etag, Problem> {
    let application: TenantId = call.path("applicationId")?;
    if application != *call.tenant_id() {
        return Err(Problem::new(Code::NotFound));
    }
    Ok(Etag::of(&[VIEW_VERSION, &call.tenant.version]))
}

pub(crate) fn answer(etag: &Etag, content: &impl Serialize) -> Result<Answer, Problem> {
    Ok(Answer::json(StatusCode::OK, content)?.with_etag(etag).revalidated())
}
