//! The check of a submission: everything that the entry form says about a reading, said again by the server (L5, L8).

use jiff::civil::Date;
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};

use crate::config::{Application, JobFeatures, MeterReadingConfig, Plausibility};
use crate::expected::{self, Verdict};
use crate::finding::{Finding, FindingCode, Severity};
use crate::ids::TaskId;
use crate::job::{self, JobConfig};
use crate::model::{JobMaster, LowerReason, MeterRateTask, TaskState};
use crate::obis;
use crate::value::MeterValue;
use crate::white_space::{trimmed, without_white_space};
use crate::window::{self, OutsidePeriod, ReadingDates, Sending};

/// Digits before the point where a rate does not say how many (L5).
pub const DEFAULT_PRE_DECIMALS: u8 = 8;
/// Most photos of one rate (L9).
pub const MAX_IMAGES: usize = 3;
/// Fewest characters of a comment, white space not counted (L9).
pub const COMMENT_MIN_LENGTH: usize = 5;
/// Most characters of a comment (L9).
pub const COMMENT_MAX_LENGTH: usize = 1000;

// The fields of a submission that findings are about.
const RESULTS: &str = "results";
const READING_DATE: &str = "readingDate";
const READING_VALUE: &str = "readingValue";
const READING_IMAGES: &str = "readingImages";
const COMMENT: &str = "comment";

/// Readings of one job, sent together.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Submission {
    /// The day on which the counters were read, one for the whole job.
    pub reading_date: Date,
    /// One for each rate that was filled in.
    pub results: Vec<SubmittedResult>,
    /// The reader saw the warnings and wants to send anyway.
    #[serde(default)]
    pub confirmed: bool,
}

/// The reading of one rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SubmittedResult {
    /// The rate.
    pub task_id: TaskId,
    /// The counter.
    pub reading_value: MeterValue,
    /// As typed.
    #[serde(default)]
    pub comment: Option<String>,
    /// Why the value is lower than the last one.
    #[serde(default)]
    pub lower_reason: Option<LowerReason>,
    /// The number of photos with it.
    #[serde(default)]
    pub image_count: usize,
}

/// What a submission is checked against.
#[derive(Debug, Clone, Copy)]
pub struct JobContext<'a> {
    /// The job.
    pub job: &'a JobMaster,
    /// The earlier readings of the job.
    pub states: &'a [TaskState],
    /// Its flags, resolved.
    pub features: &'a JobFeatures,
    /// Its entry settings, resolved.
    pub entry: &'a MeterReadingConfig,
    /// Which values are asked about.
    pub plausibility: &'a Plausibility,
    /// The day in the tenant's time zone.
    pub today: Date,
}

impl<'a> JobContext<'a> {
    /// Of a job with these settings, on this day.
    pub fn new(job: &'a JobMaster, states: &'a [TaskState], config: &'a JobConfig, application: &'a Application, today: Date) -> Self {
        let plausibility = &application.config.plausibility;
        Self { job, states, features: &config.features, entry: &config.meter_reading, plausibility, today }
    }
}

/// The decision about a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// It is taken. These are the warnings that were confirmed.
    Taken(Vec<Finding>),
    /// It is taken once the reader confirms what is among these findings.
    Unconfirmed(Vec<Finding>),
    /// It is not taken.
    Refused(Vec<Finding>),
}

impl Decision {
    /// What becomes of a submission that was found to be so (D-READING-7).
    pub fn of(findings: Vec<Finding>, confirmed: bool) -> Self {
        match findings.iter().map(|finding| finding.severity).max() {
            Some(Severity::Error) => Self::Refused(findings),
            Some(Severity::Warning) if !confirmed => Self::Unconfirmed(findings),
            _ => Self::Taken(findings.into_iter().filter(|finding| finding.severity == Severity::Warning).collect()),
        }
    }
}

/// Checks a submission. No finding of severity error: it may be stored; no warning either: without a confirmation.
///
/// The findings of the submission as a whole come first, then those of each result in the order in which they were sent.
pub fn check(ctx: &JobContext<'_>, submission: &Submission) -> Vec<Finding> {
    check_with(ctx, submission, check_dates(ctx, submission.reading_date))
}

