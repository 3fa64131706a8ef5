//! Readings that came without a job: which jobs suggest themselves, and what a clerk decides (D-CLEARING-9).

use std::collections::BTreeMap;

use domain::email::EmailAddress;
use domain::ids::{JobId, TenantId};
use domain::model::{Channel, LowerReason, MeterType};
use domain::obis::{ObisCode, display_name};
use domain::search::{self, Search};
use futures::future::try_join_all;
use futures::try_join;
use jiff::Timestamp;
use mail::{Mailer, Message, Order, Post, ReadMeter, ReadRate, Rejection, SendError};
use serde::Serialize;
use store::{
    Aside, Assignment, Cleared, Clearing, ClearingEntryWithoutJob, Entered, MailKind, Photos, ReadingWithoutJob, Reopened, Store, Tenant,
};

use crate::clearing::{By, NotUndone, Told, Undecided, known};
use crate::customers::some_jobs;
use crate::entry::{self, Counter, Desk, Entering, NewReading, Outcome, Remark, Stored};
use crate::{Failure, lists, patiently};

/// Most jobs that suggest themselves.
const MOST: usize = 8;
/// Jobs of the sender's that are looked at.
const OWN_JOBS: u32 = 25;

/// The grounds on which a job is suggested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Fit {
    /// Its meter has the number, or one that ends so.
    MeterNumber,
    /// The sender of the reading has the job.
    Sender,
    /// Its meter, or its customer, is where the reader says.
    Address,
    /// Its customer is called as the reader.
    Name,
}

impl Fit {
    /// The weight of it beside the others.
    fn weight(self) -> u32 {
        match self {
            Self::MeterNumber => 8,
            Self::Sender => 4,
            Self::Address => 2,
            Self::Name => 1,
        }
    }
}

/// A job that suggests itself.
#[derive(Debug, Clone, PartialEq)]
pub struct Suggestion {
    /// The job, with its customer's name.
    pub job: lists::JobRow,
    /// The grounds, one at least.
    pub because: Vec<Fit>,
}

/// The jobs that a reading may belong to, the likeliest first: three searches and a look at the sender's jobs, all at once.
///
/// # Errors
/// The store's.
pub async fn suggestions(store: &Store, tenant: &TenantId, entry: &ReadingWithoutJob) -> Result<Vec<Suggestion>, Failure> {
    let mut words = vec![(Fit::MeterNumber, entry.meter_number.clone())];
    if let Some(contact) = &entry.contact {
        words.push((Fit::Address, format!("{} {} {}", contact.street, contact.house_number, contact.zip)));
        words.push((Fit::Name, format!("{} {}", contact.firstname, contact.lastname)));
    }
    let searched = words.into_iter().map(|(fit, words)| async move {
        let Ok(search) = Search::parse(&words) else { return Ok::<_, Failure>(Vec::new()) };
        let page = patiently(|| store.find_jobs(tenant, &search, None)).await?;
        let found = page.found.into_iter().map(|found| (fit, lists::job_row(&found.job, found.account.name)));
        Ok(found.collect())
    });
    let own = async {
        let jobs = some_jobs(store, tenant, &entry.login_account_id, OWN_JOBS, None).await?.jobs;
        if jobs.is_empty() {
            return Ok(Vec::new());
        }
        let name = patiently(|| store.account(tenant, &entry.login_account_id)).await?.map(|account| account.name).unwrap_or_default();
        Ok::<_, Failure>(jobs.iter().map(|job| (Fit::Sender, lists::job_row(job, name.clone()))).collect())
    };
    let (searched, own) = try_join!(try_join_all(searched), own)?;
    let mut fitting: BTreeMap<JobId, Suggestion> = BTreeMap::new();
    let number = search::number(&entry.meter_number);
    for (fit, row) in searched.into_iter().flatten().chain(own) {
        // A word of the number may stand elsewhere in the job.
        if fit == Fit::MeterNumber && !search::number(&row.meter_number).ends_with(&number) {
            continue;
        }
        let suggestion = fitting.entry(row.job.clone()).or_insert(Suggestion { job: row, because: Vec::new() });
        if !suggestion.because.contains(&fit) {
            suggestion.because.push(fit);
        }
    }
    let mut suggestions: Vec<_> = fitting.into_values().filter(|one| is_possible(one, entry.meter_type)).collect();
    suggestions.sort_by_key(|one| {
        let weight: u32 = one.because.iter().map(|fit| fit.weight()).sum();
        (std::cmp::Reverse(weight), one.job.state != lists::JobState::Open, one.job.job.clone())
    });
    suggestions.truncate(MOST);
    Ok(suggestions)
}

