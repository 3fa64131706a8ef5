use desk::import::mapping::Mapping;
use domain::ids::TenantId;
use domain::model::Channel;
use edge::{Answer, Code, Problem};
use serde_json::Value;
use store::{ImportKind, ImportTask, RunTask};

use crate::call::Call;
use crate::error::{Error, Result};
use crate::runs::{beyond, known_season, start};
use crate::view::desk::{DeskRehearsalRequest, DeskRun};

/// Most bytes of a mapping, so that the run fits into its item.
const LARGEST_MAPPING: u64 = 50_000;
/// Most characters of a reason.
const LONGEST_REASON: u64 = 200;

/// What an import of a file would do
///
/// Nothing is written. To ask for the same again while it goes on starts nothing twice.
#[utoipa::path(
    post,
    path = "/api/desk/tenants/{tenant}/imports/rehearsals",
    tag = "desk",
    params(("tenant" = TenantId, Path, description = "The tenant")),
    request_body = DeskRehearsalRequest,
    responses((status = 202, description = "It goes on", body = DeskRun)),
)]
pub(crate) async fn desk_rehearsal_create(call: Call) -> Result<Answer> {
    let DeskRehearsalRequest { file, mapping, season, closes_missing, channel, late, lang } = call.request.json()?;
    let (store, tenant) = (call.store()?, call.tenant_id());
    let file = store.import_file(tenant, &file).await?.ok_or(Code::NotFound)?;
    let mapping = mapping.map(|mapping| document(&mapping)).transpose()?;
    let late = late.map(|late| late.trim().to_owned()).filter(|late| !late.is_empty());
    if late.as_ref().is_some_and(|late| late.chars().count() as u64 > LONGEST_REASON) {
        return Err(beyond("late", "has at most 200 characters", LONGEST_REASON).into());
    }
    match file.kind {
        ImportKind::Accounts | ImportKind::Jobs if channel.is_some() || late.is_some() => {
            return Err(Problem::invalid_field("channel", "is of readings only, as `late` is").into());
        }
        ImportKind::Accounts | ImportKind::Readings if season.is_some() || closes_missing => {
            return Err(Problem::invalid_field("season", "is of jobs only, as `closesMissing` is").into());
        }
        _ => {}
    }
    if channel == Some(Channel::Portal) {
        return Err(Problem::invalid_field("channel", "cannot be the portal").into());
    }
    known_season(&call, season.as_ref()).await?;
    if season.is_none() && closes_missing && !store.seasons(tenant).await?.is_empty() {
        return Err(Problem::invalid_field("season", "must say which season the file lists completely").into());
    }
    let name = file.name.clone();
    let task = ImportTask { file: file.id, name: file.name, kind: file.kind, mapping, season, closes_missing, channel, late, lang };
    start(&call, RunTask::Rehearsal(task), None, ("desk import rehearsed", Some(&name))).await
}

/// The document of a mapping.
///
/// # Errors
/// `request-invalid` when it is none.
pub(super) fn document(mapping: &Value) -> Result<String> {
    let text = mapping.to_string();
    if text.len() as u64 > LARGEST_MAPPING {
        return Err(beyond("mapping", "has at most 50,000 bytes", LARGEST_MAPPING).into());
    }
    let known = Mapping::parse(&text);
    known.map(|_| text).map_err(|_| Error::from(Problem::invalid_field("mapping", "is no mapping of columns to fields")))
}
