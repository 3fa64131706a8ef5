//! Readings that staff enter: one by one, and from a file of cards.

use std::fs;
use std::time::{Duration, Instant};

use desk::letters::Day;
use domain::model::{Channel, LoginKind, LowerReason, ReadingResult};
use domain::value::MeterValue;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use reqwest::Client;
use serde_json::{Value, json};
use store::{ClearingEntry, ImportRun};

use crate::clearing::of_tenant;
use crate::mscons::{HOUSE, files, readings, submit_by, world};
use crate::read_by::read_by;
use crate::reminders::post;
use crate::season::Portal;
use crate::world::{Said, World};

/// The day in the tenant's time zone.
fn today() -> Date {
    Timestamp::now().to_zoned(TimeZone::get("Europe/Berlin").unwrap()).date()
}

/// A job of account `a` that used 3,000 kWh in each of the last two years and stood at 20000.0 a year ago, open from `first` to `last`.
fn job(id: &str, number: &str, registers: &[(&str, &str)], (first, last): (Date, Date)) -> String {
    let tasks: Vec<_> = registers
        .iter()
        .map(|(name, obis)| {
            let event = |years: i32, value: &str| json!({ "readingDate": (today() - years.years()).to_string(), "readingValue": value });
            json!({
                "taskId": format!("{id}-{name}"), "rateName": name, "obis": obis, "preDecimals": 6, "postDecimals": 1,
                "readingEvents": [event(3, "14000.0"), event(2, "17000.0"), event(1, "20000.0")],
            })
        })
        .collect();
    json!({
        "accountId": "a", "id": id, "meLoId": HOUSE, "meter": { "meterNumber": number, "meterRateTasks": tasks },
        "jobConstraints": { "earliestExecution": first.to_string(), "latestExecution": last.to_string() },
    })
    .to_string()
}

const ONE: &[(&str, &str)] = &[("Verbrauch", "1-0:1.8.0")];
const TWO: &[(&str, &str)] = &[("HT", "1-0:1.8.1"), ("NT", "1-0:1.8.2")];

/// From two weeks ago to in ten days.
fn open() -> (Date, Date) {
    (today() - 14.days(), today() + 10.days())
}

fn enter(world: &World, job: &str, channel: &str, more: &[&str]) -> Said {
    of_tenant(world, &[&["readings", "enter", job, "--channel", channel, "--by", "Frau Kern"], more].concat())
}

fn ledger(world: &World, job: &str) -> Vec<ClearingEntry> {
    world.block_on(world.store.job_readings(&world.tenant, &job.parse().unwrap())).unwrap()
}

fn document(said: Said) -> Value {
    serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {}{}", said.out, said.err))
}

