//! Readings as messages to the market: what has to be sent and cancelled, and the interchanges (MSCONS, UN/EDIFACT D.04B) that say it.
//!
//! [`plan`] and [`interchanges`] are functions of values. Sources of the rules are the "Anwendungshandbuch" (AHB) MSCONS 3.2 and the message description (MIG) 2.5
//! of EDI@Energy; conditions are cited by their numbers there, and `tests/operator/market_rules.rs` of the command line has a test for each.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use domain::config::{MarketPartners, MarketSettings};
use domain::ids::{JobId, TenantId};
use domain::market::{self, Issuer, Medium};
use domain::model::LowerReason;
use domain::obis;
use domain::sending::SendingKind;
use domain::text;
use domain::text::Text;
use domain::value::MeterValue;
use jiff::civil::{Date, DateTime, date};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde::Serialize;
use store::{
    ClearingEntry, CounterOf, Destination, Exchange, LedgerEntry, MarketContent, MarketCounter, MarketLine, ReadingsExport, Sending,
    StoredJob,
};

use crate::edifact::{Interchange, Segment};
use crate::exports::Outgoing;
use crate::standing::{self, Standing};

/// A published edition of the message description, in force from a day on (D-MARKET-1).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Edition {
    from: Date,
    /// UNH, DE0057.
    code: &'static str,
    /// A cancellation names the metering location (LOC, DE3225), which the tables before 2.5 do not list.
    cancellation_has_location: bool,
}

/// The oldest first. A new one, published half a year ahead, becomes a line here.
const EDITIONS: [Edition; 2] = [
    Edition { from: date(2024, 10, 1), code: "2.4c", cancellation_has_location: false },
    Edition { from: date(2026, 10, 1), code: "2.5", cancellation_has_location: true },
];

impl Edition {
    /// The one in force on the day of sending.
    fn on(day: Date) -> Self {
        EDITIONS.into_iter().rfind(|edition| edition.from <= day).unwrap_or(EDITIONS[0])
    }
}

/// STS+Z34: a reading that was wrong, of another meter, or with swapped digits.
const WRONG_READING: &str = "ZA4";
/// STS+Z33: read by the customer.
const SELF_READING: &str = "Z83";
/// STS+Z33: a rollover that was looked at.
const ROLLOVER: &str = "Z85";
/// Digits of a quantity behind the point (condition 906).
const DECIMALS: usize = 3;

/// The reasons why a reading does not go out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum LeftOut {
    /// It waits for a clerk.
    WaitsForClearing,
    /// Its day is not over yet (condition 495).
    DayNotOver,
    /// The reading that it corrects is cancelled in this run; it goes with the next one.
    AwaitsCancellation,
    /// The job names no metering location (conditions 510 and 951); a market location will not do.
    NoMeteringLocation,
    /// Neither job nor tenant name a recipient.
    NoRecipient,
    /// The meter was exchanged, and the new meter's number is not known.
    NoNewNumber,
    /// The meter's number is not known.
    NoMeterNumber,
    /// The meter's number has characters that the market's character set lacks.
    Characters,
    /// The partner refused it, and nothing about it has changed.
    Refused,
    /// The partner refused to cancel what it corrects.
    CancellationRefused,
}

impl LeftOut {
    /// Whether a member has to do something about it.
    pub fn is_fault(self) -> bool {
        !matches!(self, Self::WaitsForClearing | Self::DayNotOver | Self::AwaitsCancellation)
    }

    /// In words, after the number of readings.
    pub fn text(self, readings: usize) -> Text {
        match (self, readings) {
            (Self::WaitsForClearing, 1) => text!("wartet auf Klärung", "waits for clearing"),
            (Self::WaitsForClearing, _) => text!("warten auf Klärung", "wait for clearing"),
            (Self::DayNotOver, _) => text!("von einem Tag, der noch nicht vorbei ist", "of a day that is not over yet"),
            (Self::AwaitsCancellation, _) => {
                text!("erst nach dem Storno, mit dem nächsten Lauf", "after the cancellation only, with the next run")
            }
            (Self::NoMeteringLocation, _) => text!("ohne Messlokation", "without a metering location"),
            (Self::NoRecipient, _) => text!("ohne Empfänger", "without a recipient"),
            (Self::NoNewNumber, _) => {
                text!("nach Zählerwechsel ohne Nummer des neuen Zählers", "after a meter exchange, without the new meter's number")
            }
            (Self::NoMeterNumber, _) => text!("ohne Zählernummer", "without a meter number"),
            (Self::Characters, _) => {
                text!(
                    "mit Zeichen in der Zählernummer, die der Markt nicht kennt",
                    "with characters in the meter number that the market lacks"
                )
            }
            (Self::Refused, _) => text!("vom Marktpartner abgelehnt", "refused by the market partner"),
            (Self::CancellationRefused, _) => text!("weil das Storno abgelehnt wurde", "because the cancellation was refused"),
        }
    }
}

