//! Printed letters: who gets one, what it says, and how it is drawn.

mod address;
pub(crate) mod face;
pub(crate) mod links;
mod page;
mod renewal;
mod sample;
mod template;

use std::collections::BTreeSet;

use domain::config::Application;
use domain::ids::{AccountId, JobId, SeasonId, TenantId};
use domain::job::resolved_config;
use domain::login::link_token_hash;
use domain::meter::job_meter_type;
use domain::model::{JobMaster, MeterType};
use domain::text;
use domain::text::Text;
use domain::window::{self, Sending};
use futures::{StreamExt, TryStreamExt, stream};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use store::{Account, Store, StoredJob};

use crate::{Failure, patiently};

pub use address::Recipient;
pub use links::put_off;
pub use page::{Cards, Part, Press, Style, Unprintable, card_job};
pub(crate) use renewal::{NEVER, verified};
pub use renewal::{Reissue, Renewal, hashed, hashed_with, link, reissue, renewal_with_letter};
pub use sample::{fault, sample};
use template::labels;
pub(crate) use template::unprintable;
pub use template::{AREA, Day, NEEDED, OWN_TEXT, PLACES, Template};

/// Most meters that a letter lists.
const ROWS: usize = 10;
/// Jobs that are read at once.
const PAGE: u32 = 500;
/// Accounts that are looked at together.
const IN_FLIGHT: usize = 16;
/// Accounts whose notes are read at once.
const BATCH: usize = 33;

/// The login data of one person, as they go to the printer and are kept nowhere else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Letter {
    pub id: AccountId,
    /// The name that the letter addresses.
    pub name: String,
    /// The salutation, in the utility's own words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salutation: Option<String>,
    /// User name.
    pub username: String,
    /// None: it is as it was, and not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password: Option<String>,
    /// Token of the link.
    pub token: String,
    /// The link, also as QR code.
    pub link: String,
    /// Last day on which the login works.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<Date>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
}

impl Letter {
    /// A letter to the account with this user name, this password if it is a new one, and this link.
    pub fn of(application: &Application, account: &Account, (username, password): (String, Option<String>), token: String) -> Self {
        Self {
            id: account.id.clone(),
            name: account.name.clone(),
            salutation: account.salutation.clone(),
            username,
            password,
            link: format!("{}/m/{token}", application.portal_url),
            token,
            valid_until: account.valid_until,
            language: account.language.clone(),
        }
    }
}

/// The reasons why a letter is not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// There is nothing to read.
    NoOpenJob,
    NoStreet,
    NoTown,
    /// It is none of a German town.
    Postcode(String),
    /// The address does not fit into the window.
    AddressTooLong,
    /// The text needs more than a page.
    TextTooLong,
    /// The link does not fit into a QR code.
    LinkTooLong,
    /// The link opens nothing: newer login data have ended it, or it is another tenant's.
    LinkEnded,
}

impl Refusal {
    /// The fault and its remedy, for a clerk.
    pub fn text(&self) -> Text {
        match self {
            Self::NoOpenJob => text!("es ist nichts abzulesen: kein offener Auftrag", "there is nothing to read: no open job"),
            Self::NoStreet => text!("in der Anschrift fehlt die Straße", "the address has no street"),
            Self::NoTown => text!("in der Anschrift fehlt Postleitzahl oder Ort", "the address has no postcode or no town"),
            Self::Postcode(postcode) => text!(
                "die Postleitzahl `{postcode}` hat nicht fünf Ziffern; für eine Anschrift im Ausland gehört das Land in die Datei",
                "the postcode `{postcode}` does not have five digits; for an address abroad the file needs the country"
            ),
            Self::AddressTooLong => text!(
                "die Anschrift passt auch kleiner und umbrochen nicht in das Fenster (sechs Zeilen, 80 mm)",
                "even smaller and broken the address does not fit into the window (six lines, 80 mm)"
            ),
            Self::TextTooLong => text!("der Text ist zu lang für eine Seite", "the text is too long for one page"),
            Self::LinkTooLong => text!("der Link ist zu lang für einen QR-Code", "the link is too long for a QR code"),
            Self::LinkEnded => text!(
                "sein Link öffnet hier keinen Zugang: neuere Zugangsdaten haben ihn beendet, oder das Anschreiben gehört einem anderen Mandanten",
                "its link opens no account here: newer login data have ended it, or the letter is another tenant's"
            ),
        }
    }
}

