//! A town of the demo, for the desk: customers of whom most have answered by phone or card, and some in a way that a clerk has to look at.

use std::fs;
use std::path::Path;

use desk::entry::{Counter, Desk, Entering, NewReading, Outcome, Photos};
use domain::ids::TenantId;
use domain::model::{Channel, LoginKind, ReadingReason};
use domain::value::MeterValue;
use domain::visitor_reading::WITHOUT_JOB;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use local::demo_data::{self, TownReading, TownVisit};
use store::{Account, IdempotencyWrite, NewAccount, ReadingWithoutJob, ReadingWithoutJobValue, Store};

use crate::demo::{DemoError, file_error, import_jobs};

/// Brings the town in, and enters what it has read.
pub async fn import(store: &Store, tenant: &TenantId, folder: &Path, now: Timestamp) -> Result<(), DemoError> {
    let desk = Desk::of(store, tenant).await.map_err(operator::Failure::Desk)?;
    let town = demo_data::town(desk.today(now)).map_err(DemoError::Data)?;
    let folder = folder.join("town");
    fs::create_dir_all(&folder).map_err(|error| file_error(&folder, error))?;
    demo_data::write_lines(&folder.join("jobs.jsonl"), &town.jobs).map_err(DemoError::Data)?;
    for (id, name) in town.accounts {
        let account = Account {
            id,
            name,
            share: None,
            roles: Vec::new(),
            language: None,
            email: None,
            salutation: None,
            valid_until: None,
            username: None,
            generation: 0,
            share_era: 0,
        };
        let new = NewAccount { account, password_hash: None, link: None, end_shares: false };
        store.put_account(tenant, &new).await.map_err(operator::Failure::from)?;
    }
    import_jobs(store, tenant, &folder.join("jobs.jsonl")).await?;
    for (place, reading) in (0_i64..).zip(&town.readings) {
        enter(&desk, place, reading, now).await?;
    }
    for (place, visit) in (0_i64..).zip(town.visits) {
        receive(store, tenant, place, visit, now).await?;
    }
    Ok(())
}

/// A reading as it came from a visitor.
async fn receive(store: &Store, tenant: &TenantId, place: i64, visit: TownVisit, now: Timestamp) -> Result<(), DemoError> {
    let created = now - (visit.days_ago * 24).hours() - (place * 13).minutes();
    let id = format!("{WITHOUT_JOB}{place:032}");
    let data = |error: &dyn std::fmt::Display| DemoError::Data(error.to_string().into());
    let entry = ReadingWithoutJob {
        id: id.parse().map_err(|error| data(&error))?,
        created,
        login_kind: LoginKind::Public,
        login_account_id: format!("visitor~{place}").parse().map_err(|error| data(&error))?,
        meter_type: Some(visit.meter_type),
        sub_type: None,
        meter_number: visit.meter_number,
        reading_values: vec![ReadingWithoutJobValue {
            obis: Some(visit.obis),
            rate_name: None,
            value: MeterValue::parse(&visit.value).map_err(|error| data(&format!("{error:?}")))?,
            image_ids: Vec::new(),
        }],
        reading_date: created.to_zoned(TimeZone::UTC).date(),
        reading_reason: Some(ReadingReason::AnnualReading),
        contact: Some(visit.contact),
        email: None,
        language: None,
        comment: None,
    };
    store.submit_without_job(tenant, &entry, &IdempotencyWrite::of_staff(&id, created), false).await.map_err(operator::Failure::from)?;
    Ok(())
}

/// A reading as a member of the utility typed it, on its day and at an hour of work.
async fn enter(desk: &Desk<'_>, place: i64, reading: &TownReading, now: Timestamp) -> Result<(), DemoError> {
    let channel = [Channel::Card, Channel::Phone, Channel::Card, Channel::Email, Channel::Technician][(place % 5) as usize];
    let entered = now - (reading.days_ago * 24).hours() - (place * 7 % 240).minutes();
    let parsed = |value: &str| MeterValue::parse(value).map_err(|error| refused(reading, &format!("{error:?}")));
    let new = NewReading {
        job: reading.job.clone(),
        channel,
        reading_date: desk.today(entered),
        values: reading
            .values
            .iter()
            .map(|(register, value)| Ok(Counter { register: Some(register.clone()), value: parsed(value)? }))
            .collect::<Result<_, DemoError>>()?,
        comment: reading.comment.map(str::to_owned),
        lower_reason: reading.lower_reason,
        photos: Photos::None,
    };
    let entering = Entering { by: "Mara Lindner".to_owned(), confirmed: reading.confirmed.map(str::to_owned), ..Entering::default() };
    match desk.enter(&new, &entering, false, entered).await.map_err(operator::Failure::Desk)? {
        Outcome::Stored(_) => Ok(()),
        other => Err(refused(reading, &format!("{other:?}"))),
    }
}

fn refused(reading: &TownReading, answer: &str) -> DemoError {
    DemoError::Refused { job: reading.job.to_string(), answer: answer.to_owned() }
}
