use std::fs;
use std::os::unix::fs::PermissionsExt;

use domain::ids::AccountId;
use domain::login::{link_token_hash, verify_password};
use jiff::{Timestamp, ToSpan as _};
use store::{LinkSecretHash, NewAccount};

use crate::world::World;

fn account(world: &World, id: &str) -> store::Account {
    world.block_on(world.store.account(&world.tenant, &AccountId::new(id).unwrap())).unwrap().unwrap()
}

fn opens(world: &World, username: &str, password: &str) -> Option<String> {
    let credential = world.block_on(world.store.credential(&world.tenant, username)).unwrap()?;
    verify_password(password, Some(&credential.password_hash)).then(|| credential.account_id.to_string())
}

fn link_opens(world: &World, token: &str) -> Option<String> {
    let hash = link_token_hash(token);
    world.block_on(world.store.link_login(&world.tenant, &hash, Timestamp::now())).unwrap().map(String::from)
}

#[test]
fn what_is_missing_is_generated_and_goes_into_a_letter_once() {
    let world = World::with_tenant();
    let lines = [
        r#"{"id":"k-1","name":" Erika Muster ","roles":["ROLE_KSA_PRO_USER"],"language":"en-FORMAL","validUntil":"2027-03-31"}"#,
        r#"{"id":"k-2","name":"Max","username":" Max Muster ","password":"ge heim 1234","token":"abcdefghijklmnopqrstuv"}"#,
    ];
    let said = world.import_accounts(&lines).succeeded();
    assert_eq!(said.out, "accounts: 2 created, 0 updated, 0 unchanged, 0 faulty; 2 letters\n");

    let mode = fs::metadata(world.path("letters-2.jsonl")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let mut letters = world.lines("letters-2.jsonl");
    letters.sort_by_key(|letter| letter["id"].to_string());
    let field = |index: usize, name: &str| letters[index][name].as_str().unwrap().to_owned();
    assert_eq!(field(0, "password").len(), 12);
    assert_eq!(field(0, "token").len(), 22);
    assert_eq!(field(0, "link"), format!("http://localhost:5173/m/{}", field(0, "token")));
    assert_eq!((field(0, "validUntil").as_str(), field(0, "language").as_str()), ("2027-03-31", "en-FORMAL"));
    assert_eq!((field(1, "username").as_str(), field(1, "password").as_str()), ("MaxMuster", "geheim1234"));

    for (index, id) in ["k-1", "k-2"].into_iter().enumerate() {
        assert_eq!(opens(&world, &field(index, "username"), &field(index, "password")).as_deref(), Some(id));
        assert_eq!(link_opens(&world, &field(index, "token")).as_deref(), Some(id));
    }
    let stored = account(&world, "k-1");
    assert_eq!((stored.name.as_str(), stored.roles.as_slice()), ("Erika Muster", ["ROLE_KSA_PRO_USER".to_owned()].as_slice()));
    assert_eq!(stored.valid_until, Some("2027-03-31".parse().unwrap()));

    // The same file again changes nothing and writes no letter.
    let said = world.import_accounts(&lines).succeeded();
    assert_eq!(said.out, "accounts: 0 created, 0 updated, 2 unchanged, 0 faulty; 0 letters\n");
    assert!(!world.path("letters-3.jsonl").exists());
    assert_eq!(opens(&world, &field(0, "username"), &field(0, "password")).as_deref(), Some("k-1"));

    // A changed line changes what it names and keeps the login data that it does not name.
    let changed = [lines[0].replace("Erika", "Eva").replace("2027-03-31", "2027-04-30"), lines[1].replace("heim 1", "heim 2")];
    let said = world.import_accounts(&changed).succeeded();
    assert_eq!(said.out, "accounts: 0 created, 2 updated, 0 unchanged, 0 faulty; 0 letters\n");
    assert_eq!(account(&world, "k-1").name, "Eva Muster");
    assert_eq!(opens(&world, &field(0, "username"), &field(0, "password")).as_deref(), Some("k-1"));
    assert_eq!(link_opens(&world, &field(0, "token")).as_deref(), Some("k-1"));
    assert_eq!((opens(&world, "maxmuster", "geheim1234"), opens(&world, "maxmuster", "geheim2234").as_deref()), (None, Some("k-2")));
}

/// A later export of the utility's has fewer columns; an empty cell of a column says something.
#[test]
fn what_a_file_does_not_name_stays() {
    let world = World::with_tenant();
    let all = r#"{"id":"k-1","name":"Erika","email":"erika@example.org","salutation":"Frau","language":"en-FORMAL","roles":["ROLE_KSA_PRO_USER"],"validUntil":"2026-12-31"}"#;
    world.import_accounts(&[all]).succeeded();
    let said = world.import_accounts(&[r#"{"id":"k-1","name":"Eva"}"#]).succeeded();
    assert_eq!(said.out, "accounts: 0 created, 1 updated, 0 unchanged, 0 faulty; 0 letters\n");
    let before = account(&world, "k-1");
    assert_eq!((before.name.as_str(), before.valid_until, before.roles.len()), ("Eva", Some("2026-12-31".parse().unwrap()), 1));
    assert_eq!((before.salutation.as_deref(), before.language.as_deref()), (Some("Frau"), Some("en-FORMAL")));
    assert_eq!(before.email.as_ref().map(|email| email.as_str()), Some("erika@example.org"));
    world.import_accounts(&[r#"{"id":"k-1","name":"Eva","email":null,"validUntil":null}"#]).succeeded();
    let after = account(&world, "k-1");
    assert_eq!((after.email, after.valid_until, after.salutation), (None, None, before.salutation));

    let mapping = world.write("map.json", &[r#"{"columns":{"id":"Nr","name":"Name","salutation":"Anrede"}}"#]);
    let table = world.write("table.csv", &["Nr;Name;Anrede", "k-1;Eva;"]);
    world.run(&["accounts", "import", &table, "--mapping", &mapping, "--tenant", world.tenant.as_str()]).succeeded();
    assert_eq!((account(&world, "k-1").salutation, account(&world, "k-1").language), (None, before.language));
}

/// The finder of a lost letter has what the file brings once more.
#[test]
fn login_data_that_came_since_are_not_undone_by_the_file_of_before() {
    let world = World::with_tenant();
    let token = "1234567890123456789012";
    let line = format!(r#"{{"id":"k-1","name":"Erika","username":"erika","password":"kiesel-8812","token":"{token}"}}"#);
    world.import_accounts(&[&line]).succeeded();
    let hash = domain::login::hash_password("fluss-4711", [7; 16]).unwrap();
    let link = LinkSecretHash { sha256_hex: link_token_hash("another-link-of-the-letter"), expires_at: Timestamp::now() + 24.hours() };
    let new = NewAccount { account: account(&world, "k-1"), password_hash: Some(hash), link: Some(link), end_shares: false };
    world.block_on(world.store.put_account(&world.tenant, &new)).unwrap();
    // A line of another import in between is no reason to forget it.
    let plain = r#"{"id":"k-1","name":"Eva"}"#;
    assert!(world.import_accounts(&[plain]).succeeded().out.contains("1 updated"));
    for again in [line.clone(), line.replace("kiesel-8812", "fluss-4711")] {
        let said = world.import_accounts(&[&again]);
        assert!(said.err.contains("is of before: the account has got new login data since"), "{}", said.err);
    }
    assert_eq!((opens(&world, "erika", "fluss-4711").as_deref(), opens(&world, "erika", "kiesel-8812")), (Some("k-1"), None));
    assert_eq!(link_opens(&world, token), None);
}

#[test]
fn faulty_lines_are_named_and_the_others_go_in() {
    let world = World::with_tenant();
    let said = world.import_accounts(&[
        r#"{"id":"k-1","name":"Erika","username":"erika","password":"geheim-erika"}"#,
        r#"{"id":"k-2","name":"Max","nickname":"Maxi"}"#,
        r#"{"id":"k 3","name":"Max"}"#,
        r#"{"id":"k-4","name":" ","username":"a b c d","password":"1 2 3","token":"short","roles":["ROLE_ADMIN"],"language":"fr"}"#,
        r#"{"id":"k-1","name":"Erika"}"#,
        r#"{"id":"k-5","name":"Other","username":"ANNA.S"}"#,
        r#"{"id":"k-6","name":"Max","validUntil":"31.03.2027"}"#,
        r#"{"id":"a","name":"Anna","username":"renamed"}"#,
        "not json",
        "",
        r#"{"id":"k-7","name":"Last"}"#,
        r#"{"id":"visitor~8","name":"Max"}"#,
    ]);
    let said = said.found(
        "accounts.jsonl",
        &[
            "line 2: nickname: unknown field `nickname`, expected one of `id`, `name`, `username`, `password`, `token`, `roles`, `language`, `email`, `salutation`, `validUntil`",
            "line 3: id: an account id must be 1 to 64 letters, digits or one of . _ ~ -, and not . or ..",
            "line 4: name: must not be empty",
            "line 4: username: has less than 5 characters, white space not counted",
            "line 4: password: has less than 8 characters, white space not counted",
            "line 4: token: must have 22 to 128 letters and digits",
            "line 4: roles[0]: must be one of ROLE_KSA_PRO_USER, ROLE_KSA_SEND_CRMREGISTEREDUSER_READINGRECEIPT, ROLE_KSA_UNKNOWN_READINGS, ROLE_KSA_SEND_UNKNOWNUSER_READINGRECEIPT",
            "line 4: language: `fr` is not one of the tenant's languages",
            "line 5: differs from line 1, which has the same id",
            "line 6: username: the user name belongs to another account",
            "line 7: validUntil: must be a day, such as 2026-11-30",
            "line 8: password: is needed together with a new user name",
            "line 9: is not JSON: expected ident at column 2",
            "line 12: id: must not begin with visitor~, as visitors' sessions do",
        ],
    );
    assert_eq!(said.out, "accounts: 2 created, 0 updated, 0 unchanged, 9 faulty; 2 letters\n");
    let ids: Vec<_> = world.lines("letters-2.jsonl").iter().map(|letter| letter["id"].as_str().unwrap().to_owned()).collect();
    assert!(ids.iter().all(|id| id == "k-1" || id == "k-7") && ids.len() == 2, "{ids:?}");
    assert_eq!(opens(&world, "anna.s", "geheim-anna").as_deref(), Some("a"));
}

#[test]
fn letters_are_never_overwritten_and_a_tenant_must_be_there() {
    let world = World::with_tenant();
    let file = world.write("accounts.jsonl", &[r#"{"id":"k-1","name":"Erika"}"#]);
    let letters = world.write("letters.jsonl", &["precious"]);
    let import = |tenant: &str, letters: &str| world.run(&["accounts", "import", &file, "--tenant", tenant, "--letters", letters]);
    let said = import("birkenfurt", &letters);
    assert_eq!((said.code, said.err), (Some(2), format!("zaehlwerk: {letters}: exists already and is not overwritten\n")));
    assert_eq!(fs::read_to_string(&letters).unwrap(), "precious\n");
    let said = import("elsewhere", world.path("new.jsonl").to_str().unwrap());
    assert_eq!(said.err, "zaehlwerk: there is no tenant `elsewhere`; `zaehlwerk tenant apply` creates it\n");
    assert_eq!(said.code, Some(2));
}

#[test]
fn a_password_that_a_file_brings_has_ten_characters() {
    let world = World::with_tenant();
    let line = |password: &str| format!(r#"{{"id":"k-1","name":"Erika","username":"erika","password":"{password}"}}"#);
    let short = "line 1: password: has less than 10 characters, white space not counted";
    world.import_accounts(&[line("neun-9999")]).found("accounts.jsonl", &[short]);
    world
        .import_accounts(&[line("=zehn-10101")])
        .found("accounts.jsonl", &["line 1: password: must not begin with = + - or @, which spreadsheets take for a formula"]);
    world.import_accounts(&[line("zehn-10101")]).succeeded();
    world.import_accounts(&[line("neun-9999")]).found("accounts.jsonl", &[short]);
    assert_eq!(opens(&world, "erika", "zehn-10101").as_deref(), Some("k-1"), "the one that it had goes on");
}

/// From before there was a rule.
#[test]
fn a_short_password_that_an_account_has_goes_on_with_a_warning() {
    let world = World::with_tenant();
    let account = store::Account {
        id: AccountId::new("k-1").unwrap(),
        name: "Erika".into(),
        share: None,
        roles: Vec::new(),
        language: None,
        email: None,
        salutation: None,
        valid_until: None,
        username: Some("erika".into()),
        generation: 0,
        share_era: 0,
    };
    let hash = domain::login::hash_password("acht-888", [7; 16]).unwrap();
    let new = store::NewAccount { account, password_hash: Some(hash), link: None, end_shares: false };
    world.block_on(world.store.put_account(&world.tenant, &new)).unwrap();
    let line = |name: &str, password: &str| format!(r#"{{"id":"k-1","name":"{name}","username":"erika","password":"{password}"}}"#);
    let said = world.import_accounts(&[line("Eva", "acht-888")]);
    assert_eq!(said.code, Some(0));
    assert_eq!(said.out, "accounts: 0 created, 1 updated, 0 unchanged, 0 faulty; 0 letters\n");
    assert!(said.err.contains("warning: one account, in line 1, keeps a password of less than 10 characters"), "{}", said.err);
    let refused = world.import_accounts(&[line("Eva", "acht-999")]);
    refused.found("accounts.jsonl", &["line 1: password: has less than 10 characters, white space not counted"]);
    assert_eq!(opens(&world, "erika", "acht-888").as_deref(), Some("k-1"));
}

#[test]
fn passwords_that_give_each_other_away_are_warned_of() {
    let world = World::with_tenant();
    let lines = |passwords: [&str; 4]| {
        let line =
            |(n, password): (usize, &str)| format!(r#"{{"id":"w-{n}","name":"W","username":"wohnung-{n}","password":"{password}"}}"#);
        passwords.into_iter().enumerate().map(line).collect::<Vec<_>>()
    };
    let said = world.import_accounts(&lines(["winter-2026", "sommer-2026", "winter-2026", "herbst-2027"]));
    assert!(
        said.code == Some(0) && said.err.contains("warning: the password of line 1 is that of 2 accounts: whoever has one"),
        "{}",
        said.err
    );
    let said = world.import_accounts(&lines(["wohnung-0007", "wohnung-0008", "wohnung-0009", "wohnung-0012"]));
    assert!(said.code == Some(0) && said.err.contains("warning: line 3 has a password that is the one before it plus one"), "{}", said.err);
    world.import_accounts(&lines(["kiesel-8812", "farn-am-bach", "laterne-17", "ofen-rohr-3"])).succeeded();
}

#[test]
fn without_a_file_for_letters_an_account_gets_its_login_data_with_the_first_letter() {
    let world = World::with_tenant();
    let lines = [r#"{"id":"k-1","name":"Erika"}"#, r#"{"id":"k-2","name":"Max","username":"max-muster"}"#];
    let file = world.write("without.jsonl", &lines);
    let said = world.run(&["accounts", "import", &file, "--tenant", "birkenfurt"]);
    assert_eq!(said.out, "accounts: 1 created, 0 updated, 0 unchanged, 1 faulty; 0 letters\n");
    assert_eq!(said.code, Some(1));
    assert!(said.err.contains("line 2: password"), "{}", said.err);
    assert_eq!(account(&world, "k-1").username, None);

    let letters = world.path("first.jsonl");
    let args = ["letters", "reprint", "--tenant", "birkenfurt", "--account", "k-1", "--letters", letters.to_str().unwrap()];
    world.run(&args).succeeded();
    let letter = &world.lines("first.jsonl")[0];
    assert_eq!(opens(&world, letter["username"].as_str().unwrap(), letter["password"].as_str().unwrap()).as_deref(), Some("k-1"));
}

#[test]
fn a_seasons_letter_gives_login_data_to_whoever_has_none_yet() {
    let world = World::with_tenant();
    let file = world.write("without.jsonl", &[r#"{"id":"k-1","name":"Erika"}"#]);
    world.run(&["accounts", "import", &file, "--tenant", "birkenfurt"]).succeeded();
    let job = |account: &str| {
        format!(
            r#"{{"accountId":"{account}","id":"j-{account}","meter":{{"meterNumber":"7-{account}","meterRateTasks":[{{"taskId":"t","obis":"7-0:3.0.0"}}]}}}}"#
        )
    };
    world.import_jobs(&[job("k-1"), job("a")], &[]).succeeded();
    let letters = world.path("all.jsonl");
    let args = ["letters", "reprint", "--tenant", "birkenfurt", "--keep-login", "--all", "--letters", letters.to_str().unwrap()];
    assert_eq!(world.run(&args).succeeded().out, "letters: 2 written, 0 accounts unknown\n");
    let letters = world.lines("all.jsonl");
    let of = |account: &str| letters.iter().find(|letter| letter["id"] == account).unwrap();
    let text = |name: &str| of("k-1")[name].as_str().unwrap();
    assert_eq!(opens(&world, text("username"), text("password")).as_deref(), Some("k-1"));
    assert!(of("a")["password"].is_null(), "who has login data keeps them");
}