/// A letter with all that is printed on it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Prepared {
    pub letter: Letter,
    /// One of the portal's.
    pub language: String,
    pub recipient: Recipient,
    /// The number under which the utility knows the customer; the account's id if the jobs have none.
    pub customer_number: String,
    pub salutation: String,
    /// The first of the meters' last days that is still to come.
    pub deadline: Option<Date>,
    /// The first ten of the meters to read.
    pub meters: Vec<LetterMeter>,
    /// The number of all meters.
    pub meter_count: usize,
}

/// A meter of a letter.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LetterMeter {
    pub job: JobId,
    pub number: String,
    /// In the letter's language, or the tenant's own word.
    pub medium: String,
    pub place: String,
    /// First day.
    pub from: Option<Date>,
    /// Last day.
    pub until: Option<Date>,
    pub registers: Vec<LetterRegister>,
}

/// A register of a meter, as a reply card asks for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LetterRegister {
    /// The tenant's name of the rate, or the OBIS code.
    pub name: String,
    pub pre_decimals: u8,
    pub post_decimals: u8,
    /// The last reading that the utility knows.
    pub last: Option<(Date, String)>,
}

/// Looks up what a letter says, of one season or of all; a [`Refusal`] is about this letter alone.
pub async fn prepare(
    store: &Store,
    tenant: &TenantId,
    application: &Application,
    letter: Letter,
    season: Option<&SeasonId>,
    today: Date,
) -> Result<Result<Prepared, Refusal>, Failure> {
    let jobs = open_jobs(store, tenant, application, &letter.id, season, today).await?;
    Ok(prepared(letter, &jobs, application, today))
}

/// The contents of a letter about these jobs.
pub(crate) fn prepared(letter: Letter, open: &[StoredJob], application: &Application, today: Date) -> Result<Prepared, Refusal> {
    let masters: Vec<_> = open.iter().map(|job| &job.master).collect();
    Prepared::of(letter, &masters, application, today)
}

/// The account's jobs that can still be read, of one season or of all.
pub(crate) async fn open_jobs(
    store: &Store,
    tenant: &TenantId,
    application: &Application,
    account: &AccountId,
    season: Option<&SeasonId>,
    today: Date,
) -> Result<Vec<StoredJob>, Failure> {
    let (mut jobs, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let page = patiently(|| store.jobs(tenant, account, PAGE, cursor.as_deref())).await?;
        let wanted = |job: &StoredJob| season.is_none_or(|season| job.season == *season) && is_open(job, application, today);
        jobs.extend(page.jobs.into_iter().filter(wanted));
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(jobs);
        }
    }
}

/// The accounts of the utility's own that still log in and have a job that can be read, of one season or of all; by id within each shard of the list.
pub async fn accounts_with_open_jobs(
    store: &Store,
    tenant: &TenantId,
    application: &Application,
    season: Option<&SeasonId>,
    today: Date,
) -> Result<Vec<AccountId>, Failure> {
    let (mut found, mut cursor) = (Vec::new(), None::<String>);
    loop {
        let (accounts, next) = patiently(|| store.accounts(tenant, cursor.as_deref())).await?;
        let own = accounts.into_iter().filter(|account| !account.is_share && account.valid_until.is_none_or(|last| last >= today));
        let looked_at = stream::iter(own).map(|account| async move {
            let is_wanted = has_open_job(store, tenant, application, &account.id, season, today).await?;
            Ok::<_, Failure>(is_wanted.then_some(account.id))
        });
        let wanted: Vec<Option<AccountId>> = looked_at.buffered(IN_FLIGHT).try_collect().await?;
        found.extend(wanted.into_iter().flatten());
        cursor = next;
        if cursor.is_none() {
            return Ok(found);
        }
    }
}