/// What partners answered, as far as it decides what goes out: messages that were refused, unless a clerk has them sent once more.
#[derive(Debug, Default)]
pub struct Refusals {
    /// Numbers of messages.
    pub refused: HashSet<String>,
    /// Of these, what is to be sent once more.
    pub again: HashSet<String>,
}

/// The data that a plan goes by.
#[derive(Debug, Clone, Copy)]
pub struct Ground<'a> {
    /// The tenant that the readings belong to.
    pub tenant: &'a TenantId,
    /// The tenant's partners.
    pub market: &'a MarketSettings,
    /// The tenant's time zone, in which a market day begins.
    pub zone: &'a TimeZone,
    /// The readings' jobs.
    pub jobs: &'a HashMap<JobId, StoredJob>,
    /// The refusals.
    pub refusals: &'a Refusals,
}

/// When a plan's messages are created: now, or when the export was begun that a crash left unfinished.
#[derive(Debug, Clone, Copy)]
pub struct Moment {
    /// The time in the messages (DTM+137).
    pub created: Timestamp,
    /// The unfinished export's number; what it has already is neither sent nor cancelled with it.
    pub unfinished: Option<u64>,
}

/// The messages that have to go out to a medium's partners.
#[derive(Debug, Default)]
pub struct Plan<'a> {
    /// The messages of each reading.
    pub due: Vec<Outgoing<'a, ClearingEntry>>,
    /// The number of readings that do not go, by reason.
    pub left_out: BTreeMap<LeftOut, usize>,
}

/// What a counter is of: two counters of the same cannot both hold.
///
/// By the register's code, however a message wrote it (D-MARKET-9).
type Subject = (String, String, String, Timestamp, CounterOf);

fn subject(location: &str, counter: &MarketCounter) -> Subject {
    (location.to_owned(), counter.meter_number.clone(), obis::plain(&counter.obis), counter.at, counter.of)
}

/// The counters that the market should have of a reading, if any.
enum Wanted {
    /// Nothing.
    Nothing,
    /// It counts, but cannot be said, or not yet; what was said stays.
    Later(LeftOut),
    /// What was said is wrong, and what is right cannot be said.
    Wrong(LeftOut),
    /// These counters.
    Counters(WantedCounters),
}

/// The counters that a reading's message should have.
struct WantedCounters {
    location: String,
    sender: String,
    recipient: String,
    counters: Vec<MarketCounter>,
}

/// A message that went out.
struct SentMessage<'a> {
    export: u64,
    location: &'a str,
    sender: &'a str,
    recipient: &'a str,
    /// Places of readings, with what it says of each.
    counters: Vec<(usize, &'a MarketCounter)>,
    /// The cancellations, each with its export's number.
    cancelled: Vec<(String, u64)>,
}

/// How a sent message stands at its recipient.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Force {
    /// It holds.
    Holds,
    /// It was cancelled by this export.
    Cancelled(u64),
    /// It was refused, so it never held.
    Refused,
    /// It holds, because the partner refused the cancellation.
    CancellationRefused,
}

impl SentMessage<'_> {
    fn force(&self, number: &str, refusals: &Refusals) -> Force {
        if refusals.refused.contains(number) {
            return Force::Refused;
        }
        let last = self.cancelled.iter().max_by_key(|(_, export)| *export);
        match last {
            None => Force::Holds,
            Some((cancellation, _)) if refusals.again.contains(cancellation) => Force::Holds,
            Some((cancellation, _)) if refusals.refused.contains(cancellation) => Force::CancellationRefused,
            Some((_, export)) => Force::Cancelled(*export),
        }
    }
}

