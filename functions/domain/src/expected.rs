//! What a counter is expected to show, by what the meter did before, so that a mistyped value is asked about and never billed unseen.
//!
//! All arithmetic is in whole numbers (billionths of the unit, weights of days), so that the twin in `web/shared/rules` says the same.

use jiff::{ToSpan, civil::Date};
use serde::{Deserialize, Serialize};

use crate::config::{Plausibility, PlausibilityOfMedium};
use crate::meter::job_meter_type;
use crate::model::{JobMaster, LoadProfile, LowerReason, MeterRateTask, MeterType, ReadingEvent, ReadingReason};
use crate::obis::{self, task_unit};
use crate::reading::DEFAULT_PRE_DECIMALS;
use crate::value::MeterValue;

/// Fewest days between two readings whose difference says something about a year.
const PERIOD_MIN_DAYS: i32 = 60;
/// Most periods that count, the latest ones.
const MAX_PERIODS: usize = 3;
/// Readings from before this many days say nothing.
const MAX_AGE_DAYS: i32 = 3653;
/// Fewer days of known use make the band wider.
const SHORT_DAYS: i32 = 300;
/// Fewer days since the last reading make the band wider.
const RECENT_DAYS: i32 = 45;
/// More days since the last reading make the band wider.
const OLD_DAYS: i32 = 500;

/// What a value says against what the meter did before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judgement {
    /// The day of the reading that the consumption is counted from.
    pub since: Date,
    /// What the counter has moved since then, in billionths of the unit.
    pub consumption: i128,
    /// What was expected since then, in billionths of the unit.
    pub expected: i128,
    /// What is used in a year otherwise, in billionths of the unit.
    pub annual: i128,
    /// Whether the value lies outside of what is expected.
    pub verdict: Option<Verdict>,
    /// What would explain a value outside.
    pub mistake: Option<Mistake>,
}

/// On which side of the band a value lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Verdict {
    /// Less than expected.
    Low,
    /// More than expected.
    High,
}

/// How people mistype a counter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Mistake {
    /// The digits behind the comma were typed before it, or the reverse.
    CommaMoved,
    /// Without one of its digits the value would be expected.
    DigitTooMany,
    /// With one digit more the value would be expected.
    DigitMissing,
}

/// What a counter is expected to show on a day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expected {
    /// The reading from which on the consumption is counted.
    pub since: Date,
    /// Its counter.
    pub from: MeterValue,
    /// What is used in a year otherwise, in billionths of the unit.
    pub annual: i128,
    /// What is expected since then, in billionths of the unit; as are the two below.
    pub consumption: i128,
    /// The least consumption that the reader is not asked about.
    pub least: i128,
    /// The most.
    pub most: i128,
}

/// Billionths of a unit as a decimal number, such as `3100.5`.
pub fn decimal(billionths: i128) -> String {
    let sign = if billionths < 0 { "-" } else { "" };
    let (whole, rest) = (billionths.abs() / BILLION, billionths.abs() % BILLION);
    let decimals = format!("{rest:09}");
    let decimals = decimals.trim_end_matches('0');
    let point = if decimals.is_empty() { "" } else { "." };
    format!("{sign}{whole}{point}{decimals}")
}

/// What a rate is expected to show on this day, by the rule of [`judge`]; `None` where nothing is known to expect it by, or the rate is no counter.
pub fn expect(plausibility: &Plausibility, job: &JobMaster, task: &MeterRateTask, reading_date: Date) -> Option<Expected> {
    if task_unit(task).is_some_and(obis::is_momentary) {
        return None;
    }
    let meter_type = job_meter_type(job);
    let profile = profile(job, task, meter_type);
    let known = known(task, profile, reading_date)?;
    let (annual, band) = band(plausibility, job, task, reading_date, &known);
    let (least, most) = band.limits();
    Some(Expected {
        since: known.base.reading_date,
        from: known.base.reading_value.clone(),
        annual,
        consumption: known.consumption * band.weight / known.weight,
        least,
        most,
    })
}

