use domain::own_reading;
use domain::reading::trimmed_comment;
use edge::{Answer, Code};
use store::{ReadingWithoutJob, ReadingWithoutJobValue};

use crate::call::Call;
use crate::error::Result;
use crate::photos::Attached;
use crate::reading_date::reading_date;
use crate::reading_without_job::{ReadingSubmission, id_of, refuse};
use crate::view::{OwnReading, ReadingTaken};

/// Reading of a meter that has no job
///
/// By a logged-in account, if the tenant allows it. The same reading sent twice is one reading, unless a clerk refused the first.
#[utoipa::path(
    post,
    path = "/api/pro/unknown-reading",
    tag = "own-reading",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 64 printable ASCII characters; without it the request's content is the key")),
    request_body = OwnReading,
    responses((status = 201, description = "Taken", body = ReadingTaken)),
)]
pub(crate) async fn own_reading_create(call: Call) -> Result<Answer> {
    let application = &call.tenant.application;
    if !application.features.unknown_readings_allowed {
        return Err(Code::FeatureDisabled.into());
    }
    let body: OwnReading = call.request.json()?;
    let reading_date = reading_date(&body.reading_date, &call.time_zone()?)?;
    // What makes it this reading is what was entered, and how many photos show it.
    let (comment, images) = (trimmed_comment(body.comment.as_deref()), body.reading_images.len());
    let id = id_of(&call, &(&body.meter_number, &body.reading_value, reading_date, comment, images)).await?;
    let submission = ReadingSubmission::begin(&call, id).await?;
    if let Some(answer) = submission.earlier_answer() {
        return Ok(answer);
    }
    let reading = own_reading::OwnReading {
        meter_number: body.meter_number,
        reading_value: body.reading_value,
        reading_date,
        comment: body.comment,
        image_count: body.reading_images.len(),
    };
    let (queried, image_required) =
        (application.config.meter_reading.query_post_decimals, application.features.unknown_readings_image_required);
    refuse(own_reading::check(queried, image_required, &reading, call.today()?))?;
    submission.count().await?;
    let image_ids = submission.store_photos(&[Attached { field: "readingImages".into(), images: &body.reading_images }]).await?;
    let claims = call.claims()?;
    let entry = ReadingWithoutJob {
        id: submission.id().clone(),
        created: call.now,
        login_kind: claims.login,
        login_account_id: claims.account_id.clone(),
        meter_type: None,
        sub_type: None,
        reading_values: vec![ReadingWithoutJobValue {
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
        language: None,
        comment: trimmed_comment(reading.comment.as_deref()).map(str::to_owned),
    };
    submission.store(&entry).await
}