/// What has to be sent and cancelled so that the market knows what the readings say (D-MARKET-4).
///
/// A message is cancelled as a whole as soon as one of its counters does not hold any more. What takes its place goes with a later export, so that the partner never
/// has two originals of one counter; counters that stood beside it go again with it. Of several readings of one register for one day the last one holds.
pub fn plan<'a>(medium: Medium, ground: Ground<'_>, readings: &'a [ClearingEntry], moment: Moment) -> Plan<'a> {
    let mut plan = Plan::default();
    let Some(partners) = ground.partners(medium) else { return plan };
    let counts = counting(readings);
    let last = last_of_days(readings, &counts);
    let wanted: Vec<Wanted> = readings
        .iter()
        .zip(&counts)
        .map(|(reading, counts)| match ground.medium_of(reading) {
            Some(found) if found == medium => ground.wanted(medium, partners, reading, *counts, moment),
            _ => Wanted::Nothing,
        })
        .collect();
    let board = Board::of(medium, ground, readings, &wanted, moment);
    let mut lines = board.cancellations(medium);
    for (place, one) in wanted.iter().enumerate() {
        let sent = &readings[place].sent.market;
        let left_out = match one {
            Wanted::Nothing => None,
            // What was replaced need not be looked at any more.
            Wanted::Later(LeftOut::WaitsForClearing) if !last.contains(&place) => None,
            // What was said stays, and was counted when it first went.
            Wanted::Later(reason) => Some(*reason).filter(|_| sent.is_empty()),
            Wanted::Wrong(reason) => Some(*reason),
            Wanted::Counters(_) if moment.unfinished.is_some_and(|export| sent.iter().any(|sending| sending.export == Some(export))) => {
                None
            }
            Wanted::Counters(counters) => board.missing(medium, place, counters, lines.entry(place).or_default()),
        };
        if let Some(reason) = left_out {
            *plan.left_out.entry(reason).or_default() += 1;
        }
    }
    lines.retain(|_, lines| !lines.is_empty());
    name_messages(readings, &mut lines);
    for (place, lines) in lines {
        let reading = &readings[place];
        let mut counters = lines.iter().filter_map(counter_of);
        let corrects = counters.clone().any(|counter| counter.correction.is_some());
        let kind = match counters.next() {
            None => SendingKind::Cancellation,
            Some(_) if corrects => SendingKind::Correction,
            Some(_) => SendingKind::Original,
        };
        let sending = Sending { kind, export: None, at: moment.created, refers_to: None, clearing: reading.clearing.clone(), lines };
        plan.due.push(Outgoing { reading, sending });
    }
    plan
}

/// The messages that went out, against those that are wanted.
struct Board<'a> {
    ground: Ground<'a>,
    moment: Moment,
    /// Of what is wanted of the same, the reading that holds.
    holders: HashMap<Subject, (usize, &'a MarketCounter)>,
    sent: BTreeMap<String, SentMessage<'a>>,
    by_subject: HashMap<Subject, Vec<(String, &'a MarketCounter)>>,
    by_reading: HashMap<usize, Vec<String>>,
    /// The messages that are cancelled now.
    cancelled: BTreeSet<String>,
}

impl<'a> Board<'a> {
    fn of(medium: Medium, ground: Ground<'a>, readings: &'a [ClearingEntry], wanted: &'a [Wanted], moment: Moment) -> Self {
        let mut holders: HashMap<Subject, (usize, &MarketCounter)> = HashMap::new();
        for (place, one) in wanted.iter().enumerate() {
            let Wanted::Counters(WantedCounters { location, counters, .. }) = one else { continue };
            for counter in counters {
                let holder = holders.entry(subject(location, counter)).or_insert((place, counter));
                if readings[holder.0].entry.created < readings[place].entry.created {
                    *holder = (place, counter);
                }
            }
        }
        let sent = sent_messages(medium, readings);
        let mut by_subject: HashMap<Subject, Vec<(String, &MarketCounter)>> = HashMap::new();
        let mut by_reading: HashMap<usize, Vec<String>> = HashMap::new();
        for (number, message) in &sent {
            for (place, counter) in &message.counters {
                by_subject.entry(subject(message.location, counter)).or_default().push((number.clone(), *counter));
                by_reading.entry(*place).or_default().push(number.clone());
            }
        }
        let mut board = Self { ground, moment, holders, sent, by_subject, by_reading, cancelled: BTreeSet::new() };
        let holds = |(number, message): &(&String, &SentMessage<'_>)| {
            message.force(number, ground.refusals) == Force::Holds && Some(message.export) != moment.unfinished
        };
        let wrong = |message: &SentMessage<'_>| {
            message
                .counters
                .iter()
                .any(|(place, counter)| !matches!(wanted[*place], Wanted::Later(_)) && !board.is_wanted(message, counter))
        };
        board.cancelled =
            board.sent.iter().filter(|one| holds(one)).filter(|(_, message)| wrong(message)).map(|(number, _)| number.clone()).collect();
        board
    }

    /// Whether a reading still says the same of the same.
    fn is_wanted(&self, message: &SentMessage<'_>, counter: &MarketCounter) -> bool {
        self.holders.get(&subject(message.location, counter)).is_some_and(|(_, held)| says_the_same(held, counter))
    }

    /// The cancellations, with each of the readings that the cancelled messages are about.
    fn cancellations(&self, medium: Medium) -> BTreeMap<usize, Vec<MarketLine>> {
        let mut lines: BTreeMap<usize, Vec<MarketLine>> = BTreeMap::new();
        for number in &self.cancelled {
            let Some(message) = self.sent.get(number) else { continue };
            for place in message.counters.iter().map(|(place, _)| *place).collect::<BTreeSet<_>>() {
                lines.entry(place).or_default().push(MarketLine {
                    message: market::message_reference(number),
                    medium,
                    tenant: Some(self.ground.tenant.clone()),
                    sender: message.sender.to_owned(),
                    recipient: message.recipient.to_owned(),
                    location: message.location.to_owned(),
                    content: MarketContent::Cancels(number.clone()),
                });
            }
        }
        lines
    }

    fn force(&self, number: &str) -> Force {
        self.sent.get(number).map_or(Force::Refused, |message| message.force(number, self.ground.refusals))
    }

    /// Adds what of a reading the market does not have, or says why some of it does not go.
    fn missing(&self, medium: Medium, place: usize, wanted: &WantedCounters, lines: &mut Vec<MarketLine>) -> Option<LeftOut> {
        let WantedCounters { location, sender, recipient, counters } = wanted;
        let mut left_out = None;
        for counter in counters {
            let about = subject(location, counter);
            if self.holders.get(&about).is_none_or(|(holder, _)| *holder != place) {
                continue;
            }
            let of_subject = self.by_subject.get(&about).map_or(&[][..], Vec::as_slice);
            if of_subject.iter().any(|(number, _)| self.force(number) == Force::Holds && !self.cancelled.contains(number)) {
                continue;
            }
            let before: Vec<(&String, Force)> = of_subject
                .iter()
                .map(|(number, _)| number)
                .chain(self.by_reading.get(&place).into_iter().flatten())
                .map(|number| (number, self.force(number)))
                .collect();
            let awaits = |(number, force): &(&String, Force)| {
                self.cancelled.contains(*number) || matches!(force, Force::Cancelled(export) if Some(*export) == self.moment.unfinished)
            };
            let refused = || {
                of_subject.iter().any(|(number, said)| {
                    self.force(number) == Force::Refused
                        && !self.ground.refusals.again.contains(number)
                        && self.sent.get(number).is_some_and(|message| message.recipient == recipient)
                        && says_the_same(said, counter)
                })
            };
            if before.iter().any(awaits) {
                left_out = Some(LeftOut::AwaitsCancellation);
            } else if before.iter().any(|(_, force)| *force == Force::CancellationRefused) {
                left_out = Some(LeftOut::CancellationRefused);
            } else if refused() {
                left_out = Some(LeftOut::Refused);
            } else {
                let corrects = before.iter().any(|(_, force)| matches!(force, Force::Cancelled(_)));
                lines.push(MarketLine {
                    // Named when it is known what stands beside it.
                    message: String::new(),
                    medium,
                    tenant: Some(self.ground.tenant.clone()),
                    sender: sender.clone(),
                    recipient: recipient.clone(),
                    location: location.clone(),
                    content: MarketContent::Counter(MarketCounter {
                        correction: corrects.then(|| WRONG_READING.to_owned()),
                        ..counter.clone()
                    }),
                });
            }
        }
        left_out
    }
}

