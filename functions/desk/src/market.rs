//! The tenant's exchange with the market: messages out, answers in, and how each message stands.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use domain::config::MarketSettings;
use domain::ids::{JobId, TenantId};
use domain::market::{self, Medium};
use domain::sending::SendingKind;
use domain::text;
use domain::text::Text;
use jiff::civil::{Date, Time, Weekday};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde::Serialize;
use store::{AnswerKind, ClearingEntry, Destination, ExportState, MarketAnswer, MarketContent, Store};

use crate::edifact::{self, Segment};
use crate::exports::{Export, Ledger};
use crate::mscons::{self, Ground, LeftOut, MarketFile, Moment, Refusals};
use crate::{Failure, Reached, patiently, standing};

/// Most of a partner's words that is kept, in characters.
const WORDS: usize = 300;

/// The outcome of an export to the market.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MarketReport {
    /// Messages with counters.
    pub messages: usize,
    /// Counters in them; an exchange has two beside the one that was read.
    pub counters: usize,
    /// Readings in them.
    pub readings: usize,
    /// Messages that cancel one that went out before.
    pub cancellations: usize,
    /// Readings that did not go out, by reason.
    pub left_out: BTreeMap<LeftOut, usize>,
    /// Counters of which decimals behind the third were cut.
    pub shortened: usize,
    /// Numbers of exports that have not all of their readings any more, and how many are missing.
    pub partial: Vec<(u64, usize)>,
}

impl MarketReport {
    async fn add<E>(
        &mut self,
        export: &Export<'_, ClearingEntry>,
        zone: &TimeZone,
        write: &mut impl AsyncFnMut(&MarketFile) -> Result<(), E>,
    ) -> Result<(), E> {
        for file in mscons::interchanges(&export.record, zone, &export.readings) {
            write(&file).await?;
            self.messages += file.messages.len() - file.cancellations;
            self.counters += file.counters;
            self.shortened += file.shortened;
            self.cancellations += file.cancellations;
        }
        self.readings += export.readings.iter().filter(|outgoing| outgoing.sending.kind != SendingKind::Cancellation).count();
        let missing = export.missing();
        self.partial.extend((missing > 0).then_some((export.record.number, missing)));
        Ok(())
    }
}

struct Settings {
    market: MarketSettings,
    zone: TimeZone,
}

async fn settings(store: &Store, tenant: &TenantId) -> Result<Settings, Failure> {
    let tenant = store.tenant(tenant).await?.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))?;
    let zone =
        TimeZone::get(&tenant.application.time_zone).map_err(|error| Failure::Refused(text!("timeZone: {error}", "timeZone: {error}")))?;
    let market = tenant.application.desk.market.clone();
    if market.electricity.is_none() && market.gas.is_none() {
        return Err(Failure::Refused(text!(
            "desk.market: tenant.json nennt keine Marktpartner",
            "desk.market: tenant.json names no market partners"
        )));
    }
    Ok(Settings { market, zone })
}

/// That the tenant names partners in the market, without which there are no messages.
///
/// # Errors
/// [`Failure::Refused`] with what is missing; the store's.
pub async fn has_partners(store: &Store, tenant: &TenantId) -> Result<(), Failure> {
    settings(store, tenant).await.map(drop)
}

/// Sends what no message has yet and cancels what does not hold any more; `write` gets each file before its export counts as done, and the next call after a crash
/// gives the same files again.
///
/// # Errors
/// There is no such tenant, it names no partners or no roles, the store's, and those of `write`.
pub async fn export<E: From<Failure>>(
    store: &Store,
    tenant: &TenantId,
    (now, reached): (Timestamp, &Reached),
    mut write: impl AsyncFnMut(&MarketFile) -> Result<(), E>,
) -> Result<MarketReport, E> {
    let Settings { market, zone } = settings(store, tenant).await?;
    let readings = standing::readings(store, tenant, now).await?;
    let jobs = standing::jobs_of(store, tenant, &readings.iter().collect::<Vec<_>>()).await?;
    let answers = patiently(|| store.market_answers(tenant)).await.map_err(Failure::from)?;
    let exports = patiently(|| store.exports_of_readings(tenant)).await.map_err(Failure::from)?;
    let refusals = refusals(&readings, &answers);
    let ground = Ground { tenant, market: &market, zone: &zone, jobs: &jobs, refusals: &refusals };
    let mut report = MarketReport::default();
    for medium in Medium::ALL {
        check_roles(medium, &market)?;
        let unfinished = exports.iter().find(|export| export.medium == medium.name() && export.state != ExportState::Done);
        let moment =
            Moment { created: unfinished.map_or(now, |export| export.created), unfinished: unfinished.map(|export| export.number) };
        let plan = mscons::plan(medium, ground, &readings, moment);
        for (reason, count) in plan.left_out {
            *report.left_out.entry(reason).or_default() += count;
        }
        let ledger = Ledger { store, tenant, destination: Destination::Market, readings: &readings, reached };
        let mut due = plan.due.into_iter().map(|outgoing| vec![outgoing]).collect();
        if let Some(export) = ledger.begin(medium.name(), &mut due, now).await? {
            report.add(&export, &zone, &mut write).await?;
            ledger.finish(export).await?;
        }
    }
    Ok(report)
}

