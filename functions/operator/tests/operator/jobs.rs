use std::fs;
use std::io::Write;
use std::time::{Duration, Instant};

use domain::login::link_token_hash;
use domain::model::{LoginKind, ReadingResult};
use domain::value::MeterValue;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _};
use store::{IdempotencyWrite, NewResult, Source, SubmitResults, Submitted};

use crate::world::{Said, World};

fn line(id: &str) -> String {
    let task = r#"{"taskId":"t","obis":"1-0:1.8.0","readingEvents":[{"readingDate":"2025-11-30","readingValue":"00100.50"}]}"#;
    format!(r#"{{"accountId":"a","id":"{id}","meter":{{"meterNumber":"EBZ {id}","meterRateTasks":[{task}]}}}}"#)
}

fn submit(world: &World, id: &str, value: &str) {
    let job = world.job(id).unwrap();
    let result = ReadingResult {
        reading_date: "2026-11-20".parse().unwrap(),
        reading_value: MeterValue::parse(value).unwrap(),
        created: "2026-11-20T10:00:00Z".parse().unwrap(),
        comment: None,
        lower_reason: None,
        reading_result_images: vec![],
    };
    let task_id = job.master.meter.meter_rate_tasks[0].task_id.clone();
    let submission = SubmitResults {
        job: &job,
        results: &[NewResult { result_id: "r1".into(), task_id, result, confirmed: Vec::new() }],
        source: Source::Portal(LoginKind::Token),
        account_id: &job.account_id,
        idempotency: IdempotencyWrite {
            key_hash: id.into(),
            request_hash: "h".into(),
            response_body: "{}".into(),
            created: Timestamp::now(),
        },
        deliver: false,
    };
    assert_eq!(world.block_on(world.store.submit(&world.tenant, submission)).unwrap(), Submitted::Stored);
}

#[test]
fn a_number_that_is_corrected_after_the_reading_is_told() {
    let world = World::with_tenant();
    world.import_jobs(&[line("j1"), line("j2")], &[]).succeeded();
    submit(&world, "j1", "101");
    let corrected = [line("j1").replace("EBZ j1", "EBZ 11"), line("j2").replace("EBZ j2", "EBZ 12")];
    for more in [&["--dry-run"][..], &[]] {
        let said = world.import_jobs(&corrected, more);
        assert_eq!(said.code, Some(0));
        assert!(said.out.ends_with("jobs: 0 created, 2 updated, 0 unchanged, 0 faulty\n"), "{}", said.out);
        let hint = "warning: job `j1` was read already, and its meter has another number now: the reading keeps the old one";
        assert!(said.err.contains(hint) && !said.err.contains("j2"), "{}", said.err);
    }
    assert!(!world.import_jobs(&corrected, &[]).succeeded().err.contains("warning"));
}

/// A file without ids of registers has them from the codes, one of which was put right.
#[test]
fn a_register_that_was_read_and_is_listed_no_more_is_told() {
    let world = World::with_tenant();
    world.import_jobs(&[line("j1"), line("j2")], &[]).succeeded();
    submit(&world, "j1", "101");
    let corrected = ["j1", "j2"].map(|id| line(id).replace(r#""t","obis":"1-0:1.8.0""#, r#""1-0-1.8.1","obis":"1-0:1.8.1""#));
    for more in [&["--dry-run"][..], &[]] {
        let said = world.import_jobs(&corrected, more);
        assert_eq!(said.code, Some(0));
        assert!(said.out.ends_with("jobs: 0 created, 2 updated, 0 unchanged, 0 faulty\n"), "{}", said.out);
        let hint = "warning: job `j1` loses a register that was read already: its reading counts for the job no more";
        assert!(said.err.contains(hint) && !said.err.contains("j2"), "{}", said.err);
    }
    assert!(!world.import_jobs(&corrected, &[]).succeeded().err.contains("warning"));
}

#[test]
fn the_same_file_again_changes_nothing_and_a_changed_line_keeps_its_readings() {
    let world = World::with_tenant();
    let lines = [line("j1"), line("j2")];
    assert_eq!(world.import_jobs(&lines, &[]).succeeded().out, "jobs: 2 created, 0 updated, 0 unchanged, 0 faulty\n");
    submit(&world, "j1", "101");
    let before = world.job("j1").unwrap();
    assert_eq!(world.import_jobs(&lines, &[]).succeeded().out, "jobs: 0 created, 0 updated, 2 unchanged, 0 faulty\n");
    assert_eq!(world.job("j1").unwrap(), before);

    let changed = [lines[0].replace("00100.50", "00100.5"), lines[1].clone()];
    assert_eq!(world.import_jobs(&changed, &[]).succeeded().out, "jobs: 0 created, 1 updated, 1 unchanged, 0 faulty\n");
    let after = world.job("j1").unwrap();
    assert_eq!(after.master.meter.meter_rate_tasks[0].reading_events[0].reading_value.as_str(), "00100.5");
    assert_eq!((after.states, after.done), (before.states, true));
}

#[test]
fn faulty_lines_are_named_and_the_others_go_in() {
    let world = World::with_tenant();
    let said = world.import_jobs(
        &[
            line("j1"),
            line("j2").replace("1-0:1.8.0", "1.8.0"),
            line("j3").replace("\"00100.50\"", "-1"),
            line("j4").replace("\"accountId\":\"a\"", "\"accountId\":\"nobody\""),
            line("j1"),
            line("j5").replace("\"meter\":", "\"maLoId\":\"41373559240\",\"meter\":"),
            line("j6").replace(
                "\"meter\":",
                "\"jobConstraints\":{\"earliestExecution\":\"2026-12-01\",\"latestExecution\":\"2026-11-30\"},\"meter\":",
            ),
            line("j7").replace("\"readingEvents\"", "\"readingResults\""),
            String::from("{\"accountId\":\"a\",\"id\":\"j8\",\"meter\":{\"meterNumber\":\"\",\"meterRateTasks\":[]}}"),
            line("j9"),
        ],
        &[],
    );
    let said = said.found(
        "jobs.jsonl",
        &[
            "line 2: meter.meterRateTasks[0].obis: an OBIS code has the form medium-channel:class.type.number, such as 1-0:1.8.0",
            "line 3: meter.meterRateTasks[0].readingEvents[0].readingValue: a reading value consists of digits, optionally with one point and further digits",
            "line 4: accountId: there is no account with this number",
            "line 5: id: `j1` is the id of line 1 too",
            "line 6: maLoId: must be a market location: 11 digits, the last of which is the check digit",
            "line 7: jobConstraints.earliestExecution: is after latestExecution (2026-11-30)",
            "line 8: meter.meterRateTasks[0].readingResults: unknown field `readingResults`, expected one of `expectedAnnualConsumption`, `loadProfile`, `obis`, `postDecimals`, `preDecimals`, `rateName`, `readingEvents`, `readingValueValidation`, `targetReadingDate`, `taskId`, `unit`",
            "line 9: meter.meterNumber: must not be empty, begin or end with a blank",
            "line 9: meter.meterRateTasks: needs at least one rate",
        ],
    );
    assert_eq!(said.out, "jobs: 2 created, 0 updated, 0 unchanged, 8 faulty\n");
    assert!(world.job("j1").is_some() && world.job("j9").is_some() && world.job("j2").is_none());
}

#[test]
fn a_meter_that_moves_to_another_account_leaves_its_readings_behind() {
    let world = World::with_tenant();
    world.import_accounts(&[r#"{"id":"b","name":"Ben"}"#]).succeeded();
    let mine = |id: &str| line(id).replace(&format!("EBZ {id}"), "1EBZ0100000619");
    world.import_jobs(&[mine("j1"), line("j2")], &[]).succeeded();
    submit(&world, "j1", "101");

    let theirs = |line: String| line.replace("\"accountId\":\"a\"", "\"accountId\":\"b\"");
    let lines = [theirs(mine("j3"))];
    let tried = world.import_jobs(&lines, &["--dry-run"]).succeeded();
    assert_eq!(
        tried.out,
        "dry run, nothing was written: jobs: 0 created, 0 updated, 0 unchanged, 1 moved from another account, 0 faulty\n"
    );
    assert!(!world.job("j1").unwrap().closed);
    let said = world.import_jobs(&lines, &[]).succeeded();
    assert_eq!(said.out, "jobs: 0 created, 0 updated, 0 unchanged, 1 moved from another account, 0 faulty\n");
    let left = world.job("j1").unwrap();
    assert!(left.closed && left.done && left.states[0].reading_results.len() == 1);
    let jobs = world.jobs_of("b");
    assert_eq!(jobs.iter().map(|job| (job.master.id.as_str(), job.done)).collect::<Vec<_>>(), [("j3", false)]);

    // Readings are found by the job's id, so a job itself never changes hands.
    let reason = "line 1: accountId: the job belongs to another account; a meter that moved needs a job with an id of its own";
    world.import_jobs(&[theirs(line("j2"))], &[]).found("jobs.jsonl", &[reason]);
    assert!(!world.job("j2").unwrap().closed);

    // The same file again changes nothing; neither does another period of the same meter.
    assert_eq!(world.import_jobs(&lines, &[]).succeeded().out, "jobs: 0 created, 0 updated, 1 unchanged, 0 faulty\n");
    let period = |line: String, first: &str, last: &str| {
        let period = format!("\"jobConstraints\":{{\"earliestExecution\":\"{first}\",\"latestExecution\":\"{last}\"}},\"meter\":");
        line.replace("\"meter\":", &period)
    };
    let sold = |line: String| line.replace("1EBZ0100000619", "1EBZ0100000620");
    let both = [sold(period(mine("j4"), "2026-11-01", "2026-11-30")), sold(period(theirs(mine("j5")), "2026-12-01", "2026-12-31"))];
    assert_eq!(world.import_jobs(&both, &[]).succeeded().out, "jobs: 2 created, 0 updated, 0 unchanged, 0 faulty\n");
    assert_eq!(world.import_jobs(&both, &[]).succeeded().out, "jobs: 0 created, 0 updated, 2 unchanged, 0 faulty\n");
}

#[test]
fn a_letters_link_ends_with_its_jobs_and_a_later_day_puts_that_off() {
    let world = World::with_tenant();
    let token = "abcdefghijklmnopqrstuv";
    world.import_accounts(&[format!(r#"{{"id":"k","name":"Kai","token":"{token}"}}"#)]).succeeded();
    let zone = TimeZone::get("Europe/Berlin").unwrap();
    // At the first and at the last moment of the day.
    let opens = |day: Date| {
        let day = day.to_zoned(zone.clone()).unwrap();
        [day.timestamp(), day.tomorrow().unwrap().timestamp() - 1.second()].map(|moment| {
            let hash = link_token_hash(token);
            world.block_on(world.store.account_of_link(&world.tenant, &hash, moment)).unwrap().is_some()
        })
    };
    let today = Timestamp::now().to_zoned(zone.clone()).date();
    let (november, december) = (today + 40.days(), today + 70.days());
    let job = |last: Date| {
        let period = format!("\"jobConstraints\":{{\"latestExecution\":\"{last}\"}},\"meter\":");
        line("j1").replace("\"accountId\":\"a\"", "\"accountId\":\"k\"").replace("\"meter\":", &period)
    };
    assert_eq!(opens(today + 1000.days()), [true, true], "nothing to read yet");
    for (listed, last) in [(november, november), (december, december), (november, december)] {
        world.import_jobs(&[job(listed)], &[]).succeeded();
        assert_eq!((opens(last), opens(last + 1.day())), ([true, true], [false, false]), "{listed}");
    }
}

#[test]
fn what_is_no_longer_listed_is_closed_but_never_by_mistake() {
    let world = World::with_tenant();
    let lines: Vec<_> = ["j1", "j2", "j3"].into_iter().map(line).collect();
    world.import_jobs(&lines, &[]).succeeded();
    submit(&world, "j3", "101");
    // A closed job without a reading is gone for its owner.
    let closed = || ["j1", "j2", "j3"].map(|id| world.job(id).is_none_or(|job| job.closed));

    let typo = [lines[0].clone(), lines[1].replace("1-0:1.8.0", "x")];
    let said = world.import_jobs(&typo, &["--close-missing"]);
    assert_eq!(said.code, Some(1));
    assert!(said.out.contains("none closed, because a faulty line may stand for one of them"), "{}", said.out);
    assert_eq!(world.import_jobs(&[""], &["--close-missing"]).code, Some(1));
    assert_eq!(closed(), [false, false, false]);

    let said = world.import_jobs(&lines[..1], &["--close-missing", "--yes-close", "2"]).succeeded();
    assert_eq!(said.out, "jobs: 0 created, 0 updated, 1 unchanged, 0 faulty, 2 closed\n");
    assert_eq!(closed(), [false, true, true]);
    assert!(world.job("j3").unwrap().done);

    let said = world.import_jobs(&lines, &["--close-missing"]).succeeded();
    assert_eq!(said.out, "jobs: 0 created, 2 updated, 1 unchanged, 0 faulty, 0 closed\n");
    assert_eq!(closed(), [false, false, false]);
}

#[test]
fn a_meter_in_two_files_is_named_with_both_jobs_and_a_complete_list_decides() {
    let world = World::with_tenant();
    let of_meter = |id: &str| line(id).replace(&format!("EBZ {id}"), "EBZ 4711");
    world.import_jobs(&[of_meter("j1"), line("j2")], &[]).succeeded();
    let second = [of_meter("j3"), line("j4")];
    let fault = "line 1: meter.meterNumber: is the meter of the open job `j1` too, in an overlapping period and with a common OBIS code; \
                 job `j3` was not taken";
    for more in [["--dry-run"].as_slice(), &[]] {
        let said = world.import_jobs(&second, more).found("jobs.jsonl", &[fault]);
        assert!(said.out.ends_with("jobs: 1 created, 0 updated, 0 unchanged, 1 faulty\n"), "{}", said.out);
    }
    assert!(world.job("j3").is_none() && world.job("j4").is_some() && !world.job("j1").unwrap().closed);

    // The list of everything has the meter under its new job only.
    let said = world.import_jobs(&second, &["--close-missing", "--yes-close", "2"]).succeeded();
    assert_eq!(said.out, "jobs: 1 created, 0 updated, 1 unchanged, 0 faulty, 2 closed\n");
    assert!(world.job("j1").is_none() && world.job("j2").is_none() && !world.job("j3").unwrap().closed);

    // A job that was read is in nobody's way.
    submit(&world, "j3", "101");
    world.import_jobs(&[of_meter("j5")], &[]).succeeded();
    assert!(!world.job("j5").unwrap().done);
}

/// Of 60 jobs, of which 25 go together, in both orders of the file.
#[test]
fn the_order_of_the_lines_does_not_decide_who_has_a_meter() {
    let world = World::with_tenant();
    let of_meter = |job: usize, meter: usize| line(&format!("j{job:02}")).replace(&format!("EBZ j{job:02}"), &format!("EBZ {meter}"));
    let listed = |meter: fn(usize) -> usize| (0..60).map(|job| of_meter(job, meter(job))).collect::<Vec<_>>();
    let before = listed(|job| job);
    world.import_jobs(&before, &[]).succeeded();
    let meters = || (0..60).map(|job| world.job(&format!("j{job:02}")).unwrap().master.meter.meter_number).collect::<Vec<_>>();

    // Each takes the meter of the next, and the last one a new one: the first lines wait for the last, or none for any.
    for backwards in [false, true] {
        let mut moved = listed(|job| job + 1);
        if backwards {
            moved.reverse();
        }
        for more in [["--dry-run"].as_slice(), &[]] {
            let said = world.import_jobs(&moved, more).succeeded();
            assert!(said.out.ends_with("jobs: 0 created, 60 updated, 0 unchanged, 0 faulty\n"), "{}", said.out);
        }
        assert_eq!(meters(), (1..=60).map(|meter| format!("EBZ {meter}")).collect::<Vec<_>>());
        assert!(world.import_jobs(&moved, &[]).succeeded().out.contains("60 unchanged"));
        world.import_jobs(&before, &[]).succeeded();
        assert_eq!(meters(), (0..60).map(|meter| format!("EBZ {meter}")).collect::<Vec<_>>());
    }

    // Two were mixed up.
    let crossed = listed(|job| if job == 3 || job == 57 { 60 - job } else { job });
    assert_eq!(world.import_jobs(&crossed, &[]).succeeded().out, "jobs: 0 created, 2 updated, 58 unchanged, 0 faulty\n");
    assert_eq!((meters()[3].as_str(), meters()[57].as_str()), ("EBZ 57", "EBZ 3"));
    world.import_jobs(&before, &[]).succeeded();

    // The last line is at fault, so that its job keeps its meter: who waits for that meter waits in vain, and so does who waits for theirs.
    let mut broken = listed(|job| match job {
        0 | 1 => 1 - job,
        50.. => job + 1,
        _ => job,
    });
    broken[59] = broken[59].replace("1-0:1.8.0", "1.8.0");
    let in_vain = "lines 51, 52, 53 and 6 more: meter.meterNumber: for example: is the meter of the open job `j51` too, in an overlapping period and \
                   with a common OBIS code; job `j50` was not taken";
    let obis = "line 60: meter.meterRateTasks[0].obis: an OBIS code has the form medium-channel:class.type.number, such as 1-0:1.8.0";
    let faults = [in_vain, obis];
    for more in [["--dry-run"].as_slice(), &[]] {
        let said = world.import_jobs(&broken, more).found("jobs.jsonl", &faults);
        assert!(said.out.ends_with("jobs: 0 created, 2 updated, 48 unchanged, 10 faulty\n"), "{}", said.out);
    }
    assert_eq!((meters()[0].as_str(), meters()[1].as_str(), meters()[58].as_str()), ("EBZ 1", "EBZ 0", "EBZ 58"));
}

/// `ZW_IMPORT_LINES=50000` imports as many as the largest tenants have.
#[test]
fn memory_does_not_grow_with_the_file() {
    let lines: usize = std::env::var("ZW_IMPORT_LINES").map_or(4_000, |lines| lines.parse().unwrap());
    let world = World::with_tenant();
    for kind in ["jsonl", "csv"] {
        let small = import_many(&world, kind, lines / 10);
        let begun = Instant::now();
        let large = import_many(&world, kind, lines);
        println!("{kind}: {lines} lines in {:?}; peak memory {small} KiB for {} lines, {large} KiB for all", begun.elapsed(), lines / 10);
        // 16 bytes a line are meant to be kept: the hash of its id and its number, and as much for its register.
        assert!(large < small + 4 * 1024 + lines as u64 * 128 / 1024, "{kind}: {small} KiB grew to {large} KiB");
    }
}

/// Imports so many jobs; the process's peak memory in KiB.
fn import_many(world: &World, kind: &str, count: usize) -> u64 {
    let name = format!("many.{kind}");
    let mut file = std::io::BufWriter::new(fs::File::create(world.path(&name)).unwrap());
    let mapping = r#"{
      "columns": {
        "accountId": "Kunde", "id": "Auftrag", "meter.meterNumber": "Zähler", "meter.meterAddress.hint": "Hinweis",
        "meter.meterRateTasks[].obis": "OBIS", "meter.meterRateTasks[].readingEvents[0].readingDate": "Tag",
        "meter.meterRateTasks[].readingEvents[0].readingValue": "Stand"
      }
    }"#;
    let mapping = world.write("many.map.json", &[mapping]);
    if kind == "csv" {
        writeln!(file, "Kunde;Auftrag;Zähler;Hinweis;OBIS;Tag;Stand").unwrap();
    }
    let filler = "Hinter dem Haus links, dann die Treppe hinunter. ".repeat(8);
    for number in 0..count {
        if kind == "csv" {
            writeln!(file, "a;t{number};EBZ t{number};{filler};1-0:1.8.0;30.11.2025;00100,50").unwrap();
            continue;
        }
        let line = line(&format!("m{number}"))
            .replace("\"meterRateTasks\"", &format!("\"meterAddress\":{{\"hint\":\"{filler}\"}},\"meterRateTasks\""));
        writeln!(file, "{line}").unwrap();
    }
    drop(file);
    let path = world.path(&name);
    let args = ["jobs", "import", path.to_str().unwrap(), "--tenant", "birkenfurt"];
    let as_table: &[&str] = if kind == "csv" { &["--mapping", &mapping] } else { &[] };
    let mut child = world.command(&[&args, as_table].concat()).spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().unwrap().is_none() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak = line.and_then(|line| line.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(peak);
        // The kernel forgets the peak when the process ends, so it is looked at until then.
        std::thread::sleep(Duration::from_millis(5));
    }
    let said = Said::from(child.wait_with_output().unwrap()).succeeded();
    assert!(said.out.contains("0 faulty"), "{}", said.out);
    peak
}

/// A file of one medium only, say: what it would close is many, is listed, and needs its number.
#[test]
fn many_jobs_are_closed_only_by_their_number() {
    let world = World::with_tenant();
    let lines: Vec<_> = (0..40).map(|n| line(&format!("j{n:02}"))).collect();
    world.import_jobs(&lines, &[]).succeeded();
    let list = world.path("closed.csv");
    let part = |count: usize, more: &[&str]| {
        let args = [&["--close-missing", "--close-list", list.to_str().unwrap()], more].concat();
        world.import_jobs(&[&lines[..count], &[line("new")]].concat(), &args)
    };
    let would = "3 of the season's 40 jobs would be closed (8 %)";
    for (more, rest) in
        [(vec![], "--yes-close 3 confirms it, --close-list LIST lists them"), (vec!["--yes-close", "2"], "--yes-close says 2")]
    {
        let said = part(37, &more);
        assert_eq!((said.code, said.out.as_str(), said.err), (Some(1), "", format!("{would}; nothing was done: {rest}\n")));
        assert!(world.job("new").is_none());
    }
    assert!(part(37, &["--lang", "de"]).err.ends_with(": --yes-close 3 bestätigt es, --close-list LISTE zählt sie auf\n"));
    let listed = fs::read_to_string(&list).unwrap();
    let rows = ["\u{feff}job;account;meterNumber;deadline;name", "j37;a;EBZ j37;;", "j38;a;EBZ j38;;", "j39;a;EBZ j39;;", ""];
    assert_eq!(listed, rows.join("\r\n"));
    assert!(part(37, &["--dry-run"]).succeeded().out.ends_with(", 3 closed\n"));
    assert!(part(38, &[]).succeeded().out.ends_with(", 2 closed\n"), "5 of 100 go without a question");
    assert!(part(35, &["--yes-close", "3"]).succeeded().out.ends_with(", 3 closed\n"));

    // A utility may be asked earlier or later.
    let bundle = world.path("demo/birkenfurt");
    let mut settings: serde_json::Value = serde_json::from_slice(&fs::read(bundle.join("tenant.json")).unwrap()).unwrap();
    settings["desk"]["imports"] = serde_json::json!({ "closedUnaskedPercent": 50 });
    fs::write(bundle.join("tenant.json"), settings.to_string()).unwrap();
    world.run(&["tenant", "apply", bundle.to_str().unwrap()]).succeeded();
    assert!(part(20, &[]).succeeded().out.ends_with(", 15 closed\n"));
}

#[test]
fn a_season_is_rehearsed_before_its_accounts_are_there() {
    let world = World::new();
    let demo = world.demo_data();
    world.run(&["tenant", "apply", demo.join("birkenfurt").to_str().unwrap()]).succeeded();
    let lines = [line("j1"), line("j2"), line("j3").replace(r#""accountId":"a""#, r#""accountId":"b""#)];
    let tried = world.import_jobs(&lines, &["--dry-run"]).succeeded();
    assert_eq!(
        tried.out,
        "dry run, nothing was written: jobs: 0 created, 0 updated, 0 unchanged, 3 without an account (none was imported yet), 0 faulty\n"
    );
    let before = world.table().len();
    let accounts = world.write("accounts.jsonl", &[r#"{"id":"a","name":"Anna"}"#, r#"{"id":"b","name":""}"#]);
    let said = world.import_jobs(&lines, &["--rehearse", &accounts]);
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("accounts.jsonl: line 2: name: must not be empty"), "{}", said.err);
    assert!(said.err.contains("jobs.jsonl: line 3: accountId: there is no account with this number"), "{}", said.err);
    assert_eq!(
        said.out,
        "dry run, nothing was written: accounts: 1 created, 0 updated, 0 unchanged, 1 faulty\n\
         dry run, nothing was written: jobs: 2 created, 0 updated, 0 unchanged, 1 faulty\n"
    );
    assert_eq!(world.table().len(), before);
}

#[test]
fn the_same_fault_is_said_once_and_listed_each_time() {
    let world = World::with_tenant();
    let lines: Vec<_> = (0..200).map(|n| line(&format!("j{n}")).replace("1-0:1.8.0", if n == 7 { "1-0:1.8.0" } else { "1.8.0" })).collect();
    let table = world.path("faults.csv");
    let said = world.import_jobs(&lines, &["--faults", table.to_str().unwrap(), "--json"]);
    let reason = "an OBIS code has the form medium-channel:class.type.number, such as 1-0:1.8.0";
    assert!(
        said.err.ends_with(&format!("jobs.jsonl: lines 1, 2, 3 and 196 more: meter.meterRateTasks[0].obis: {reason}\n")),
        "{}",
        said.err
    );
    assert_eq!(said.err.lines().count(), 1);
    assert_eq!(fs::read_to_string(table).unwrap().lines().count(), 200);
    let document: serde_json::Value = serde_json::from_str(&said.out).unwrap();
    let group = &document["faults"][0];
    assert_eq!((group["count"].as_u64(), group["lines"].as_array().unwrap().len(), group["reason"].as_str()), (Some(199), 3, Some(reason)));
}
