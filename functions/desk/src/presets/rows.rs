//! The rows of each list.

use std::borrow::Cow;

use domain::ids::{ImageId, JobId, SeasonId};
use domain::meter::job_meter_type;
use domain::obis::ObisCode;
use domain::preset::Field;
use domain::value::MeterValue;
use domain::visitor_reading::Contact;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Serialize;
use serde_json::Value;
use store::{Clearing, ClearingEntry, Exchange, ReadingWithoutJob, ReadingWithoutJobValue, Sending, StoredJob};

use crate::lists::{OpenRow, Place};

/// The value of a field in a row.
#[derive(Debug)]
pub enum Cell<'a> {
    /// Nothing.
    Empty,
    /// A number or a word by which something is known, or what a person wrote.
    Text(Cow<'a, str>),
    /// A counter.
    Number(&'a MeterValue),
    /// A number of things.
    Count(u64),
    /// A day.
    Day(Date),
    /// A moment.
    Moment(Timestamp),
}

/// A row of a list.
pub trait Row {
    /// What the field says; nothing, if the list does not have it.
    fn cell(&self, field: Field) -> Cell<'_>;

    /// The text of the column of the jobs' file.
    fn passed(&self, column: &str) -> Cow<'_, str>;
}

/// A reading of a job.
pub struct OfJob<'a> {
    /// The reading.
    pub reading: &'a ClearingEntry,
    /// The decision that it goes out with.
    pub clearing: Option<&'a Clearing>,
    /// As what it goes out; none: this is a look at what was received.
    pub sending: Option<&'a Sending>,
    /// The reading that it corrects or cancels.
    pub before: Option<&'a ClearingEntry>,
    /// The export's number.
    pub export: Option<u64>,
    /// The job as it is now; none: it went.
    pub job: Option<&'a StoredJob>,
}

fn text<'a>(text: &'a (impl AsRef<str> + ?Sized)) -> Cell<'a> {
    Cell::Text(Cow::Borrowed(text.as_ref()))
}

fn some_text(text: Option<&(impl AsRef<str> + ?Sized)>) -> Cell<'_> {
    text.map_or(Cell::Empty, self::text)
}

fn owned(text: impl ToString) -> Cell<'static> {
    Cell::Text(Cow::Owned(text.to_string()))
}

/// A name as the API writes it.
fn code(name: &impl Serialize) -> Cell<'static> {
    match serde_json::to_value(name) {
        Ok(Value::String(name)) => Cell::Text(Cow::Owned(name)),
        _ => Cell::Empty,
    }
}

fn some_code(name: Option<&impl Serialize>) -> Cell<'static> {
    name.map_or(Cell::Empty, code)
}

fn some_day(day: Option<Date>) -> Cell<'static> {
    day.map_or(Cell::Empty, Cell::Day)
}

/// The season; that of what names none has no name.
fn season(id: &SeasonId) -> Cell<'_> {
    some_text(Some(id).filter(|id| !id.is_default()).map(SeasonId::as_str))
}

fn whole(value: &MeterValue) -> Cell<'_> {
    text(significant(value.as_str().split('.').next().unwrap_or_default()))
}

fn decimals(value: &MeterValue) -> Cell<'_> {
    some_text(value.as_str().split_once('.').map(|(_, decimals)| decimals))
}

/// Digits without the zeros in front, at least one.
pub fn significant(digits: &str) -> &str {
    let whole = digits.split('.').next().unwrap_or_default();
    let zeros = whole.bytes().take_while(|digit| *digit == b'0').count().min(whole.len().saturating_sub(1));
    &digits[zeros..]
}

fn images(ids: &[ImageId]) -> Cell<'static> {
    match ids {
        [] => Cell::Empty,
        ids => owned(ids.iter().map(ImageId::as_str).collect::<Vec<_>>().join(" ")),
    }
}

fn unit<'a>(own: Option<&'a str>, obis: Option<&str>) -> Cell<'a> {
    own.map_or_else(|| some_text(obis.and_then(|obis| obis.parse::<ObisCode>().ok()).and_then(ObisCode::unit)), text)
}

