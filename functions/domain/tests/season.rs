//! Simulated seasons: how many sound readings wait for a clerk, and how many mistyped ones are noticed (docs/season.md has the figures).

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::cast_possible_truncation, clippy::cast_sign_loss)]
// The figures are read by who sets the bands.
#![allow(clippy::print_stdout)]

use domain::config::{JobFeatures, MeterReadingConfig, Plausibility};
use domain::model::JobMaster;
use domain::reading::{JobContext, Submission, check};
use jiff::{ToSpan, civil::Date, civil::date};
use serde_json::{Value, json};

/// Numbers that look random and are the same in each run (SplitMix64).
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to below 1.
    fn part(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    fn below(&mut self, end: usize) -> usize {
        (self.part() * end as f64) as usize
    }

    fn is(&mut self, chance: f64) -> bool {
        self.part() < chance
    }

    /// Of the normal distribution around 0.
    fn normal(&mut self, deviation: f64) -> f64 {
        let sum: f64 = (0..12).map(|_| self.part()).sum();
        (sum - 6.0) * deviation
    }
}

/// How a medium is used: the truth, which is not the rule's own table.
struct Medium {
    name: &'static str,
    meter_type: &'static str,
    obis: &'static str,
    pre_decimals: u32,
    post_decimals: u32,
    /// What the middle household uses in a year.
    usual: f64,
    /// How households differ from each other.
    spread: f64,
    /// How a household's year differs from its last.
    change: f64,
    /// How all households' year differs: the weather.
    weather: f64,
    /// Parts of a year's use by month.
    months: [f64; 12],
}

const EVEN: [f64; 12] = [8.5, 7.7, 8.5, 8.2, 8.5, 8.2, 8.5, 8.5, 8.2, 8.5, 8.2, 8.5];
const HOUSE: [f64; 12] = [10.4, 8.9, 8.9, 8.0, 7.6, 7.0, 7.1, 7.2, 7.4, 8.4, 9.1, 10.0];
const STOVE: [f64; 12] = [16.1, 14.0, 11.9, 7.6, 3.9, 2.0, 1.9, 1.9, 3.7, 8.2, 12.7, 16.1];
const PIPES: [f64; 12] = [17.2, 15.1, 12.7, 7.6, 3.6, 1.2, 1.0, 1.0, 3.0, 8.3, 12.7, 16.6];
const ROOF: [f64; 12] = [2.4, 4.4, 8.6, 11.6, 13.6, 14.1, 13.6, 12.3, 9.1, 5.6, 2.8, 1.9];

const MEDIA: [Medium; 5] = [
    Medium {
        name: "electricity",
        meter_type: "ELECTRIC_METER",
        obis: "1-0:1.8.0",
        pre_decimals: 6,
        post_decimals: 1,
        usual: 2800.0,
        spread: 0.55,
        change: 0.12,
        weather: 0.02,
        months: HOUSE,
    },
    Medium {
        name: "gas",
        meter_type: "GAS_METER",
        obis: "7-0:3.0.0",
        pre_decimals: 5,
        post_decimals: 3,
        usual: 1500.0,
        spread: 0.5,
        change: 0.12,
        weather: 0.09,
        months: STOVE,
    },
    Medium {
        name: "heat",
        meter_type: "HEAT_METER",
        obis: "6-0:1.0.0",
        pre_decimals: 6,
        post_decimals: 0,
        usual: 9000.0,
        spread: 0.5,
        change: 0.12,
        weather: 0.09,
        months: PIPES,
    },
    Medium {
        name: "water",
        meter_type: "WATER_METER",
        obis: "8-0:1.0.0",
        pre_decimals: 5,
        post_decimals: 1,
        usual: 100.0,
        spread: 0.6,
        change: 0.16,
        weather: 0.02,
        months: EVEN,
    },
    Medium {
        name: "feed-in",
        meter_type: "ELECTRIC_METER",
        obis: "1-0:2.8.0",
        pre_decimals: 6,
        post_decimals: 0,
        usual: 5000.0,
        spread: 0.5,
        change: 0.09,
        weather: 0.06,
        months: ROOF,
    },
];