/// Checks what staff enter for a customer: as [`check`], but no photo and no comment is asked for. `late` says that the sending window may be over, and that the
/// reading may lie as far back as it opened (D-READING-22).
pub fn check_entered(ctx: &JobContext<'_>, submission: &Submission, late: bool) -> Vec<Finding> {
    let features = JobFeatures {
        image_always_required: false,
        unplausible_readings_image_required: false,
        unplausible_readings_comment_required: false,
        ..ctx.features.clone()
    };
    let ctx = &JobContext { features: &features, ..*ctx };
    let dates = if late { check_late_dates(ctx, submission.reading_date) } else { check_dates(ctx, submission.reading_date) };
    check_with(ctx, submission, dates)
}

fn check_with(ctx: &JobContext<'_>, submission: &Submission, mut findings: Vec<Finding>) -> Vec<Finding> {
    findings.extend(check_completeness(ctx, submission));
    for (index, result) in submission.results.iter().enumerate() {
        let of_result = |code| Finding::error(code, RESULTS).of_rate(&result.task_id, false);
        match ctx.job.meter.meter_rate_tasks.iter().find(|task| task.task_id == result.task_id) {
            None => findings.push(of_result(FindingCode::TaskUnknown)),
            Some(_) if submission.results[..index].iter().any(|earlier| earlier.task_id == result.task_id) => {
                findings.push(of_result(FindingCode::TaskTwice));
            }
            Some(task) => check_result(ctx, task, submission.reading_date, result, &mut findings),
        }
    }
    findings
}

/// The consumption when a counter passed its last digit since the last reading: up to zero, and from there to the new value.
pub fn rollover_consumption(pre_decimals: Option<u8>, last: &MeterValue, new: &MeterValue) -> Decimal {
    let digits = usize::from(pre_decimals.unwrap_or(DEFAULT_PRE_DECIMALS)).min(MeterValue::MAX_PRE_DECIMALS);
    let counter_end = (0..digits).fold(Decimal::ONE, |end, _| end * Decimal::TEN);
    counter_end + new.number() - last.number()
}

/// The reason why a value of a rate is lower than before, as it is stored. A counter that passed its last digit stands below the utility's last reading or the last
/// result, if there is one; an exchanged meter may show anything (D-READING-25).
pub fn lower_reason(given: Option<LowerReason>, value: &MeterValue, task: &MeterRateTask, states: &[TaskState]) -> Option<LowerReason> {
    let event = task.reading_events.iter().max_by_key(|event| event.reading_date).map(|event| &event.reading_value);
    let result = job::last_result(states, &task.task_id).map(|result| &result.reading_value);
    let is_lower = [event, result].into_iter().flatten().any(|last| value.is_below(last));
    let is_known = event.or(result).is_some();
    given.filter(|reason| *reason != LowerReason::Rollover || is_lower || !is_known)
}

/// The comment as it is stored: without white space around it; `None` when nothing remains.
pub fn trimmed_comment(comment: Option<&str>) -> Option<&str> {
    comment.map(trimmed).filter(|comment| !comment.is_empty())
}

fn of_date(code: FindingCode, severity: Severity, limit: Date) -> Finding {
    Finding::new(code, severity, READING_DATE).limit(limit)
}

fn check_dates(ctx: &JobContext<'_>, reading_date: Date) -> Vec<Finding> {
    // Outside the sending window no date would do, so the date itself is not judged (D-READING-11).
    match window::sending(&ctx.job.job_constraints, ctx.features, ctx.today) {
        Sending::NotOpen(first) => vec![of_date(FindingCode::WindowNotOpen, Severity::Error, first)],
        Sending::Expired(last) => vec![of_date(FindingCode::WindowExpired, Severity::Error, last)],
        Sending::Open => check_day(ctx, window::reading_dates(&ctx.job.job_constraints, ctx.features, ctx.entry, ctx.today), reading_date),
    }
}

/// The same of a reading that is entered after its time.
fn check_late_dates(ctx: &JobContext<'_>, reading_date: Date) -> Vec<Finding> {
    if let Sending::NotOpen(first) = window::sending(&ctx.job.job_constraints, ctx.features, ctx.today) {
        return vec![of_date(FindingCode::WindowNotOpen, Severity::Error, first)];
    }
    check_day(ctx, window::late_reading_dates(&ctx.job.job_constraints, ctx.features, ctx.entry, ctx.today), reading_date)
}