/// The value of a job's own field.
fn of_job(job: &StoredJob, field: Field) -> Cell<'_> {
    let (master, customer) = (&job.master, job.master.customer.as_ref());
    let address = &master.meter.meter_address;
    match field {
        Field::CustomerNumber => {
            let number = customer.and_then(|customer| customer.customer_number.as_deref());
            text(number.unwrap_or_else(|| job.account_id.as_str()))
        }
        Field::MaLoId => some_text(master.ma_lo_id.as_ref().or(master.meter.ma_lo_id.as_ref())),
        Field::MeLoId => some_text(master.me_lo_id.as_ref()),
        Field::MeterType => code(&job_meter_type(master)),
        Field::Company => some_text(address.company.as_ref().or_else(|| customer?.company.as_ref())),
        Field::Firstname => some_text(address.firstname.as_ref().or_else(|| customer?.firstname.as_ref())),
        Field::Lastname => some_text(address.lastname.as_ref().or_else(|| customer?.lastname.as_ref())),
        Field::Street => some_text(address.street.as_ref()),
        Field::HouseNumber => some_text(address.house_number.as_ref()),
        Field::Postcode => some_text(address.zip.as_ref()),
        Field::City => some_text(address.city.as_ref()),
        Field::District => some_text(address.city_district.as_ref()),
        Field::Location => some_text(address.location_description.as_ref()),
        Field::Earliest => some_day(master.job_constraints.earliest_execution),
        Field::Deadline => some_day(master.job_constraints.latest_execution),
        _ => Cell::Empty,
    }
}

impl OfJob<'_> {
    fn exchange(&self) -> Option<&Exchange> {
        self.clearing?.counting_exchange()
    }

    /// The register's place in its job.
    fn place(&self) -> Option<usize> {
        self.job?.master.meter.meter_rate_tasks.iter().position(|task| task.task_id == self.reading.entry.task_id)
    }
}

impl Row for OfJob<'_> {
    fn cell(&self, field: Field) -> Cell<'_> {
        let entry = &self.reading.entry;
        let refers_to = self.sending.and_then(|sending| sending.refers_to.as_ref());
        match field {
            Field::AccountId => some_text(entry.account_id.as_ref().map(|id| id.as_str())),
            Field::JobId => text(entry.job_id.as_str()),
            Field::ResultId => text(&entry.result_id),
            Field::Season => season(entry.season_by(self.job.map(|job| &job.season))),
            Field::TaskId => text(entry.task_id.as_str()),
            Field::Register => self.place().map_or(Cell::Empty, |place| Cell::Count(place as u64 + 1)),
            Field::RateName => {
                let task = self.place().and_then(|place| self.job?.master.meter.meter_rate_tasks.get(place));
                some_text(task.and_then(|task| task.rate_name.as_ref()))
            }
            Field::MeterNumber => some_text(entry.meter_number_by(self.clearing)),
            Field::Obis => text(&entry.obis),
            Field::Unit => unit(entry.unit.as_deref(), Some(&entry.obis)),
            Field::ReadingValue => Cell::Number(&entry.reading_value),
            Field::ReadingValueWhole => whole(&entry.reading_value),
            Field::ReadingValueDecimals => decimals(&entry.reading_value),
            Field::ReadingDate => Cell::Day(entry.reading_date),
            Field::Created => Cell::Moment(entry.created),
            Field::Channel => code(&entry.channel),
            Field::LoginKind => some_code(entry.login_kind.as_ref()),
            Field::WithoutJob => some_text(entry.without_job.as_ref().map(JobId::as_str)),
            Field::EnteredBy => some_text(entry.entered.as_ref().map(|entered| &entered.by)),
            Field::ConfirmedReason => some_text(entry.entered.as_ref().and_then(|entered| entered.confirmed.as_ref())),
            Field::LateReason => some_text(entry.entered.as_ref().and_then(|entered| entered.late.as_ref())),
            Field::Login => some_text(entry.login_account_id.as_ref().map(|id| id.as_str())),
            Field::Comment => some_text(entry.comment.as_ref()),
            Field::LowerReason => some_code(entry.lower_reason_by(self.clearing).as_ref()),
            Field::ImageIds => images(&entry.image_ids),
            Field::Clearing => some_text(self.clearing.map(|clearing| if clearing.released { "released" } else { "rejected" })),
            Field::ClearingReason => some_text(self.clearing.and_then(|clearing| clearing.reason.as_ref())),
            Field::ExchangedOn => some_day(self.exchange().map(|exchange| exchange.day)),
            Field::FinalValue => self.exchange().map_or(Cell::Empty, |exchange| Cell::Number(&exchange.final_value)),
            Field::InitialValue => self.exchange().map_or(Cell::Empty, |exchange| Cell::Number(&exchange.initial_value)),
            Field::NewNumber => some_text(self.exchange().and_then(|exchange| exchange.new_number.as_ref())),
            Field::Kind => some_code(self.sending.map(|sending| &sending.kind)),
            Field::RefersTo => some_text(refers_to.map(|sent| &sent.result_id)),
            Field::RefersToExport => refers_to.and_then(|sent| sent.export).map_or(Cell::Empty, Cell::Count),
            Field::RefersToValue => self.before.map_or(Cell::Empty, |before| Cell::Number(&before.entry.reading_value)),
            Field::RefersToDate => some_day(self.before.map(|before| before.entry.reading_date)),
            Field::Export => self.export.map_or(Cell::Empty, Cell::Count),
            Field::CustomerNumber if self.job.is_none() => some_text(entry.account_id.as_ref().map(|id| id.as_str())),
            _ => self.job.map_or(Cell::Empty, |job| of_job(job, field)),
        }
    }

    fn passed(&self, column: &str) -> Cow<'_, str> {
        let value = self.job.zip(self.place()).and_then(|(job, place)| job.pass_through.of_register(place, column));
        Cow::Borrowed(value.unwrap_or_default())
    }
}