/// The same files of a day once more, with the same references.
///
/// # Errors
/// As of [`export`].
pub async fn again<E: From<Failure>>(
    store: &Store,
    tenant: &TenantId,
    day: Date,
    now: Timestamp,
    mut write: impl AsyncFnMut(&MarketFile) -> Result<(), E>,
) -> Result<MarketReport, E> {
    let Settings { zone, .. } = settings(store, tenant).await?;
    let (readings, reached) = (standing::readings(store, tenant, now).await?, &Reached::default());
    let ledger = Ledger { store, tenant, destination: Destination::Market, readings: &readings, reached };
    let mut report = MarketReport::default();
    for medium in Medium::ALL {
        for export in ledger.of_day(medium.name(), day, &zone).await? {
            report.add(&export, &zone, &mut write).await?;
        }
    }
    Ok(report)
}

/// Settings of before roles were asked for.
fn check_roles(medium: Medium, market: &MarketSettings) -> Result<(), Failure> {
    let partners = match medium {
        Medium::Electricity => &market.electricity,
        Medium::Gas => &market.gas,
    };
    let Some(partners) = partners else { return Ok(()) };
    let allowed = partners.role.zip(partners.recipient_role).is_some_and(|(from, to)| medium.may_send(from, to));
    if allowed {
        return Ok(());
    }
    Err(Failure::Refused(text!(
        "desk.market.{medium}: tenant.json muss role und recipientRole so nennen, dass die eine an die andere Zählerstände senden darf",
        "desk.market.{medium}: tenant.json has to name role and recipientRole, of which the one may send counters to the other",
        medium = medium.name(),
    )))
}

/// A message that went out.
struct Sent {
    interchange: String,
    medium: Medium,
    recipient: String,
    at: Timestamp,
    cancels: Option<String>,
    readings: BTreeSet<(JobId, String)>,
}

fn sent(readings: &[ClearingEntry]) -> BTreeMap<String, Sent> {
    let mut messages = BTreeMap::new();
    for reading in readings {
        for sending in &reading.sent.market {
            let Some(export) = sending.export else { continue };
            for line in &sending.lines {
                let message = messages.entry(line.number(export)).or_insert_with(|| Sent {
                    interchange: line.interchange(export),
                    medium: line.medium,
                    recipient: line.recipient.clone(),
                    at: sending.at,
                    cancels: match &line.content {
                        MarketContent::Cancels(number) => Some(number.clone()),
                        MarketContent::Counter(_) => None,
                    },
                    readings: BTreeSet::new(),
                });
                message.readings.insert((reading.entry.job_id.clone(), reading.entry.result_id.clone()));
            }
        }
    }
    messages
}

/// What of an answer's reference is refused: a message, or all of an interchange.
fn refusals(readings: &[ClearingEntry], answers: &[MarketAnswer]) -> Refusals {
    let answers = Answers::of(answers);
    let mut refusals = Refusals::default();
    for (number, message) in sent(readings) {
        if let Some(refusal) = answers.refusal(&number, &message.interchange) {
            if refusal.again {
                refusals.again.insert(number.clone());
            }
            refusals.refused.insert(number);
        }
    }
    refusals
}

struct Answers<'a>(HashMap<&'a str, Vec<&'a MarketAnswer>>);