/// A year's use, and the band of what is expected on this day.
fn band(plausibility: &Plausibility, job: &JobMaster, task: &MeterRateTask, reading_date: Date, known: &Known<'_>) -> (i128, Band) {
    let meter_type = job_meter_type(job);
    let profile = profile(job, task, meter_type);
    let settings = settings(plausibility, job, task, meter_type);
    let since = days(known.base.reading_date, reading_date);
    let weight = weight(profile, known.base.reading_date, reading_date);
    let is_wide = known.is_vague || !(RECENT_DAYS..=OLD_DAYS).contains(&since);
    let annual = known.consumption * year(profile) / known.weight;
    (annual, Band::new(known, weight, settings, annual, is_wide, unit_size(task)))
}

/// Judges a value of a rate; `None` where nothing is known to judge by, the reader says that the meter was exchanged, or the rate is no counter.
///
/// A year's use comes from the job's `expectedAnnualConsumption`, else from at most three periods between earlier readings: real ones, and
/// estimates only if nothing else is there. It is spread over the year by the medium's profile. The band around it is the tenant's.
pub fn judge(
    plausibility: &Plausibility,
    job: &JobMaster,
    task: &MeterRateTask,
    reading_date: Date,
    value: &MeterValue,
    lower_reason: Option<LowerReason>,
) -> Option<Judgement> {
    // What has no consumption has none that could be expected.
    let counts = !task_unit(task).is_some_and(obis::is_momentary);
    if lower_reason == Some(LowerReason::MeterChange) || !counts {
        return None;
    }
    let meter_type = job_meter_type(job);
    let profile = profile(job, task, meter_type);
    let known = known(task, profile, reading_date)?;
    // Digits that were not asked for are no consumption (D-READING-5).
    let base = billionths_cut(&known.base.reading_value, value.post_decimals());
    let drum = 10_i128.pow(u32::from(task.pre_decimals.unwrap_or(DEFAULT_PRE_DECIMALS)).min(15)) * BILLION;
    let (annual, band) = band(plausibility, job, task, reading_date, &known);

    let moved = billionths(value) - base;
    let consumption = if moved < 0 && lower_reason == Some(LowerReason::Rollover) { moved + drum } else { moved };
    let verdict = match band.verdict(consumption) {
        // The counter may have passed its last digit: the question for the reason comes with the value that is lower than the last.
        _ if consumption < 0 && band.verdict(consumption + drum).is_none() => None,
        verdict => verdict,
    };
    let mistake = verdict.and_then(|_| {
        let is_expected = |other: i128| other >= base && band.verdict(other - base).is_none();
        mistake(task, value, is_expected)
    });
    let expected = known.consumption * band.weight / known.weight;
    Some(Judgement { since: known.base.reading_date, consumption, expected, annual, verdict, mistake })
}

const BILLION: i128 = 1_000_000_000;

fn billionths(value: &MeterValue) -> i128 {
    let number = value.number();
    number.mantissa() * 10_i128.pow(9 - number.scale().min(9))
}

fn billionths_cut(value: &MeterValue, decimals: usize) -> i128 {
    let unit = 10_i128.pow(9 - u32::try_from(decimals).unwrap_or(9).min(9));
    billionths(value) / unit * unit
}

/// What is known of a rate: so much consumption in days of so much weight, and the counter from which on a new value is judged.
struct Known<'a> {
    base: &'a ReadingEvent,
    consumption: i128,
    weight: i128,
    is_vague: bool,
}

