//! What a program that starts the command goes by: one document a run.

use std::collections::BTreeSet;

use domain::model::LowerReason;
use jiff::Timestamp;
use serde_json::Value;
use testing::receiver::Receiver;

use crate::mscons::{HOUSE, job, send, world};
use crate::webhook::{self, SECRET};
use crate::world::{Said, World};

/// Every command that does something, as the help tells them.
fn commands(world: &World, words: &[&str], found: &mut BTreeSet<String>) {
    let help = world.run(&[words, &["--help"]].concat()).succeeded().out;
    let Some((_, list)) = help.split_once("\nCommands:\n") else {
        found.insert(words.join(" "));
        return;
    };
    let names = list.lines().take_while(|line| !line.is_empty()).filter(|line| !line.starts_with("   "));
    for name in names.map(|line| line.split_whitespace().next().unwrap()).filter(|name| *name != "help") {
        commands(world, &[words, &[name]].concat(), found);
    }
}

#[test]
fn every_command_answers_with_one_document() {
    let world = world();
    world.create_bucket();
    let path = |name: &str| world.path(name).to_str().unwrap().to_owned();
    let accounts = world.write("people.jsonl", &[r#"{"id":"b","name":"Ben"}"#]);
    let bens = r#"{"accountId":"b","id":"j3","customer":{"mailingAddress":{"street":"Weg","houseNumber":"1","zip":"09999","city":"Birkenfurt"}},"meter":{"meterNumber":"7","meterRateTasks":[{"taskId":"t","obis":"7-0:3.0.0"}]}}"#;
    let jobs = ["1", "2"].map(|end| job(&format!("j{end}"), &format!("1EBZ010000061{end}"), HOUSE, &["1-0:1.8.0"]));
    let jobs = world.write("readings.jsonl", &[&jobs[0], &jobs[1], bens]);
    let mut left = BTreeSet::new();
    commands(&world, &[], &mut left);
    let mut run = |words: &str, more: &[&str]| -> Value {
        assert!(left.remove(words), "{words}: there is no such command");
        let args: Vec<&str> = words.split(' ').chain(more.iter().copied()).chain(["--json"]).collect();
        let said = Said::from(world.command_with_aws(&args).output().unwrap());
        assert_eq!((said.code, said.out.lines().count()), (Some(0), 1), "{words}: {}{}", said.out, said.err);
        serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{words}: {error}: {}", said.out))
    };
    let of = ["--tenant", "birkenfurt"];
    let with = |more: &[&'static str]| [&of[..], more].concat();

    let fresh = path("fresh");
    run("tenant new", &[&fresh, "--id", "fresh", "--name", "Frisch", "--host", "frisch.example"]);
    assert_eq!(run("tenant schema", &[])["title"], "tenant.json");
    assert_eq!(run("tenant apply", &[&fresh])["changed"], true);
    assert_eq!(run("tenant diff", &[&fresh])["changes"], Value::Array(vec![]));
    assert_eq!(run("tenant fetch", &[&fresh, "--tenant", "fresh"])["files"].as_array().unwrap().len(), 6);
    let letters = path("briefe.jsonl");
    assert_eq!(run("accounts import", &[&[accounts.as_str(), "--letters", &letters], &of[..]].concat())["accounts"]["created"], 1);
    assert_eq!(run("jobs import", &[&[jobs.as_str()], &of[..]].concat())["jobs"]["created"], 3);
    let import = run("imports list", &of)["imports"][0]["id"].as_str().unwrap().to_owned();
    assert_eq!(import.len(), 20);
    let of_2026 = ["2026", "--name", "Ablesung 2026", "--from", "2026-11-01", "--to", "2027-01-31"];
    assert_eq!(run("seasons create", &[&of_2026[..], &of].concat())["done"], "created");
    assert_eq!(run("seasons list", &of)["seasons"][0]["id"], "2026");
    let pdf = path("briefe.pdf");
    assert_eq!(run("letters print", &[&[letters.as_str(), "--pdf", &pdf], &of[..]].concat())["letters"], 1);
    let again = path("neu.jsonl");
    assert_eq!(run("letters reprint", &[&["--account", "b", "--letters", &again], &of[..]].concat())["letters"], 1);

    let waits = ["j1", "j2"].map(|job| send(&world, job, 0, "7", "2026-11-20", Some(LowerReason::MeterChange)));
    assert_eq!(run("clearing list", &of)["waiting"].as_array().unwrap().len(), 2);
    assert_eq!(run("clearing release", &[&["j1", waits[0].as_str()], &of[..]].concat())["released"], true);
    assert_eq!(run("clearing reject", &[&["j2", waits[1].as_str(), "--reason", "typing error"], &of[..]].concat())["released"], false);
    assert_eq!(run("clearing undo", &[&["j2", waits[1].as_str()], &of[..]].concat())["released"], false);
    assert_eq!(run("season", &of)["done"], 2);
    world.block_on(emulators::verify_sender(&world.aws(), "stadtwerke-birkenfurt.example")).unwrap();
    let desk = ["--role", "clerk", "--desk-origin", "https://desk.example"];
    let invited = run("members invite", &[&["clara@example.org"], &desk[..], &of].concat());
    assert!(invited["link"].as_str().is_some_and(|link| link.starts_with("https://desk.example/invitation/birkenfurt/")), "{invited}");
    assert_eq!(run("members list", &of)["invited"][0]["email"], "clara@example.org");
    let member = world.add_member("clara");
    assert_eq!(run("members change", &[&[member.as_str(), "--role", "support"], &of[..]].concat())["roles"][0], "support");
    assert_eq!(run("members remove", &[&[member.as_str()], &of[..]].concat())["removed"], true);
    let out = path("ausgang");
    assert_eq!(run("readings export", &[&["--new", "--format", "csv", "--dir", &out], &of[..]].concat())["readings"], 1);
    assert_eq!(run("readings mscons", &[&["--out", out.as_str()], &of[..]].concat())["readings"], 1);
    let messages = run("market status", &of)["messages"].clone();
    let interchange = messages[0]["interchange"].as_str().unwrap().to_owned();
    let contrl = format!(
        "UNB+UNOC:3+9900000000002:500+9900000000001:500+261122:1000+C1'UNH+1+CONTRL:D:3:UN:2.0b'UCI+{interchange}+++7'UNT+3+1'UNZ+1+C1'"
    );
    let contrl = world.write("contrl.txt", &[contrl]);
    assert_eq!(run("market receive", &[&[contrl.as_str()], &of[..]].concat())["accepted"], 1);
    assert_eq!(run("market resend", &of)["again"], Value::Array(vec![]));
    assert_eq!(run("reminders send", &with(&["--dry-run"]))["due"], Value::Array(vec![]));

    let receiver = Receiver::start(&[SECRET], |n, _| if n == 0 { (410, None) } else { (200, None) });
    webhook::apply(&world, serde_json::json!({ "url": receiver.url, "secretParameter": "webhook" }));
    world.put_signing_secret(SECRET);
    assert_eq!(run("webhook status", &of)["waiting"], 0);
    webhook::visitors(&world, 0..1);
    world.deliveries(Timestamp::now());
    let dead = run("webhook dead", &of)["deadLetters"][0]["message"].as_str().unwrap().to_owned();
    assert_eq!(run("webhook test", &of)["taken"], true);
    assert_eq!(run("webhook discard", &[&[dead.as_str()], &of[..]].concat())["discarded"], 1);
    assert_eq!(run("webhook retry", &of)["revived"], 0);

    assert_eq!(run("accounts list", &with(&["--find", "ben"]))["accounts"][0]["account"], "b");
    assert_eq!(run("jobs list", &with(&["--find", "0611"]))["jobs"][0]["job"], "j1");
    assert_eq!(run("readings list", &with(&["--find", "0611"]))["readings"].as_array().unwrap().len(), 1);
    let open = run("jobs open", &of).to_string();
    assert!(open.contains("\"j3\""), "{open}");
    let entered = run("readings enter", &with(&["j3", "--channel", "PHONE", "--value", "7"]));
    assert_eq!((&entered["outcome"], &entered["done"]), (&"stored".into(), &true.into()));
    let today = Timestamp::now().to_zoned(jiff::tz::TimeZone::get("Europe/Berlin").unwrap()).date();
    let card = serde_json::json!({ "job": "j3", "readingDate": today.to_string(), "readings": [{ "value": "7" }] });
    let cards = world.write("karten.jsonl", &[card.to_string()]);
    assert_eq!(run("readings import", &[&[cards.as_str()], &of[..]].concat())["readings"]["unchanged"], 1);
    for (words, id) in [("accounts show", "b"), ("jobs show", "j1")] {
        assert!(run(words, &with(&[id])).to_string().contains(id), "{words}");
    }
    run("invitations send", &with(&["--dry-run"]));

    assert_eq!(run("subject show", &with(&["--account", "b"]))["items"][0]["name"], "Ben");
    assert_eq!(run("subject erase", &with(&["--account", "b", "--yes"]))["account"], "b");
    let erasures = run("subject erasures", &of);
    let list = world.write("erasures.jsonl", &[erasures["erasures"][0].to_string()]);
    assert_eq!(run("subject holds", &of)["holds"], Value::Array(Vec::new()));
    assert_eq!(run("subject replay", &[&[list.as_str()], &of[..]].concat())["listed"], 1);
    let audit = run("audit", &of);
    assert_eq!(audit["commands"][0]["command"], "accounts import");
    let spare = world.import_jobs(&[job("j9", "1EBZ0100000619", HOUSE, &["1-0:1.8.0"])], &["--season", "2026", "--json"]).out;
    let spare = serde_json::from_str::<Value>(&spare).unwrap()["import"].as_str().unwrap().to_owned();
    assert_eq!(run("imports undo", &[&[spare.as_str()], &of[..]].concat())["undone"]["removed"], 1);
    assert_eq!(left, BTreeSet::new(), "these were not tried");
}

#[test]
fn what_cannot_be_carried_out_is_one_document_of_every_command() {
    let world = World::new();
    let mut all = BTreeSet::new();
    commands(&world, &[], &mut all);
    assert!(all.len() > 20, "{all:?}");
    let cause = |said: &Said| {
        assert_eq!((said.code, said.out.lines().count()), (Some(2), 1), "{}{}", said.out, said.err);
        let Value::Object(document) = serde_json::from_str(&said.out).unwrap() else { panic!("{}", said.out) };
        assert_eq!(document.keys().collect::<Vec<_>>(), ["error"]);
        document["error"].as_str().unwrap().to_owned()
    };
    for words in all.iter().map(|words| words.split(' ').collect::<Vec<_>>()) {
        let wrong = |more: &[&str]| world.run(&[&words, more].concat());
        let said = wrong(&["--no-such-option", "--json"]);
        assert_eq!(cause(&said), "unexpected argument '--no-such-option' found", "{words:?}");
        assert!(said.err.starts_with("error: unexpected argument") && said.err.contains("\nUsage: zaehlwerk "), "{words:?}: {}", said.err);
        let said = wrong(&["--no-such-option"]);
        assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{words:?}");
        let said = wrong(&["--json", "--help"]);
        assert_eq!((said.code, said.err.as_str()), (Some(0), ""), "{words:?}: help is no failure");
    }
    let missing = cause(&world.run(&["season", "--json"]));
    assert_eq!(missing, "the following required arguments were not provided: --tenant <ID>");
    assert!(cause(&world.run(&["--json"])).contains("requires a subcommand"));
    let said = world.run(&["season", "--tenant", "nobody", "--json"]);
    assert_eq!(cause(&said), "there is no tenant `nobody`; `zaehlwerk tenant apply` creates it");
    assert_eq!(said.err, format!("zaehlwerk: {}\n", cause(&said)));
    // After `--` it is a name and no option.
    let said = world.run(&["accounts", "import", "--no-such-option", "--", "--json"]);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""));
}

/// Where the exit code is 1 there is a document, too: a program that reads none takes it for a failure.
#[test]
fn what_came_to_nothing_is_one_document_of_every_command() {
    let world = world();
    world.create_bucket();
    let lines: Vec<_> = (1..=2).map(|end| job(&format!("j{end}"), &format!("1EBZ010000061{end}"), HOUSE, &["1-0:1.8.0"])).collect();
    world.import_jobs(&lines, &[]).succeeded();
    let rest = world.write("rest.jsonl", &lines[..1]);
    for (args, expected) in [
        (vec!["jobs", "import", &rest, "--close-missing"], r#"{"closed":null,"open":2,"wouldClose":1}"#),
        (vec!["subject", "erase", "--account", "nobody", "--yes"], r#"{"account":null}"#),
        (vec!["subject", "erase", "--account", "a"], r#"{"account":"a","confirmed":false}"#),
        (vec!["accounts", "show", "nobody"], r#"{"account":null}"#),
        (vec!["jobs", "show", "none"], r#"{"job":null}"#),
    ] {
        let said = Said::from(world.command_with_aws(&[&args[..], &["--tenant", "birkenfurt", "--json"]].concat()).output().unwrap());
        assert_eq!((said.code, said.out.trim_end()), (Some(1), expected), "{args:?}: {}", said.err);
    }
}

#[test]
fn the_faults_of_a_folder_are_one_document_too() {
    let world = World::new();
    for command in ["apply", "diff"] {
        let said = world.run(&["tenant", command, "/does-not-exist", "--json"]);
        assert_eq!(said.code, Some(1));
        let document: Value = serde_json::from_str(&said.out).unwrap();
        let faults = document["faults"].as_array().unwrap();
        let first = serde_json::json!({ "file": "contact.json", "path": "", "reason": "is missing" });
        assert_eq!((faults.len(), &faults[0]), (4, &first), "{}", said.out);
    }
}