async fn has_open_job(
    store: &Store,
    tenant: &TenantId,
    application: &Application,
    account: &AccountId,
    season: Option<&SeasonId>,
    today: Date,
) -> Result<bool, Failure> {
    let mut cursor = None::<String>;
    loop {
        let page = patiently(|| store.jobs(tenant, account, PAGE, cursor.as_deref())).await?;
        let wanted = |job: &StoredJob| season.is_none_or(|season| job.season == *season) && is_open(job, application, today);
        if page.jobs.iter().any(wanted) {
            return Ok(true);
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            return Ok(false);
        }
    }
}

/// Those of the accounts whose last letter came back, which get no other one until a member lifts that (D-LETTERS-12).
pub async fn returned(store: &Store, tenant: &TenantId, accounts: &[AccountId], now: Timestamp) -> Result<BTreeSet<AccountId>, Failure> {
    let looked_at = stream::iter(accounts.chunks(BATCH)).map(|batch| async move {
        let invitees = patiently(|| store.invitees(tenant, batch, now)).await?;
        let returned = invitees.into_iter().filter(|invitee| invitee.returned.is_some()).map(|invitee| invitee.account.id);
        Ok::<_, Failure>(returned.collect::<Vec<_>>())
    });
    let returned: Vec<_> = looked_at.buffered(IN_FLIGHT).try_collect().await?;
    Ok(returned.into_iter().flatten().collect())
}

/// Whether the letter's link opens its account: not where newer login data have ended it, nor at another tenant (D-LETTERS-15).
pub async fn opens(store: &Store, tenant: &TenantId, letter: &Letter, now: Timestamp) -> Result<bool, Failure> {
    let hash = link_token_hash(&letter.token);
    Ok(patiently(|| store.link_login(tenant, &hash, now)).await?.as_ref() == Some(&letter.id))
}

/// Whether a reading can still be sent, today or later.
pub fn is_open(job: &StoredJob, application: &Application, today: Date) -> bool {
    let features = resolved_config(application, &job.master).features;
    let sending = window::sending(&job.master.job_constraints, &features, today);
    !job.closed && !job.done && !matches!(sending, Sending::Expired(_))
}

/// The first of the jobs' last days that is still to come.
pub fn deadline<'a>(jobs: impl IntoIterator<Item = &'a JobMaster>, today: Date) -> Option<Date> {
    jobs.into_iter().filter_map(|job| job.job_constraints.latest_execution).filter(|day| *day >= today).min()
}

impl Prepared {
    fn of(letter: Letter, open: &[&JobMaster], application: &Application, today: Date) -> Result<Self, Refusal> {
        let Some(first) = open.first() else { return Err(Refusal::NoOpenJob) };
        let language = letter.language.clone().unwrap_or_else(|| application.default_language.clone());
        let labels = labels(&language);
        let mailed = open.iter().filter_map(|job| {
            let customer = job.customer.as_ref()?;
            Some(Recipient::by_mail(customer, customer.mailing_address.as_ref()?))
        });
        // One that the post can deliver, if a job has it; otherwise the first says what is wrong.
        let mailed: Vec<_> = mailed.collect();
        let mut recipient = mailed
            .iter()
            .find(|recipient| recipient.missing().is_none())
            .or(mailed.first())
            .cloned()
            .unwrap_or_else(|| Recipient::at_meter(&first.meter.meter_address));
        if recipient.company.is_empty() && recipient.person.is_empty() {
            recipient.person.clone_from(&letter.name);
        }
        if let Some(refusal) = recipient.missing() {
            return Err(refusal);
        }
        let number = |job: &&JobMaster| job.customer.as_ref().and_then(|customer| customer.customer_number.clone());
        let salutation = match &letter.salutation {
            Some(salutation) => salutation.trim_end_matches(',').to_owned(),
            None if recipient.person.is_empty() => labels.dear_company.to_owned(),
            None => format!("{} {}", labels.dear, letter.name),
        };
        Ok(Self {
            customer_number: open.iter().find_map(number).unwrap_or_else(|| letter.id.to_string()),
            deadline: deadline(open.iter().copied(), today),
            meters: open.iter().take(ROWS).map(|job| LetterMeter::of(job, &labels.media)).collect(),
            meter_count: open.len(),
            letter,
            language,
            recipient,
            salutation,
        })
    }

