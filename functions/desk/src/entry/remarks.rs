//! What staff are told of a reading that they enter.

use domain::expected::{self, Judgement, Mistake};
use domain::finding::{Finding, FindingCode};
use domain::ids::JobId;
use domain::model::{Channel, JobMaster, MeterRateTask, ReadingResult};
use domain::obis::{display_name, task_unit};
use domain::reading::{JobContext, Submission};
use domain::text;
use domain::text::Text;
use jiff::civil::Date;
use serde_json::Value;
use store::ClearingEntry;

use crate::letters::Day;

/// One thing to say about a reading that is entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The code of the remark, such as `EXPECTED_HIGH`.
    pub code: String,
    /// What it is about: `job`, `meterNumber`, `channel`, `readingDate`, `comment`, or `value`.
    pub field: &'static str,
    /// The name of the register, if it is about one.
    pub register: Option<String>,
    /// The reading that the register has, if that is what is said.
    pub reading: Option<String>,
    /// In words.
    pub reason: Text,
    /// The finding of a rule, if it was one.
    pub finding: Option<Finding>,
}

/// A register of which a reading is there already.
const ALREADY_READ: &str = "ALREADY_READ";
/// The reading was entered before, and does not hold any more.
pub const ENTERED_BEFORE: &str = "ENTERED_BEFORE";
/// There is no such register, or several could be meant.
pub const REGISTER_UNKNOWN: &str = "REGISTER";
/// There is no such job.
pub const JOB_UNKNOWN: &str = "JOB_UNKNOWN";

/// The last counter of the meter that went, in a decision.
pub const FINAL_VALUE: &str = "exchange.finalValue";
/// The first counter of the meter that came.
pub const INITIAL_VALUE: &str = "exchange.initialValue";
/// The day on which it came.
pub const EXCHANGE_DAY: &str = "exchange.day";

const BILLION: i128 = 1_000_000_000;

impl Remark {
    pub(super) fn new(code: &str, field: &'static str, reason: Text) -> Self {
        Self { code: code.to_owned(), field, register: None, reading: None, reason, finding: None }
    }

    fn of_register(self, task: &MeterRateTask) -> Self {
        Self { register: Some(register_name(task)), ..self }
    }

    pub(super) fn of_meter(reason: Text) -> Self {
        Self::new("METER", "meterNumber", reason)
    }

    pub(crate) fn same_value() -> Self {
        Self::new("SAME_VALUE", "value", text!("ist der Stand, der gesendet wurde", "is the value that was sent"))
    }

    /// What is said against the exchange that a clerk names; `field` is as of the decision.
    pub(crate) fn of_exchange(code: &str, field: &'static str, reason: Text) -> Self {
        Self::new(code, field, reason)
    }

    /// The last counter of a meter that went has other digits than the register.
    pub(crate) fn of_final_value(finding: &Finding) -> Self {
        Self { finding: Some(finding.clone()), ..Self::new(&code(finding), FINAL_VALUE, reason(finding, None)) }
    }

    /// A register has another reading, or had the same one: what helps is to name it and to say why (D-READING-22).
    pub fn is_of_another(&self) -> bool {
        [ALREADY_READ, ENTERED_BEFORE].contains(&self.code.as_str())
    }

    /// The job has what would be assigned to it.
    pub(crate) fn there_already() -> Self {
        Self::new(ALREADY_READ, "value", text!("hat der Auftrag schon", "is what the job has already"))
    }

    pub(super) fn job_unknown(job: &JobId) -> Self {
        let reason = text!("den Auftrag `{job}` gibt es nicht", "there is no job `{job}`");
        Self::new(JOB_UNKNOWN, "job", reason)
    }

    pub(super) fn job_closed(job: &JobId) -> Self {
        let reason = text!(
            "der Auftrag `{job}` ist geschlossen, weil die Liste ihn nicht mehr enthält; importieren Sie ihn wieder, wenn der Zähler abzulesen ist",
            "the job `{job}` is closed, because the list lacks it; import it again if the meter is to be read"
        );
        Self::new("JOB_CLOSED", "job", reason)
    }

    pub(super) fn no_value() -> Self {
        Self::new("RESULTS_EMPTY", "value", text!("kein Zählerstand ist angegeben", "no value is given"))
    }