impl<'a> Answers<'a> {
    fn of(answers: &'a [MarketAnswer]) -> Self {
        let mut by_reference: HashMap<&str, Vec<&MarketAnswer>> = HashMap::new();
        for answer in answers {
            by_reference.entry(&answer.reference).or_default().push(answer);
        }
        Self(by_reference)
    }

    fn to(&self, number: &str, interchange: &str) -> impl Iterator<Item = &'a MarketAnswer> {
        let of = |reference: &str| self.0.get(reference).map_or(&[][..], Vec::as_slice).iter().copied();
        // What was said of the message itself goes before what was said of its interchange.
        of(number).chain(of(interchange)).collect::<Vec<_>>().into_iter()
    }

    fn refusal(&self, number: &str, interchange: &str) -> Option<&'a MarketAnswer> {
        self.to(number, interchange).find(|answer| !answer.accepted)
    }
}

/// The state of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum MessageState {
    /// No partner has answered yet, or only that it arrived.
    Open,
    /// It was taken, or the partner did not object in time.
    Accepted,
    /// It was not taken.
    Refused,
}

/// A message to the market.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageStatus {
    /// Its number (BGM).
    pub message: String,
    /// The interchange (UNB) that has it.
    pub interchange: String,
    /// The time at which it was created.
    pub at: Timestamp,
    /// The medium.
    pub medium: Medium,
    /// To whom it went.
    pub recipient: String,
    /// The readings that it is about: job and reading.
    pub readings: Vec<(JobId, String)>,
    /// The message that it cancels.
    pub cancels: Option<String>,
    /// The message that cancels it.
    pub cancelled_by: Option<String>,
    /// The state of the message.
    pub state: MessageState,
    /// When the partner said that it arrived (CONTRL).
    pub received: Option<Timestamp>,
    /// The reasons of a refusal: the codes of the AHB.
    pub codes: Vec<String>,
    /// Why it was refused, in words: the partner's, or what the codes mean.
    pub reason: Option<Text>,
    /// It goes out once more with the next run.
    pub again: bool,
}

/// Every message of the last 400 days, the last one first.
///
/// # Errors
/// There is no such tenant, and the store's.
pub async fn status(store: &Store, tenant: &TenantId, now: Timestamp) -> Result<Vec<MessageStatus>, Failure> {
    let found = store.tenant(tenant).await?.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))?;
    let zone = TimeZone::get(&found.application.time_zone).unwrap_or(TimeZone::UTC);
    let readings = standing::readings(store, tenant, now).await?;
    let answers = patiently(|| store.market_answers(tenant)).await?;
    Ok(states(&sent(&readings), &answers, &zone, now))
}

fn states(sent: &BTreeMap<String, Sent>, answers: &[MarketAnswer], zone: &TimeZone, now: Timestamp) -> Vec<MessageStatus> {
    let answers = Answers::of(answers);
    let cancelled_by: HashMap<&str, &String> = sent.iter().filter_map(|(number, one)| Some((one.cancels.as_deref()?, number))).collect();
    let mut messages: Vec<MessageStatus> = sent
        .iter()
        .map(|(number, message)| {
            let all: Vec<_> = answers.to(number, &message.interchange).collect();
            let refusal = all.iter().find(|answer| !answer.accepted);
            let received = all.iter().filter(|answer| answer.kind == AnswerKind::Contrl && answer.accepted).map(|answer| answer.at).min();
            let taken = all.iter().any(|answer| answer.kind == AnswerKind::Aperak && answer.accepted);
            let silent = received.is_some_and(|received| now >= objections_end(received, zone));
            let codes = refusal.map_or_else(Vec::new, |answer| answer.codes.clone());
            MessageStatus {
                message: number.clone(),
                interchange: message.interchange.clone(),
                at: message.at,
                medium: message.medium,
                recipient: message.recipient.clone(),
                readings: message.readings.iter().cloned().collect(),
                cancels: message.cancels.clone(),
                cancelled_by: cancelled_by.get(number.as_str()).map(|number| (*number).clone()),
                state: match refusal {
                    Some(_) => MessageState::Refused,
                    None if taken || silent => MessageState::Accepted,
                    None => MessageState::Open,
                },
                received,
                reason: refusal.and_then(|answer| reason(answer)),
                codes,
                again: refusal.is_some_and(|answer| answer.again),
            }
        })
        .collect();
    messages.sort_by(|a, b| (b.at, &a.message).cmp(&(a.at, &b.message)));
    messages
}