    /// What a print service asks for beside the login data, by name; the lines are those of the window.
    pub fn columns(&self) -> [(&'static str, String); 23] {
        let window = face::regular().and_then(|face| self.recipient.window(face).ok());
        let lines = window.map(|window| window.lines).unwrap_or_default();
        let line = |place: usize| lines.get(place).map(|line| line.replace(face::TOGETHER, " ")).unwrap_or_default();
        let Self { letter, recipient, .. } = self;
        let meters: Vec<_> = self.meters.iter().map(|meter| format!("{} ({})", meter.number, meter.medium)).collect();
        let day = |day: Option<Date>| day.map(|day| Day(day).to_string()).unwrap_or_default();
        [
            ("account", letter.id.to_string()),
            ("customerNumber", self.customer_number.clone()),
            ("line1", line(0)),
            ("line2", line(1)),
            ("line3", line(2)),
            ("line4", line(3)),
            ("line5", line(4)),
            ("line6", line(5)),
            ("company", recipient.company.clone()),
            ("person", recipient.person.clone()),
            ("street", recipient.street.clone()),
            ("houseNumber", recipient.house_number.clone()),
            ("postcode", recipient.postcode.clone()),
            ("town", recipient.town.clone()),
            ("country", recipient.country.clone()),
            ("salutation", self.salutation.clone()),
            ("language", self.language.clone()),
            ("username", letter.username.clone()),
            ("password", letter.password.clone().unwrap_or_default()),
            ("link", letter.link.clone()),
            ("validUntil", day(letter.valid_until)),
            ("deadline", day(self.deadline)),
            ("meters", meters.join(" | ")),
        ]
    }

    /// The first text with letters that the font lacks, which are printed as question marks.
    pub fn unprintable(&self) -> Option<&str> {
        let Recipient { company, person, street, house_number, postcode, town, country } = &self.recipient;
        let to =
            [company, person, street, house_number, postcode, town, country, &self.letter.name, &self.salutation, &self.customer_number];
        let meters = self.meters.iter().flat_map(|meter| [&meter.number, &meter.medium, &meter.place]);
        let registers = self.meters.iter().flat_map(|meter| &meter.registers).map(|register| &register.name);
        to.into_iter().chain(meters).chain(registers).map(String::as_str).find(|text| face::lacking(text).is_some())
    }
}

impl LetterMeter {
    fn of(job: &JobMaster, media: &[&'static str; 6]) -> Self {
        let place = &job.meter.meter_address;
        let street = [&place.street, &place.house_number].into_iter().flatten().map(String::as_str).collect::<Vec<_>>().join(" ");
        let registers = job.meter.meter_rate_tasks.iter().map(|task| LetterRegister {
            name: task.rate_name.clone().unwrap_or_else(|| task.obis.clone()),
            pre_decimals: task.pre_decimals.unwrap_or(8),
            post_decimals: task.post_decimals.unwrap_or(0),
            last: task.reading_events.last().map(|event| (event.reading_date, event.reading_value.as_str().to_owned())),
        });
        Self {
            job: job.id.clone(),
            number: job.meter.meter_number.clone(),
            medium: job.meter.custom_meter_type.clone().unwrap_or_else(|| medium(media, job_meter_type(job)).to_owned()),
            place: place.location_description.clone().unwrap_or(street),
            from: job.job_constraints.earliest_execution,
            until: job.job_constraints.latest_execution,
            registers: registers.collect(),
        }
    }
}

/// What a medium is called, of the names that a letter has for them.
fn medium(media: &[&'static str; 6], meter_type: MeterType) -> &'static str {
    let [electric, heat, gas, water, warm, generic] = *media;
    match meter_type {
        MeterType::ElectricMeter => electric,
        MeterType::HeatMeter => heat,
        MeterType::GasMeter => gas,
        MeterType::WaterMeter => water,
        MeterType::WaterWarmMeter => warm,
        MeterType::GenericMeter => generic,
    }
}

/// The name of a medium in German letters.
pub(crate) fn german_medium(meter_type: MeterType) -> &'static str {
    medium(&labels("de").media, meter_type)
}
