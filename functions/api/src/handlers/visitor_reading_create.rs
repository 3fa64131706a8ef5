use domain::visitor_reading::{self, VisitorValue, asked};
use edge::Answer;
use jiff::civil::Date;
use store::{ReadingWithoutJob, ReadingWithoutJobValue};

use crate::call::Call;
use crate::error::Result;
use crate::photos::Attached;
use crate::reading_date::reading_date;
use crate::reading_without_job::{ReadingSubmission, refuse, visitor_reading_id};
use crate::route::ROLE_VISITOR_RECEIPT;
use crate::view::{ReadingTaken, VisitorReading};

/// A visitor's reading
///
/// Every rule that the portal's five steps check is checked again. The same reading sent twice in a session is one reading, unless a clerk refused the first, and so is
/// one that is sent under the same key in another session.
#[utoipa::path(
    post,
    path = "/api/unknown-readings/results",
    tag = "visitor-reading",
    params(("Idempotency-Key" = Option<String>, Header, description = "1 to 64 printable ASCII characters, no other visitor's: a random UUID; without it the request's content is the key in this session")),
    request_body = VisitorReading,
    responses((status = 201, description = "Taken", body = ReadingTaken)),
)]
pub(crate) async fn visitor_reading_create(call: Call) -> Result<Answer> {
    let result: VisitorReading = call.request.json()?;
    let reading_date = reading_date(&result.reading_date, &call.time_zone()?)?;
    let id = visitor_reading_id(&call, &result, reading_date).await?;
    let submission = ReadingSubmission::begin_visitors(&call, id, &result).await?;
    if let Some(answer) = submission.earlier_answer() {
        return Ok(answer);
    }
    check(&call, &result, reading_date)?;
    submission.count().await?;
    let photos: Vec<_> = result
        .reading_values
        .iter()
        .enumerate()
        .map(|(index, value)| Attached { field: format!("readingValues[{index}].readingImages"), images: &value.reading_images })
        .collect();
    let image_ids = submission.store_photos(&photos).await?;
    let claims = call.claims()?;
    let offered = asked(&call.tenant.application.unknown_reading, result.meter_type, result.sub_type.as_deref());
    let entry = ReadingWithoutJob {
        id: submission.id().clone(),
        created: call.now,
        login_kind: claims.login,
        login_account_id: claims.account_id.clone(),
        meter_type: Some(result.meter_type),
        sub_type: result.sub_type,
        meter_number: result.meter_number,
        reading_values: result
            .reading_values
            .into_iter()
            .zip(image_ids)
            .map(|(value, image_ids)| ReadingWithoutJobValue {
                // The tenant's name of the rate: a visitor does not name any (D-READING-13).
                rate_name: offered.and_then(|asked| asked.rate_name(&value.obis)).map(str::to_owned),
                obis: Some(value.obis),
                value: value.value,
                image_ids,
            })
            .collect(),
        reading_date,
        reading_reason: Some(result.reading_reason),
        contact: Some(result.contact),
        email: result.email,
        language: result.language,
        comment: None,
    };
    submission.store(&entry).await
}

fn check(call: &Call, result: &VisitorReading, reading_date: Date) -> Result<()> {
    let application = &call.tenant.application;
    let may_have_copy =
        application.crm_settings.unknown_user_receipt_allowed && call.claims()?.roles.iter().any(|role| role == ROLE_VISITOR_RECEIPT);
    let reading = visitor_reading::VisitorReading {
        meter_type: result.meter_type,
        sub_type: result.sub_type.clone(),
        meter_number: result.meter_number.clone(),
        reading_values: result
            .reading_values
            .iter()
            .map(|value| VisitorValue { obis: value.obis.clone(), value: value.value.clone(), image_count: value.reading_images.len() })
            .collect(),
        reading_date,
        reading_reason: result.reading_reason,
        contact: result.contact.clone(),
        email: result.email.clone(),
    };
    refuse(visitor_reading::check(&application.unknown_reading, &reading, may_have_copy, call.today()?))
}