/// A meter with three years of readings, and what its counter truly shows now.
struct Household {
    job: JobMaster,
    last: f64,
    now: f64,
    read: Date,
}

fn used(medium: &Medium, annual: f64, from: Date, to: Date) -> f64 {
    let (mut at, mut sum) = (from, 0.0);
    while at < to {
        sum += annual * medium.months[usize::try_from(at.month()).unwrap() - 1] / 100.0 / f64::from(at.days_in_month());
        at = at.tomorrow().unwrap();
    }
    sum
}

fn text(medium: &Medium, counter: f64) -> String {
    let scale = 10_f64.powi(medium.post_decimals as i32);
    let cut = (counter * scale).floor() / scale;
    format!("{cut:.*}", medium.post_decimals as usize)
}

fn household(medium: &Medium, weather: &[f64; 4], dice: &mut Dice) -> Household {
    let end = 10_f64.powi(medium.pre_decimals as i32);
    let mut annual = medium.usual * dice.normal(medium.spread).exp();
    let mut counter = dice.part() * end * 0.6;
    // Nine of ten are read once a year at about the same time; the others whenever the utility came by.
    let planned = if dice.is(0.9) { date(2022, 11, 15) } else { date(2022, 1 + dice.below(12) as i8, 15) };
    let (mut at, mut events) = (planned, Vec::new());
    let exchanged = dice.is(0.05).then(|| 1 + dice.below(3));
    let estimated = dice.is(0.1).then(|| 1 + dice.below(2));
    events.push(event(at, &text(medium, counter), "PERIODIC_READING"));
    let mut last = counter;
    for (year, weather) in weather.iter().enumerate() {
        let to = planned.saturating_add((year as i64 + 1).years()).saturating_add((dice.below(41) as i64 - 20).days());
        annual *= dice.normal(medium.change).exp();
        // Somebody else moved in; somebody was away for a tenth of the year.
        if dice.is(0.03) {
            annual = medium.usual * dice.normal(medium.spread).exp() * 0.5 + annual * 0.5;
        }
        let holidays = if dice.is(0.08) { 0.9 } else { 1.0 };
        let consumption = used(medium, annual * weather.exp() * holidays, at, to);
        if exchanged == Some(year) {
            let day = at.saturating_add(100.days());
            events.push(event(day, &text(medium, counter + consumption * 0.27), "METER_CHANGE"));
            events.push(event(day, "0", "METER_CHANGE"));
            (counter, last) = (consumption * 0.73, 0.0);
        } else {
            last = counter;
            counter += consumption;
        }
        at = to;
        if year < 3 {
            let is_estimate = estimated == Some(year);
            let shown = if is_estimate { counter + consumption * dice.normal(0.05) } else { counter };
            events.push(event(at, &text(medium, shown), if is_estimate { "ESTIMATED_READING" } else { "PERIODIC_READING" }));
        }
    }
    let job = json!({"id": "j", "meter": {"meterNumber": "1", "meterType": medium.meter_type, "meterRateTasks": [{
        "taskId": "t", "obis": medium.obis, "preDecimals": medium.pre_decimals, "postDecimals": medium.post_decimals, "readingEvents": events,
    }]}});
    Household { job: serde_json::from_value(job).unwrap(), last, now: counter % end, read: at }
}

fn event(day: Date, value: &str, reason: &str) -> Value {
    json!({"readingDate": day, "readingValue": value, "reason": reason})
}

/// What the product says to a value: nothing, or something that somebody has to look at.
fn is_noticed(house: &Household, value: &str, plausibility: &Plausibility) -> bool {
    let (features, entry) = (JobFeatures::default(), MeterReadingConfig::default());
    let context = JobContext { job: &house.job, states: &[], features: &features, entry: &entry, plausibility, today: house.read };
    let submission = json!({"readingDate": house.read, "results": [{"taskId": "t", "readingValue": value}]});
    !check(&context, &serde_json::from_value::<Submission>(submission).unwrap()).is_empty()
}

/// The ways in which people mistype a counter.
const SLIPS: [&str; 6] = ["digit typed twice", "digit left out", "comma moved", "digits swapped", "wrong digit", "another meter's counter"];