#[test]
fn a_reading_by_phone_is_one_like_any_other() {
    let world = world();
    let two_days_ago = (today() - 2.days()).to_string();
    let meters = [("j1", "1EBZ0100000611"), ("j2", "1EBZ0100000612")];
    world.import_jobs(&meters.map(|(id, number)| job(id, number, ONE, open())), &[]).succeeded();
    let phone = ["readings", "enter", "--meter", "1 EBZ 01 0000 0611", "--channel", "PHONE", "--by", "Frau Kern"];
    let said = of_tenant(&world, &[&phone[..], &["--value", "22950,5", "--date", &two_days_ago]].concat()).succeeded();
    assert_eq!(said.out, "j1: reading entered\n");
    enter(&world, "j2", "technician", &["--value", "23010.0", "--date", &two_days_ago, "--comment", "im Keller"]).succeeded();

    let stored = world.job("j1").unwrap();
    assert!(stored.done && stored.states[0].reading_results[0].reading_value.as_str() == "22950.5");
    let entry = &ledger(&world, "j1")[0].entry;
    assert_eq!((entry.channel, entry.login_kind, &entry.login_account_id), (Channel::Phone, None, &None));
    assert_eq!(entry.entered.as_ref().map(|entered| entered.by.as_str()), Some("Frau Kern"));

    // The same once more: nothing new; a word in the command's language.
    let said = enter(&world, "j1", "PHONE", &["--value", "22950.5", "--date", &two_days_ago, "--lang", "de"]).succeeded();
    assert_eq!((said.out.as_str(), ledger(&world, "j1").len()), ("j1: dieser Stand ist schon eingetragen\n", 1));

    let season = document(of_tenant(&world, &["season", "--json"]).succeeded());
    assert_eq!((&season["byChannel"], &season["byLogin"]), (&json!({ "PHONE": 1, "TECHNICIAN": 1 }), &json!({})));
    let list = document(of_tenant(&world, &["readings", "list", "--find", "0611", "--json"]).succeeded());
    let row = &list["readings"][0];
    assert_eq!((&row["channel"], &row["enteredBy"]), (&"PHONE".into(), &"Frau Kern".into()));
    let out = world.path("staende.csv");
    let args = ["readings", "export", "--since", "2026-01-01", "--format", "csv", "--out", out.to_str().unwrap()];
    assert_eq!(of_tenant(&world, &args).code, Some(0));
    let table = fs::read_to_string(out).unwrap();
    assert!(table.lines().next().unwrap().contains(",channel,loginKind,login,enteredBy,"), "{table}");
    assert!(table.contains(",PHONE,,,Frau Kern,") && table.contains(",im Keller,,,TECHNICIAN,,,Frau Kern,"), "{table}");

    // A self-reading is marked as one, a technician's is not.
    let market = world.path("market");
    of_tenant(&world, &["readings", "mscons", "--out", market.to_str().unwrap()]).succeeded();
    let sent = readings(&read_by("mscons.py", &files(&world, "market")[0], &[]), "13017");
    let statuses: Vec<_> = sent.iter().map(|((_, meter, _), (_, _, statuses))| (meter.as_str(), statuses.clone())).collect();
    assert_eq!(statuses, [("1EBZ0100000611", vec!["Z83".to_owned()]), ("1EBZ0100000612", vec![])]);

    let subject = of_tenant(&world, &["subject", "show", "--account", "a"]).succeeded().out;
    assert!(subject.contains(r#""channel":"PHONE""#) && subject.contains("Frau Kern"), "the customer is told: {subject}");
}

#[test]
fn what_is_warned_of_needs_a_reason_and_waits() {
    let world = world();
    world.import_jobs(&[job("j1", "1EBZ0100000611", TWO, open())], &[]).succeeded();
    let values = ["--value", "HT=229505", "--value", "1.8.2=23010.0"];
    let said = enter(&world, "j1", "CARD", &values);
    assert_eq!((said.code, said.out.as_str()), (Some(1), ""));
    assert_eq!(said.err.lines().next(), Some("zaehlwerk: HT 1.8.1: exactly one decimal is needed"), "what is wrong cannot be confirmed");
    let values = ["--value", "HT=229505.0", "--value", "1.8.2=23010.0"];
    let said = enter(&world, "j1", "CARD", &[&values[..], &["--lang", "de"]].concat());
    assert_eq!(said.code, Some(1));
    let since = today() - 1.year();
    let year = said.err.split("sonst etwa ").nth(1).and_then(|rest| rest.split(' ').next()).unwrap();
    let expected = format!(
        "zaehlwerk: HT 1.8.1: viel mehr als sonst: 209505 kWh seit dem {}, sonst etwa {year} kWh im Jahr; Komma verrutscht?\nnicht eingetragen; ist es so richtig, sagt --confirm warum\n",
        Day(since)
    );
    assert_eq!(said.err, expected);
    assert!((2990..=3010).contains(&year.parse::<i32>().unwrap()), "{year}");
    let said = enter(&world, "j1", "CARD", &[&values[..], &["--json"]].concat());
    let answer: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&answer["outcome"], &answer["remarks"][0]["code"]), (&"unconfirmed".into(), &"EXPECTED_HIGH".into()));
    assert_eq!(ledger(&world, "j1").len(), 0);

    let said = enter(&world, "j1", "CARD", &[&values[..], &["--confirm", "Karte zweimal gelesen"]].concat()).succeeded();
    assert_eq!(said.out, "j1: reading entered (2 registers); it waits for clearing\n");
    let waiting = document(of_tenant(&world, &["clearing", "list", "--json"]).succeeded());
    let [waits] = &waiting["waiting"].as_array().unwrap()[..] else { panic!("{waiting}") };
    assert_eq!((&waits["doubts"], &waits["channel"]), (&json!(["EXPECTED_HIGH"]), &"CARD".into()));
    assert_eq!(waits["entered"], json!({ "by": "Frau Kern", "confirmed": "Karte zweimal gelesen" }));
}

