//! The list of imports, and taking one back.

use std::fs;

use domain::ids::AccountId;
use jiff::Timestamp;
use serde_json::Value;

use crate::mscons::{HOUSE, job, send};
use crate::world::{Said, World};

fn electric(id: &str) -> String {
    job(id, &format!("EBZ {id}"), HOUSE, &["1-0:1.8.0"])
}

fn list(world: &World) -> Vec<Value> {
    let said = world.run(&["imports", "list", "--json", "--tenant", world.tenant.as_str()]).succeeded();
    serde_json::from_str::<Value>(&said.out).unwrap()["imports"].as_array().unwrap().clone()
}

fn undo_last(world: &World) -> Said {
    let last = list(world)[0]["id"].as_str().unwrap().to_owned();
    world.run(&["imports", "undo", &last, "--tenant", world.tenant.as_str()])
}

/// Everything but the list of imports and the audit, which only grow, and without the portfolios' versions.
fn content(world: &World) -> Vec<String> {
    let left_out = |key: &str| key.contains("#IMPORTS") || key.contains("#AUDIT");
    let items = world.table().into_iter().filter(|item| !left_out(item["pk"].as_s().unwrap()));
    let mut items: Vec<_> = items
        .map(|mut item| {
            item.retain(|name, _| name != "version" && name != "linksEndAt");
            let mut fields: Vec<_> = item.into_iter().map(|(name, value)| format!("{name}={value:?}")).collect();
            fields.sort();
            fields.join(" ")
        })
        .collect();
    items.sort();
    items
}