    pub(super) fn register_unknown(job: &JobMaster, named: Option<&str>) -> Self {
        let known = job.meter.meter_rate_tasks.iter().map(register_name).collect::<Vec<_>>().join(", ");
        let reason = match named {
            Some(named) => text!(
                "ein Zählwerk `{named}` hat der Zähler nicht, oder es könnten mehrere gemeint sein; vorhanden: {known}",
                "the meter has no register `{named}`, or several could be meant; there are: {known}"
            ),
            None => text!(
                "der Zähler hat mehrere Zählwerke; nennen Sie das Zählwerk: {known}",
                "the meter has several registers; name the register: {known}"
            ),
        };
        Self::new(REGISTER_UNKNOWN, "value", reason)
    }

    pub(super) fn already_read(last: &ReadingResult, present: Option<&ClearingEntry>, task: &MeterRateTask) -> Self {
        let ReadingResult { reading_value: value, reading_date: day, .. } = last;
        let shown = german(value.as_str());
        let reason = text!("schon abgelesen: {shown} am {on}", "read already: {value} on {day}", on = Day(*day));
        let reading = present.map(|present| present.entry.result_id.clone());
        Self { reading, ..Self::new(ALREADY_READ, "value", reason).of_register(task) }
    }

    pub(super) fn entered_before(before: &ClearingEntry, task: &MeterRateTask) -> Self {
        let rejected = before.clearing.as_ref().filter(|_| before.is_rejected());
        let reason = match rejected.and_then(|clearing| clearing.reason.as_deref()) {
            Some(words) => {
                text!("schon eingetragen und dann abgelehnt: {words}", "entered before and then rejected: {words}")
            }
            None => text!("schon eingetragen, gilt aber nicht mehr", "entered before, but does not hold any more"),
        };
        Self { reading: Some(before.entry.result_id.clone()), ..Self::new(ENTERED_BEFORE, "value", reason).of_register(task) }
    }

    /// The remark of a rule's finding.
    pub(crate) fn of(finding: &Finding, ctx: &JobContext<'_>, submission: &Submission) -> Self {
        let task = finding.task_id.as_ref().and_then(|id| ctx.job.meter.meter_rate_tasks.iter().find(|task| task.task_id == *id));
        let field = match finding.field.as_str() {
            "readingDate" => "readingDate",
            "comment" => "comment",
            "readingImages" => "images",
            _ => "value",
        };
        let judged = task.and_then(|task| judged(ctx, submission, task));
        let remark = Self { finding: Some(finding.clone()), ..Self::new(&code(finding), field, reason(finding, task.zip(judged))) };
        task.map_or(remark.clone(), |task| remark.of_register(task))
    }

    /// With its register.
    pub fn text(&self) -> Text {
        let reason = &self.reason;
        match &self.register {
            Some(register) => text!("{register}: {reason}", "{register}: {reason}"; reason),
            None => reason.clone(),
        }
    }
}

fn code(finding: &Finding) -> String {
    match serde_json::to_value(finding.code) {
        Ok(Value::String(code)) => code,
        _ => String::new(),
    }
}

fn register_name(task: &MeterRateTask) -> String {
    display_name(task.rate_name.as_deref(), &task.obis)
}

fn judged(ctx: &JobContext<'_>, submission: &Submission, task: &MeterRateTask) -> Option<Judgement> {
    let result = submission.results.iter().find(|result| result.task_id == task.task_id)?;
    expected::judge(ctx.plausibility, ctx.job, task, submission.reading_date, &result.reading_value, result.lower_reason)
}