#[test]
fn what_comes_late_needs_a_reason() {
    let world = world();
    let over = (today() - 60.days(), today() - 20.days());
    let jobs = [job("j1", "1EBZ0100000611", ONE, over), job("j2", "1EBZ0100000612", ONE, open()), job("j3", "1EBZ0100000613", ONE, open())];
    world.import_jobs(&jobs, &[]).succeeded();

    // After the deadline; the day of the reading lies further back than the portal takes.
    let (read, last) = ((today() - 45.days()).to_string(), over.1);
    let value = ["--value", "22500.0", "--date", &read];
    let said = enter(&world, "j1", "CARD", &value);
    let why = format!("zaehlwerk: readings were taken until {last}\nnot entered; if it shall be all the same, --late says why\n");
    assert_eq!((said.code, said.err), (Some(1), why));
    enter(&world, "j1", "CARD", &[&value[..], &["--late", "Karte lag in der Post"]].concat()).succeeded();
    let late = ledger(&world, "j1")[0].entry.clone();
    assert_eq!(late.entered.unwrap().late.as_deref(), Some("Karte lag in der Post"));
    // Late is not early: nothing is taken of before the job was open.
    let day_before = (today() - 61.days()).to_string();
    let early = ["--value", "22600.0", "--date", &day_before, "--late", "Karte lag in der Post", "--replaces", &late.result_id];
    assert!(enter(&world, "j1", "CARD", &early).err.contains("the day of the reading is before"));

    // A meter that was read keeps its reading unless somebody says why not; the customer's own correction needs nothing.
    let day = today().to_string();
    let by_customer = |value: &str| ReadingResult {
        reading_date: today(),
        reading_value: MeterValue::parse(value).unwrap(),
        created: Timestamp::now(),
        comment: None,
        lower_reason: None,
        reading_result_images: vec![],
    };
    submit_by(&world, LoginKind::Token, "a", "j2", 0, by_customer("22900.0"));
    let seen = ledger(&world, "j2")[0].entry.result_id.clone();
    let why = format!(
        "zaehlwerk: Verbrauch 1.8.0: schon abgelesen: 22900,0 am {}\nnicht eingetragen; soll er trotzdem an diese Stelle treten, dann mit \
         --replaces {seen}, und --late sagt warum\n",
        Day(today())
    );
    let changed = ["--value", "22950.0", "--late", "Kundin hat sich verschrieben"];
    // That it is late says nothing of a reading that nobody saw (D-READING-22).
    for late in [&changed[..2], &changed] {
        let said = enter(&world, "j2", "EMAIL", &[late, &["--lang", "de"]].concat());
        assert_eq!((said.code, &said.err), (Some(1), &why));
    }
    enter(&world, "j2", "EMAIL", &[&changed[..], &["--replaces", &seen]].concat()).succeeded();
    submit_by(&world, LoginKind::Token, "a", "j2", 0, by_customer("22960.0"));
    let values: Vec<_> = ledger(&world, "j2").iter().map(|reading| reading.entry.reading_value.as_str().to_owned()).collect();
    assert_eq!(values, ["22900.0", "22950.0", "22960.0"]);
    let said = enter(&world, "j2", "EMAIL", &["--value", "22950.0"]);
    let holds = ledger(&world, "j2")[2].entry.result_id.clone();
    let by_name =
        |id: &str| format!("not entered; if it shall take that place all the same, then with --replaces {id}, and --late says why\n");
    let why = format!("zaehlwerk: Verbrauch 1.8.0: read already: 22960.0 on {day}\n{}", by_name(&holds));
    assert_eq!((said.code, said.err), (Some(1), why));
    let named = ["--late", "Kundin hat nachgesehen", "--replaces", &holds, "--confirm", "steht so auf dem Foto"];
    enter(&world, "j2", "EMAIL", &[&["--value", "22950.0"], &named[..]].concat()).succeeded();

    // A job that the utility does not list any more takes nothing, for whatever reason.
    world.import_jobs(&jobs[..2], &["--close-missing", "--yes-close", "1"]).succeeded();
    let said = enter(&world, "j3", "PHONE", &["--value", "22900.0", "--late", "Kunde rief an"]);
    assert!(said.code == Some(1) && said.err.starts_with("zaehlwerk: the job `j3` is closed"), "{}", said.err);
    let said = enter(&world, "j9", "PHONE", &["--value", "22900.0"]);
    assert_eq!((said.code, said.err.as_str()), (Some(1), "zaehlwerk: there is no job `j9`\n"));
    let said = enter(&world, "j2", "PORTAL", &["--value", "1"]);
    assert!(said.code == Some(2) && said.err.contains("must be PHONE, CARD, EMAIL, TECHNICIAN or IMPORT"), "{}", said.err);
}

