use desk::lists::{self, OpenFilter};
use desk::presets::{self, Layout};
use desk::{Failure, at_once};
use domain::ids::{SeasonId, TenantId};
use domain::model::MeterType;
use domain::preset::{BUILT_IN, FileFormat, List};
use edge::Answer;
use http::{StatusCode, header};
use serde::Deserialize;

use crate::call::Call;
use crate::error::Result;
use crate::query::{value, word};
use crate::view::desk::{DeskOpenList, DeskOpenRow};

/// Rows of one page.
const PAGE: usize = 100;

/// As what the list comes.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Csv,
    Xlsx,
}

/// Who has not answered
///
/// By postcode, street and house number; as CSV or XLSX all of them. Looking at it is in the audit trail.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/open",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("season" = Option<SeasonId>, Query, description = "Of this season"),
        ("meterType" = Option<MeterType>, Query, description = "Of meters that measure this"),
        ("district" = Option<String>, Query, description = "Where postcode, town or district begin so"),
        ("dueUntil" = Option<String>, Query, description = "With a deadline until this day", format = Date),
        ("overdue" = Option<bool>, Query, description = "True: with a deadline that is over"),
        ("email" = Option<bool>, Query, description = "Whose customers can be written to by e-mail, or cannot"),
        ("cursor" = Option<u32>, Query, description = "`nextCursor` of the page before"),
        ("format" = Option<String>, Query, description = "`csv` or `xlsx`: a file"),
    ),
    responses(
        (status = 200, description = "One page, or the file", content(
            (DeskOpenList = "application/json"), (String = "text/csv"), ([u8] = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
        )),
    ),
)]
pub(crate) async fn desk_open_list(call: Call) -> Result<Answer> {
    let season: Option<SeasonId> = word(&call, "season")?;
    let filter = OpenFilter {
        season,
        meter_types: word(&call, "meterType")?.into_iter().collect(),
        district: call.request.query("district").map(|text| text.chars().take(PAGE).collect()),
        due_until: value(&call, "dueUntil")?,
        overdue: value(&call, "overdue")?.unwrap_or_default(),
        email: value(&call, "email")?,
    };
    let (format, from) = (word::<Format>(&call, "format")?, value::<usize>(&call, "cursor")?.unwrap_or_default());
    let (store, tenant) = (call.store()?, call.tenant_id());
    let rows = at_once(lists::open(store, tenant, &filter, call.now)).await?;
    call.keep_audit("desk open", None, None).await?;
    let Some(format) = format else {
        let (count, end) = (rows.len(), from.saturating_add(PAGE));
        let next_cursor = (end < count).then(|| end.to_string());
        let rows = rows.into_iter().skip(from).take(PAGE).map(DeskOpenRow::from).collect();
        return Ok(Answer::json(StatusCode::OK, &DeskOpenList { count, rows, next_cursor })?);
    };
    let (file_format, content_type, name) = match format {
        Format::Csv => (FileFormat::Csv, "text/csv; charset=utf-8", "attachment; filename=\"offen.csv\""),
        Format::Xlsx => {
            (FileFormat::Xlsx, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "attachment; filename=\"offen.xlsx\"")
        }
    };
    let layout = at_once(Layout::named(store, tenant, BUILT_IN[0], List::Open, Some(file_format))).await?;
    let mut file = Vec::new();
    presets::write_open(&layout, &rows, call.now, &mut file).map_err(Failure::Unwritable)?;
    Ok(Answer::bytes(content_type, file).with_header(header::CONTENT_DISPOSITION, name))
}
