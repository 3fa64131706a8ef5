//! The rules of the market, each as a test on files that stand beside (`tests/mscons`): what this program writes, read by a parser that is not ours.
//!
//! Numbers are those of the conditions in the "Anwendungshandbuch" MSCONS of EDI@Energy; `tests/mscons/README.md` says where each was read.

use std::path::{Path, PathBuf};
use std::{env, fs};

use domain::ids::JobId;
use domain::model::{LoginKind, LowerReason, ReadingResult};
use domain::value::MeterValue;
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use serde_json::Value;
use store::{Clearing, Exchange};

use crate::clearing::received;
use crate::mscons::{HOUSE, job, submit_by, world};
use crate::read_by::read_by;
use crate::world::World;

const EXCHANGE: &str = "exchange-and-cancellation.txt";
const CORRECTION: &str = "correction.txt";
const GAS: &str = "gas-exchange.txt";
const FILES: [&str; 3] = [EXCHANGE, CORRECTION, GAS];

const GARDEN: &str = "DE00056266802AO6G56M11SN51G21M25S";

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/mscons").join(name)
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

fn send(world: &World, job: &str, place: usize, value: &str, created: &str, lower_reason: Option<LowerReason>) -> String {
    let result = ReadingResult {
        reading_date: "2026-11-20".parse().unwrap(),
        reading_value: MeterValue::parse(value).unwrap(),
        created: at(created),
        comment: None,
        lower_reason,
        reading_result_images: vec![],
    };
    submit_by(world, LoginKind::Token, "a", job, place, result)
}

fn decide(world: &World, job: &str, reading: &str, at: &str, released: bool, exchange: Option<Exchange>) {
    let (job, at) = (JobId::new(job).unwrap(), self::at(at));
    let found = received(world).into_iter().find(|one| one.entry.job_id == job && one.entry.result_id == reading).unwrap();
    let clearing = Clearing {
        released,
        reason: (!released).then(|| "unreadable".to_owned()),
        at,
        by: None,
        exchange,
        named_before: false,
        corrected_by: None,
        member: None,
        proposed_by: None,
        assigned: None,
    };
    assert!(world.block_on(testing::decide(&world.store, &world.tenant, &found.entry, &clearing, false)));
}

fn exchange(number: &str, transaction: Option<&str>) -> Exchange {
    let value = |text: &str| MeterValue::parse(text).unwrap();
    Exchange {
        day: "2026-11-02".parse().unwrap(),
        time: Some("10:30".parse().unwrap()),
        new_number: Some(number.to_owned()),
        old_number: None,
        final_value: value("048210.4"),
        initial_value: value("0.0"),
        transaction: transaction.map(str::to_owned),
    }
}

/// The files of a run at that time, by medium.
fn run(world: &World, now: &str) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    let write = async |file: &desk::mscons::MarketFile| {
        files.push(file.bytes.clone());
        Ok::<_, desk::Failure>(())
    };
    world.block_on(desk::market::export(&world.store, &world.tenant, (at(now), &desk::Reached::default()), write)).unwrap();
    files
}

