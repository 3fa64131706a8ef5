use std::fs;

use domain::ids::{AccountId, SeasonId};
use domain::login::link_token_hash;
use domain::pass_through::PassThrough;
use jiff::{Timestamp, ToSpan};
use serde_json::{Value, json};
use store::JobLine;

use crate::reminders::{Post, job, post};
use crate::world::Said;

fn invite(post: &Post, more: &[&str]) -> Said {
    let args = [&["invitations", "send", "--tenant", "birkenfurt"], more].concat();
    Said::from(post.world.command_with_aws(&args).output().unwrap())
}

fn lines(post: &Post, name: &str) -> Vec<String> {
    let mut lines: Vec<_> = fs::read_to_string(post.world.path(name)).unwrap().lines().map(str::to_owned).collect();
    lines.sort();
    lines
}

/// The token of the link in a mail.
fn token(text: &str) -> &str {
    text.split("/m/").nth(1).unwrap().split_whitespace().next().unwrap().trim_matches(|letter: char| !letter.is_alphanumeric())
}

#[test]
fn who_has_an_address_is_invited_once_and_the_others_get_a_letter() {
    let post = post(r#"{ "perSecond": 100 }"#);
    let (world, store, tenant) = (&post.world, &post.world.store, &post.world.tenant);
    let id = |name: &str| AccountId::new(name).unwrap();
    let names = ["file", "own", "none", "declined", "bounced", "later", "idle"];
    let accounts: Vec<_> = names
        .iter()
        .map(|name| match *name {
            "none" => format!(r#"{{"id":"{name}","name":"{name}"}}"#),
            "file" => format!(r#"{{"id":"{name}","name":"{name}","email":"{name}@datei.example","salutation":"Sehr geehrte Frau Datei"}}"#),
            _ => format!(r#"{{"id":"{name}","name":"{name}","email":"{name}@datei.example"}}"#),
        })
        .collect();
    world.import_accounts(&accounts).succeeded();
    world.import_accounts(&accounts).succeeded();
    let jobs: Vec<_> = names.iter().filter(|name| **name != "idle").map(|name| job(name, &format!("j-{name}"), 5)).collect();
    world.import_jobs(&jobs, &[]).succeeded();
    post.confirm("own");
    world.block_on(async {
        store.open_registration(tenant, &id("declined"), "token-declined").await.unwrap();
        store.stop_reminders(tenant, &id("declined")).await.unwrap();
        let email: domain::email::EmailAddress = "bounced@datei.example".parse().unwrap();
        store.suppress(tenant, &email.hash(), Timestamp::now()).await.unwrap();
    });

    let dry: Value = serde_json::from_str(&invite(&post, &["--dry-run", "--json"]).succeeded().out).unwrap();
    assert_eq!((dry["due"].as_array().unwrap().len(), dry["withoutMail"].as_array().unwrap().len()), (3, 3), "{dry}");
    assert_eq!(world.mails(), Vec::<Value>::new());

    let (without, returned) = (world.path("ohne.txt"), world.path("zurueck.txt"));
    let files = ["--without-mail", without.to_str().unwrap(), "--returned", returned.to_str().unwrap()];
    let said = invite(&post, &files).succeeded();
    assert!(said.out.starts_with("invitations: 3 sent; 3 accounts need a letter, mails of 0 came back"), "{}", said.out);
    assert_eq!(
        post.recipients(),
        ["file@datei.example", "later@datei.example", "own@kunden.example"],
        "the owner's address goes before the file's"
    );
    assert_eq!((lines(&post, "ohne.txt"), lines(&post, "zurueck.txt")), (vec!["bounced".into(), "declined".into(), "none".into()], vec![]));

    let mail = world.mails().into_iter().find(|mail| mail["To"][0] == "file@datei.example").unwrap();
    let text = mail["BodyText"].as_str().unwrap();
    assert!(text.contains("Sehr geehrte Frau Datei,") && text.contains("/abmelden/"), "{text}");
    let opened = world.block_on(store.account_of_link(tenant, &link_token_hash(token(text)), Timestamp::now())).unwrap();
    assert_eq!(opened.unwrap().account.id, id("file"), "the mail's link logs in");

    // The same command again: nobody gets a second mail, and only what came back since is told.
    let email: domain::email::EmailAddress = "later@datei.example".parse().unwrap();
    world.block_on(store.suppress(tenant, &email.hash(), Timestamp::now())).unwrap();
    let again = world.path("zurueck-2.txt");
    let said = invite(&post, &["--returned", again.to_str().unwrap()]).succeeded();
    assert!(said.out.starts_with("invitations: 0 sent; 3 accounts need a letter, mails of 1 came back"), "{}", said.out);
    assert_eq!((world.mails().len(), lines(&post, "zurueck-2.txt")), (3, vec!["later".into()]));

    // A job that is new makes its account due again, and the letters of the others have what the mail had.
    world.import_jobs(&[job("file", "j-new", 5)], &[]).succeeded();
    assert!(invite(&post, &[]).succeeded().out.starts_with("invitations: 1 sent"));
    let letters = world.path("ohne.jsonl");
    let args = ["letters", "reprint", "--tenant", "birkenfurt", "--keep-login", "--accounts", without.to_str().unwrap()];
    world.run(&[&args[..], &["--letters", letters.to_str().unwrap()]].concat()).succeeded();
    assert_eq!(world.lines("ohne.jsonl").len(), 3);

    // Whoever revokes the registration in the portal is not written to at the file's address either.
    world.block_on(store.revoke_registration(tenant, "token-own", Timestamp::now())).unwrap();
    world.import_jobs(&[job("own", "j-own-2", 5)], &[]).succeeded();
    assert!(invite(&post, &[]).succeeded().out.starts_with("invitations: 0 sent; 4 accounts need a letter"));
}

// D-LOGIN-2
#[test]
fn a_link_that_is_made_long_after_the_import_opens_the_portal() {
    let post = post(r#"{ "perSecond": 100 }"#);
    let (world, store, tenant) = (&post.world, &post.world.store, &post.world.tenant);
    let accounts = [r#"{"id":"a","name":"A","email":"a@datei.example"}"#, r#"{"id":"b","name":"B"}"#, r#"{"id":"c","name":"C"}"#];
    world.import_accounts(&accounts).succeeded();
    world.block_on(async {
        // Without a last day: they can still be read.
        let lines = ["a", "b", "c"].map(|id| {
            let meter = json!({ "meterNumber": format!("7ELS-{id}"), "meterRateTasks": [{ "taskId": "t", "obis": "7-0:3.0.0" }] });
            let master = testing::job(&format!("j-{id}"), json!({ "meter": meter }));
            JobLine { account_id: id.parse().unwrap(), master, season: SeasonId::default(), pass_through: PassThrough::default() }
        });
        let application = &store.tenant_now(tenant).await.unwrap().unwrap().application;
        testing::import(store, application, &lines, Timestamp::now() - (24 * 300).hours()).await;
    });
    let opens = |token: &str| {
        world.block_on(store.account_of_link(tenant, &link_token_hash(token), Timestamp::now() + (24 * 29).hours())).unwrap().is_some()
    };
    assert!(invite(&post, &[]).succeeded().out.starts_with("invitations: 1 sent"));
    let mails = world.mails();
    assert!(opens(token(mails[0]["BodyText"].as_str().unwrap())), "an invitation's");
    for (file, more) in [("further.jsonl", &["--account", "b", "--keep-login"][..]), ("renewed.jsonl", &["--account", "c"])] {
        let letters = world.path(file);
        let args = ["letters", "reprint", "--tenant", tenant.as_str(), "--letters", letters.to_str().unwrap()];
        world.run(&[&args[..], more].concat()).succeeded();
        assert!(opens(world.lines(file)[0]["token"].as_str().unwrap()), "{file}");
    }
}

#[test]
fn an_address_that_is_none_is_a_fault_of_its_line() {
    let post = post(r#"{ "perSecond": 100 }"#);
    let said = post.world.import_accounts(&[r#"{"id":"x","name":"X","email":"x@"}"#]);
    said.found("accounts.jsonl", &["line 1: email: must be an e-mail address, such as name@example.org"]);
}