impl Ground<'_> {
    fn partners(&self, medium: Medium) -> Option<&MarketPartners> {
        match medium {
            Medium::Electricity => self.market.electricity.as_ref(),
            Medium::Gas => self.market.gas.as_ref(),
        }
    }

    /// The medium of a reading's job, or what it went out as if the job is gone.
    fn medium_of(&self, reading: &ClearingEntry) -> Option<Medium> {
        let sent = || reading.sent.market.iter().flat_map(|sending| &sending.lines).map(|line| line.medium).next();
        standing::job_of(self.jobs, reading).map_or_else(sent, |job| Medium::of(&job.master))
    }

    fn wanted(&self, medium: Medium, partners: &MarketPartners, reading: &ClearingEntry, counts: bool, moment: Moment) -> Wanted {
        if !counts {
            return Wanted::Nothing;
        }
        // A reading whose job is gone keeps what was said.
        let Some(job) = standing::job_of(self.jobs, reading) else {
            return if reading.sent.market.is_empty() { Wanted::Nothing } else { Wanted::Later(LeftOut::NoRecipient) };
        };
        if standing::standing(reading) == Standing::Waiting {
            return Wanted::Later(LeftOut::WaitsForClearing);
        }
        let Some(location) = &job.master.me_lo_id else { return Wanted::Later(LeftOut::NoMeteringLocation) };
        let Some(recipient) = job.master.market_recipient.as_ref().or(partners.recipient.as_ref()) else {
            return Wanted::Later(LeftOut::NoRecipient);
        };
        let exchange = reading.clearing.as_ref().and_then(|clearing| clearing.exchange.as_ref());
        let order = job.master.market_order.as_deref();
        let counters = match counters(medium, self.zone, &reading.entry, exchange, order) {
            Ok(counters) => counters,
            // It may have gone out under the old number, before a clerk heard of the exchange.
            Err(LeftOut::NoNewNumber) => return Wanted::Wrong(LeftOut::NoNewNumber),
            Err(reason) => return Wanted::Later(reason),
        };
        let created = to_minute(moment.created);
        if counters.iter().any(|counter| counter.at > created || counter.changed_at.is_some_and(|at| at > created)) {
            return Wanted::Later(LeftOut::DayNotOver);
        }
        let (location, sender, recipient) = (location.clone(), partners.sender.clone(), recipient.clone());
        Wanted::Counters(WantedCounters { location, sender, recipient, counters })
    }
}