/// A reader of gas does not read the water meter of the same flat.
fn is_possible(Suggestion { job, because }: &Suggestion, meter_type: Option<MeterType>) -> bool {
    job.state != lists::JobState::Closed
        && (because.contains(&Fit::MeterNumber) || meter_type.is_none_or(|wanted| wanted == job.meter_type))
}

/// To which job a reading goes, and what is taken that would not be otherwise.
#[derive(Debug, Clone)]
pub struct ToJob {
    /// The job.
    pub job: JobId,
    /// Of a reading with one value: the register, if the job has several.
    pub register: Option<String>,
    /// The reason why a value is right that is warned of.
    pub confirmed: Option<String>,
    /// Why it is taken although the time is over, or in the place of another reading.
    pub late: Option<String>,
    /// The job's readings in whose place it comes, by their ids.
    pub replaces: Vec<String>,
    /// The reason why a counter is lower than before.
    pub lower_reason: Option<LowerReason>,
}

/// A reading without a job that a clerk decides about, on the version that they saw.
#[derive(Debug, Clone, Copy)]
pub struct AboutWithoutJob<'a> {
    /// Its id.
    pub reading: &'a JobId,
    /// The version.
    pub version: &'a str,
}

/// Makes a reading that came without a job this job's, by the rules of what staff enter; its photos go with it. No doubt is raised about it: a clerk has looked; only
/// where the meter was exchanged does it wait until the exchange is named.
/// Answers when, too: of a repeated request when that was first done.
///
/// # Errors
/// [`Undecided`]; nothing was changed then.
pub async fn assign(
    desk: &Desk<'_>,
    photos: &Photos,
    about: AboutWithoutJob<'_>,
    to: &ToJob,
    by: By<'_>,
    now: Timestamp,
) -> Result<(Stored, Timestamp), Undecided> {
    let (store, tenant) = (desk.store(), desk.id());
    let mut are_photos_there = false;
    for _ in 0..Desk::ATTEMPTS {
        let stored = undecided(store, tenant, about).await;
        let entry = match stored {
            Ok(stored) => stored.entry,
            Err(Undecided::Overtaken(Some(made))) => {
                // Their own decision, whose answer did not come.
                return match repeated(desk, &made, to, by).await? {
                    Some(stored) => Ok((stored, made.at)),
                    None => Err(Undecided::Overtaken(Some(made))),
                };
            }
            Err(undecided) => return Err(undecided),
        };
        let new = reading(&entry, to);
        let entering = Entering {
            by: by.name.to_owned(),
            confirmed: to.confirmed.clone(),
            late: to.late.clone(),
            replaces: Some(to.replaces.clone()),
        };
        if !are_photos_there {
            match desk.try_to_assign(&new, &entering, true, &assignment(&entry, &entering, by, now), now).await? {
                None => continue,
                Some(Outcome::Stored(_)) => {}
                Some(outcome) => return Err(refusal(outcome)),
            }
            for image in entry.image_ids() {
                if let Some(jpeg) = patiently(|| photos.get(tenant, &entry.id, image)).await? {
                    patiently(|| photos.put(tenant, &to.job, image, jpeg.clone())).await?;
                }
            }
            are_photos_there = true;
        }
        match desk.try_to_assign(&new, &entering, false, &assignment(&entry, &entering, by, now), now).await? {
            None => {}
            Some(Outcome::Stored(stored)) => return Ok((*stored, now)),
            Some(outcome) => return Err(refusal(outcome)),
        }
    }
    Err(Undecided::Failed(store::StoreError::Conflict.into()))
}

fn refusal(outcome: Outcome) -> Undecided {
    match outcome {
        Outcome::Unconfirmed(remarks) => Undecided::Unconfirmed(remarks),
        Outcome::Refused(remarks) => Undecided::Misread(remarks),
        Outcome::Unchanged { .. } | Outcome::Stored(_) => Undecided::Misread(vec![Remark::there_already()]),
    }
}

