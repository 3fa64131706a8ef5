//! Readings from a file: cards that were scanned or typed, a technician's list, what another system has.

use std::io::Read;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::fault::Fault;
use domain::ids::{JobId, TenantId};
use domain::model::{Channel, LowerReason};
use domain::search;
use domain::text;
use domain::text::{Text, counted};
use domain::value::MeterValue;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::Deserialize;
use store::{Effect, ImportKind, Store};
use utoipa::ToSchema;

use super::mapping::Mapping;
use super::{Import, ImportReport, Outcome, Source, Stopped, Watch, columns, lines, run};
use crate::entry::{self, Counter, Desk, Entering, NewReading, Photos, Remark};
use crate::letters::card_job;
use crate::structure::{self, Schema};
use crate::{Failure, patiently};

/// The options of an import of readings.
#[derive(Debug, Clone)]
pub struct CardsOptions<'a> {
    /// Whether anything is written.
    pub effect: Effect,
    /// How the readings of lines came that do not say it.
    pub channel: Channel,
    /// The member or clerk who brings them in.
    pub by: &'a str,
    /// The reason why they come though their time is over.
    pub late: Option<&'a str>,
    /// What stands as the reason beside values that are warned of: the customer could not be asked.
    pub confirmed: &'a str,
}

/// The outcome of a file of readings.
#[derive(Debug, Default)]
pub struct CardsReport {
    /// What became of its lines; those that are new were stored.
    pub lines: ImportReport,
    /// How many of the new ones wait for a clerk.
    pub waiting: u64,
    /// How many of the new ones left a register of their meter open.
    pub incomplete: u64,
}

impl CardsReport {
    /// The counts in a line.
    pub fn text(&self) -> Text {
        let Self { lines, waiting, incomplete } = self;
        let super::Counts { created, unchanged, repeated, faulty, .. } = lines.counts;
        let repeated = match repeated {
            0 => Text::same(""),
            repeated => text!("{repeated} wiederholt, ", "{repeated} repeated, "),
        };
        let wait = counted(*waiting, ["davon wartet", "davon warten"], ["of them waits", "of them wait"]);
        let lack = if *incomplete == 1 { "lacks" } else { "lack" };
        text!(
            "{created} eingetragen ({wait} auf Klärung, bei {incomplete} fehlt ein Zählwerk), {unchanged} schon eingetragen, {repeated}{faulty} fehlerhaft",
            "{created} entered ({wait} for clearing, {incomplete} {lack} a register), {unchanged} entered before, {repeated}{faulty} faulty";
            wait, repeated
        )
    }
}

/// A line: which meter, when, and what its registers show.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CardLine {
    /// The job; without it the card's code or the number of the meter leads to it.
    #[serde(default)]
    job: Option<JobId>,
    /// The content of a reply card's data matrix.
    #[serde(default)]
    code: Option<String>,
    /// Beside a job or code: has to be the number of its meter.
    #[serde(default)]
    meter_number: Option<String>,
    #[schema(value_type = String, format = Date)]
    reading_date: Date,
    /// The channel, if the file as a whole does not say it.
    #[serde(default)]
    channel: Option<Channel>,
    #[serde(default)]
    comment: Option<String>,
    #[serde(default)]
    lower_reason: Option<LowerReason>,
    /// The counters.
    readings: Vec<CardCounter>,
}

#[derive(Debug, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(super) struct CardCounter {
    /// OBIS code, name of the rate or id of the task; none: the meter has one register only.
    #[serde(default)]
    register: Option<String>,
    value: MeterValue,
}

/// A line that is sound for itself.
struct Card {
    /// What may be in a file once: a meter's registers.
    id: String,
    meter_number: Option<String>,
    reading: Option<JobId>,
    line: CardLine,
}

struct Cards<'a> {
    desk: &'a Desk<'a>,
    tenant: &'a TenantId,
    options: &'a CardsOptions<'a>,
    waiting: AtomicU64,
    incomplete: AtomicU64,
}

