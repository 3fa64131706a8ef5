//! The rows of `zaehlwerk readings export --unknown`: readings of meters that have no job.

use std::borrow::Cow;

use domain::ids::{AccountId, JobId};
use domain::model::{LoginKind, MeterType, ReadingReason};
use domain::obis::ObisCode;
use domain::unknown_reading::Contact;
use domain::value::MeterValue;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use store::{UnknownReadingEntry, UnknownReadingValue};

use crate::export::{Images, Line};
use crate::text::no_formula;

/// One value; the order of the fields is that of the columns.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct UnknownRow<'a> {
    reading_id: &'a JobId,
    meter_type: Option<MeterType>,
    sub_type: Option<&'a str>,
    meter_number: Cow<'a, str>,
    obis: Option<&'a str>,
    rate_name: Option<Cow<'a, str>>,
    unit: Option<&'static str>,
    reading_value: &'a MeterValue,
    reading_date: Date,
    reading_reason: Option<ReadingReason>,
    firstname: Option<Cow<'a, str>>,
    lastname: Option<Cow<'a, str>>,
    street: Option<Cow<'a, str>>,
    house_number: Option<Cow<'a, str>>,
    zip: Option<Cow<'a, str>>,
    city: Option<Cow<'a, str>>,
    email: Option<Cow<'a, str>>,
    comment: Option<Cow<'a, str>>,
    created: Timestamp,
    image_ids: Images<'a>,
    channel: LoginKind,
    login: &'a AccountId,
}

impl<'a> UnknownRow<'a> {
    /// A row for each value of the reading.
    pub fn of(entry: &'a UnknownReadingEntry) -> impl Iterator<Item = Self> {
        entry.reading_values.iter().map(move |value| Self::of_value(entry, value))
    }

    fn of_value(entry: &'a UnknownReadingEntry, value: &'a UnknownReadingValue) -> Self {
        let of_contact = |field: fn(&Contact) -> &String| entry.contact.as_ref().map(|contact| Cow::Borrowed(field(contact).as_str()));
        Self {
            reading_id: &entry.id,
            meter_type: entry.meter_type,
            sub_type: entry.sub_type.as_deref(),
            meter_number: Cow::Borrowed(&entry.meter_number),
            obis: value.obis.as_deref(),
            rate_name: value.rate_name.as_deref().map(Cow::Borrowed),
            unit: value.obis.as_deref().and_then(|obis| obis.parse::<ObisCode>().ok()).and_then(ObisCode::unit),
            reading_value: &value.value,
            reading_date: entry.reading_date,
            reading_reason: entry.reading_reason,
            firstname: of_contact(|contact| &contact.firstname),
            lastname: of_contact(|contact| &contact.lastname),
            street: of_contact(|contact| &contact.street),
            house_number: of_contact(|contact| &contact.house_number),
            zip: of_contact(|contact| &contact.zip),
            city: of_contact(|contact| &contact.city),
            email: entry.email.as_deref().map(Cow::Borrowed),
            comment: entry.comment.as_deref().map(Cow::Borrowed),
            created: entry.created,
            image_ids: Images::of(&value.image_ids),
            channel: entry.channel,
            login: &entry.login_account_id,
        }
    }
}

impl Line for UnknownRow<'_> {
    const COLUMNS: &'static [&'static str] = &[
        "readingId",
        "meterType",
        "subType",
        "meterNumber",
        "obis",
        "rateName",
        "unit",
        "readingValue",
        "readingDate",
        "readingReason",
        "firstname",
        "lastname",
        "street",
        "houseNumber",
        "zip",
        "city",
        "email",
        "comment",
        "created",
        "imageIds",
        "channel",
        "login",
    ];

    fn for_csv(mut self) -> Self {
        let typed = [
            &mut self.rate_name,
            &mut self.firstname,
            &mut self.lastname,
            &mut self.street,
            &mut self.house_number,
            &mut self.zip,
            &mut self.city,
            &mut self.email,
            &mut self.comment,
        ];
        for text in typed.into_iter().flatten().chain([&mut self.meter_number]) {
            *text = Cow::Owned(no_formula(text).into_owned());
        }
        self.image_ids.join();
        self
    }
}