fn check_day(ctx: &JobContext<'_>, allowed: ReadingDates, reading_date: Date) -> Vec<Finding> {
    if reading_date < allowed.first {
        return vec![of_date(FindingCode::DateTooEarly, Severity::Error, allowed.first)];
    }
    if reading_date > allowed.last {
        return vec![of_date(FindingCode::DateTooLate, Severity::Error, allowed.last)];
    }
    match window::outside_period(&ctx.job.job_constraints, reading_date) {
        Some(OutsidePeriod::BeforeEarliest(earliest)) => vec![of_date(FindingCode::BeforeEarliest, Severity::Info, earliest)],
        Some(OutsidePeriod::AfterLatest(latest)) => vec![of_date(FindingCode::AfterLatest, Severity::Info, latest)],
        None => Vec::new(),
    }
}

fn check_completeness(ctx: &JobContext<'_>, submission: &Submission) -> Option<Finding> {
    if submission.results.is_empty() {
        return Some(Finding::error(FindingCode::ResultsEmpty, RESULTS));
    }
    let filled = |task: &MeterRateTask| submission.results.iter().any(|result| result.task_id == task.task_id);
    let open = |task: &MeterRateTask| job::last_result(ctx.states, &task.task_id).is_none();
    let incomplete = ctx.job.meter.meter_rate_tasks.iter().any(|task| open(task) && !filled(task));
    incomplete.then(|| Finding::new(FindingCode::Incomplete, Severity::Warning, RESULTS))
}

fn check_result(ctx: &JobContext<'_>, task: &MeterRateTask, reading_date: Date, result: &SubmittedResult, findings: &mut Vec<Finding>) {
    let feed_in = obis::is_feed_in(&task.obis);
    let mut value = check_value(ctx, task, &result.reading_value);
    value.extend(check_expected(ctx, task, reading_date, result, &value));
    let implausible = value.iter().any(|found| found.severity == Severity::Warning);
    let evidence = check_evidence(ctx.features, result, implausible);
    findings.extend(value.into_iter().chain(evidence).map(|found| found.of_rate(&task.task_id, feed_in)));
}

/// Digits, range, history, continuity. A value with wrong digits is not compared with anything: it is not what the counter shows (D-READING-10).
fn check_value(ctx: &JobContext<'_>, task: &MeterRateTask, value: &MeterValue) -> Vec<Finding> {
    let digits = check_digits(ctx.entry, task, value);
    if !digits.is_empty() {
        return digits;
    }
    let found = |code, severity| Finding::new(code, severity, READING_VALUE);
    let asked = asked_decimals(ctx.entry, task);
    let below = |limit: &MeterValue| value.number() < rounded_down(limit, asked);
    let mut findings = Vec::new();
    if let Some(range) = &task.reading_value_validation {
        let severity = if range.strict_validation { Severity::Error } else { Severity::Warning };
        if let Some(minimum) = range.minimum_value.as_ref().filter(|&minimum| below(minimum)) {
            findings.push(found(FindingCode::RangeBelow, severity).limit(minimum));
        }
        if let Some(maximum) = range.maximum_value.as_ref().filter(|&maximum| value > maximum) {
            findings.push(found(FindingCode::RangeAbove, severity).limit(maximum));
        }
    }
    if ctx.features.historic_readings_validation_required {
        let last_event = task.reading_events.iter().max_by_key(|event| event.reading_date);
        // D-READING-2: a warning, never an error.
        if let Some(last) = last_event.filter(|last| below(&last.reading_value)) {
            findings.push(found(FindingCode::HistoricLower, Severity::Warning).limit(&last.reading_value));
        }
    }
    if ctx.features.continuous_readings_validation_required
        && let Some(last) = job::last_result(ctx.states, &task.task_id).filter(|last| below(&last.reading_value))
    {
        findings.push(found(FindingCode::ContinuityLower, Severity::Warning).limit(&last.reading_value));
    }
    findings
}

/// Whether the consumption is what the meter used before, where nothing else was said about the value (D-READING-20).
fn check_expected(
    ctx: &JobContext<'_>,
    task: &MeterRateTask,
    reading_date: Date,
    result: &SubmittedResult,
    found: &[Finding],
) -> Option<Finding> {
    // The utility's own range goes before ours, and what is lower than the last reading is asked about already.
    let is_judged = ctx.features.expected_readings_validation_required && found.is_empty();
    if !is_judged {
        return None;
    }
    let range = task.reading_value_validation.as_ref();
    let judgement = expected::judge(ctx.plausibility, ctx.job, task, reading_date, &result.reading_value, result.lower_reason)?;
    let code = match judgement.verdict? {
        Verdict::Low if range.is_none_or(|range| range.minimum_value.is_none()) => FindingCode::ExpectedLow,
        Verdict::High if range.is_none_or(|range| range.maximum_value.is_none()) => FindingCode::ExpectedHigh,
        _ => return None,
    };
    Some(Finding::new(code, Severity::Warning, READING_VALUE))
}