fn known<'a>(task: &'a MeterRateTask, profile: LoadProfile, reading_date: Date) -> Option<Known<'a>> {
    let first = reading_date.saturating_sub(MAX_AGE_DAYS.days());
    let mut all: Vec<_> =
        task.reading_events.iter().filter(|event| first <= event.reading_date && event.reading_date < reading_date).collect();
    all.sort_by_key(|event| event.reading_date);
    let real: Vec<_> = all.iter().copied().filter(|event| event.reason != Some(ReadingReason::EstimatedReading)).collect();

    if let Some(annual) = &task.expected_annual_consumption {
        let base = real.last().or(all.last())?;
        return Some(Known { base, consumption: billionths(annual), weight: year(profile), is_vague: false });
    }
    let (events, periods, is_estimate) = match (periods(&real), periods(&all)) {
        (periods, _) if !periods.is_empty() => (real, periods, false),
        (_, periods) => (all, periods, true),
    };
    let base = events.last()?;
    let sum = |of: fn(&ReadingEvent, &ReadingEvent, LoadProfile) -> i128| periods.iter().map(|(from, to)| of(from, to, profile)).sum();
    let consumption = sum(|from, to, _| billionths(&to.reading_value) - billionths(&from.reading_value));
    let weight: i128 = sum(|from, to, profile| weight(profile, from.reading_date, to.reading_date));
    let known_days: i32 = periods.iter().map(|(from, to)| days(from.reading_date, to.reading_date)).sum();
    (weight > 0).then_some(Known { base, consumption, weight, is_vague: is_estimate || known_days < SHORT_DAYS })
}

/// The latest periods between readings of one and the same meter, each long enough; the latest first.
fn periods<'a>(events: &[&'a ReadingEvent]) -> Vec<(&'a ReadingEvent, &'a ReadingEvent)> {
    let mut periods = Vec::new();
    let mut end: Option<usize> = None;
    for index in (0..events.len()).rev() {
        if let Some(to) = end
            && days(events[index].reading_date, events[to].reading_date) >= PERIOD_MIN_DAYS
        {
            periods.push((events[index], events[to]));
            end = Some(index);
        }
        // A new meter, or one that passed its last digit: what lies before it is another series.
        if index == 0 || begins_series(events[index - 1], events[index]) {
            end = None;
        } else if end.is_none() {
            end = Some(index);
        }
    }
    periods.truncate(MAX_PERIODS);
    periods
}

fn begins_series(before: &ReadingEvent, event: &ReadingEvent) -> bool {
    matches!(event.reason, Some(ReadingReason::MeterChange | ReadingReason::InitialReading)) || event.reading_value < before.reading_value
}

fn days(from: Date, to: Date) -> i32 {
    from.until(to).map_or(0, |span| span.get_days())
}

/// What lies between low and high is expected, and what is no further than the floor from it.
struct Band {
    consumption: i128,
    weight_known: i128,
    weight: i128,
    below: i128,
    above: i128,
    floor: i128,
}

impl Band {
    fn new(known: &Known<'_>, weight: i128, settings: &PlausibilityOfMedium, annual: i128, is_wide: bool, unit_size: i128) -> Self {
        let used = settings.bands.iter().rfind(|band| i128::from(band.annual_from) * BILLION <= annual * unit_size);
        let (below, above) = used.or(settings.bands.first()).map_or((0, 1000), |band| (band.below_percent, band.above_percent));
        let (below, above) = (i128::from(below), i128::from(above));
        let (below, above) = if is_wide { (below * 3 / 4, above * 3 / 2) } else { (below, above) };
        let floor = i128::from(settings.floor) * BILLION / unit_size;
        Self { consumption: known.consumption, weight_known: known.weight, weight, below, above, floor }
    }

    /// The least and the most consumption with no verdict.
    fn limits(&self) -> (i128, i128) {
        let expected = self.consumption * self.weight;
        // The first number that is not below: what is divided is rounded up.
        let up = |number: i128, by: i128| number.div_euclid(by) + i128::from(number.rem_euclid(by) != 0);
        let known = self.weight_known;
        let least = up(expected * self.below, known * 100).min(up(expected, known) - self.floor);
        let most = (expected * self.above).div_euclid(known * 100).max(expected.div_euclid(known) + self.floor);
        (least.max(0), most)
    }