/// Three days: readings, an exchange in both media, a correction of one of two tariffs, and a rejection after all was sent.
#[test]
fn the_files_of_three_days_are_those_that_stand_beside() {
    let world = world();
    world
        .import_jobs(
            &[
                job("j1", "1EBZ0100000611", HOUSE, &["1-0:1.8.1", "1-0:1.8.2"]),
                job("j2", "1EBZ0100000612", GARDEN, &["1-0:1.8.0"]),
                job("j3", "7ELS0100000613", HOUSE, &["7-0:3.0.0"]).replacen('{', r#"{"marketOrder":"ORD4712","#, 1),
                job("j4", "7ELS0100000614", GARDEN, &["7-0:3.0.0"]),
            ],
            &[],
        )
        .succeeded();
    send(&world, "j1", 0, "012345.6", "2026-11-20T17:00:00Z", None);
    send(&world, "j1", 1, "004711", "2026-11-20T17:00:00Z", None);
    let power = send(&world, "j2", 0, "12.5", "2026-11-20T17:30:00Z", Some(LowerReason::MeterChange));
    let gas = send(&world, "j3", 0, "7.25", "2026-11-20T18:00:00Z", Some(LowerReason::MeterChange));
    let rejected = send(&world, "j4", 0, "00815", "2026-11-20T18:30:00Z", None);
    decide(&world, "j3", &gas, "2026-11-21T08:00:00Z", true, Some(exchange("7ELS0100000999", Some("UTILMD4711"))));
    let mut first = run(&world, "2026-11-22T06:30:00Z");
    assert_eq!(first.len(), 2);
    let gas_exchange = first.pop().unwrap();

    decide(&world, "j2", &power, "2026-11-22T08:00:00Z", true, Some(exchange("1EBZ0100000999", Some("not in electricity"))));
    send(&world, "j1", 0, "012335.6", "2026-11-22T09:00:00Z", None);
    decide(&world, "j4", &rejected, "2026-11-22T09:30:00Z", false, None);
    let second = run(&world, "2026-11-23T06:30:00Z");
    assert_eq!(second.len(), 2);
    assert_eq!(String::from_utf8(second[1].clone()).unwrap().matches("RFF+Z13:13006'").count(), 1, "the rejected one is cancelled");

    let third = run(&world, "2026-11-24T06:30:00Z");
    assert_eq!(third.len(), 1, "nothing takes the rejected one's place");
    assert_eq!(run(&world, "2026-11-25T06:30:00Z").len(), 0);
    for (name, bytes) in [(EXCHANGE, &second[0]), (CORRECTION, &third[0]), (GAS, &gas_exchange)] {
        // A segment a line: EDIFACT has no line ends of its own.
        let text: String = bytes.iter().map(|byte| char::from(*byte)).collect::<String>().replace('\'', "'\n");
        if env::var_os("UPDATE_GOLDEN").is_some() {
            fs::write(fixture(name), &text).unwrap();
        }
        let golden = fs::read_to_string(fixture(name)).unwrap_or_default();
        assert_eq!(text, golden, "{name} has changed: UPDATE_GOLDEN=1 writes it anew");
    }
}

/// D-MARKET-4: a message says when the exchange was and what announced it, and is told anew when a clerk corrects that.
#[test]
fn an_exchange_whose_moment_or_transaction_is_corrected_is_told_anew() {
    let world = world();
    world.import_jobs(&[job("j3", "7ELS0100000613", HOUSE, &["7-0:3.0.0"])], &[]).succeeded();
    let gas = send(&world, "j3", 0, "7.25", "2026-11-20T18:00:00Z", Some(LowerReason::MeterChange));
    let mut found = exchange("7ELS0100000999", None);
    decide(&world, "j3", &gas, "2026-11-21T08:00:00Z", true, Some(found.clone()));
    let told =
        |now: &str, text: &str| -> usize { run(&world, now).iter().map(|file| String::from_utf8_lossy(file).matches(text).count()).sum() };
    assert_eq!(told("2026-11-22T06:30:00Z", "DTM+60:202611020930"), 2);

    found.transaction = Some("UTILMD4711".to_owned());
    decide(&world, "j3", &gas, "2026-11-22T08:00:00Z", true, Some(found.clone()));
    assert_eq!(told("2026-11-23T06:30:00Z", "RFF+Z13:13006'"), 2);
    assert_eq!(told("2026-11-24T06:30:00Z", "RFF+Z30:UTILMD4711'"), 2);

    found.time = Some("14:30".parse().unwrap());
    decide(&world, "j3", &gas, "2026-11-24T08:00:00Z", true, Some(found));
    assert_eq!(told("2026-11-25T06:30:00Z", "RFF+Z13:13006'"), 2);
    assert_eq!(told("2026-11-26T06:30:00Z", "DTM+60:202611021330"), 2);
    assert_eq!(run(&world, "2026-11-27T06:30:00Z").len(), 0);
}

/// A message's segments, each as tag and data elements.
struct Message(Vec<Value>);

impl Message {
    fn all(&self, tag: &str) -> Vec<&Value> {
        self.0.iter().filter(|segment| segment[0] == tag).collect()
    }

    /// The values behind a qualifier, such as `RFF+MG`.
    fn of(&self, tag: &str, qualifier: &str) -> Vec<&str> {
        let simple = |segment: &&&Value| segment[1] == qualifier;
        let composite = |segment: &&&Value| segment[1][0] == qualifier;
        let all = self.all(tag);
        let values = all.iter().filter(simple).filter_map(|segment| segment[if tag == "STS" { 3 } else { 2 }].as_str());
        values.chain(all.iter().filter(composite).filter_map(|segment| segment[1][1].as_str())).collect()
    }

    fn is_cancellation(&self) -> bool {
        self.of("RFF", "Z13") == ["13006"]
    }

    fn is_exchange(&self) -> bool {
        !self.of("DTM", "60").is_empty()
    }

    fn tags(&self) -> Vec<String> {
        let named = |segment: &Value| {
            let qualifier = segment[1].as_str().or(segment[1][0].as_str()).unwrap_or_default();
            let named = ["DTM", "RFF", "NAD", "LOC", "STS", "QTY"].contains(&segment[0].as_str().unwrap());
            format!("{}{}{}", segment[0].as_str().unwrap(), if named { "+" } else { "" }, if named { qualifier } else { "" })
        };
        self.0.iter().map(named).collect()
    }
}

fn messages(name: &str) -> Vec<Message> {
    let interchange = read_by("mscons.py", &fixture(name), &[]);
    let messages = interchange["messages"].as_array().unwrap().iter();
    messages.map(|message| Message(message["segments"].as_array().unwrap().clone())).collect()
}

fn counters() -> Vec<Message> {
    FILES.into_iter().flat_map(messages).filter(|message| !message.is_cancellation()).collect()
}

/// CCYYMMDDHHMM+00
fn instant(text: &str) -> Timestamp {
    let time = text.strip_suffix("+00").unwrap_or_else(|| panic!("{text} is not in UTC"));
    DateTime::strptime("%Y%m%d%H%M", time).unwrap().to_zoned(jiff::tz::TimeZone::UTC).unwrap().timestamp()
}

#[test]
fn the_segments_stand_in_the_order_of_the_message_description() {
    let head = ["BGM", "DTM+137", "RFF+Z13", "NAD+MS", "NAD+MR", "UNS", "NAD+DP", "LOC+172", "RFF+MG"];
    let read = ["LIN", "PIA", "QTY+220", "DTM+9", "DTM+7", "STS+Z33"];
    let corrected = [&read[..], &["STS+Z34"]].concat();
    let exchange = ["LIN", "PIA", "QTY+220", "DTM+7", "DTM+60"];
    let cancellation = ["BGM", "DTM+137", "RFF+ACW", "RFF+Z13", "NAD+MS", "NAD+MR", "UNS", "NAD+DP", "LOC+172"];
    let tags = |name: &str| messages(name).iter().map(Message::tags).collect::<Vec<_>>();
    let of_exchange = [&head[..], &exchange].concat();
    let of_read = [&head[..], &read].concat();
    assert_eq!(tags(EXCHANGE), [cancellation.to_vec(), of_exchange.clone(), of_exchange.clone(), of_read.clone()]);
    assert_eq!(tags(CORRECTION), [[&head[..], &corrected, &corrected].concat()], "HT and NT: LIN again (569)");
    let with_transaction = |tags: &[&'static str]| [&tags[..2], &["RFF+Z30"], &tags[2..]].concat();
    let ordered = [&of_read[..2], &["RFF+AGI"], &of_read[2..]].concat();
    assert_eq!(tags(GAS), [with_transaction(&of_exchange), with_transaction(&of_exchange), ordered, of_read]);
}

/// 1 ∧ 538: the reading names the message that ordered it; an exchange was not ordered.
#[test]
fn an_ordered_reading_names_its_order() {
    let orders: Vec<_> =
        messages(GAS).iter().map(|message| (message.of("RFF", "MG")[0].to_owned(), message.of("RFF", "AGI").len())).collect();
    let of = |number: &str, orders| (number.to_owned(), orders);
    assert_eq!(orders, [of("7ELS0100000613", 0), of("7ELS0100000999", 0), of("7ELS0100000999", 1), of("7ELS0100000614", 0)]);
    assert_eq!(messages(GAS)[2].of("RFF", "AGI"), ["ORD4712"]);
}

/// MSCONS MIG 2.5, in force since 2026-10-01.
#[test]
fn the_edition_is_that_of_the_day() {
    for name in FILES {
        let interchange = read_by("mscons.py", &fixture(name), &[]);
        for message in interchange["messages"].as_array().unwrap() {
            assert_eq!(message["identifier"], serde_json::json!(["MSCONS", "D", "04B", "UN", "2.5"]));
        }
    }
}

/// UNT counts from UNH to itself, UNZ counts messages and repeats the reference, which has capital letters and digits only (918).
#[test]
fn counts_and_references_hold() {
    for name in FILES {
        let interchange = read_by("mscons.py", &fixture(name), &[]);
        let (messages, reference) = (interchange["messages"].as_array().unwrap(), interchange["reference"].as_str().unwrap());
        assert_eq!(interchange["footer"], serde_json::json!([messages.len().to_string(), reference]));
        assert!(reference.len() <= 14 && reference.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()), "{reference}");
        let all = interchange["segments"].as_array().unwrap();
        let ends: Vec<_> = all.iter().filter(|segment| segment[0] == "UNT").collect();
        for (message, end) in messages.iter().zip(ends) {
            let count = message["segments"].as_array().unwrap().len() + 2;
            assert_eq!(*end, serde_json::json!(["UNT", count.to_string(), message["reference"]]));
            assert!(message["reference"].as_str().unwrap().len() <= 14);
        }
        let mut numbers: Vec<_> = self::messages(name).iter().map(|message| message.0[0][2].as_str().unwrap().to_owned()).collect();
        assert!(numbers.iter().all(|number| number.len() <= 35), "{numbers:?}");
        let count = numbers.len();
        numbers.sort();
        numbers.dedup();
        assert_eq!(numbers.len(), count, "each document number once");
    }
}

/// 117, 118: electricity parties have ids of BDEW, gas parties of DVGW, in UNB as in NAD.
#[test]
fn parties_are_of_the_medium() {
    for (name, in_interchange, in_message) in [(EXCHANGE, "500", "293"), (CORRECTION, "500", "293"), (GAS, "502", "332")] {
        let interchange = read_by("mscons.py", &fixture(name), &[]);
        for message in messages(name) {
            let nad = message.all("NAD");
            for (party, of) in [(&interchange["sender"], &nad[0]), (&interchange["recipient"], &nad[1])] {
                assert_eq!((&party[1], &of[2][2], &party[0]), (&in_interchange.into(), &in_message.into(), &of[2][0]));
            }
        }
    }
}

/// 494, 495, 931: nothing lies after the time of the document, and all times are in UTC.
#[test]
fn no_time_lies_after_the_document() {
    for (name, now) in [(EXCHANGE, "2026-11-23T06:30:00Z"), (CORRECTION, "2026-11-24T06:30:00Z"), (GAS, "2026-11-22T06:30:00Z")] {
        for message in messages(name) {
            let document = instant(message.of("DTM", "137")[0]);
            assert_eq!(document, at(now));
            for time in message.of("DTM", "7").into_iter().chain(message.of("DTM", "60")) {
                assert!(instant(time) <= document, "{time}");
            }
        }
    }
}

/// UB1, UB2: the end of the day read, and the beginning of the day of an exchange; midnight in electricity, six in gas, in German legal time (winter here).
#[test]
fn a_counter_counts_from_the_edge_of_a_market_day() {
    let times = |name: &str| {
        messages(name)
            .iter()
            .flat_map(|message| message.of("DTM", "7").into_iter().map(str::to_owned).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    assert_eq!(times(EXCHANGE), ["202611012300+00", "202611012300+00", "202611202300+00"]);
    assert_eq!(times(CORRECTION), ["202611202300+00", "202611202300+00"]);
    assert_eq!(times(GAS), ["202611020500+00", "202611020500+00", "202611210500+00", "202611210500+00"]);
}

/// 130, 133, 135: the day of reading (102) and the moment of the exchange lie at most a day from that.
#[test]
fn the_times_of_a_counter_lie_together() {
    for message in counters() {
        let document = message.of("DTM", "137")[0][..8].to_owned();
        for (at, day) in message.of("DTM", "7").iter().zip(message.of("DTM", "9")) {
            let date = |text: &str| Date::strptime("%Y%m%d", &text[..8]).unwrap();
            let days = (date(at) - date(day)).get_days();
            assert!((0..=1).contains(&days) && day <= document.as_str(), "{at} {day}");
        }
        for (at, changed) in message.of("DTM", "7").iter().zip(message.of("DTM", "60")) {
            let apart = instant(changed).duration_since(instant(at)).abs();
            assert!(apart.as_hours() < 23, "{at} {changed}");
            assert_eq!(changed, "202611020930+00", "10:30 in winter");
        }
    }
}

/// 128, 129: a reading names its day (DTM+9), an exchange its moment (DTM+60), neither both.
#[test]
fn an_exchange_names_its_moment_and_a_reading_its_day() {
    for message in counters() {
        assert_eq!(message.of("DTM", "9").is_empty(), message.is_exchange());
        assert_eq!(message.all("LIN").len(), message.of("DTM", "7").len());
    }
    assert_eq!(counters().iter().filter(|message| message.is_exchange()).count(), 4);
}

/// 510, 951, 2001: one metering location of 33 characters and one meter in a message.
#[test]
fn a_message_has_one_metering_location_and_one_meter() {
    for message in counters() {
        assert_eq!((message.of("LOC", "172").len(), message.of("RFF", "MG").len(), message.of("NAD", "DP").len()), (1, 1, 0));
        assert_eq!(message.of("LOC", "172")[0].len(), 33);
        assert_eq!(message.all("NAD").iter().filter(|segment| segment[1] == "DP").count(), 1);
    }
}

/// Each counter under the number of the meter that showed it; 129 ∧ 546: the transaction of the exchange in gas only.
#[test]
fn an_exchange_is_two_messages_each_under_its_own_number() {
    let told = |name: &str| -> Vec<(String, String)> {
        let all = messages(name).into_iter().filter(|message| !message.is_cancellation());
        all.map(|message| (message.of("RFF", "MG")[0].to_owned(), message.of("QTY", "220")[0].to_owned())).collect()
    };
    let pairs = |pairs: &[(&str, &str)]| pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect::<Vec<_>>();
    assert_eq!(told(EXCHANGE), pairs(&[("1EBZ0100000612", "48210.4"), ("1EBZ0100000999", "0.0"), ("1EBZ0100000999", "12.5")]));
    assert_eq!(
        told(GAS),
        pairs(&[("7ELS0100000613", "48210.4"), ("7ELS0100000999", "0.0"), ("7ELS0100000999", "7.25"), ("7ELS0100000614", "815")])
    );
    for message in messages(EXCHANGE) {
        assert!(message.of("RFF", "Z30").is_empty());
    }
    for message in messages(GAS) {
        assert_eq!(message.of("RFF", "Z30"), if message.is_exchange() { vec!["UTILMD4711"] } else { vec![] });
    }
}

/// 501, 902, 906, 908: lines are counted from 1, quantities have no sign and at most three decimals.
#[test]
fn lines_and_quantities_have_their_form() {
    for message in counters() {
        for (place, line) in (1..).zip(message.all("LIN")) {
            let place: usize = place;
            assert_eq!(line[1], place.to_string());
        }
        for product in message.all("PIA") {
            assert!(product[1] == "5" && product[2][1] == "SRW", "{product}");
        }
        for quantity in message.of("QTY", "220") {
            assert!(MeterValue::parse(quantity).unwrap().post_decimals() <= 3);
        }
    }
}

/// 126, 5P0..1: the customer read it (Z83), once; never so at an exchange, which is a technician's act.
#[test]
fn only_what_a_customer_read_is_a_self_reading() {
    for message in counters() {
        let hints = message.of("STS", "Z33");
        let expected = if message.is_exchange() { vec![] } else { vec!["Z83"; message.all("LIN").len()] };
        assert_eq!(hints, expected);
    }
}

/// 532: a cancellation names the document number of what it cancels, has a number of its own, and the function 1.
#[test]
fn a_cancellation_names_what_it_cancels() {
    let [cancellation]: [Message; 1] =
        messages(EXCHANGE).into_iter().filter(Message::is_cancellation).collect::<Vec<_>>().try_into().ok().unwrap();
    let (document, number) = (&cancellation.0[0], cancellation.of("RFF", "ACW")[0]);
    assert_eq!((&document[1], &document[3]), (&"7".into(), &"1".into()));
    assert!(number.starts_with("ZW000001") && document[2] != number, "{number}: of the first run");
    assert_eq!(cancellation.of("LOC", "172"), [HOUSE]);
    assert_eq!(cancellation.0.len() + 2, 11);
    for message in counters() {
        assert_eq!(message.0[0][3], "9");
    }
}

/// 541, 559: what takes the place of what was cancelled says why (ZA4), and stands in a later file; nothing else does.
#[test]
fn what_takes_a_cancelled_ones_place_says_why() {
    let reasons = |name: &str| messages(name).iter().map(|message| message.of("STS", "Z34").len()).sum::<usize>();
    assert_eq!(FILES.map(reasons), [0, 2, 0]);
    let [correction]: [Message; 1] = messages(CORRECTION).try_into().ok().unwrap();
    assert_eq!((correction.of("STS", "Z34"), correction.of("QTY", "220")), (vec!["ZA4", "ZA4"], vec!["12335.6", "4711"]));
    let cancelled = messages(EXCHANGE).into_iter().find(Message::is_cancellation).unwrap();
    assert_eq!(correction.of("LOC", "172"), cancelled.of("LOC", "172"));
}
