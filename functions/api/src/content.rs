//! The tenant's public texts: answered with a tag that changes with any part of it.

use domain::ids::TenantId;
use edge::{Answer, Code, Etag};
use http::StatusCode;
use serde::Serialize;

use crate::call::Call;
use crate::error::Result;
use crate::view::VIEW_VERSION;

/// The tag of what the path names, and the check that it is the portal's own tenant that it names.
pub(crate) fn etag_of(call: &Call) -> Result<Etag> {
    let application: TenantId = call.path("applicationId")?;
    if application != *call.tenant_id() {
        return Err(Code::NotFound.into());
    }
    Ok(Etag::of(&[VIEW_VERSION, &call.tenant.version]))
}

pub(crate) fn answer(etag: &Etag, content: &impl Serialize) -> Result<Answer> {
    Ok(Answer::json(StatusCode::OK, content)?.with_etag(etag).revalidated())
}