fn reason(finding: &Finding, judged: Option<(&MeterRateTask, Judgement)>) -> Text {
    use FindingCode as Code;
    let limit = finding.limit.as_deref().unwrap_or_default();
    let shown = german(limit);
    match finding.code {
        Code::PreDecimals if limit == "1" => {
            text!("das Zählwerk hat eine Stelle vor dem Komma", "the counter has one digit before the point")
        }
        Code::PreDecimals => text!("das Zählwerk hat {shown} Stellen vor dem Komma", "the counter has {limit} digits before the point"),
        Code::DecimalsExact if limit == "0" => text!("hat mehr Nachkommastellen als das Zählwerk", "has more decimals than the counter"),
        Code::DecimalsExact if limit == "1" => text!("nötig ist genau eine Nachkommastelle", "exactly one decimal is needed"),
        Code::DecimalsExact => text!("nötig sind genau {shown} Nachkommastellen", "exactly {limit} decimals are needed"),
        Code::RangeBelow => text!("kleiner als erwartet (mindestens {shown})", "smaller than expected (at least {limit})"),
        Code::RangeAbove => text!("größer als erwartet (höchstens {shown})", "greater than expected (at most {limit})"),
        Code::HistoricLower => {
            text!("kleiner als der letzte bekannte Stand ({shown})", "lower than the last known reading ({limit})")
        }
        Code::ContinuityLower => {
            text!("kleiner als der zuletzt gesendete Stand ({shown})", "lower than the one that was sent last ({limit})")
        }
        Code::ExpectedLow | Code::ExpectedHigh => unexpected(finding.code == Code::ExpectedHigh, judged),
        Code::Incomplete => text!("es fehlt ein Zählwerk des Zählers", "a register of the meter is missing"),
        Code::TaskTwice => text!("zweimal angegeben", "given twice"),
        Code::CommentTooShort => text!("die Bemerkung braucht mindestens {shown} Zeichen", "the comment needs at least {limit} characters"),
        Code::CommentTooLong => {
            text!("die Bemerkung darf höchstens {shown} Zeichen haben", "the comment can have at most {limit} characters")
        }
        Code::DateTooEarly => text!("der Tag der Ablesung liegt vor dem {shown}", "the day of the reading is before {limit}"),
        Code::DateTooLate => text!("der Tag der Ablesung liegt nach dem {shown}", "the day of the reading is after {limit}"),
        Code::WindowNotOpen => text!("abgelesen wird erst ab {shown}", "readings are taken from {limit} on"),
        Code::WindowExpired => text!("abgelesen wurde bis {shown}", "readings were taken until {limit}"),
        Code::BeforeEarliest => {
            text!("liegt vor dem Ablesezeitraum, der am {shown} beginnt", "is before the reading period, which begins on {limit}")
        }
        Code::AfterLatest => {
            text!("liegt nach dem Ablesezeitraum, der am {shown} endet", "is after the reading period, which ends on {limit}")
        }
        // Rules of other entries.
        _ => text!("ist nicht zulässig", "is not possible"),
    }
}

/// A day or a counter as Germans write it.
pub(crate) fn german(text: &str) -> String {
    text.parse::<Date>().map_or_else(|_| text.replace('.', ","), |day| Day(day).to_string())
}

/// The consumption in figures, and the slip that would explain it (D-READING-21).
fn unexpected(is_high: bool, judged: Option<(&MeterRateTask, Judgement)>) -> Text {
    let much = match is_high {
        true => text!("viel mehr als sonst", "much more than usual"),
        false => text!("viel weniger als sonst", "much less than usual"),
    };
    let Some((task, judged)) = judged else { return much };
    let unit = task_unit(task).unwrap_or_default();
    let [consumption, annual] = [judged.consumption, judged.annual].map(|figure| figure / BILLION);
    let slip = match judged.mistake {
        None => Text::same(""),
        Some(Mistake::CommaMoved) => text!("; Komma verrutscht?", "; decimal point moved?"),
        Some(Mistake::DigitTooMany) => text!("; eine Ziffer zu viel?", "; a digit too many?"),
        Some(Mistake::DigitMissing) => text!("; fehlt eine Ziffer?", "; a digit missing?"),
    };
    let since = judged.since;
    text!(
        "{much}: {consumption} {unit} seit dem {day}, sonst etwa {annual} {unit} im Jahr{slip}",
        "{much}: {consumption} {unit} since {since}, otherwise about {annual} {unit} a year{slip}",
        day = Day(since);
        much, slip
    )
}

/// The name of a channel.
pub fn channel_name(channel: Channel) -> Text {
    match channel {
        Channel::Portal => text!("Portal", "portal"),
        Channel::Phone => text!("Telefon", "phone"),
        Channel::Card => text!("Ablesekarte", "reply card"),
        Channel::Email => text!("E-Mail", "e-mail"),
        Channel::Technician => text!("Außendienst", "field staff"),
        Channel::Import => text!("Datei", "file"),
    }
}
