use std::io::Write as _;
use std::process::Stdio;

use domain::erasure::ErasureGround;
use domain::ids::MemberId;
use domain::model::LoginKind;
use jiff::{Timestamp, ToSpan as _};
use serde_json::{Value, json};
use store::{AskedErasure, IdempotencyWrite, ReadingWithoutJob};
use testing::account_id;

use crate::world::{Item, Said, World};

const JOB: &str =
    r#"{"accountId":"a","id":"j1","meter":{"meterNumber":"1EBZ0100000619","meterRateTasks":[{"taskId":"t1","obis":"1-0:1.8.0"}]}}"#;

/// Account `a` with a job, and a bucket for photos.
fn world() -> World {
    let world = World::with_tenant();
    world.import_jobs(&[JOB], &[]).succeeded();
    world.create_bucket();
    world
}

fn subject(world: &World, args: &[&str], typed: &str) -> Said {
    let args = [&["subject"], args, &["--tenant", "birkenfurt"]].concat();
    let mut command = world.command_with_aws(&args);
    let mut running = command.stdin(Stdio::piped()).spawn().unwrap();
    running.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
    Said::from(running.wait_with_output().unwrap())
}

#[test]
fn shows_what_is_stored_and_nothing_that_opens_a_door() {
    let world = world();
    let said = subject(&world, &["show", "--account", "a", "--json"], "").succeeded();
    let shown: Value = serde_json::from_str(&said.out).unwrap();
    let kinds: Vec<_> = shown["items"].as_array().unwrap().iter().map(|item| item["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["account", "job", "job"]);
    assert_eq!(shown["items"][0]["name"], "Anna");
    assert_eq!(shown["items"][2]["master"]["meter"]["meterNumber"], "1EBZ0100000619");
    assert!(!said.out.contains("argon2") && !said.out.contains("pk"), "{}", said.out);

    let lines = subject(&world, &["show", "--account", "a"], "").succeeded().out;
    assert_eq!(lines.lines().count(), 3);
    // Sub-accounts of earlier versions have such ids.
    let hyphen = subject(&world, &["show", "--account", "-qCeAAheXYqSJGDSyb6DcQ"], "");
    assert_eq!((hyphen.code, hyphen.err.as_str()), (Some(1), "zaehlwerk: nothing is stored about -qCeAAheXYqSJGDSyb6DcQ\n"));
    let nobody = subject(&world, &["show", "--account", "b"], "");
    assert_eq!((nobody.code, nobody.err.as_str()), (Some(1), "zaehlwerk: nothing is stored about b\n"));
}

#[test]
fn erases_when_it_is_confirmed_and_can_be_replayed() {
    let world = world();
    let before = world.table();
    let refused = subject(&world, &["erase", "--account", "a"], "yes\n");
    assert_eq!(refused.code, Some(1), "{}", refused.err);
    assert!(world.job("j1").is_some());

    let erased = subject(&world, &["erase", "--account", "a", "--json"], "a\n");
    assert_eq!(erased.code, Some(0), "{}", erased.err);
    let report: Value = serde_json::from_str(&erased.out).unwrap();
    assert_eq!((&report["account"], &report["objects"]), (&json!("a"), &json!(0)));
    assert!(world.job("j1").is_none());
    assert_eq!(subject(&world, &["show", "--account", "a"], "").code, Some(1));

    let list = subject(&world, &["erasures"], "").succeeded().out;
    assert_eq!(list.lines().count(), 1);
    let record: Value = serde_json::from_str(&list).unwrap();
    let mut members: Vec<_> = record.as_object().unwrap().keys().map(String::as_str).collect();
    members.sort_unstable();
    assert_eq!(members, ["erasedAt", "fingerprint", "requestedAt"]);
    let fingerprint = record["fingerprint"].as_str().unwrap();
    assert!(fingerprint.len() == 64 && fingerprint.bytes().all(|byte| byte.is_ascii_hexdigit()), "{record}");
    let list = world.write("erasures.jsonl", &[list.trim()]);

    world.restore(&before);
    world.import_accounts(&[r#"{"id":"b","name":"Bernd"}"#]).succeeded();
    let again = subject(&world, &["replay", &list], "").succeeded();
    assert_eq!(again.out, "1 erasure in the list, 1 account erased again\n");
    assert_eq!(subject(&world, &["show", "--account", "a"], "").code, Some(1));
    subject(&world, &["show", "--account", "b"], "").succeeded();
}

/// The last look would take along who comes back before it.
#[test]
fn who_is_being_erased_is_not_imported_again_before_that_is_over() {
    let world = World::with_tenant();
    world.import_jobs(&[JOB], &[]).succeeded();
    let photos = world.create_bucket();
    assert_eq!(subject(&world, &["erase", "--account", "a"], "a\n").code, Some(0));
    let file = world.write("again.jsonl", &[r#"{"id":"a","name":"Anna"}"#, r#"{"id":"b","name":"Bernd"}"#]);
    let import = |more: &[&str]| world.run(&[&["accounts", "import", &file, "--tenant", "birkenfurt"], more].concat());
    for more in [&["--dry-run"][..], &[]] {
        import(more).found(
            "again.jsonl",
            &["line 1: id: is being erased; import it again when the erasure is no longer under way under `Data protection`, about an hour after it began"],
        );
    }
    assert_eq!(world.import_jobs(&[JOB], &[]).code, Some(1), "no job without its account");

    let (store, tenant) = (&world.store, &world.tenant);
    let erasure = world.block_on(store.erasure(tenant, &account_id("a"))).unwrap().unwrap();
    world.block_on(store.erase(&photos, tenant, &erasure, Timestamp::now() + 1.hour(), &|| false)).unwrap();
    import(&[]).succeeded();
    subject(&world, &["show", "--account", "a"], "").succeeded();
}

/// The utility's next file lists somebody again, and months later the table is restored.
#[test]
fn who_came_back_after_an_erasure_that_the_restored_table_knows_stays() {
    let world = World::with_tenant();
    world.import_jobs(&[JOB], &[]).succeeded();
    let photos = world.create_bucket();
    assert_eq!(subject(&world, &["erase", "--account", "a"], "a\n").code, Some(0));
    let erasure = world.block_on(world.store.erasure(&world.tenant, &account_id("a"))).unwrap().unwrap();
    world.block_on(world.store.erase(&photos, &world.tenant, &erasure, Timestamp::now() + 1.hour(), &|| false)).unwrap();
    world.import_accounts(&[r#"{"id":"a","name":"Anna"}"#, r#"{"id":"b","name":"Bernd"}"#]).succeeded();
    let before = world.table();
    assert_eq!(subject(&world, &["erase", "--account", "b"], "b\n").code, Some(0));
    let list = world.write("erasures.jsonl", &[subject(&world, &["erasures"], "").succeeded().out.trim()]);
    world.restore(&before);
    let again = subject(&world, &["replay", &list], "").succeeded();
    assert_eq!(again.out, "2 erasures in the list, 1 account erased again\n");
    subject(&world, &["show", "--account", "a"], "").succeeded();
    assert_eq!(subject(&world, &["show", "--account", "b"], "").code, Some(1));
}

#[test]
fn a_restored_table_gets_back_holds_and_erasures_that_have_begun() {
    let world = world();
    let ids = ["begun", "asked", "held", "free"];
    world.import_accounts(&ids.map(|id| format!(r#"{{"id":"{id}","name":"{id}"}}"#))).succeeded();
    let (store, tenant) = (&world.store, &world.tenant);
    world.block_on(store.hold(tenant, &testing::hold("free"), None)).unwrap();
    let before = world.table();
    world.block_on(testing::end_hold(store, tenant, &account_id("free")));
    world.block_on(store.hold(tenant, &testing::hold("held"), None)).unwrap();
    assert_eq!(subject(&world, &["erase", "--account", "free", "--yes"], "").code, Some(0));
    for id in ["begun", "held"] {
        world.block_on(store.request_erasure(tenant, &account_id(id), Timestamp::now())).unwrap();
    }
    let asked = AskedErasure { member: MemberId::new("first").unwrap(), by: "Frau Sommer".into(), ground: ErasureGround::Objection };
    world.block_on(store.ask_for_erasure(tenant, &account_id("asked"), asked, true, Timestamp::now())).unwrap();
    let erasures = subject(&world, &["erasures"], "").succeeded().out;
    let is_done = |line: &str| serde_json::from_str::<Value>(line).unwrap().get("erasedAt").is_some();
    assert_eq!(erasures.lines().map(is_done).collect::<Vec<_>>(), [true, false, false, false], "{erasures}");
    let holds = subject(&world, &["holds"], "").succeeded().out;
    assert_eq!((holds.lines().count(), holds.contains(r#""account":"held""#)), (1, true), "{holds}");
    let (erasures, holds) = (world.write("erasures.jsonl", &[erasures.trim()]), world.write("holds.jsonl", &[holds.trim()]));

    world.restore(&before);
    let wrong = subject(&world, &["replay", &erasures, "--holds", &erasures], "");
    assert_eq!(wrong.code, Some(2), "{}", wrong.err);
    assert!(wrong.err.contains("erasures.jsonl:1: is no line of `zaehlwerk subject holds`"), "{}", wrong.err);
    let again = subject(&world, &["replay", &erasures, "--holds", &holds], "").succeeded();
    assert_eq!(again.out, "4 erasures in the list, 2 accounts erased again\n");
    let there = ids.map(|id| world.block_on(store.account(tenant, &account_id(id))).unwrap().is_some());
    assert_eq!(there, [false, true, true, false]);
    let held: Vec<_> = world.block_on(store.holds(tenant)).unwrap().list().iter().map(|hold| hold.account.clone()).collect();
    assert_eq!(held, [account_id("held")]);
    let open: Vec<_> = world.block_on(store.open_erasures(tenant)).unwrap();
    let find = |id: &str| open.iter().find(|erasure| erasure.account == account_id(id)).unwrap();
    assert!(!find("held").awaits_second && find("held").erased_at.is_none(), "it goes on when the hold ends");
    assert!(find("asked").awaits_second && find("asked").asked.as_ref().is_some_and(|asked| asked.by == "Frau Sommer"));
}

#[test]
fn a_visitor_is_erased_again_too() {
    let world = world();
    let visitor = account_id("visitor~1");
    let entry = ReadingWithoutJob {
        id: "unknown~1".parse().unwrap(),
        created: Timestamp::now(),
        login_kind: LoginKind::Public,
        login_account_id: visitor.clone(),
        meter_type: None,
        sub_type: None,
        meter_number: "7GMT0000004711".into(),
        reading_values: Vec::new(),
        reading_date: "2026-11-21".parse().unwrap(),
        reading_reason: None,
        contact: None,
        email: None,
        language: None,
        comment: None,
    };
    let record = IdempotencyWrite { key_hash: "k".into(), request_hash: "h".into(), response_body: "{}".into(), created: Timestamp::now() };
    world.block_on(world.store.submit_without_job(&world.tenant, &entry, &record, false)).unwrap();
    let before = world.table();
    assert_eq!(subject(&world, &["erase", "--account", visitor.as_str(), "--yes"], "").code, Some(0));
    let list = world.write("erasures.jsonl", &[subject(&world, &["erasures"], "").succeeded().out.trim()]);
    world.restore(&before);
    let again = subject(&world, &["replay", &list], "").succeeded();
    assert_eq!(again.out, "1 erasure in the list, 1 account erased again\n");
    assert_eq!(world.block_on(world.store.reading_without_job(&world.tenant, &entry.id)).unwrap(), None);
    subject(&world, &["show", "--account", "a"], "").succeeded();
}

#[test]
fn an_erasure_leaves_nothing_at_a_former_meter_number() {
    let world = world();
    let bystander = JOB.replace("1EBZ0100000619", "1EBZ0100000621").replace("\"a\"", "\"b\"").replace("j1", "j2");
    world.import_accounts(&[r#"{"id":"b","name":"Bernd"}"#]).succeeded();
    world.import_jobs(&[&bystander], &[]).succeeded();
    let meters = || world.table().into_iter().filter(|item| item["sk"].as_s().is_ok_and(|sk| sk == "METER")).collect::<Vec<_>>();
    let of_job = |meters: &[Item]| meters.iter().filter(|meter| format!("{meter:?}").contains("j1")).cloned().collect::<Vec<_>>();
    let former = of_job(&meters());
    let corrected = JOB.replace("1EBZ0100000619", "1EBZ0100000620");
    world.import_jobs(&[&corrected], &[]).succeeded();
    let now = of_job(&meters());
    assert_eq!((former.len(), now.len()), (1, 1));
    assert_ne!(former[0]["pk"], now[0]["pk"]);

    let erased = subject(&world, &["erase", "--account", "a", "--yes"], "");
    assert_eq!(erased.code, Some(0), "{}", erased.err);
    assert_eq!(meters().len(), 1, "the neighbour's");
    // The request itself knows whom it is about until the worker's last look.
    let request = |item: &Item| item["pk"].as_s().unwrap() == "T#birkenfurt#ERASE";
    for item in world.table().iter().filter(|item| !request(item)) {
        let text = format!("{item:?}");
        let names = [r#"S("a")"#, "#A#a\"", r#"\"a\""#, "j1", "Anna", "anna", "1EBZ0100000619", "1EBZ0100000620"];
        assert!(!names.iter().any(|name| text.contains(name)), "{text}");
    }
    assert_eq!(world.jobs_of("b").len(), 1);
}

#[test]
fn a_legal_hold_and_a_missing_bucket_stop_it() {
    let world = world();
    let missing = world.run(&["subject", "erase", "--account", "a", "--yes", "--tenant", "birkenfurt"]);
    assert_eq!(missing.code, Some(2));
    assert_eq!(missing.err, "zaehlwerk: the bucket with the photos is not named: --bucket or PHOTO_BUCKET\n");

    let file = world.path("demo").join("birkenfurt/tenant.json");
    let mut tenant: Value = serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    tenant["retention"] = json!({"legalHold": true});
    std::fs::write(&file, tenant.to_string()).unwrap();
    world.run(&["tenant", "apply", world.path("demo/birkenfurt").to_str().unwrap()]).succeeded();
    let held = subject(&world, &["erase", "--account", "a", "--yes"], "");
    assert_eq!(held.code, Some(2));
    assert!(held.err.contains("legal hold"), "{}", held.err);
    assert!(world.job("j1").is_some());
}

#[test]
fn a_command_on_persons_says_who_gave_it() {
    let world = world();
    subject(&world, &["show", "--account", "a", "--by", "Frau Klar"], "").succeeded();
    assert_eq!(subject(&world, &["show", "--account", "erased"], "").code, Some(1));
    let said = world.run(&["audit", "--tenant", "birkenfurt", "--json"]).succeeded();
    let audit: Value = serde_json::from_str(&said.out).unwrap();
    let commands = audit["commands"].as_array().unwrap();
    let words: Vec<_> = commands.iter().map(|record| record["command"].as_str().unwrap()).collect();
    assert_eq!(words, ["accounts import", "jobs import", "subject show", "subject show"]);
    assert_eq!((&commands[2]["customer"], &commands[3]["customer"]), (&json!("a"), &Value::Null), "who is not there is not named");
    assert!(commands[3]["account"].is_string());
    assert_eq!(commands[2]["by"], "Frau Klar");
    assert!(commands[2]["at"].is_string());
    let account = commands[2]["account"].as_str().unwrap();
    assert_eq!(account, store::fingerprint(&world.tenant, &"a".parse().unwrap()));
    assert!(commands[0]["account"].is_null());
}

// D-OPERATIONS-14
#[test]
fn each_command_is_noted_when_it_comes_to_the_point_and_with_whose_data() {
    let world = world();
    let noted = || {
        let said = world.run(&["audit", "--tenant", "birkenfurt", "--json"]).succeeded();
        let audit: Value = serde_json::from_str(&said.out).unwrap();
        let of = |noted: &Value, name: &str| noted[name].as_str().unwrap_or_default().to_owned();
        let commands = audit["commands"].as_array().unwrap().iter().skip(2);
        commands.map(|noted| format!("{} {}", of(noted, "command"), of(noted, "customer"))).collect::<Vec<_>>()
    };
    let run = |args: &[&str]| Said::from(world.command_with_aws(&[args, &["--tenant", "birkenfurt"]].concat()).output().unwrap());
    let photos = world.path("photos");
    let enter =
        ["readings", "enter", "j1", "--channel", "PHONE", "--value", "7", "--lower-reason", "METER_CHANGE", "--confirm", "new meter"];
    assert_eq!(run(&[&enter[..], &["--date", "2099-01-01"]].concat()).code, Some(1));
    assert!(noted().is_empty(), "nothing was entered");
    run(&enter).succeeded();
    let page: Value = serde_json::from_str(&run(&["jobs", "show", "j1", "--json"]).succeeded().out).unwrap();
    let reading = page["readings"][0]["reading"].as_str().unwrap().to_owned();
    run(&["clearing", "list"]).succeeded();
    run(&["clearing", "list", "--photos", photos.to_str().unwrap()]).succeeded();
    assert_eq!(run(&["clearing", "release", "j1", "none"]).code, Some(2));
    run(&["clearing", "release", "j1", &reading]).succeeded();
    run(&["clearing", "undo", "j1", &reading]).succeeded();
    run(&["clearing", "reject", "j1", &reading, "--reason", "another meter"]).succeeded();
    let nowhere = world.path("nowhere.jsonl");
    assert_eq!(run(&["letters", "print", nowhere.to_str().unwrap(), "--csv", "x.csv"]).code, Some(2));
    run(&["invitations", "send", "--dry-run"]);
    run(&["webhook", "retry"]);
    assert_eq!(world.run(&["accounts", "list", "--tenant", "nobody"]).code, Some(2));
    assert_eq!(run(&["members", "remove", "4fGh0wT8LkZr2VbNq1XyPc"]).code, Some(1));
    assert_eq!(subject(&world, &["erase", "--account", "a"], "no\n").code, Some(1));
    let expected = [
        "readings enter a",
        "jobs show a",
        "clearing list ",
        "clearing photos ",
        "clearing release a",
        "clearing undo a",
        "clearing reject a",
        "letters print ",
        "invitations listed ",
        "webhook retry ",
    ];
    assert_eq!(noted(), expected);
    assert_eq!(subject(&world, &["erase", "--account", "a"], "a\n").code, Some(0));
    assert_eq!(noted()[10..], ["subject erase "], "an erasure takes the customer out");
}