fn mistyped(slip: &str, medium: &Medium, shown: &str, dice: &mut Dice) -> String {
    let (whole, rest) = shown.split_once('.').unwrap_or((shown, ""));
    let at = dice.below(whole.len());
    let mut digits: Vec<char> = whole.chars().collect();
    match slip {
        "digit typed twice" => digits.insert(at, digits[at]),
        "digit left out" if digits.len() > 1 => drop(digits.remove(at)),
        "comma moved" if rest.is_empty() => digits.push('0'),
        "comma moved" if dice.is(0.5) => return format!("{whole}{rest}.{}", "0".repeat(rest.len())),
        "comma moved" => digits.truncate(whole.len().saturating_sub(rest.len()).max(1)),
        "digits swapped" if digits.len() > 1 => digits.swap(at.max(1) - 1, at.max(1)),
        "wrong digit" => digits[at] = char::from(b'0' + dice.below(10) as u8),
        _ => return text(medium, dice.part() * 10_f64.powi(medium.pre_decimals as i32)),
    }
    let whole: String = digits.into_iter().collect();
    if rest.is_empty() { whole } else { format!("{whole}.{rest}") }
}

struct Count {
    of: u32,
    noticed: u32,
}

impl Count {
    const NONE: Self = Self { of: 0, noticed: 0 };

    fn add(&mut self, noticed: bool) {
        self.of += 1;
        self.noticed += u32::from(noticed);
    }

    fn percent(&self) -> f64 {
        100.0 * f64::from(self.noticed) / f64::from(self.of)
    }
}

#[test]
fn few_sound_readings_wait_and_nearly_all_great_mistakes_are_noticed() {
    let plausibility = Plausibility::default();
    let (mut all_sound, mut all_slips) = (Count::NONE, Count::NONE);
    for (seed, medium) in MEDIA.iter().enumerate() {
        let (mut sound, mut leaks) = (Count::NONE, Count::NONE);
        let mut slips = SLIPS.map(|_| Count::NONE);
        for season in 0..3 {
            let mut dice = Dice(1000 * seed as u64 + season);
            let weather = [0.0; 4].map(|_: f64| dice.normal(medium.weather));
            for _ in 0..300 {
                let house = household(medium, &weather, &mut dice);
                let truth = house.now - house.last;
                let shown = text(medium, house.now);
                sound.add(is_noticed(&house, &shown, &plausibility));
                if medium.name == "water" {
                    leaks.add(is_noticed(&house, &text(medium, house.now + 4.0 * truth), &plausibility));
                }
                for (slip, count) in SLIPS.iter().zip(&mut slips) {
                    let typed = mistyped(slip, medium, &shown, &mut dice);
                    let moved = typed.parse::<f64>().unwrap() - house.last;
                    // Only what would be billed wrong by a factor of three or more.
                    let is_great = moved < 0.0 || moved > 3.0 * truth || moved * 3.0 < truth;
                    if is_great && typed != shown {
                        count.add(is_noticed(&house, &typed, &plausibility));
                    }
                }
            }
        }
        println!("{:12} sound readings that wait: {:4.1} % of {}", medium.name, sound.percent(), sound.of);
        for (slip, count) in SLIPS.iter().zip(&slips) {
            println!("{:12} noticed, {slip}: {:5.1} % of {}", "", count.percent(), count.of);
            all_slips.of += count.of;
            all_slips.noticed += count.noticed;
        }
        if leaks.of > 0 {
            println!("{:12} noticed, five times the use: {:5.1} % of {}", "", leaks.percent(), leaks.of);
        }
        all_sound.of += sound.of;
        all_sound.noticed += sound.noticed;
        assert!(slips.iter().all(|count| count.percent() >= 90.0), "{}: of one kind of mistake too few are noticed", medium.name);
    }
    println!(
        "in all: {:.2} % of {} sound readings wait, {:.2} % of {} great mistakes are noticed",
        all_sound.percent(),
        all_sound.of,
        all_slips.percent(),
        all_slips.of
    );
    assert!(all_sound.percent() <= 2.0, "too many sound readings wait: {:.2} %", all_sound.percent());
    assert!(all_slips.percent() >= 95.0, "too few great mistakes are noticed: {:.2} %", all_slips.percent());
}