fn assignment(entry: &ReadingWithoutJob, entering: &Entering, by: By<'_>, now: Timestamp) -> Assignment {
    let Entering { by: name, confirmed, late, .. } = entering.clone();
    Assignment { reading: entry.clone(), entered: Entered { by: name, confirmed, late }, clearing: by.clearing(true, None, now) }
}

fn reading(entry: &ReadingWithoutJob, to: &ToJob) -> NewReading {
    let only = entry.reading_values.len() == 1;
    let counter = |value: &store::ReadingWithoutJobValue| Counter {
        register: to.register.clone().filter(|_| only).or_else(|| value.obis.clone()),
        value: value.value.clone(),
    };
    NewReading {
        job: to.job.clone(),
        channel: Channel::Portal,
        reading_date: entry.reading_date,
        values: entry.reading_values.iter().map(counter).collect(),
        comment: entry.comment.clone(),
        lower_reason: to.lower_reason,
        photos: entry::Photos::None,
    }
}

/// The job's readings, if what is decided is what is asked for.
async fn repeated(desk: &Desk<'_>, made: &Clearing, to: &ToJob, by: By<'_>) -> Result<Option<Stored>, Failure> {
    let Some(assigned) = made.assigned.as_ref().filter(|assigned| assigned.job == to.job && made.member.as_ref() == by.member) else {
        return Ok(None);
    };
    let job = patiently(|| desk.store().job_by_id(desk.id(), &assigned.job)).await?;
    Ok(job.map(|job| Stored { job, readings: assigned.readings.clone(), confirmed: Vec::new(), doubts: Vec::new() }))
}

/// The reading, if no clerk decided about it since.
async fn undecided(store: &Store, tenant: &TenantId, about: AboutWithoutJob<'_>) -> Result<ClearingEntryWithoutJob, Undecided> {
    let stored = patiently(|| store.clearing_reading_without_job(tenant, about.reading)).await?.ok_or(Undecided::Unknown)?;
    if let Some(made) = stored.clearing {
        return Err(Undecided::Overtaken(Some(Box::new(made))));
    }
    if stored.version()? != about.version {
        return Err(Undecided::Overtaken(None));
    }
    Ok(stored)
}