#[test]
fn a_rejected_reading_is_entered_again_only_with_a_reason() {
    let world = world();
    world.import_jobs(&[job("j1", "1EBZ0100000611", ONE, open())], &[]).succeeded();
    let value = ["--value", "22900.0"];
    enter(&world, "j1", "PHONE", &value).succeeded();
    let id = ledger(&world, "j1")[0].entry.result_id.clone();
    of_tenant(&world, &["clearing", "reject", "j1", &id, "--reason", "anderer Zähler"]).succeeded();
    assert!(!world.job("j1").unwrap().done);
    let late = [&value[..], &["--late", "Kundin hat noch einmal nachgesehen"]].concat();
    let why = format!(
        "zaehlwerk: Verbrauch 1.8.0: entered before and then rejected: anderer Zähler\nnot entered; if it shall take that place all the same, then \
         with --replaces {id}, and --late says why\n"
    );
    // That it is late says nothing of a rejection that nobody saw (D-READING-22).
    for unseen in [&value[..], &late] {
        let said = enter(&world, "j1", "PHONE", unseen);
        assert_eq!((said.code, &said.err), (Some(1), &why));
    }
    enter(&world, "j1", "PHONE", &[&late[..], &["--replaces", &id]].concat()).succeeded();
    assert!(world.job("j1").unwrap().done);
}

#[test]
fn a_file_of_cards_goes_in_once() {
    let world = world();
    let meters: Vec<_> = (1..=9).map(|end| (format!("j{end}"), format!("1EBZ010000061{end}"))).collect();
    let jobs: Vec<_> =
        meters.iter().map(|(id, number)| job(id, number, if id == "j2" || id == "j3" { TWO } else { ONE }, open())).collect();
    world.import_jobs(&jobs, &[]).succeeded();
    let (day, before) = (today().strftime("%d.%m.%Y").to_string(), (today() - 100.days()).strftime("%d.%m.%Y").to_string());
    let rows = [
        "Code;Zählernummer;Datum;Stand HT;Stand NT;OBIS;Bemerkung".to_owned(),
        format!("ZW1/birkenfurt/j1;;{day};22950,5;;1-0:1.8.0;"),
        format!("ZW1/birkenfurt/j2;;{day};22950,5;23000,0;HT;im Keller links"),
        format!("ZW1/birkenfurt/j3;;{day};22951,0;;HT;"),
        format!("ZW1/birkenfurt/j4;;{day};229505,0;;;"),
        format!(";1EBZ0100000615;{day};22952,0;;;"),
        format!("ZW1/birkenfurt/j1;;{day};22950,5;;1-0:1.8.0;"),
        format!("ZW1/anderes/j6;;{day};22950,5;;;"),
        format!("ZW1/birkenfurt/j99;;{day};22950,5;;;"),
        format!("ZW1/birkenfurt/j7;;{before};22950,5;;;"),
        format!("ZW1/birkenfurt/j8;;{day};2295055,0;;;"),
        format!(";;{day};22950,5;;;"),
        format!("ZW1/birkenfurt/j9;;{day};22950,55;;;"),
    ];
    let file = world.write("karten.csv", &rows);
    let faults = world.path("fehler.csv");
    let import = |more: &[&str]| {
        let args = ["readings", "import", &file, "--channel", "CARD", "--by", "Frau Kern"];
        of_tenant(&world, &[&args[..], more].concat())
    };
    let tried = import(&["--dry-run", "--json"]);
    let tried: Value = serde_json::from_str(&tried.out).unwrap();
    let counts = |document: &Value| ["created", "unchanged", "repeated", "faulty"].map(|name| document["readings"][name].as_u64().unwrap());
    assert_eq!((counts(&tried), &tried["waiting"], &tried["incomplete"]), ([5, 0, 1, 6], &1.into(), &1.into()));
    assert_eq!(ledger(&world, "j1").len(), 0);

    let said = import(&["--faults", faults.to_str().unwrap(), "--lang", "de"]);
    assert_eq!(said.code, Some(1));
    assert_eq!(
        said.out,
        "Stände: 5 eingetragen (1 davon wartet auf Klärung, bei 1 fehlt ein Zählwerk), 0 schon eingetragen, 1 wiederholt, 6 fehlerhaft\n"
    );
    let mut reader = csv::ReaderBuilder::new().delimiter(b';').from_path(&faults).unwrap();
    let found: Vec<[String; 4]> =
        reader.records().map(|row| row.map(|row| [0, 1, 2, 3].map(|cell| row[cell].to_owned())).unwrap()).collect();
    let places: Vec<_> = found.iter().map(|[line, column, value, _]| (line.as_str(), column.as_str(), value.as_str())).collect();
    assert_eq!(
        places,
        [
            ("8", "Code", "ZW1/anderes/j6"),
            ("9", "", ""),
            ("10", "Datum", before.as_str()),
            ("11", "Stand HT", "2295055,0"),
            ("12", "", ""),
            ("13", "Stand HT", "22950,55"),
        ],
        "{found:?}"
    );
    let reasons: Vec<_> = found.iter().map(|[.., reason]| reason.as_str()).collect();
    assert!(reasons[1].contains("den Auftrag `j99` gibt es nicht") && reasons[2].contains("liegt vor dem"), "{reasons:?}");
    assert!(reasons[3].contains("6 Stellen vor dem Komma") && reasons[5].contains("genau eine Nachkommastelle"), "{reasons:?}");

    let entry = ledger(&world, "j2").remove(0).entry;
    assert_eq!((entry.channel, entry.comment.as_deref()), (Channel::Card, Some("im Keller links")));
    assert!(world.job("j2").unwrap().done && !world.job("j3").unwrap().done, "the other register is open");
    let waiting = document(of_tenant(&world, &["clearing", "list", "--json"]).succeeded());
    assert_eq!((&waiting["waiting"][0]["job"], &waiting["waiting"][0]["doubts"]), (&"j4".into(), &json!(["EXPECTED_HIGH"])));
    assert_eq!(waiting["waiting"][0]["entered"]["confirmed"], "aus karten.csv, ohne Rückfrage");

    // Meanwhile a customer corrects the card's value, and a clerk rejects another: the same file changes nothing.
    let corrected = ReadingResult {
        reading_value: MeterValue::parse("22955.0").unwrap(),
        ..world.job("j1").unwrap().states[0].reading_results[0].clone()
    };
    submit_by(&world, LoginKind::Token, "a", "j1", 0, ReadingResult { created: Timestamp::now(), ..corrected });
    let id = ledger(&world, "j4")[0].entry.result_id.clone();
    of_tenant(&world, &["clearing", "reject", "j4", &id, "--reason", "unleserlich"]).succeeded();
    let again = document(Said { code: None, ..import(&["--json"]) });
    assert_eq!((counts(&again), &again["waiting"]), ([0, 5, 1, 6], &0.into()));
    assert_eq!((ledger(&world, "j1").len(), ledger(&world, "j4").len()), (2, 1));
    assert_eq!(world.job("j1").unwrap().states[0].reading_results.last().unwrap().reading_value.as_str(), "22955.0");

    // Another card of a meter that was read: it keeps its reading.
    let other = world.write("spaet.csv", &["Code;Datum;Stand", &format!("ZW1/birkenfurt/j5;{day};22999,0")]);
    let said = of_tenant(&world, &["readings", "import", &other, "--channel", "CARD", "--late", "lag in der Post"]);
    let fault = format!("line 2: Stand: Verbrauch 1.8.0: read already: 22952.0 on {}", today());
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.err.contains(&fault), "{}", said.err);

    // It is among the imports, and cannot be taken back as a whole.
    let runs: Vec<ImportRun> = world.block_on(world.store.imports(&world.tenant)).unwrap();
    let run = runs.iter().find(|run| run.kind == "readings" && run.file == "karten.csv").unwrap();
    assert_eq!(run.by, "Frau Kern");
    let undone = of_tenant(&world, &["imports", "undo", run.id.as_str()]);
    assert!(undone.code == Some(2) && undone.err.contains("is rejected in clearing"), "{}", undone.err);
}