/// Whether each reading counts: by the decisions on all readings of its register.
fn counting(readings: &[ClearingEntry]) -> Vec<bool> {
    let mut registers: HashMap<_, Vec<usize>> = HashMap::new();
    for (place, reading) in readings.iter().enumerate() {
        registers.entry(reading.entry.register()).or_default().push(place);
    }
    let mut counts = vec![false; readings.len()];
    for mut places in registers.into_values() {
        places.sort_by_key(|place| (readings[*place].entry.created, &readings[*place].entry.result_id));
        let waits = |reading: &ClearingEntry| standing::standing(reading) == Standing::Waiting;
        let known: Vec<_> = places.iter().map(|place| readings[*place].known(Destination::Market, waits(&readings[*place]))).collect();
        for (index, place) in places.into_iter().enumerate() {
            counts[place] = domain::sending::counts(&known, index);
        }
    }
    counts
}

/// Of each register and day, the place of the last reading that counts: it takes the place of those before it (D-MARKET-7).
fn last_of_days(readings: &[ClearingEntry], counts: &[bool]) -> HashSet<usize> {
    let mut last: HashMap<_, usize> = HashMap::new();
    for (place, reading) in readings.iter().enumerate().filter(|(place, _)| counts[*place]) {
        let held = last.entry((reading.entry.register(), reading.entry.reading_date)).or_insert(place);
        if readings[*held].entry.created < reading.entry.created {
            *held = place;
        }
    }
    last.into_values().collect()
}

/// What the messages of exports said, by their numbers.
fn sent_messages(medium: Medium, readings: &[ClearingEntry]) -> BTreeMap<String, SentMessage<'_>> {
    let mut messages: BTreeMap<String, SentMessage<'_>> = BTreeMap::new();
    let mut cancellations: Vec<(&str, String, u64)> = Vec::new();
    for (place, reading) in readings.iter().enumerate() {
        for sending in &reading.sent.market {
            let Some(export) = sending.export else { continue };
            for line in sending.lines.iter().filter(|line| line.medium == medium) {
                let number = line.number(export);
                match &line.content {
                    MarketContent::Cancels(cancelled) => cancellations.push((cancelled, number, export)),
                    MarketContent::Counter(counter) => {
                        let message = messages.entry(number).or_insert_with(|| SentMessage {
                            export,
                            location: &line.location,
                            sender: &line.sender,
                            recipient: &line.recipient,
                            counters: Vec::new(),
                            cancelled: Vec::new(),
                        });
                        message.counters.push((place, counter));
                    }
                }
            }
        }
    }
    for (cancelled, number, export) in cancellations {
        if let Some(message) = messages.get_mut(cancelled) {
            message.cancelled.push((number, export));
        }
    }
    messages
}

/// Recipient, location, meter, which counter, moment, transaction, order: what counters of one message have in common.
type Together = (String, String, String, CounterOf, Timestamp, Option<String>, Option<String>);

/// Puts counters that belong together into one message: those of one location, meter and moment (conditions 569 and 2001).
fn name_messages(readings: &[ClearingEntry], lines: &mut BTreeMap<usize, Vec<MarketLine>>) {
    let mut names: HashMap<Together, String> = HashMap::new();
    for (place, lines) in lines {
        for line in lines {
            let MarketContent::Counter(counter) = &line.content else { continue };
            let together = (
                line.recipient.clone(),
                line.location.clone(),
                counter.meter_number.clone(),
                counter.of,
                counter.at,
                counter.transaction.clone(),
                counter.order.clone(),
            );
            let entry = &readings[*place].entry;
            let unique = || market::message_reference(&format!("{} {} {:?}", entry.job_id, entry.result_id, counter.of));
            line.message.clone_from(names.entry(together).or_insert_with(unique));
        }
    }
}