/// Until when a partner objects to what it received: noon of the next working day (APERAK AHB, "Folgeprozesse"). Holidays are not known here, so that it may end a
/// day early; a refusal that comes later counts all the same (D-MARKET-6).
fn objections_end(received: Timestamp, zone: &TimeZone) -> Timestamp {
    let mut day = received.to_zoned(zone.clone()).date();
    loop {
        day = day.saturating_add(1.day());
        if !matches!(day.weekday(), Weekday::Saturday | Weekday::Sunday) {
            break;
        }
    }
    let noon = day.to_datetime(Time::constant(12, 0, 0, 0));
    zone.to_ambiguous_timestamp(noon).compatible().unwrap_or(Timestamp::MAX)
}

fn reason(answer: &MarketAnswer) -> Option<Text> {
    if let Some(words) = &answer.text {
        return Some(text!("{words}", "{words}"));
    }
    answer.codes.iter().find_map(|code| meaning(answer.kind, code))
}

/// What the codes mean that a counter meets (APERAK AHB 1.1, CONTRL AHB 1.0).
fn meaning(kind: AnswerKind, code: &str) -> Option<Text> {
    Some(match (kind, code) {
        (AnswerKind::Aperak, "Z10") => {
            text!("die Messlokation ist dem Partner unbekannt", "the partner does not know the metering location")
        }
        (AnswerKind::Aperak, "Z17" | "Z18") => {
            text!("die Messlokation ist nicht dem Partner zugeordnet", "the metering location is not assigned to the partner")
        }
        (AnswerKind::Aperak, "Z19") => {
            text!("die Gerätenummer ist an der Messlokation nicht bekannt", "the meter's number is not known at the metering location")
        }
        (AnswerKind::Aperak, "Z20") => text!("die OBIS-Kennzahl ist nicht bekannt", "the OBIS code is not known"),
        (AnswerKind::Aperak, "Z27") => text!("zu viele Vorkommastellen", "too many digits before the point"),
        (AnswerKind::Aperak, "Z29") => text!("eine Pflichtangabe fehlt", "something mandatory is missing"),
        (AnswerKind::Aperak, "Z33") => text!("der Vorgang, auf den verwiesen wird, fehlt", "what is referred to is missing"),
        (AnswerKind::Aperak, "Z35" | "Z37") => text!("das Format einer Angabe stimmt nicht", "the form of something is wrong"),
        (AnswerKind::Aperak, "Z39") => text!("ein Code ist nicht erlaubt", "a code is not allowed"),
        (AnswerKind::Aperak, "Z41") => text!("die Zeitangabe ist nicht plausibel", "the time is implausible"),
        (AnswerKind::Contrl, "12") => text!("ein Wert ist ungültig", "a value is invalid"),
        (AnswerKind::Contrl, "13") => text!("etwas fehlt", "something is missing"),
        (AnswerKind::Contrl, "16") => text!("etwas ist zu viel", "there is too much of something"),
        (AnswerKind::Contrl, "26") => text!("ein Duplikat", "a duplicate"),
        (AnswerKind::Contrl, "28") => text!("die Referenzen passen nicht zusammen", "references do not match"),
        (AnswerKind::Contrl, "29") => text!("eine Anzahl stimmt nicht", "a count is wrong"),
        _ => return None,
    })
}

/// The contents of a partner's file.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Received {
    /// Answers that belong to messages of ours, as they were kept.
    pub answers: Vec<MarketAnswer>,
    /// What belongs to nothing that we sent, or is no answer.
    pub faults: Vec<Text>,
}

/// Reads a file of a partner's, with CONTRL and APERAK in it, and keeps the answers. The same file again changes nothing.
///
/// # Errors
/// There is no such tenant, the file is no interchange, and the store's.
pub async fn receive(store: &Store, tenant: &TenantId, file: &[u8], now: Timestamp) -> Result<Received, Failure> {
    store.tenant(tenant).await?.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))?;
    let segments = edifact::parse(file).map_err(Failure::Refused)?;
    let readings = standing::readings(store, tenant, now).await?;
    let received = answers_in(&segments, &sent(&readings), now);
    let known = patiently(|| store.market_answers(tenant)).await?;
    for answer in &received.answers {
        let before = known.iter().find(|known| known.reference == answer.reference && known.kind == answer.kind);
        // A repetition must not take back that a clerk has sent it once more.
        if before.is_none_or(|known| known.interchange != answer.interchange) {
            patiently(|| store.keep_market_answer(tenant, answer)).await?;
        }
    }
    Ok(received)
}