#[test]
fn a_wrong_import_goes_back_as_if_it_had_not_been() {
    let world = World::with_tenant();
    world.import_accounts(&[r#"{"id":"b","name":"Ben"}"#]).succeeded();
    let moving = |account: &str, id: &str| {
        job(id, "1EBZ0100000619", HOUSE, &["1-0:1.8.0"]).replace(r#""accountId":"a""#, &format!(r#""accountId":"{account}""#))
    };
    let first = [electric("same"), electric("changed"), electric("lacking"), moving("a", "moved")];
    world.import_jobs(&first, &[]).succeeded();
    // What the portfolio of an account without jobs leaves behind is nobody's business; what is to be counted comes to the same.
    let kept = || content(&world).into_iter().filter(|item| !item.contains("JOB!") && !item.contains("#CHANGES#")).collect::<Vec<_>>();
    let before = kept();

    let wrong = [first[0].clone(), first[1].replace("EBZ changed", "EBZ wrong"), electric("new"), moving("b", "moved-here")];
    world.import_jobs(&wrong, &["--close-missing", "--yes-close", "2"]);
    assert!(world.job("lacking").is_none() && !world.jobs_of("b").is_empty());
    let said = undo_last(&world).succeeded();
    assert!(said.out.ends_with(": 2 removed, 3 restored, 0 stay\n"), "{}", said.out);
    assert_eq!(kept(), before);
    assert!(undo_last(&world).succeeded().out.ends_with(": 0 removed, 0 restored, 0 stay\n"), "once more does nothing");
    assert_eq!(world.import_jobs(&first, &[]).succeeded().out, "jobs: 0 created, 0 updated, 4 unchanged, 0 faulty\n");
}

#[test]
fn what_was_used_or_written_since_stays() {
    let world = World::with_tenant();
    world.import_jobs(&[electric("read"), electric("open"), electric("again")], &[]).succeeded();
    let import = list(&world)[0]["id"].as_str().unwrap().to_owned();
    send(&world, "read", 0, "7", "2026-11-20", None);
    world.import_jobs(&[electric("again").replace("EBZ again", "EBZ other")], &[]).succeeded();
    let said = world.run(&["imports", "undo", &import, "--tenant", world.tenant.as_str()]);
    assert_eq!((said.code, said.err.as_str()), (Some(1), "read stays: it was used since\n"));
    assert_eq!(said.out, format!("import {import}: 1 removed, 0 restored, 1 stays\n"));
    assert!(world.job("open").is_none() && world.job("read").unwrap().done);
    assert_eq!(world.job("again").unwrap().master.meter.meter_number, "EBZ other");

    // The later one gives back what the earlier one wrote, which then can be undone too.
    assert!(undo_last(&world).succeeded().out.contains("0 removed, 1 restored"));
    let said = world.run(&["imports", "undo", &import, "--tenant", world.tenant.as_str()]);
    assert!(said.out.contains("1 removed, 0 restored, 1 stays"), "{}", said.out);
    assert!(world.job("again").is_none());
}

#[test]
fn what_a_clerk_rejected_since_stays_rejected() {
    let world = World::with_tenant();
    world.import_jobs(&[electric("read")], &[]).succeeded();
    let of_tenant = |args: &[&str]| world.run(&[args, &["--tenant", world.tenant.as_str()]].concat()).succeeded().out;
    of_tenant(&["readings", "enter", "read", "--channel", "PHONE", "--value", "7"]);
    assert_eq!(world.import_jobs(&[electric("read").replace("EBZ read", "EBZ wrong")], &[]).code, Some(0));
    let page: Value = serde_json::from_str(&of_tenant(&["jobs", "show", "read", "--json"])).unwrap();
    assert_eq!(page["state"], "done", "{page}");
    of_tenant(&["clearing", "reject", "read", page["readings"][0]["reading"].as_str().unwrap(), "--reason", "another meter"]);

    assert!(undo_last(&world).succeeded().out.ends_with(": 0 removed, 1 restored, 0 stay\n"));
    let page: Value = serde_json::from_str(&of_tenant(&["jobs", "show", "read", "--json"])).unwrap();
    assert_eq!((&page["meterNumber"], &page["state"]), (&"EBZ read".into(), &"open".into()), "{page}");
}

#[test]
fn accounts_that_nobody_needed_go_with_their_logins() {
    let world = World::with_tenant();
    world.import_accounts(&[r#"{"id":"k-1","name":"Erika"}"#, r#"{"id":"k-2","name":"Max"}"#, r#"{"id":"a","name":"Anne"}"#]).succeeded();
    world.import_jobs(&[electric("j1").replace(r#""accountId":"a""#, r#""accountId":"k-2""#)], &[]).succeeded();
    let import = list(&world)[1]["id"].as_str().unwrap().to_owned();
    let said = world.run(&["imports", "undo", &import, "--tenant", world.tenant.as_str()]);
    assert_eq!(said.code, Some(1));
    assert_eq!(said.err, "a stays: what it was before is not known\nk-2 stays: it was used since\n");
    assert_eq!(said.out, format!("import {import}: 1 removed, 0 restored, 2 stay\n"));
    let account = |id: &str| world.block_on(world.store.account(&world.tenant, &AccountId::new(id).unwrap())).unwrap();
    assert!(account("k-1").is_none() && account("k-2").is_some() && account("a").is_some());
    assert!(!world.table().iter().any(|item| format!("{item:?}").contains("k-1")), "nothing leads to it any more");
}

#[test]
fn accounts_with_new_login_data_stay_and_a_further_link_goes_with_its_account() {
    let world = World::with_tenant();
    let file = world.write("new.jsonl", &[r#"{"id":"k-1","name":"Erika"}"#, r#"{"id":"k-2","name":"Max"}"#]);
    world.run(&["accounts", "import", &file, "--tenant", "birkenfurt"]).succeeded();
    let reprint = |name: &str, more: &[&str]| {
        let letters = world.path(name);
        world.run(&[&["letters", "reprint", "--tenant", "birkenfurt", "--letters", letters.to_str().unwrap()], more].concat()).succeeded();
    };
    reprint("first.jsonl", &["--account", "k-1"]);
    let import = list(&world)[0]["id"].as_str().unwrap().to_owned();
    let said = world.run(&["imports", "undo", &import, "--tenant", "birkenfurt"]);
    assert_eq!((said.code, said.err.as_str()), (Some(1), "k-1 stays: it was used since\n"));
    assert_eq!(said.out, format!("import {import}: 1 removed, 0 restored, 1 stays\n"));

    world.import_accounts(&[r#"{"id":"k-3","name":"Eva"}"#]).succeeded();
    reprint("next.jsonl", &["--keep-login", "--account", "k-3"]);
    assert!(undo_last(&world).succeeded().out.ends_with(": 1 removed, 0 restored, 0 stay\n"));
    let is_of_trail = |item: &crate::world::Item| item["pk"].as_s().is_ok_and(|pk| pk.contains("AUDIT"));
    assert!(!world.table().iter().any(|item| !is_of_trail(item) && format!("{item:?}").contains("k-3")), "nothing leads to it any more");
}

#[test]
fn the_list_says_who_brought_in_what() {
    let world = World::with_tenant();
    world.import_jobs(&[electric("j1"), electric("j2").replace("1-0:1.8.0", "1.8.0")], &["--by", "frau.meier"]);
    world.import_jobs(&[electric("j3")], &["--dry-run"]).succeeded();
    let imports = list(&world);
    assert_eq!(imports.len(), 2, "a trial is none");
    let jobs = &imports[0];
    assert_eq!((&jobs["kind"], &jobs["by"], &jobs["file"]), (&"jobs".into(), &"frau.meier".into(), &"jobs.jsonl".into()));
    assert_eq!(jobs["counts"], serde_json::json!({ "created": 1, "faulty": 1 }));
    assert!(jobs["ended"].is_string() && jobs["sha256"].as_str().unwrap().len() == 64 && jobs["undone"].is_null());
    assert!(fs::metadata(world.path("jobs.jsonl")).is_ok());
    let unknown = world.run(&["imports", "undo", "nothing", "--tenant", world.tenant.as_str()]);
    assert_eq!((unknown.code, unknown.err.as_str()), (Some(2), "zaehlwerk: there is no import `nothing`\n"));
    undo_last(&world).succeeded();
    assert!(list(&world)[0]["undone"].is_string());
    let lines = world.run(&["imports", "list", "--tenant", world.tenant.as_str()]).succeeded().out;
    let begun: Timestamp = jobs["begun"].as_str().unwrap().parse().unwrap();
    let begun = begun.in_tz("Europe/Berlin").unwrap().strftime("%Y-%m-%d %H:%M").to_string();
    let hash = &jobs["sha256"].as_str().unwrap()[..12];
    assert!(lines.contains(&format!("  {begun}  jobs  frau.meier  jobs.jsonl  {hash}  undone  created 1, faulty 1\n")), "{lines}");
}