/// D-READING-26: last season's job that nobody read is open still, and is not meant by a card of this season.
#[test]
fn a_card_by_its_meters_number_belongs_to_the_latest_period() {
    let world = world();
    let last_season = (today() - 400.days(), today() - 380.days());
    let jobs = [
        job("2025-17", "1EBZ0100000617", ONE, last_season),
        job("2026-17", "1EBZ0100000617", ONE, open()),
        job("2025-18", "1EBZ0100000618", ONE, last_season),
        job("2026-18", "1EBZ0100000618", ONE, open()),
        job("2025-19", "1EBZ0100000619", ONE, last_season),
    ];
    world.import_jobs(&jobs, &[]).succeeded();
    enter(&world, "2026-17", "PHONE", &["--value", "22950.0"]).succeeded();
    let day = today().strftime("%d.%m.%Y");
    let rows = ["1EBZ0100000617;22951,0", "1EBZ0100000618;22952,0", "1EBZ0100000619;22953,0"].map(|row| format!("{row};{day}"));
    let file = world.write("karten.csv", &[&["Zählernummer;Stand;Datum".to_owned()][..], &rows].concat());
    let said = of_tenant(&world, &["readings", "import", &file, "--channel", "CARD", "--late", "Post"]);
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    assert!(said.err.contains("line 2: ") && said.err.contains("read already: 22950.0"), "{}", said.err);
    let values = |job: &str| ledger(&world, job).iter().map(|reading| format!("{} ", reading.entry.reading_value)).collect::<String>();
    assert_eq!(["2025-17", "2026-17", "2025-18", "2026-18"].map(values), ["", "22950.0 ", "", "22952.0 "]);
    assert_eq!(values("2025-19"), "22953.0 ", "a meter that is asked for no more");

    // By its number alone a meter elsewhere, of another account, may be another one: the clerk says which.
    let at = |id: &str, account: &str, street: &str, period: (Date, Date)| {
        let line = job(id, "4711", ONE, period).replace(r#""accountId":"a""#, &format!(r#""accountId":"{account}""#));
        line.replace(r#""meterNumber":"4711""#, &format!(r#""meterNumber":"4711","meterAddress":{{"street":"{street}","zip":"07743"}}"#))
    };
    world.import_accounts(&[r#"{"id":"b","name":"Bert"}"#]);
    world.import_jobs(&[at("old", "a", "Bergweg", last_season), at("new", "b", "Talweg", open())], &[]).succeeded();
    let by_number = ["readings", "enter", "--meter", "4711", "--channel", "PHONE", "--value", "22950.0"];
    let said = of_tenant(&world, &by_number);
    assert!(said.code == Some(1) && said.err.contains("there are several jobs of the meter `4711`"), "{}{}", said.out, said.err);
    // Somebody else lives there now.
    world.import_jobs(&[at("new", "b", "Bergweg", open())], &[]).succeeded();
    assert_eq!(of_tenant(&world, &by_number).succeeded().out, "new: reading entered\n");
}

/// D-IMPORTS-23: a cell slipped a row, or the meter was exchanged.
#[test]
fn a_line_that_contradicts_itself_is_entered_nowhere() {
    let world = world();
    let meters = [("j1", "1EBZ0100000611"), ("j2", "1EBZ0100000612"), ("j3", "1EBZ0100000613")];
    world.import_jobs(&meters.map(|(id, number)| job(id, number, ONE, open())), &[]).succeeded();
    let day = today().strftime("%d.%m.%Y").to_string();
    let file = world.write(
        "techniker.csv",
        &[
            "Auftrag;Code;Zählernummer;Datum;Stand",
            &format!("j1;;1EBZ0100000612;{day};22950,5"),
            &format!(";ZW1/birkenfurt/j2;7777;{day};22950,5"),
            &format!("j1;ZW1/birkenfurt/j2;;{day};22950,5"),
            &format!("j3;ZW1/birkenfurt/j3;1ebz-01 0000 0613;{day};22950,5"),
        ],
    );
    let faults = [
        "line 2: Zählernummer: is `1EBZ0100000612`, but the meter of the job `j1` has the number `1EBZ0100000611`",
        "line 3: Zählernummer: is `7777`, but the meter of the job `j2` has the number `1EBZ0100000612`",
        "line 4: Code: is the code of the job `j2`, but the line names the job `j1`",
    ];
    let import = |more: &[&str]| of_tenant(&world, &[&["readings", "import", &file, "--channel", "TECHNICIAN"], more].concat());
    import(&["--dry-run"]).found("techniker.csv", &faults);
    import(&[]).found("techniker.csv", &faults);
    assert_eq!(["j1", "j2", "j3"].map(|job| ledger(&world, job).len()), [0, 0, 1]);
}

/// D-READING-25: one reason for several registers stays with those that are lower.
#[test]
fn a_reason_stays_with_the_registers_that_are_lower() {
    let world = world();
    let registers = |id: &str, number: &str| {
        let line = job(id, number, TWO, open());
        // HT stood near its last digit a year ago.
        line.replacen("14000.0", "993000.0", 1).replacen("17000.0", "996000.0", 1).replacen("20000.0", "999000.0", 1)
    };
    world.import_jobs(&[registers("j1", "1EBZ0100000611"), registers("j2", "1EBZ0100000612")], &[]).succeeded();
    let values = ["--value", "HT=1950.0", "--value", "NT=23010.0", "--lower-reason", "ROLLOVER", "--confirm", "laut Karte"];
    enter(&world, "j1", "CARD", &values).succeeded();
    let line = json!({
        "job": "j2", "readingDate": today().to_string(), "channel": "CARD", "lowerReason": "ROLLOVER",
        "readings": [{ "register": "HT", "value": "1950.0" }, { "register": "NT", "value": "23010.0" }],
    });
    let file = world.write("karten.jsonl", &[line.to_string()]);
    of_tenant(&world, &["readings", "import", &file]).succeeded();
    for id in ["j1", "j2"] {
        let reasons: Vec<_> =
            ledger(&world, id).into_iter().map(|reading| (reading.entry.reading_value.to_string(), reading.entry.lower_reason)).collect();
        assert!(reasons.contains(&("1950.0".into(), Some(LowerReason::Rollover))), "{reasons:?}");
        assert!(reasons.contains(&("23010.0".into(), None)), "{reasons:?}");
    }
    let waiting = document(of_tenant(&world, &["clearing", "list", "--json"]).succeeded());
    assert_eq!(waiting["waiting"].as_array().unwrap().len(), 2, "NT goes out: {waiting}");
}

/// D-READING-5, D-READING-25: the register that stands still is not lower than the decimals that its reader was not asked for.
#[test]
fn a_register_that_stands_still_passed_no_last_digit() {
    let world = world();
    let line = job("j1", "1EBZ0100000611", TWO, open()).replacen("20000.0", "999000.0", 1).replacen("20000.0", "20000.5", 1);
    let mut line: Value = serde_json::from_str(&line).unwrap();
    line["config"] = json!({ "meterReading": { "maskPostDecimals": true } });
    world.import_jobs(&[line.to_string()], &[]).succeeded();
    let values = ["--value", "HT=1950", "--value", "NT=20000", "--lower-reason", "ROLLOVER", "--confirm", "laut Karte"];
    enter(&world, "j1", "CARD", &values).succeeded();
    let reasons: Vec<_> =
        ledger(&world, "j1").into_iter().map(|reading| (reading.entry.reading_value.to_string(), reading.entry.lower_reason)).collect();
    assert!(reasons.contains(&("1950".into(), Some(LowerReason::Rollover))), "{reasons:?}");
    assert!(reasons.contains(&("20000".into(), None)), "{reasons:?}");
}

#[test]
fn a_file_says_itself_how_each_reading_came() {
    let world = world();
    let meters = [("j1", "1EBZ0100000611"), ("j2", "1EBZ0100000612"), ("j3", "1EBZ0100000613")];
    world.import_jobs(&meters.map(|(id, number)| job(id, number, ONE, open())), &[]).succeeded();
    let day = today().to_string();
    let rows = ["j1;Telefon", "j2;Außendienst", "j3;"].map(|row| {
        let (job, way) = row.split_once(';').unwrap();
        format!("{job};{day};22950,5;{way}")
    });
    let file = world.write("staende.csv", &[&["Auftrag;Ablesedatum;Zählerstand;Weg".to_owned()][..], &rows].concat());
    of_tenant(&world, &["readings", "import", &file]).succeeded();
    let channel = |job: &str| ledger(&world, job)[0].entry.channel;
    assert_eq!(["j1", "j2", "j3"].map(channel), [Channel::Phone, Channel::Technician, Channel::Import]);
    // JSON lines say the same; what they lack is said.
    let lines = [
        json!({ "job": "j1", "readingDate": day, "channel": "PHONE", "readings": [{ "value": "22950.5" }] }),
        json!({ "job": "j1", "readingDate": day, "channel": "PORTAL", "readings": [{ "value": "1" }] }),
        json!({ "job": "j2", "readingDate": day, "readings": [] }),
    ];
    let file = world.write("staende.jsonl", &lines.map(|line| line.to_string()));
    let said = of_tenant(&world, &["readings", "import", &file]);
    said.found(&file, &["line 2: channel: cannot be the portal", "line 3: readings: no value is given"]);
    let strange = world.write("fremd.csv", &["Kunde;Wert", "1;2"]);
    let said = of_tenant(&world, &["readings", "import", &strange]);
    assert!(said.code == Some(2) && said.err.contains("there are Kunde, Wert"), "{}", said.err);
}

#[test]
fn who_has_an_address_gets_the_receipt() {
    let post = post("{}");
    let world = &post.world;
    world.import_jobs(&[job("j1", "1EBZ0100000611", ONE, open())], &[]).succeeded();
    post.confirm("a");
    let an_hour_ago = Timestamp::now() - 1.hour();
    let args = ["readings", "enter", "j1", "--tenant", "birkenfurt", "--channel", "PHONE", "--value", "22950.5"];
    let entered = || Said::from(world.command_with_aws(&args).output().unwrap()).succeeded().out;
    assert_eq!(entered(), "j1: reading entered; the receipt went by mail\n");
    assert_eq!(entered(), "j1: this reading is there already\n");
    let mails = world.mails();
    assert_eq!(mails.len(), 1, "once");
    let state = world.block_on(world.store.receipt_state(&world.tenant, &"a".parse().unwrap(), None, Timestamp::now())).unwrap();
    let created = ledger(world, "j1")[0].entry.created;
    assert!(!state.receipted.is_new(&"j1".parse().unwrap(), created), "the portal sends no second one");
    assert!(state.receipted.is_new(&"j2".parse().unwrap(), an_hour_ago), "what a file of cards brought before has none yet");
}

/// What staff wrote down of a customer goes with the customer.
#[test]
fn an_erasure_takes_along_what_staff_entered() {
    let world = world();
    world.create_bucket();
    world.import_jobs(&[job("j1", "1EBZ0100000611", ONE, (today() - 60.days(), today() - 20.days()))], &[]).succeeded();
    let day = (today() - 45.days()).to_string();
    let wanted = [
        "--value",
        "229505.0",
        "--date",
        &day,
        "--comment",
        "beim Nachbarn Ott",
        "--confirm",
        "Frau Ott hat einen Pool",
        "--late",
        "Ott war krank",
    ];
    enter(&world, "j1", "PHONE", &wanted).succeeded();
    let left = || world.table().iter().filter(|item| format!("{item:?}").contains("Ott")).count();
    assert!(left() > 0);
    let args = ["subject", "erase", "--tenant", "birkenfurt", "--account", "a", "--yes"];
    assert_eq!(Said::from(world.command_with_aws(&args).output().unwrap()).code, Some(0));
    assert_eq!((left(), ledger(&world, "j1").len()), (0, 0));
    assert!(world.table().iter().all(|item| !format!("{item:?}").contains("229505")));
}

/// A customer and a clerk in the same moment: one of them wins, the other one is told.
#[test]
fn a_customer_and_a_clerk_do_not_overwrite_each_other() {
    let (world, url) = World::of_product();
    let portal = Portal { http: Client::new(), url };
    let demo = world.demo_data();
    world.run(&["tenant", "apply", demo.join("birkenfurt").to_str().unwrap()]);
    world.import_accounts(&[r#"{"id":"a","name":"Anna"}"#]);
    let letters = world.lines("letters-1.jsonl");
    let token = letters[0]["token"].as_str().unwrap();
    let jobs: Vec<_> = (0..6).map(|number| job(&format!("r{number}"), &format!("1EBZ010000062{number}"), ONE, open())).collect();
    world.import_jobs(&jobs, &[]).succeeded();
    let access = world.block_on(portal.log_in(json!({ "token": token }))).unwrap();
    let mut won = [0, 0];
    for number in 0..6 {
        let (id, task) = (format!("r{number}"), format!("r{number}-Verbrauch"));
        let path = format!("/api/pro/job/{id}/meterRateTask/result");
        let body = json!({ "readingDate": today().to_string(), "results": [{ "taskId": task, "readingValue": "22940.0" }] });
        let args = ["readings", "enter", &id, "--tenant", "birkenfurt", "--channel", "PHONE", "--value", "22950.0"];
        let mut clerk = world.command(&args).spawn().unwrap();
        // The clerk's command needs some time to begin: sometimes this one is first, sometimes that.
        if number % 2 == 0 && number != 0 {
            let given_up = Instant::now() + Duration::from_secs(60);
            while ledger(&world, &id).is_empty() && clerk.try_wait().unwrap().is_none() && Instant::now() < given_up {}
        }
        let (status, answer) = world.block_on(portal.post(&path, Some(&access), &body));
        let clerk = Said::from(clerk.wait_with_output().unwrap());
        let values: Vec<_> = ledger(&world, &id).iter().map(|reading| reading.entry.reading_value.as_str().to_owned()).collect();
        match (status, clerk.code) {
            (200, Some(1)) => {
                assert!(clerk.err.contains("read already: 22940.0"), "{}", clerk.err);
                assert_eq!(values, ["22940.0"]);
                won[0] += 1;
            }
            (422, Some(0)) => {
                assert!(answer.to_string().contains("CONTINUITY_LOWER"), "{answer}");
                assert_eq!(values, ["22950.0"]);
                won[1] += 1;
            }
            other => panic!("{other:?}: {answer} {}", clerk.err),
        }
    }
    assert!(won[0] > 0 && won[1] > 0, "{won:?}");

    // What the clerk entered is shown as any other, and the customer may correct it.
    let (status, answer) = world.block_on(portal.get("/api/pro/job", &access));
    assert_eq!(status, 200);
    let jobs = answer["jobs"].as_array().or(answer.as_array()).unwrap_or_else(|| panic!("{answer}")).clone();
    let shown = jobs.iter().find(|job| job["id"] == "r2").unwrap();
    assert!(shown.to_string().contains("22950.0"), "{shown}");
    let correction = json!({ "readingDate": today().to_string(), "results": [{ "taskId": "r2-Verbrauch", "readingValue": "22951.0" }] });
    let (status, answer) = world.block_on(portal.post("/api/pro/job/r2/meterRateTask/result", Some(&access), &correction));
    assert_eq!(status, 200, "{answer}");
    let channels: Vec<_> = ledger(&world, "r2").iter().map(|reading| reading.entry.channel).collect();
    assert_eq!(channels, [Channel::Phone, Channel::Portal]);
}