/// The counters of a reading: its own, which may have been ordered, and of an exchange the last of the old meter and the first of the new one.
fn counters(
    medium: Medium,
    zone: &TimeZone,
    entry: &LedgerEntry,
    exchange: Option<&Exchange>,
    order: Option<&str>,
) -> Result<Vec<MarketCounter>, LeftOut> {
    let own_number = entry.meter_number.as_deref().ok_or(LeftOut::NoMeterNumber)?;
    let (old_number, number) = match exchange {
        None => (own_number, own_number),
        Some(exchange) => {
            (exchange.old_number.as_deref().unwrap_or(own_number), exchange.new_number.as_deref().ok_or(LeftOut::NoNewNumber)?)
        }
    };
    let fits = |text: &str| text.chars().all(|c| c <= 'ÿ' && !c.is_control());
    if !fits(old_number) || !fits(number) {
        return Err(LeftOut::Characters);
    }
    let mut hints = Vec::new();
    if market::is_self_reading(entry.channel) {
        hints.push(SELF_READING.to_owned());
    }
    if exchange.is_none() && entry.lower_reason == Some(LowerReason::Rollover) {
        hints.push(ROLLOVER.to_owned());
    }
    let read = MarketCounter {
        of: CounterOf::Read,
        meter_number: number.to_owned(),
        obis: obis::plain(&entry.obis),
        value: quantity(&entry.reading_value),
        day: Some(entry.reading_date),
        at: market_day(medium, zone, entry.reading_date.saturating_add(1.day())),
        changed_at: None,
        transaction: None,
        order: order.map(str::to_owned),
        hints,
        correction: None,
    };
    let Some(exchange) = exchange else { return Ok(vec![read]) };
    let (at, changed_at) = moment_of_exchange(medium, zone, exchange);
    let of_exchange = |of: CounterOf, number: &str, value: &MeterValue| MarketCounter {
        of,
        meter_number: number.to_owned(),
        value: quantity(value),
        day: None,
        at,
        changed_at: Some(changed_at),
        transaction: exchange.transaction.clone().filter(|_| medium == Medium::Gas),
        // A reading is ordered, an exchange is not.
        order: None,
        // An exchange is a technician's act, no matter who reported it.
        hints: Vec::new(),
        ..read.clone()
    };
    let removed = of_exchange(CounterOf::Removed, old_number, &exchange.final_value);
    let installed = of_exchange(CounterOf::Installed, number, &exchange.initial_value);
    Ok(vec![removed, installed, read])
}

/// When the counters of an exchange count from (DTM+7), and when it was (DTM+60): less than a day apart (condition 130). Without a time of day it is taken to be at
/// the beginning of the day (D-MARKET-3).
fn moment_of_exchange(medium: Medium, zone: &TimeZone, exchange: &Exchange) -> (Timestamp, Timestamp) {
    let begin = market_day(medium, zone, exchange.day);
    let Some(time) = exchange.time else { return (begin, begin) };
    let moment = to_minute(instant(exchange.day.to_datetime(time), zone));
    let at = if moment < begin { market_day(medium, zone, exchange.day.saturating_sub(1.day())) } else { begin };
    (at, moment)
}

/// When a market day begins (UB1 and UB2); in UTC it depends on the season.
fn market_day(medium: Medium, zone: &TimeZone, day: Date) -> Timestamp {
    instant(day.at(medium.day_begin(), 0, 0, 0), zone)
}

fn instant(time: DateTime, zone: &TimeZone) -> Timestamp {
    // Every civil time that a job can name has an instant; the end of jiff's calendar is none.
    zone.to_ambiguous_timestamp(time).compatible().unwrap_or(Timestamp::MAX)
}

fn to_minute(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second().div_euclid(60) * 60).unwrap_or(time)
}

/// The number without leading zeros and with at most three decimals; the rest of a counter's decimals has not been counted yet.
fn quantity(value: &MeterValue) -> String {
    let (pre, post) = value.as_str().split_once('.').unwrap_or((value.as_str(), ""));
    let pre = pre.trim_start_matches('0');
    let pre = if pre.is_empty() { "0" } else { pre };
    let kept = post.get(..DECIMALS).unwrap_or(post);
    if kept.is_empty() { pre.to_owned() } else { format!("{pre}.{kept}") }
}

/// Of two counters of the same [subject]: value, moment of the exchange, and the transaction that announced it.
fn says_the_same(a: &MarketCounter, b: &MarketCounter) -> bool {
    let same_value = a.value == b.value || MeterValue::parse(&a.value).is_ok_and(|a| MeterValue::parse(&b.value).is_ok_and(|b| a == b));
    same_value && (a.changed_at, &a.transaction) == (b.changed_at, &b.transaction)
}

fn is_shortened(counter: &MarketCounter, Outgoing { reading, sending }: &Outgoing<'_, ClearingEntry>) -> bool {
    let exchange = sending.clearing.as_ref().and_then(|clearing| clearing.exchange.as_ref());
    let value = match (counter.of, exchange) {
        (CounterOf::Removed, Some(exchange)) => &exchange.final_value,
        (CounterOf::Installed, Some(exchange)) => &exchange.initial_value,
        _ => &reading.entry.reading_value,
    };
    value.post_decimals() > DECIMALS
}