/// Whether a counter has the digits of its rate, and the decimals that are asked for.
pub fn check_digits(entry: &MeterReadingConfig, task: &MeterRateTask, value: &MeterValue) -> Vec<Finding> {
    let found = |code| Finding::error(code, READING_VALUE);
    let mut findings = Vec::new();
    let pre_decimals = task.pre_decimals.unwrap_or(DEFAULT_PRE_DECIMALS);
    if value.pre_decimals() > usize::from(pre_decimals) {
        findings.push(found(FindingCode::PreDecimals).limit(pre_decimals));
    }
    let given = value.post_decimals();
    let wrong_decimals = match task.post_decimals {
        Some(wanted) if decimals_are_asked(entry) => (given != usize::from(wanted)).then_some(wanted),
        // The reader was not asked for decimals; a client that sends them all the same may not send more than the counter has.
        Some(shown) => (given > usize::from(shown)).then_some(0),
        None => None,
    };
    if let Some(limit) = wrong_decimals {
        findings.push(found(FindingCode::DecimalsExact).limit(limit));
    }
    findings
}

/// The reader types what is behind the point.
pub(crate) fn decimals_are_asked(entry: &MeterReadingConfig) -> bool {
    entry.query_post_decimals && !entry.mask_post_decimals
}

/// How many decimals the reader is asked for; `None`: as many as there are.
fn asked_decimals(entry: &MeterReadingConfig, task: &MeterRateTask) -> Option<u32> {
    if decimals_are_asked(entry) { task.post_decimals.map(u32::from) } else { Some(0) }
}

/// A known value as the reader would have typed it, so that an unchanged counter is never lower than itself (D-READING-5).
fn rounded_down(value: &MeterValue, decimals: Option<u32>) -> Decimal {
    decimals.map_or(value.number(), |decimals| value.number().trunc_with_scale(decimals))
}

/// Photos and comment, and whether an implausible value has what it needs.
fn check_evidence(features: &JobFeatures, result: &SubmittedResult, implausible: bool) -> Vec<Finding> {
    let mut findings = Vec::new();

    if features.images_forbidden && result.image_count > 0 {
        findings.push(Finding::error(FindingCode::ImageForbidden, READING_IMAGES));
    } else if result.image_count > MAX_IMAGES {
        findings.push(Finding::error(FindingCode::ImageTooMany, READING_IMAGES).limit(MAX_IMAGES));
    }
    let comment = trimmed_comment(result.comment.as_deref());
    if let Some(comment) = comment {
        if without_white_space(comment).chars().count() < COMMENT_MIN_LENGTH {
            findings.push(Finding::error(FindingCode::CommentTooShort, COMMENT).limit(COMMENT_MIN_LENGTH));
        } else if comment.chars().count() > COMMENT_MAX_LENGTH {
            findings.push(Finding::error(FindingCode::CommentTooLong, COMMENT).limit(COMMENT_MAX_LENGTH));
        }
    }

    let no_image = result.image_count == 0;
    // D-READING-1: either satisfies.
    let comment_asked = implausible && features.unplausible_readings_comment_required;
    let image_asked = implausible && features.unplausible_readings_image_required && !features.images_forbidden;
    let image_always = features.image_always_required && !features.images_forbidden;
    if image_always && no_image {
        findings.push(Finding::error(FindingCode::ImageRequired, READING_IMAGES));
    } else if comment_asked && image_asked {
        if comment.is_none() && no_image {
            findings.push(Finding::error(FindingCode::ImageOrCommentRequired, READING_IMAGES));
        }
    } else if image_asked && no_image {
        findings.push(Finding::error(FindingCode::ImageRequired, READING_IMAGES));
    }
    if comment_asked && !image_asked && comment.is_none() {
        findings.push(Finding::error(FindingCode::CommentRequired, COMMENT));
    }
    findings
}