/// Notes that a reading without a job does not count; its sender hears the words by mail, if there is an address. Answers when, as of [`assign`].
///
/// # Errors
/// [`Undecided`]; nothing was changed then.
pub async fn refuse(
    store: &Store,
    tenant: &TenantId,
    about: AboutWithoutJob<'_>,
    reason: &str,
    (by, mailer): (By<'_>, &Mailer),
    now: Timestamp,
) -> Result<(Told, Timestamp), Undecided> {
    let settings = known(store, tenant).await?;
    let clearing = by.clearing(false, Some(reason.to_owned()), now);
    let mut stored = patiently(|| store.clearing_reading_without_job(tenant, about.reading)).await?.ok_or(Undecided::Unknown)?;
    let mut at = now;
    match patiently(|| store.refuse_without_job(tenant, about.reading, &clearing, about.version)).await? {
        Cleared::Noted => {}
        Cleared::Gone => return Err(Undecided::Gone),
        Cleared::Overtaken => {
            stored = patiently(|| store.clearing_reading_without_job(tenant, about.reading)).await?.ok_or(Undecided::Gone)?;
            let is_same = |made: &Clearing| !made.released && made.reason == clearing.reason && made.member == clearing.member;
            match stored.clearing {
                Some(made) if is_same(&made) => at = made.at,
                made => return Err(Undecided::Overtaken(made.map(Box::new))),
            }
        }
    }
    Ok((tell_sender(store, mailer, &settings, &stored.entry, &clearing).await?, at))
}

/// Puts a reading without a job aside with a note; without one, takes it from there. Answers when, as of [`clearing::put_aside`](crate::clearing::put_aside).
///
/// # Errors
/// [`Undecided`]; nothing was changed then.
pub async fn put_aside(
    store: &Store,
    tenant: &TenantId,
    about: AboutWithoutJob<'_>,
    note: Option<&str>,
    by: &str,
    now: Timestamp,
) -> Result<Timestamp, Undecided> {
    let aside = note.map(|note| Aside { note: note.to_owned(), by: by.to_owned(), at: now });
    let (cleared, at) = patiently(|| store.put_aside_without_job(tenant, about.reading, aside.as_ref(), about.version)).await?;
    match cleared {
        Cleared::Noted => Ok(at.unwrap_or(now)),
        Cleared::Gone => Err(Undecided::Gone),
        Cleared::Overtaken => Err(undecided(store, tenant, about).await.err().unwrap_or(Undecided::Overtaken(None))),
    }
}

/// Takes the decision about a reading without a job back, until the job's reading went out.
///
/// # Errors
/// [`NotUndone`]; nothing was changed then.
pub async fn undo(store: &Store, tenant: &TenantId, reading: &JobId, made: Option<Timestamp>) -> Result<Clearing, NotUndone> {
    match patiently(|| store.undo_decision_without_job(tenant, reading, made, Timestamp::now())).await? {
        Reopened::Undone(clearing) => Ok(*clearing),
        Reopened::Undecided | Reopened::Withdrawn | Reopened::Proposed(_) => Err(NotUndone::Nothing),
        Reopened::Taken(taken) => Err(NotUndone::Taken(taken)),
        Reopened::Decided(since) => Err(NotUndone::Decided(since)),
        Reopened::PutAside(since) => Err(NotUndone::PutAside(since)),
        Reopened::Gone => Err(NotUndone::Gone),
    }
}

async fn tell_sender(
    store: &Store,
    mailer: &Mailer,
    tenant: &Tenant,
    entry: &ReadingWithoutJob,
    clearing: &Clearing,
) -> Result<Told, Failure> {
    let (id, sender) = (&tenant.application.application_id, &entry.login_account_id);
    let Some(reason) = &clearing.reason else { return Ok(Told::Nobody) };
    if tenant.application.communication_settings.sender_email.is_empty() {
        return Ok(Told::Nobody);
    }
    let registration = patiently(|| store.registration(id, sender)).await?;
    let unsubscribe = registration.as_ref().map(|known| tenant.application.registration_page(&known.self_service_token));
    let registered = registration.and_then(|registration| registration.confirmed);
    let given = entry.email.as_deref().and_then(|email| email.parse::<EmailAddress>().ok());
    let (Some(to), unsubscribe) = (match registered {
        Some(registered) => (Some(registered), unsubscribe),
        None => (given, None),
    }) else {
        return Ok(Told::Nobody);
    };
    let account = patiently(|| store.account(id, sender)).await?;
    let language = account.and_then(|account| account.language).or_else(|| entry.language.clone());
    let rates = entry.reading_values.iter().map(|value| {
        let obis = value.obis.as_deref().unwrap_or_default();
        let unit = obis.parse::<ObisCode>().ok().and_then(ObisCode::unit);
        ReadRate {
            name: display_name(value.rate_name.as_deref(), obis),
            value: value.value.clone(),
            unit: unit.map(str::to_owned),
            date: entry.reading_date,
        }
    });
    let meter = ReadMeter {
        meter_type: entry.meter_type.unwrap_or(MeterType::GenericMeter),
        custom_type: None,
        // The address may be anybody's: a mail program makes no link of the number.
        number: entry.meter_number.replace(['.', '/'], " "),
        place: None,
        date: entry.reading_date,
        rates: rates.collect(),
    };
    let message = Message::Rejection(Rejection { meter, reason: reason.clone(), may_read_again: unsubscribe.is_some(), unsubscribe });
    let order = Order {
        account: sender,
        top: sender,
        kind: MailKind::Rejection,
        key: &format!("{} {reason}", entry.id),
        request_hash: entry.id.as_str(),
        to: &to,
        to_name: None,
        language: language.as_deref(),
    };
    match (Post { store, mailer, tenant, now: clearing.at }).send(order, &message).await {
        Ok(_) => Ok(Told::Mailed),
        Err(SendError::Store(error)) => Err(error.into()),
        Err(error) => Ok(Told::NotTaken(error.to_string())),
    }
}