/// Brings a file of readings in. What a rule refuses is a fault; what is outside of what is expected is stored and waits for a clerk, because the customer cannot
/// be asked now (D-READING-23); a register that was read already keeps its reading, and the line is a fault unless it says the same.
///
/// # Errors
/// When it cannot go on; everything before the line that is named is done.
pub async fn import_cards(
    store: &Store,
    tenant: &TenantId,
    source: &Source<'_>,
    options: &CardsOptions<'_>,
    watch: &mut impl Watch,
) -> Result<CardsReport, Stopped<Failure>> {
    let desk = &Desk::of(store, tenant).await?;
    let cards = Cards { desk, tenant, options, waiting: AtomicU64::new(0), incomplete: AtomicU64::new(0) };
    let (lines, _) = run(&cards, source, watch).await?;
    Ok(CardsReport { lines, waiting: cards.waiting.into_inner(), incomplete: cards.incomplete.into_inner() })
}

impl Import for Cards<'_> {
    type Entry = Card;
    type Error = Failure;
    const KIND: ImportKind = ImportKind::Readings;
    const BATCH: usize = 4;
    const IN_FLIGHT: usize = 8;
    // The same card twice is one.
    const REPEATS: bool = true;

    fn parse(&self, text: &[u8]) -> Result<Card, Vec<Fault>> {
        let line: CardLine = lines::parse(text).map_err(|fault| vec![fault])?;
        let fault = |path: &str, reason: Text| Err(vec![Fault::new(path, reason)]);
        if line.readings.is_empty() {
            return fault("readings", text!("kein Zählerstand ist angegeben", "no value is given"));
        }
        if line.channel == Some(Channel::Portal) {
            return fault("channel", text!("kann nicht das Portal sein", "cannot be the portal"));
        }
        let by_code = match line.code.as_deref() {
            None => None,
            Some(code) => match card_job(self.tenant, code) {
                Some(job) => Some(job),
                None => {
                    let tenant = self.tenant;
                    let reason = text!(
                        "ist nicht der Code einer Ablesekarte von `{tenant}` (ZW1/{tenant}/…)",
                        "is no code of a reply card of `{tenant}` (ZW1/{tenant}/…)"
                    );
                    return fault("code", reason);
                }
            },
        };
        if let (Some(job), Some(other)) = (&line.job, &by_code)
            && job != other
        {
            let reason = text!(
                "ist der Code des Auftrags `{other}`, die Zeile nennt den Auftrag `{job}`",
                "is the code of the job `{other}`, but the line names the job `{job}`"
            );
            return fault("code", reason);
        }
        let reading = line.job.clone().or(by_code);
        let mut registers: Vec<_> = line.readings.iter().map(|counter| counter.register.as_deref().unwrap_or_default()).collect();
        registers.sort_unstable();
        let of = match (&reading, &line.meter_number) {
            (Some(job), _) => job.to_string(),
            (None, Some(number)) => number.clone(),
            (None, None) => {
                let reason = text!(
                    "ist nicht genannt: Auftrag, Code der Ablesekarte oder Zählernummer",
                    "is not named: the job, the reply card's code or the meter's number"
                );
                return fault("job", reason);
            }
        };
        let id = format!("{of} {}", registers.join(" "));
        Ok(Card { id: id.trim_end().to_owned(), meter_number: line.meter_number.clone(), reading, line })
    }

    fn schema() -> Schema {
        structure::schema_of::<CardLine>()
    }

    fn id(card: &Card) -> &str {
        &card.id
    }

    async fn store(&self, batch: Vec<Card>) -> Result<Vec<Outcome>, Failure> {
        let mut outcomes = Vec::with_capacity(batch.len());
        for card in batch {
            outcomes.push(self.enter(card).await?);
        }
        Ok(outcomes)
    }
}

