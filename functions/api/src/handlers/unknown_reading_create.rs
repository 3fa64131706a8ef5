use domain::reading::trimmed_comment;
use domain::unknown_reading::{self, OwnReading};
use edge::{Answer, Code};
use store::{UnknownReadingEntry, UnknownReadingValue};

use crate::call::Call;
use crate::error::Result;
use crate::photos::Attached;
use crate::reading_date::reading_date;
use crate::unknown::{Taking, id_of, refuse};
use crate::view::{UnknownReading, UnknownReadingTaken};

/// Reading of a meter that has no job
///
/// By a logged-in account, if the tenant allows it. The same reading sent twice is one reading.
#[utoipa::path(
    post,
    path = "/api/pro/unknown-reading",
    tag = "unknown-reading",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 64 printable ASCII characters; without it the request's content is the key")),
    request_body = UnknownReading,
    responses((status = 201, description = "Taken", body = UnknownReadingTaken)),
)]
pub(crate) async fn unknown_reading_create(call: Call) -> Result<Answer> {
    let application = &call.tenant.application;
    if !application.features.unknown_readings_allowed {
        return Err(Code::FeatureDisabled.into());
    }
    let body: UnknownReading = call.request.json()?;
    let reading_date = reading_date(&body.reading_date, &call.time_zone()?)?;
    let id = id_of(&call, &(&body.meter_number, &body.reading_value, reading_date))?;
    let taking = Taking::begin(&call, id).await?;
    if let Some(answer) = taking.answered() {
        return Ok(answer);
    }
    let reading = OwnReading {
        meter_number: body.meter_number,
        reading_value: body.reading_value,
        reading_date,
        comment: body.comment,
        image_count: body.reading_images.len(),
    };
    let (queried, image_required) =
        (application.config.meter_reading.query_post_decimals, application.features.unknown_readings_image_required);
    refuse(unknown_reading::check_own(queried, image_required, &reading, call.today()?))?;
    taking.count().await?;
    let image_ids = taking.store_photos(&[Attached { field: "readingImages".into(), images: &body.reading_images }]).await?;
    let claims = call.claims()?;
    let entry = UnknownReadingEntry {
        id: taking.id().clone(),
        created: call.now,
        channel: claims.login,
        login_account_id: claims.account_id.clone(),
        meter_type: None,
        sub_type: None,
        reading_values: vec![UnknownReadingValue {
            obis: None,
            rate_name: None,
            value: reading.reading_value,
            image_ids: image_ids.into_iter().flatten().collect(),
        }],
        meter_number: reading.meter_number,
        reading_date,
        reading_reason: None,
        contact: None,
        email: None,
        comment: trimmed_comment(reading.comment.as_deref()).map(str::to_owned),
    };
    taking.end(&entry).await
}
