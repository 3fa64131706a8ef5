//! A tenant's settings, as the handlers of the desk have them.

use desk::Failure;
use desk::settings::{self, MOST_VERSIONS, Settings};
use domain::text::Lang;
use edge::{Answer, Code, Problem};
use http::StatusCode;
use store::TenantVersion;

use crate::call::Call;
use crate::error::{Error, Result};
use crate::view::desk::{DeskSettings, version_id};

/// The tenant's settings as they are now.
pub(crate) async fn read(call: &Call) -> Result<Settings> {
    Ok(settings::read(call.store()?, call.tenant_id(), call.reach(), call.now).await?)
}

/// The settings as the screen shows them.
pub(crate) async fn answer(call: &Call) -> Result<Answer> {
    let settings = read(call).await?;
    let versions = call.store()?.tenant_versions(call.tenant_id(), MOST_VERSIONS).await?;
    Ok(Answer::json(StatusCode::OK, &DeskSettings::new(&settings, &versions))?)
}

/// The version that the path names.
pub(crate) async fn version(call: &Call) -> Result<TenantVersion> {
    let id: String = call.path("version")?;
    let versions = call.store()?.tenant_versions(call.tenant_id(), MOST_VERSIONS).await?;
    Ok(versions.into_iter().find(|version| version_id(version) == id).ok_or(Code::NotFound)?)
}

/// What refuses a change, with the field that it is about.
pub(crate) fn refused(field: &'static str) -> impl FnOnce(Failure) -> Error {
    move |failure| match failure {
        Failure::Refused(text) => Problem::invalid_field(field, text.of(Lang::En)).into(),
        other => other.into(),
    }
}