    fn verdict(&self, consumption: i128) -> Option<Verdict> {
        // The expected consumption times the known weight; so nothing has to be divided.
        let expected = self.consumption * self.weight;
        let is_low =
            consumption * self.weight_known * 100 < expected * self.below && (consumption + self.floor) * self.weight_known < expected;
        let is_high =
            consumption * self.weight_known * 100 > expected * self.above && (consumption - self.floor) * self.weight_known > expected;
        match (is_low || consumption < 0, is_high) {
            (true, _) => Some(Verdict::Low),
            (_, true) => Some(Verdict::High),
            _ => None,
        }
    }
}

/// How many of the unit that bands are written in one unit of the rate is.
fn unit_size(task: &MeterRateTask) -> i128 {
    match task_unit(task) {
        Some("MWh") => 1000,
        Some("GJ") => 278,
        _ => 1,
    }
}

fn has_feed_in(job: &JobMaster) -> bool {
    job.meter.meter_rate_tasks.iter().any(|task| obis::is_feed_in(&task.obis))
}

fn settings<'a>(plausibility: &'a Plausibility, job: &JobMaster, task: &MeterRateTask, meter_type: MeterType) -> &'a PlausibilityOfMedium {
    match meter_type {
        _ if obis::is_feed_in(&task.obis) => &plausibility.feed_in,
        MeterType::ElectricMeter if has_feed_in(job) || matches!(task.load_profile, Some(LoadProfile::P25 | LoadProfile::S25)) => {
            &plausibility.own_generation
        }
        MeterType::ElectricMeter => &plausibility.electricity,
        MeterType::GasMeter => &plausibility.gas,
        MeterType::HeatMeter => &plausibility.heat,
        MeterType::WaterMeter | MeterType::WaterWarmMeter => &plausibility.water,
        MeterType::GenericMeter => &plausibility.other,
    }
}

fn profile(job: &JobMaster, task: &MeterRateTask, meter_type: MeterType) -> LoadProfile {
    if let Some(profile) = task.load_profile {
        return profile;
    }
    match meter_type {
        _ if obis::is_feed_in(&task.obis) => LoadProfile::Sun,
        MeterType::ElectricMeter if has_feed_in(job) => LoadProfile::P25,
        MeterType::ElectricMeter => LoadProfile::H25,
        MeterType::GasMeter => LoadProfile::HeatingHotWater,
        MeterType::HeatMeter => LoadProfile::Heating,
        MeterType::WaterMeter | MeterType::WaterWarmMeter | MeterType::GenericMeter => LoadProfile::Even,
    }
}

/// How much of a year's use falls on a day of the month, in a number that only compares with others of the same profile.
fn day_weight(profile: LoadProfile, day: Date) -> i128 {
    let months: [u16; 12] = match profile {
        LoadProfile::Even => return DAYS_OF_MONTHS,
        // VDI 2067 sheet 1 (12/1983), table 22: 170, 150, …; in thirds, because June to August share 40.
        LoadProfile::Heating => [510, 450, 390, 240, 120, 40, 40, 40, 90, 240, 360, 480],
        // Heat with hot water: the table of Swiss tenancy law for billing.
        LoadProfile::HeatingHotWater => [136, 121, 115, 93, 56, 37, 37, 36, 37, 95, 107, 130],
        // Photovoltaics, average of Germany, facing south by 35 degrees.
        LoadProfile::Sun => [31, 46, 82, 113, 133, 138, 133, 123, 92, 56, 31, 23],
        // BDEW's profiles of 2025, by the months of that year.
        LoadProfile::H25 => [101, 88, 89, 81, 77, 72, 74, 74, 73, 83, 89, 99],
        LoadProfile::G25 => [95, 84, 88, 82, 80, 77, 77, 76, 78, 83, 88, 94],
        LoadProfile::L25 => [92, 83, 90, 82, 81, 75, 77, 77, 78, 85, 89, 92],
        LoadProfile::P25 => [145, 106, 95, 72, 45, 40, 42, 47, 53, 79, 115, 161],
        LoadProfile::S25 => [207, 124, 79, 42, 15, 11, 14, 19, 22, 71, 151, 246],
    };
    i128::from(months[month(day)]) * in_days(day)
}

