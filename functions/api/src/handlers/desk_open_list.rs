use desk::lists::{self, Most};
use desk::presets::{self, Layout};
use desk::{Failure, at_once};
use domain::ids::{SeasonId, TenantId};
use domain::model::MeterType;
use domain::open_filter::OpenFilter;
use domain::preset::{BUILT_IN, FileFormat, List};
use edge::Answer;
use http::{StatusCode, header};
use serde::Deserialize;

use crate::call::Call;
use crate::error::Result;
use crate::query::{value, word, words};
use crate::runs::LONGEST_DISTRICT;
use crate::view::desk::DeskOpenList;

/// Most rows of a file: some four megabytes, of the six that an answer may have. To look at the jobs takes some six seconds, of the fifteen that there are.
const MOST: Most = Most { rows: 15_000, looked_at: 30_000 };

/// As what the list comes.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Format {
    Csv,
    Xlsx,
}

/// The list of open jobs
///
/// By postcode, street and house number; as CSV or XLSX all of them, which is refused above 15,000 rows, and with `email` where more than 30,000 open
/// jobs would have to be looked at. Looking at it is in the audit trail.
#[utoipa::path(
    get,
    path = "/api/desk/tenants/{tenant}/open",
    tag = "desk",
    params(
        ("tenant" = TenantId, Path, description = "The tenant"),
        ("season" = Option<SeasonId>, Query, description = "Of this season"),
        ("meterType" = Option<MeterType>, Query, description = "Of meters that measure this"),
        ("district" = Option<String>, Query, description = "Where postcode, town or district begin so"),
        ("inDistrict" = Option<String>, Query, description = "Of meters whose district is called just this"),
        ("dueUntil" = Option<String>, Query, description = "With a deadline until this day", format = Date),
        ("overdue" = Option<bool>, Query, description = "True: with a deadline that is over"),
        ("email" = Option<bool>, Query, description = "Whose customers can be written to by e-mail, or cannot"),
        ("cursor" = Option<String>, Query, description = "`nextCursor` of the page before"),
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
        district: words(&call, "district", LONGEST_DISTRICT)?,
        in_district: value(&call, "inDistrict")?,
        due_until: value(&call, "dueUntil")?,
        overdue: value(&call, "overdue")?.unwrap_or_default(),
        email: value(&call, "email")?,
    };
    let format = word::<Format>(&call, "format")?;
    let (store, tenant) = (call.store()?, call.tenant_id());
    let Some(format) = format else {
        let cursor = call.request.query("cursor");
        let page = at_once(lists::open_page(store, tenant, &filter, cursor.as_deref(), call.now)).await?;
        call.keep_audit("desk open", None, None).await?;
        return Ok(Answer::json(StatusCode::OK, &DeskOpenList::from(page))?);
    };
    let rows = at_once(lists::open(store, tenant, &filter, Some(MOST), call.now)).await?;
    call.keep_audit("desk open", None, None).await?;
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
