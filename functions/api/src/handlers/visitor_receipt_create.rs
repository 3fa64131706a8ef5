use domain::obis::{ObisCode, display_name};
use domain::visitor_reading::asked;
use edge::{Answer, Code};
use http::StatusCode;
use mail::{ReadMeter, ReadRate};
use store::ReadingWithoutJob;

use crate::call::Call;
use crate::crm::{self, VisitorReceiptOrder};
use crate::error::Result;
use crate::mails::address;
use crate::reading_without_job::sent_by_visitor;
use crate::route::ROLE_UNKNOWN_READINGS;
use crate::view::VisitorReading;

/// Receipt of a visitor's reading
///
/// Of a reading that this session has sent, or another one under the key that is named, as it was sent, with the address for the receipt. One reading has one receipt.
#[utoipa::path(
    post,
    path = "/api/pro/unknown-readings/receipts",
    tag = "communication",
    params(("Idempotency-Key" = Option<String>, Header, description = "The key under which the reading was sent")),
    request_body = VisitorReading,
    responses((status = 202, description = "The receipt is on its way")),
)]
pub(crate) async fn visitor_receipt_create(call: Call) -> Result<Answer> {
    let result: VisitorReading = call.request.json()?;
    if !call.tenant.application.crm_settings.unknown_user_receipt_allowed {
        return Err(Code::FeatureDisabled.into());
    }
    if !call.claims()?.roles.iter().any(|role| role == ROLE_UNKNOWN_READINGS) {
        return Err(Code::RoleMissing.into());
    }
    let to = address(result.email.as_deref().unwrap_or_default(), "email")?;
    let id = sent_by_visitor(&call, &result).await?;
    let entry = call.store()?.reading_without_job(call.tenant_id(), &id).await?.ok_or(Code::NotFound)?;
    let meter = meter(&call, &entry).ok_or(Code::NotFound)?;
    let sender = &entry.login_account_id;
    let order = VisitorReceiptOrder { sender, id: &id, meter: &meter, to: &to, language: result.language.as_deref() };
    crm::of(&call)?.send_visitor_receipt(order).await?;
    Ok(Answer::empty(StatusCode::ACCEPTED))
}

/// What the receipt says of the reading; none: it is not a visitor's, whose meter has a type.
fn meter(call: &Call, entry: &ReadingWithoutJob) -> Option<ReadMeter> {
    let meter_type = entry.meter_type?;
    let asked = asked(&call.tenant.application.unknown_reading, meter_type, entry.sub_type.as_deref());
    // The tenant's names of the rates: the address may be anybody's, and gets no words of the visitor's.
    let name_of = |obis: &str| asked?.rate_name(obis);
    let rates = entry.reading_values.iter().map(|value| {
        let obis = value.obis.as_deref().unwrap_or_default();
        let unit = obis.parse::<ObisCode>().ok().and_then(ObisCode::unit);
        ReadRate {
            name: display_name(name_of(obis), obis),
            value: value.value.clone(),
            unit: unit.map(str::to_owned),
            date: entry.reading_date,
        }
    });
    Some(ReadMeter {
        meter_type,
        custom_type: None,
        number: without_address(&entry.meter_number),
        place: None,
        date: entry.reading_date,
        rates: rates.collect(),
    })
}

/// The number without what a mail program would make a link of.
fn without_address(meter_number: &str) -> String {
    meter_number.replace(['.', '/'], " ")
}