/// The least number that the days of every month divide: 28, 29, 30, 31.
const DAYS_OF_MONTHS: i128 = 377_580;

fn in_days(day: Date) -> i128 {
    DAYS_OF_MONTHS / i128::from(day.days_in_month())
}

fn month(day: Date) -> usize {
    usize::try_from(day.month()).unwrap_or(1) - 1
}

/// The weight of the days from the first, which counts, to the last, which does not.
fn weight(profile: LoadProfile, from: Date, to: Date) -> i128 {
    let (mut at, mut sum) = (from, 0);
    while at < to {
        let next = at.last_of_month().tomorrow().map_or(to, |next| next.min(to));
        sum += day_weight(profile, at) * i128::from(days(at, next));
        at = next;
    }
    sum
}

/// The weight of a year without a leap day.
fn year(profile: LoadProfile) -> i128 {
    weight(profile, jiff::civil::date(2025, 1, 1), jiff::civil::date(2026, 1, 1))
}

/// Which slip of the fingers would make an expected value of this one; the kinds in the order in which they explain most.
fn mistake(task: &MeterRateTask, value: &MeterValue, is_expected: impl Fn(i128) -> bool) -> Option<Mistake> {
    let number = billionths(value);
    if task.post_decimals.is_some_and(|decimals| decimals > 0) || value.post_decimals() > 0 {
        let moves = [10, 100, 1000];
        if moves.iter().any(|by| is_expected(number / by) || is_expected(number * by)) {
            return Some(Mistake::CommaMoved);
        }
    }
    let (whole, rest) = (number / BILLION, number % BILLION);
    let digits = whole.to_string().len();
    // The digits before and behind a place, and what the place is worth.
    let parts = |place: usize| {
        let worth = 10_i128.pow(u32::try_from(place).unwrap_or_default());
        (whole / worth, whole % worth, worth)
    };
    let without = |place: usize| {
        let (before, behind, worth) = parts(place);
        (before / 10 * worth + behind) * BILLION + rest
    };
    let with = |place: usize, digit: i128| {
        let (before, behind, worth) = parts(place);
        ((before * 10 + digit) * worth + behind) * BILLION + rest
    };
    if digits > 1 && (0..digits).any(|place| is_expected(without(place))) {
        return Some(Mistake::DigitTooMany);
    }
    let has_room = digits < usize::from(task.pre_decimals.unwrap_or(DEFAULT_PRE_DECIMALS));
    let is_missing = has_room && (0..=digits).any(|place| (0..10).any(|digit| is_expected(with(place, digit))));
    is_missing.then_some(Mistake::DigitMissing)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn from_text(text: &str) -> i128 {
        billionths(&MeterValue::parse(text).unwrap())
    }

    #[test]
    fn billionths_are_written_as_the_decimal_number_that_they_are() {
        for (number, text) in [
            (0, "0"),
            (1, "0.000000001"),
            (1_500_000_000, "1.5"),
            (-250_000_000, "-0.25"),
            (BILLION, "1"),
            (12_345_000_000_000_000, "12345000"),
            (98_765_432_010_203_040, "98765432.01020304"),
        ] {
            assert_eq!(decimal(number), text);
        }
    }

    /// What is said of a day and what is said of a value are one rule.
    #[test]
    fn the_least_and_the_most_are_where_the_verdict_changes() {
        for (obis, decimals, events) in [
            ("1-0:1.8.0", 0, vec![("2024-11-20", "1000"), ("2025-11-20", "4100")]),
            ("1-0:1.8.0", 3, vec![("2025-01-03", "17.125"), ("2025-11-20", "20.5")]),
            ("7-0:3.0.0", 2, vec![("2022-11-20", "500"), ("2023-11-20", "1700.55"), ("2024-11-19", "2500.01")]),
            ("8-0:1.0.0", 1, vec![("2025-05-01", "10.5"), ("2026-05-02", "130.5")]),
        ] {
            let events: Vec<_> = events
                .iter()
                .map(|(day, value)| serde_json::json!({ "readingDate": day, "readingValue": value, "reason": "ANNUAL_READING" }))
                .collect();
            let rate = serde_json::json!({ "taskId": "t", "obis": obis, "postDecimals": decimals, "readingEvents": events });
            let job: JobMaster =
                serde_json::from_value(serde_json::json!({ "id": "j", "meter": { "meterNumber": "1", "meterRateTasks": [rate] } }))
                    .unwrap();
            let (task, plausibility) = (&job.meter.meter_rate_tasks[0], Plausibility::default());
            for day in ["2026-11-21", "2026-05-30", "2027-08-01"].map(|day| day.parse().unwrap()) {
                let Expected { from, consumption, least, most, .. } = expect(&plausibility, &job, task, day).unwrap();
                let verdict = |consumption: i128| {
                    let counter = billionths(&from) + consumption;
                    let value = MeterValue::parse(&format!("{}.{:09}", counter / BILLION, counter % BILLION)).unwrap();
                    judge(&plausibility, &job, task, day, &value, None).unwrap().verdict
                };
                assert_eq!(decimal(from_text(&decimal(least))), decimal(least));
                assert_eq!([least, consumption, most].map(verdict), [None; 3], "{obis} {day}");
                assert_eq!(verdict(most + 1), Some(Verdict::High), "{obis} {day}");
                if least > 0 {
                    assert_eq!(verdict(least - 1), Some(Verdict::Low), "{obis} {day}");
                }
            }
        }
    }

    #[test]
    fn a_slip_at_any_place_is_found_by_the_value_that_was_meant() {
        use Mistake::{CommaMoved, DigitMissing, DigitTooMany};
        let task = |decimals: u8| -> MeterRateTask {
            serde_json::from_value(serde_json::json!({
                "taskId": "t", "obis": "1-0:1.8.0", "preDecimals": 5, "postDecimals": decimals,
            }))
            .unwrap()
        };
        for (typed, meant, decimals, slip) in [
            ("94123", "4123", 0, Some(DigitTooMany)),
            ("49123", "4123", 0, Some(DigitTooMany)),
            ("41293", "4123", 0, Some(DigitTooMany)),
            ("41239", "4123", 0, Some(DigitTooMany)),
            ("41", "4", 0, Some(DigitTooMany)),
            ("7", "0", 0, None),
            ("123", "4123", 0, Some(DigitMissing)),
            ("423", "4123", 0, Some(DigitMissing)),
            ("413", "4123", 0, Some(DigitMissing)),
            ("412", "4123", 0, Some(DigitMissing)),
            ("412", "4120", 0, Some(DigitMissing)),
            ("41", "4123", 0, None),
            ("4132", "4123", 0, None),
            // The counter has no sixth place.
            ("41230", "412309", 0, None),
            ("412.5", "4120.5", 1, Some(DigitMissing)),
            ("41230.5", "4123.5", 1, Some(DigitTooMany)),
            ("412.3", "4123", 1, Some(CommaMoved)),
            ("4.123", "4123", 3, Some(CommaMoved)),
            ("41230", "4123", 1, Some(CommaMoved)),
            ("4123000", "4123", 1, Some(CommaMoved)),
            ("4.1", "4100", 0, Some(CommaMoved)),
        ] {
            let (value, meant) = (MeterValue::parse(typed).unwrap(), from_text(meant));
            assert_eq!(mistake(&task(decimals), &value, |number| number == meant), slip, "{typed} for {meant}");
        }
    }
}
