//! Which of the lines that were seen in a photo is the counter (docs/ai-reading.md). A wrong proposal is worse than none (D-PHOTOS-6).

use crate::config::MeterReadingConfig;
use crate::model::MeterRateTask;
use crate::obis::ObisCode;
use crate::reading::decimals_are_asked;
use crate::value::MeterValue;

/// The least confidence with which digits are proposed, of 100.
pub const MIN_CONFIDENCE: f32 = 90.0;

/// A line of text in a photo.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The text; between words there is a blank.
    pub text: String,
    /// How certain its least certain word is, of 100.
    pub confidence: f32,
}

/// Digits that are probably those of the counter.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The digits that the reader would type, with a point.
    pub value: MeterValue,
    /// How certain they are, of 100.
    pub confidence: u8,
}

/// The one value among the lines that has as many digits as the rate, lies in its expected range and is not the meter's number.
///
/// None: there is no such line, or there are several with different digits, or it is unknown how many digits the counter has.
pub fn propose(lines: &[Line], meter_number: &str, task: &MeterRateTask, entry: &MeterReadingConfig) -> Option<Proposal> {
    let counter = Counter::of(meter_number, task, entry)?;
    let mut seen: Option<Proposal> = None;
    for line in lines.iter().filter(|line| line.confidence >= MIN_CONFIDENCE) {
        let Some(value) = counter.value(&line.text) else { continue };
        // A share of 100 of a line above the minimum always fits.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let confidence = line.confidence.clamp(0.0, 100.0) as u8;
        match &mut seen {
            None => seen = Some(Proposal { value, confidence }),
            Some(other) if other.value == value => other.confidence = other.confidence.max(confidence),
            Some(_) => return None,
        }
    }
    seen
}

/// What is known of the counter beforehand.
struct Counter<'a> {
    task: &'a MeterRateTask,
    register: Option<ObisCode>,
    pre: usize,
    /// Absent: any number.
    post: Option<usize>,
    /// The reader types what is behind the point.
    is_post_asked: bool,
    /// The digits of the meter's number.
    number: String,
}

impl<'a> Counter<'a> {
    fn of(meter_number: &str, task: &'a MeterRateTask, entry: &MeterReadingConfig) -> Option<Self> {
        Some(Self {
            task,
            register: task.obis.parse().ok(),
            pre: task.pre_decimals?.into(),
            post: task.post_decimals.map(usize::from),
            is_post_asked: decimals_are_asked(entry),
            number: digits(meter_number),
        })
    }

    fn value(&self, line: &str) -> Option<MeterValue> {
        let figures = self.figures(line)?;
        let (pre, post) = self.split(&figures)?;
        if self.is_meter_number(&digits(&figures)) {
            return None;
        }
        let text = if self.is_post_asked && !post.is_empty() { format!("{pre}.{post}") } else { pre.to_owned() };
        MeterValue::parse(&text).ok().filter(|value| self.is_expected(value))
    }

    /// The line's digits with at most one point, without unit and the register's own code; none if there is anything else in it.
    fn figures(&self, line: &str) -> Option<String> {
        let mut figures = String::new();
        for word in line.split(|c: char| c.is_whitespace() || "|[]".contains(c)) {
            let word = without_unit(word);
            match register_code(word) {
                Some(code) if self.register.is_some_and(|own| own.same_register(code)) => {}
                Some(_) => return None,
                None => figures.push_str(word),
            }
        }
        let figures = figures.replace(',', ".");
        let only = figures.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') && figures.matches('.').count() <= 1;
        only.then_some(figures)
    }

    /// Before and behind the point; none if these are not as many as the counter has.
    fn split<'t>(&self, figures: &'t str) -> Option<(&'t str, &'t str)> {
        let fits = |pre: &str, post: &str| pre.len() == self.pre && self.post.is_none_or(|count| post.len() == count);
        match figures.split_once('.') {
            Some((pre, post)) => {
                (!post.is_empty() && (fits(pre, post) || !self.is_post_asked && pre.len() == self.pre)).then_some((pre, post))
            }
            // Drums behind the point have another colour, and no point before them.
            None if figures.len() == self.pre + self.post.unwrap_or_default() => Some(figures.split_at(self.pre)),
            None => (!self.is_post_asked && figures.len() == self.pre).then_some((figures, "")),
        }
    }

    /// Type plates have the end of the number on a line of its own, and sometimes without zeros.
    fn is_meter_number(&self, seen: &str) -> bool {
        let bare = |digits: &str| digits.trim_start_matches('0').to_owned();
        self.number.ends_with(seen) || !self.number.is_empty() && bare(&self.number) == bare(seen)
    }

    fn is_expected(&self, value: &MeterValue) -> bool {
        let Some(range) = &self.task.reading_value_validation else { return true };
        range.minimum_value.as_ref().is_none_or(|minimum| value >= minimum)
            && range.maximum_value.as_ref().is_none_or(|maximum| value <= maximum)
    }
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Units as they are printed beside counters, in small letters, the longer ones first.
const UNITS: [&str; 6] = ["kvarh", "kwh", "mwh", "gj", "m³", "m3"];

fn without_unit(word: &str) -> &str {
    let rest = |unit: &str| {
        let (rest, last) = word.split_at_checked(word.len().checked_sub(unit.len())?)?;
        (last.to_lowercase() == unit).then_some(rest)
    };
    UNITS.iter().find_map(|unit| rest(unit)).unwrap_or(word)
}