impl Cards<'_> {
    /// Why a line of this job and meter is of neither (D-IMPORTS-23); none: the job has this meter, or there is no such job.
    async fn other_meter(&self, job: &JobId, number: &str) -> Result<Option<Fault>, Failure> {
        let found = patiently(|| self.desk.store().job_by_id(self.tenant, job)).await?;
        let known = found.map(|found| found.master.meter.meter_number);
        Ok(known.filter(|known| search::number(known) != search::number(number)).map(|known| {
            let reason = text!(
                "ist `{number}`, der Zähler des Auftrags `{job}` hat aber die Nummer `{known}`",
                "is `{number}`, but the meter of the job `{job}` has the number `{known}`"
            );
            Fault::new("meterNumber", reason)
        }))
    }

    async fn enter(&self, card: Card) -> Result<Outcome, Failure> {
        let job = match (card.reading, &card.meter_number) {
            (Some(job), Some(number)) => match self.other_meter(&job, number).await? {
                None => job,
                Some(fault) => return Ok(Outcome::Refused(vec![fault])),
            },
            (Some(job), None) => job,
            (None, number) => match self.desk.job_of_meter(number.as_deref().unwrap_or_default()).await? {
                Ok(job) => job,
                Err(remark) => return Ok(Outcome::Refused(vec![fault(&remark)])),
            },
        };
        let CardLine { reading_date, channel, comment, lower_reason, readings, .. } = card.line;
        let values = readings.into_iter().map(|CardCounter { register, value }| Counter { register, value }).collect();
        let channel = channel.unwrap_or(self.options.channel);
        let reading = NewReading { job, channel, reading_date, values, comment, lower_reason, photos: Photos::None };
        let entering = Entering {
            by: self.options.by.to_owned(),
            confirmed: Some(self.options.confirmed.to_owned()),
            late: self.options.late.map(str::to_owned),
            replaces: None,
        };
        let trial = self.options.effect == Effect::Tried;
        Ok(match self.desk.enter(&reading, &entering, trial, Timestamp::now()).await? {
            entry::Outcome::Stored(stored) => {
                self.waiting.fetch_add(u64::from(!stored.doubts.is_empty()), Ordering::Relaxed);
                self.incomplete.fetch_add(u64::from(!stored.job.done), Ordering::Relaxed);
                Outcome::Created
            }
            entry::Outcome::Unchanged { .. } => Outcome::Unchanged,
            entry::Outcome::Unconfirmed(remarks) | entry::Outcome::Refused(remarks) => {
                Outcome::Refused(remarks.iter().map(fault).collect())
            }
        })
    }
}

/// A remark at the field of the line.
fn fault(remark: &Remark) -> Fault {
    let field = if remark.field == "value" { "readings[0].value" } else { remark.field };
    Fault::new(field, remark.text())
}

/// The mapping of a table whose columns are called as usual, by its beginning.
///
/// # Errors
/// What the table lacks.
pub fn usual_mapping(file: impl Read) -> Result<Mapping, Failure> {
    let columns = columns::columns(file, None)?;
    let mapping = columns::suggested(ImportKind::Readings, &columns);
    let has = |fields: &[&str]| fields.iter().any(|field| mapping["columns"].get(field).is_some());
    if !has(&["job", "code", "meterNumber"]) || !has(&["readingDate"]) || !has(&["readings[0].value"]) {
        let found = columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(Failure::Misfit(text!(
            "die Spalten heißen nicht wie üblich (Auftrag, Code oder Zählernummer; Datum; Stand); vorhanden sind {found}. Eine Zuordnung sagt, welche Spalte was ist",
            "the columns are not called as usual (Auftrag, Code or Zählernummer; Datum; Stand); there are {found}. A mapping says which column is what"
        )));
    }
    Mapping::parse(&mapping.to_string()).map_err(Failure::Misfit)
}