/// An interchange as a file: one sender, one recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarketFile {
    /// The name by which the market's parties exchange it.
    pub name: String,
    /// Its reference (UNB, DE0020).
    pub reference: String,
    /// The export's number.
    pub export: u64,
    /// ISO 8859-1.
    pub bytes: Vec<u8>,
    /// Numbers of its messages.
    pub messages: Vec<String>,
    /// The number of its counters.
    pub counters: usize,
    /// Of how many counters it has no decimals behind the third.
    pub shortened: usize,
    /// The number of messages that it cancels.
    pub cancellations: usize,
}

/// The interchanges of an export: the same readings give the same bytes, regardless of later decisions. Cancellations come first.
pub fn interchanges(export: &ReadingsExport, zone: &TimeZone, readings: &[Outgoing<'_, ClearingEntry>]) -> Vec<MarketFile> {
    let mut parties: BTreeMap<Parties<'_>, Content<'_>> = BTreeMap::new();
    for outgoing in readings {
        for line in &outgoing.sending.lines {
            let content = parties.entry((&line.sender, &line.recipient, line.tenant.as_ref())).or_default();
            let counter = counter_of(line);
            let (of, at) = counter.map_or((None, Timestamp::MIN), |counter| (Some(counter.of), counter.at));
            content.messages.entry((of, &line.location, at, &line.message)).or_default().push(line);
            content.shortened += usize::from(counter.is_some_and(|counter| is_shortened(counter, outgoing)));
        }
    }
    parties.into_iter().map(|(parties, content)| file(export, zone, parties, content)).collect()
}

fn counter_of(line: &MarketLine) -> Option<&MarketCounter> {
    match &line.content {
        MarketContent::Counter(counter) => Some(counter),
        MarketContent::Cancels(_) => None,
    }
}

/// Sender, recipient, and the tenant if the reference follows from it.
type Parties<'a> = (&'a str, &'a str, Option<&'a TenantId>);

/// The contents of an interchange.
#[derive(Default)]
struct Content<'a> {
    messages: BTreeMap<Place<'a>, Vec<&'a MarketLine>>,
    shortened: usize,
}

/// Where a message stands in its interchange: cancellations, then last counters, first counters, readings.
type Place<'a> = (Option<CounterOf>, &'a str, Timestamp, &'a str);

fn file(
    export: &ReadingsExport,
    zone: &TimeZone,
    (sender, recipient, tenant): Parties<'_>,
    Content { messages, shortened }: Content<'_>,
) -> MarketFile {
    let reference = market::interchange_reference(export.number, tenant, sender, recipient);
    let edition = Edition::on(export.created.to_zoned(zone.clone()).date());
    let utc = export.created.to_zoned(TimeZone::UTC);
    let (day, time) = (utc.strftime("%y%m%d").to_string(), utc.strftime("%H%M").to_string());
    let in_interchange = |id: &str| Issuer::of(id).in_interchange();
    let mut interchange =
        Interchange::new([sender, in_interchange(sender)], [recipient, in_interchange(recipient)], [&day, &time], &reference, "VL");
    let (mut numbers, mut counters, mut cancellations) = (Vec::new(), 0, 0);
    for (place, mut lines) in messages {
        let Some(first) = lines.first().copied() else { continue };
        let number = market::message_number(&reference, place.3);
        let segments = match &first.content {
            MarketContent::Cancels(cancelled) => {
                cancellations += 1;
                cancellation(first, &number, cancelled, export.created, edition)
            }
            MarketContent::Counter(_) => {
                lines.sort_by_key(|line| counter_of(line).map_or("", |counter| counter.obis.as_str()));
                counters += lines.len();
                counter_message(&lines, &number, export.created)
            }
        };
        interchange.message(place.3, &["MSCONS", "D", "04B", "UN", edition.code], &segments);
        numbers.push(number);
    }
    let name = format!("MSCONS_VL_{sender}_{recipient}_{}_{reference}.txt", utc.strftime("%Y%m%d"));
    MarketFile {
        name,
        reference,
        export: export.number,
        bytes: interchange.finish(),
        messages: numbers,
        counters,
        shortened,
        cancellations,
    }
}

/// BGM to NAD+DP, which all messages have.
fn head(line: &MarketLine, number: &str, function: &str, created: Timestamp, references: &[(&str, &str)]) -> Vec<Segment> {
    let in_message = |id: &str| Issuer::of(id).in_message();
    let mut segments =
        vec![Segment::new("BGM", &[&["7"], &[number], &[function]]), Segment::new("DTM", &[&["137", &stamp(created), "303"]])];
    segments.extend(references.iter().map(|(qualifier, value)| Segment::new("RFF", &[&[qualifier, value]])));
    segments.extend([
        Segment::new("NAD", &[&["MS"], &[&line.sender, "", in_message(&line.sender)]]),
        Segment::new("NAD", &[&["MR"], &[&line.recipient, "", in_message(&line.recipient)]]),
        Segment::new("UNS", &[&["D"]]),
        Segment::new("NAD", &[&["DP"]]),
    ]);
    segments
}