/// A register's code as displays show it before the value: `1.8.0`.
fn register_code(word: &str) -> Option<ObisCode> {
    format!("0-0:{word}").parse().ok()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn task(more: Value) -> MeterRateTask {
        let mut task = json!({"taskId": "t", "obis": "8-0:1.0.0", "preDecimals": 5, "postDecimals": 3});
        task.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(task).unwrap()
    }

    fn certain(texts: &[&str]) -> Vec<Line> {
        texts.iter().map(|text| Line { text: (*text).to_owned(), confidence: 97.9 }).collect()
    }

    /// What is proposed for a water meter of 5 and 3 digits with this number.
    fn seen(texts: &[&str]) -> Option<String> {
        seen_for(&task(json!({})), texts)
    }

    fn seen_for(task: &MeterRateTask, texts: &[&str]) -> Option<String> {
        propose(&certain(texts), "8SEN0199000042", task, &MeterReadingConfig::default()).map(|proposal| proposal.value.to_string())
    }

    #[test]
    fn a_line_with_the_counters_digits_is_the_counter() {
        for text in
            ["00962415", "00962,415", "00962.415", "0 0 9 6 2 4 1 5", "0|0|9|6|2|4|1|5", "00962 415 m³", "00962,415m3", "[00962]415"]
        {
            assert_eq!(seen(&["SENSUS", text, "Qn 1,5"]).as_deref(), Some("00962.415"), "{text}");
        }
    }

    #[test]
    fn other_digits_are_not() {
        for text in
            ["00962", "0096241", "009624150", "0096,2415", "00962,41", "2019", "Nr. 00962415", "00962-415", "00.962.415", "00962415 l", ""]
        {
            assert_eq!(seen(&[text]), None, "{text}");
        }
    }

    #[test]
    fn the_meters_number_is_not_its_counter() {
        assert_eq!(seen(&["99000042"]), None, "the end of the number");
        let short = |number: &str| propose(&certain(&["00962415"]), number, &task(json!({})), &MeterReadingConfig::default());
        assert_eq!(short("962415"), None, "without zeros");
        assert!(short("OHNE").is_some(), "a number without digits");
        // The counter of a new meter is no part of its number.
        assert_eq!(seen(&["00000000"]).as_deref(), Some("00000.000"));
    }

    #[test]
    fn a_display_names_its_register() {
        let power = task(json!({"obis": "1-0:1.8.0", "preDecimals": 6, "postDecimals": 1}));
        assert_eq!(seen_for(&power, &["1.8.0 012345.6 kWh"]).as_deref(), Some("012345.6"));
        assert_eq!(seen_for(&power, &["2.8.0 012345.6 kWh"]), None, "what was fed in");
        assert_eq!(seen_for(&power, &["1.8.0 012345.6", "2.8.0 000007.0"]).as_deref(), Some("012345.6"));
        assert_eq!(seen_for(&power, &["1.8.0"]), None);
    }

    #[test]
    fn two_candidates_are_none() {
        assert_eq!(seen(&["00962415", "00313007"]), None);
        assert_eq!(seen(&["00962415", "00962.415"]).as_deref(), Some("00962.415"), "the same twice");
    }

    #[test]
    fn only_what_is_certain_is_proposed() {
        let lines = |confidence| [Line { text: "00962415".into(), confidence }];
        let proposed = |confidence| propose(&lines(confidence), "1", &task(json!({})), &MeterReadingConfig::default());
        assert_eq!(proposed(89.9), None);
        assert_eq!(proposed(f32::NAN), None);
        assert_eq!(proposed(90.0).map(|proposal| proposal.confidence), Some(90));
        assert_eq!(proposed(120.0).map(|proposal| proposal.confidence), Some(100));
        // A doubtful line does not make a certain one ambiguous.
        let both = [lines(97.9).to_vec(), vec![Line { text: "00313007".into(), confidence: 40.0 }]].concat();
        assert!(propose(&both, "1", &task(json!({})), &MeterReadingConfig::default()).is_some());
    }

    #[test]
    fn the_expected_range_holds() {
        let within = |minimum: &str, maximum: &str| {
            seen_for(&task(json!({"readingValueValidation": {"minimumValue": minimum, "maximumValue": maximum}})), &["00962415"])
        };
        assert!(within("962.415", "962.415").is_some());
        assert_eq!(within("962.416", "1000"), None);
        assert_eq!(within("900", "962.414"), None);
        // It decides between two lines, too.
        let ranged = task(json!({"readingValueValidation": {"minimumValue": "900", "maximumValue": "1000"}}));
        assert_eq!(seen_for(&ranged, &["00962415", "00313007"]).as_deref(), Some("00962.415"));
    }

    #[test]
    fn what_is_not_asked_for_is_cut() {
        let unasked: MeterReadingConfig = serde_json::from_value(json!({"queryPostDecimals": false})).unwrap();
        for text in ["00962415", "00962,415", "00962,4", "00962"] {
            let proposed = propose(&certain(&[text]), "1", &task(json!({})), &unasked);
            assert_eq!(proposed.map(|proposal| proposal.value.to_string()).as_deref(), Some("00962"), "{text}");
        }
        let whole = task(json!({"postDecimals": 0}));
        assert_eq!(seen_for(&whole, &["00962"]).as_deref(), Some("00962"));
        assert_eq!(seen_for(&whole, &["00962,4"]), None);
    }

    #[test]
    fn a_counter_of_unknown_length_is_not_guessed() {
        assert_eq!(seen_for(&task(json!({"preDecimals": null})), &["00962415"]), None);
        // Where only the decimals are open, a point is needed to tell them.
        let open = task(json!({"postDecimals": null}));
        assert_eq!(seen_for(&open, &["00962,41"]).as_deref(), Some("00962.41"));
        assert_eq!(seen_for(&open, &["00962"]).as_deref(), Some("00962"));
        assert_eq!(seen_for(&open, &["0096241"]), None);
    }
}