/// A value of a reading without a job.
pub struct WithoutJob<'a> {
    /// The reading.
    pub entry: &'a ReadingWithoutJob,
    /// The value.
    pub value: &'a ReadingWithoutJobValue,
    /// The export's number.
    pub export: Option<u64>,
}

impl Row for WithoutJob<'_> {
    fn cell(&self, field: Field) -> Cell<'_> {
        let Self { entry, value, export } = self;
        let of_contact = |part: fn(&Contact) -> &String| some_text(entry.contact.as_ref().map(part));
        match field {
            Field::ReadingId => text(entry.id.as_str()),
            Field::MeterType => some_code(entry.meter_type.as_ref()),
            Field::SubType => some_text(entry.sub_type.as_ref()),
            Field::MeterNumber => text(&entry.meter_number),
            Field::Obis => some_text(value.obis.as_ref()),
            Field::RateName => some_text(value.rate_name.as_ref()),
            Field::Unit => unit(None, value.obis.as_deref()),
            Field::ReadingValue => Cell::Number(&value.value),
            Field::ReadingValueWhole => whole(&value.value),
            Field::ReadingValueDecimals => decimals(&value.value),
            Field::ReadingDate => Cell::Day(entry.reading_date),
            Field::Created => Cell::Moment(entry.created),
            Field::ReadingReason => some_code(entry.reading_reason.as_ref()),
            Field::LoginKind => code(&entry.login_kind),
            Field::Login => text(entry.login_account_id.as_str()),
            Field::Comment => some_text(entry.comment.as_ref()),
            Field::ImageIds => images(&value.image_ids),
            Field::Firstname => of_contact(|contact| &contact.firstname),
            Field::Lastname => of_contact(|contact| &contact.lastname),
            Field::Street => of_contact(|contact| &contact.street),
            Field::HouseNumber => of_contact(|contact| &contact.house_number),
            Field::Postcode => of_contact(|contact| &contact.zip),
            Field::City => of_contact(|contact| &contact.city),
            Field::Email => some_text(entry.email.as_ref()),
            Field::Export => export.map_or(Cell::Empty, Cell::Count),
            _ => Cell::Empty,
        }
    }

    fn passed(&self, _column: &str) -> Cow<'_, str> {
        Cow::Borrowed("")
    }
}

impl Row for OpenRow {
    fn cell(&self, field: Field) -> Cell<'_> {
        let Place { street, house_number, postcode, city, district } = &self.place;
        match field {
            Field::CustomerNumber => text(&self.customer_number),
            Field::AccountId => text(self.account.as_str()),
            Field::JobId => text(self.job.as_str()),
            Field::Season => season(&self.season),
            Field::MeterNumber => text(&self.meter_number),
            Field::MeterType => code(&self.meter_type),
            Field::MaLoId => some_text(self.ma_lo_id.as_ref()),
            Field::MeLoId => some_text(self.me_lo_id.as_ref()),
            Field::Name => text(&self.name),
            Field::Company => some_text(self.company.as_ref()),
            Field::Firstname => some_text(self.firstname.as_ref()),
            Field::Lastname => some_text(self.lastname.as_ref()),
            Field::Street => some_text(street.as_ref()),
            Field::HouseNumber => some_text(house_number.as_ref()),
            Field::Postcode => some_text(postcode.as_ref()),
            Field::City => some_text(city.as_ref()),
            Field::District => some_text(district.as_ref()),
            Field::Location => some_text(self.location.as_ref()),
            Field::Earliest => some_day(self.earliest),
            Field::Deadline => some_day(self.deadline),
            Field::Overdue => owned(self.overdue),
            Field::Open => owned(self.open),
            Field::HasEmail => owned(self.email),
            _ => Cell::Empty,
        }
    }

    fn passed(&self, column: &str) -> Cow<'_, str> {
        Cow::Owned(self.pass_through.of_job(column).join(" "))
    }
}