/// Check identifier 13006.
fn cancellation(line: &MarketLine, number: &str, cancelled: &str, created: Timestamp, edition: Edition) -> Vec<Segment> {
    let mut segments = head(line, number, "1", created, &[("ACW", cancelled), ("Z13", "13006")]);
    let location = if edition.cancellation_has_location { line.location.as_str() } else { "" };
    segments.push(Segment::new("LOC", &[&["172"], &[location]]));
    segments
}

/// Check identifiers 13002 and 13017, of counters of one location, meter and moment.
fn counter_message(lines: &[&MarketLine], number: &str, created: Timestamp) -> Vec<Segment> {
    let counters: Vec<&MarketCounter> = lines.iter().copied().filter_map(counter_of).collect();
    let (Some(line), Some(first)) = (lines.first(), counters.first()) else { return Vec::new() };
    let mut references = Vec::new();
    references.extend(first.order.as_deref().map(|order| ("AGI", order)));
    references.extend(first.transaction.as_deref().map(|transaction| ("Z30", transaction)));
    references.push(("Z13", line.medium.check_identifier()));
    let mut segments = head(line, number, "9", created, &references);
    segments.push(Segment::new("LOC", &[&["172"], &[&line.location]]));
    segments.push(Segment::new("RFF", &[&["MG", &first.meter_number]]));
    for (place, counter) in (1..).zip(counters) {
        let place: i32 = place;
        segments.push(Segment::new("LIN", &[&[&place.to_string()]]));
        segments.push(Segment::new("PIA", &[&["5"], &[&counter.obis, "SRW"]]));
        segments.push(Segment::new("QTY", &[&["220", &counter.value]]));
        if let Some(day) = counter.day {
            segments.push(Segment::new("DTM", &[&["9", &day.strftime("%Y%m%d").to_string(), "102"]]));
        }
        segments.push(Segment::new("DTM", &[&["7", &stamp(counter.at), "303"]]));
        if let Some(at) = counter.changed_at {
            segments.push(Segment::new("DTM", &[&["60", &stamp(at), "303"]]));
        }
        for hint in &counter.hints {
            segments.push(Segment::new("STS", &[&["Z33"], &[""], &[hint]]));
        }
        if let Some(reason) = &counter.correction {
            segments.push(Segment::new("STS", &[&["Z34"], &[""], &[reason]]));
        }
    }
    segments
}

/// CCYYMMDDHHMMZZZ, always in UTC (condition 931).
fn stamp(time: Timestamp) -> String {
    format!("{}+00", time.to_zoned(TimeZone::UTC).strftime("%Y%m%d%H%M"))
}

#[cfg(test)]
mod tests {
    use jiff::civil::Time;

    use super::*;

    #[test]
    fn a_counter_becomes_a_number_of_the_market() {
        let of = |text: &str| quantity(&MeterValue::parse(text).unwrap());
        assert_eq!((of("00123.450"), of("000"), of("0.12345")), ("123.450".into(), "0".into(), "0.123".into()));
    }

    #[test]
    fn the_edition_follows_from_the_day_of_sending() {
        let on = |day: &str| Edition::on(day.parse().unwrap()).code;
        assert_eq!((on("2026-09-30"), on("2026-10-01"), on("2027-01-01"), on("2020-01-01")), ("2.4c", "2.5", "2.5", "2.4c"));
    }

    /// Conditions 130 and UB1/UB2: which day an exchange at this time belongs to, in winter, in summer, and at night before the gas day begins.
    #[test]
    fn an_exchange_counts_from_the_beginning_of_its_market_day() {
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let of = |medium, day: &str, time: Option<Time>| {
            let value = MeterValue::parse("1").unwrap();
            let (final_value, initial_value) = (value.clone(), value);
            let day = day.parse().unwrap();
            let exchange = Exchange { day, time, new_number: None, old_number: None, final_value, initial_value, transaction: None };
            let (at, changed) = moment_of_exchange(medium, &zone, &exchange);
            (stamp(at), stamp(changed))
        };
        let at = |hour| Some(Time::constant(hour, 30, 0, 0));
        let pair = |a: &str, b: &str| (a.to_owned(), b.to_owned());
        assert_eq!(of(Medium::Electricity, "2026-11-02", at(10)), pair("202611012300+00", "202611020930+00"));
        assert_eq!(of(Medium::Electricity, "2026-07-02", None), pair("202607012200+00", "202607012200+00"));
        assert_eq!(of(Medium::Gas, "2026-11-02", at(10)), pair("202611020500+00", "202611020930+00"));
        assert_eq!(of(Medium::Gas, "2026-11-02", at(3)), pair("202611010500+00", "202611020230+00"));
        assert_eq!(of(Medium::Gas, "2026-07-02", None), pair("202607020400+00", "202607020400+00"));
    }
}