/// A part of an interchange between UNH and UNT.
struct Message<'a> {
    kind: &'a str,
    segments: &'a [Segment],
}

fn messages(segments: &[Segment]) -> impl Iterator<Item = Message<'_>> {
    let begins = segments.iter().enumerate().filter(|(_, segment)| segment.tag == "UNH");
    begins.map(|(begin, head)| {
        let length = segments[begin..].iter().position(|segment| segment.tag == "UNT").unwrap_or(segments.len() - begin);
        Message { kind: head.get(1, 0), segments: &segments[begin..begin + length] }
    })
}

fn answers_in(segments: &[Segment], sent: &BTreeMap<String, Sent>, now: Timestamp) -> Received {
    let mut received = Received::default();
    let head = segments.first();
    let (partner, reference) = (head.map_or("", |head| head.get(1, 0)), head.map_or("", |head| head.get(4, 0)));
    let found = Found { sent, partner };
    for message in messages(segments) {
        let answers = match message.kind {
            "CONTRL" => contrl(message.segments, &found),
            "APERAK" => aperak(message.segments, &found),
            kind => Err(text!("{kind} ist keine Antwort, die hier gelesen wird", "{kind} is no answer that is read here")),
        };
        match answers {
            Ok(answers) => received.answers.extend(answers.into_iter().map(|(about, kind, accepted, codes, text)| MarketAnswer {
                reference: about,
                kind,
                accepted,
                codes,
                text,
                interchange: reference.to_owned(),
                at: now,
                again: false,
            })),
            Err(fault) => received.faults.push(fault),
        }
    }
    if received.answers.is_empty() && received.faults.is_empty() {
        received.faults.push(text!("enthält keine Nachricht", "has no message"));
    }
    received
}

/// About what, from which service message, accepted or not, codes, words.
type Answer = (String, AnswerKind, bool, Vec<String>, Option<String>);

/// The messages that we sent to a partner.
struct Found<'a> {
    sent: &'a BTreeMap<String, Sent>,
    partner: &'a str,
}

impl Found<'_> {
    /// Only the recipient of a message answers.
    fn message(&self, number: &str) -> Option<String> {
        self.sent.get(number).filter(|message| message.recipient == self.partner).map(|_| number.to_owned())
    }

    fn interchange(&self, reference: &str) -> Option<String> {
        let ours = |message: &Sent| message.interchange == reference && message.recipient == self.partner;
        self.sent.values().any(ours).then(|| reference.to_owned())
    }

    fn unknown(&self, reference: &str) -> Text {
        text!(
            "an {partner} ging keine Nachricht `{reference}`",
            "no message `{reference}` went to {partner}",
            partner = self.partner,
            reference = reference
        )
    }
}

/// UCI names the interchange and what becomes of it (DE0083: 4 refused, 7 received, 8 received), UCM a message that is refused, by its UNH.
fn contrl(segments: &[Segment], found: &Found<'_>) -> Result<Vec<Answer>, Text> {
    let mut answers: Vec<Answer> = Vec::new();
    let mut about = String::new();
    for segment in segments {
        match segment.tag.as_str() {
            "UCI" => {
                let reference = segment.get(0, 0);
                about = found.interchange(reference).ok_or_else(|| found.unknown(reference))?;
                let (action, code) = (segment.get(3, 0), segment.get(4, 0));
                answers.push((about.clone(), AnswerKind::Contrl, action != "4", codes([code]), None));
            }
            "UCM" => {
                let number = market::message_number(&about, segment.get(0, 0));
                let number = found.message(&number).ok_or_else(|| found.unknown(&number))?;
                let (action, code) = (segment.get(2, 0), segment.get(3, 0));
                answers.push((number, AnswerKind::Contrl, action != "4", codes([code]), None));
            }
            "UCS" | "UCD" => {
                let code = segment.get(if segment.tag == "UCS" { 1 } else { 0 }, 0);
                answers.last_mut().into_iter().for_each(|answer| answer.3.extend(codes([code])));
            }
            _ => {}
        }
    }
    if answers.is_empty() {
        return Err(text!("CONTRL ohne UCI", "a CONTRL without UCI"));
    }
    Ok(answers)
}

/// BGM says what it is (312 accepted, 313 error); RFF+AGO names our message by BGM, RFF+ACW by UNH, RFF+ACE the interchange.
fn aperak(segments: &[Segment], found: &Found<'_>) -> Result<Vec<Answer>, Text> {
    let of = |tag: &'static str| segments.iter().filter(move |segment| segment.tag == tag);
    let accepted = of("BGM").any(|segment| segment.get(0, 0) == "312");
    let all = codes(of("ERC").map(|segment| segment.get(0, 0)));
    // ABO describes the error, AAO adds to it; what Z02 says, a place in the message, is for programs.
    let words: Vec<String> = of("FTX")
        .filter(|segment| matches!(segment.get(0, 0), "ABO" | "AAO"))
        .flat_map(|segment| segment.elements.get(3).into_iter().flatten())
        .filter(|words| !words.is_empty())
        .cloned()
        .collect();
    let words: String = words.join(" ").chars().take(WORDS).collect();
    let references: Vec<(&str, &str)> = of("RFF").map(|segment| (segment.get(0, 0), segment.get(0, 1))).collect();
    let interchange = references.iter().find(|(qualifier, _)| *qualifier == "ACE").map_or("", |(_, reference)| reference);
    let mut about: BTreeSet<String> = BTreeSet::new();
    for (qualifier, reference) in &references {
        if matches!(*qualifier, "AGO" | "ACW" | "TN") {
            let by_unh = || found.message(&market::message_number(interchange, reference));
            about.extend(found.message(reference).or_else(by_unh));
        }
    }
    if about.is_empty() {
        let named = references.iter().find(|(qualifier, _)| *qualifier == "AGO").map(|(_, reference)| *reference);
        // One that names a message must not be taken for all of the interchange.
        let whole = if named.is_none() { found.interchange(interchange) } else { None };
        about.insert(whole.ok_or_else(|| found.unknown(named.unwrap_or(interchange)))?);
    }
    let text = (!words.is_empty()).then_some(words);
    Ok(about.into_iter().map(|about| (about, AnswerKind::Aperak, accepted, all.clone(), text.clone())).collect())
}

fn codes<'a>(codes: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    codes.into_iter().filter(|code| !code.is_empty()).map(str::to_owned).collect()
}

/// What became of a wish to send refused messages once more.
#[derive(Debug, Default, PartialEq, Eq, Serialize)]
pub struct Resent {
    /// These go with the next run.
    pub again: Vec<String>,
    /// These were not refused, or are unknown.
    pub unknown: Vec<String>,
}

/// Has refused messages sent once more with the next run, such as after the partner mended its master data; without messages, all that are refused.
///
/// # Errors
/// There is no such tenant, and the store's.
pub async fn resend(store: &Store, tenant: &TenantId, messages: &[String], now: Timestamp) -> Result<Resent, Failure> {
    store.tenant(tenant).await?.ok_or_else(|| Failure::TenantUnknown(tenant.clone()))?;
    let readings = standing::readings(store, tenant, now).await?;
    let answers = patiently(|| store.market_answers(tenant)).await?;
    let (sent, by_reference) = (sent(&readings), Answers::of(&answers));
    let mut resent = Resent::default();
    let all: Vec<String> = if messages.is_empty() { sent.keys().cloned().collect() } else { messages.to_vec() };
    for number in all {
        let refusal = sent.get(&number).and_then(|message| by_reference.refusal(&number, &message.interchange));
        match refusal {
            Some(refusal) if !refusal.again => {
                // Of an interchange that was refused, this message alone.
                let answer = MarketAnswer { reference: number.clone(), again: true, ..refusal.clone() };
                patiently(|| store.keep_market_answer(tenant, &answer)).await?;
                resent.again.push(number);
            }
            Some(_) if messages.is_empty() => {}
            Some(_) => resent.again.push(number),
            None if messages.is_empty() => {}
            None => resent.unknown.push(number),
        }
    }
    Ok(resent)
}
