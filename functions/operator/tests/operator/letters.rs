use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use domain::device::DeviceKind;
use domain::ids::{AccountId, SeasonId};
use domain::login::{link_token_hash, verify_password};
use domain::model::LoginKind;
use domain::pass_through::PassThrough;
use jiff::{SignedDuration, Timestamp, ToSpan, Zoned};
use ring::digest;
use serde_json::{Value, json};
use store::{Access, IdempotencyWrite, JobLine, LinkSecretHash, NewLogin, NewSession, NewShare, Pending, Rotation};

use crate::csv_files::on_a_full_disk;
use crate::read_by::read_by;
use crate::world::World;

const ERIKA: &str = r#"{"id":"k-1","name":"Erika Yıldız"}"#;
const ENGLISH: &str = r#"{"id":"k-2","name":"Max Muster","language":"en-FORMAL","validUntil":"2099-03-31"}"#;
const LINDENWEG: &str = r#""street":"Lindenweg","houseNumber":"12 a","zip":"99999","city":"Birkenfurt""#;

/// A line of jobs with a mailing address and a last day.
fn job(account: &str, id: &str, customer: &str, address: &str, last: &str) -> String {
    format!(
        r#"{{"accountId":"{account}","id":"{id}","customer":{{{customer}"mailingAddress":{{{address}}}}},"jobConstraints":{{"latestExecution":"{last}"}},"meter":{{"meterNumber":"7ELS-{id}","meterAddress":{{"locationDescription":"Keller"}},"meterRateTasks":[{{"taskId":"t","obis":"7-0:3.0.0","preDecimals":5,"postDecimals":3,"readingEvents":[{{"readingDate":"2025-11-20","readingValue":"1234.5"}}]}}]}}}}"#
    )
}

/// Two accounts, each with a job, and their letters.
fn world() -> World {
    let world = World::with_tenant();
    world.import_accounts(&[ERIKA, ENGLISH]).succeeded();
    let erika = r#""firstname":"Erika","lastname":"Yıldız","customerNumber":"4711","#;
    let max = r#""lastname":"Muster","#;
    let lines = [
        job("k-1", "j1", erika, LINDENWEG, "2099-12-31"),
        job("k-2", "j2", max, r#""street":"Weg","houseNumber":"1","zip":"10115","city":"Berlin""#, "2099-12-31"),
    ];
    world.import_jobs(&lines, &[]).succeeded();
    world
}

fn print(world: &World, letters: &str, more: &[&str]) -> crate::world::Said {
    let letters = world.path(letters);
    world.run(&[&["letters", "print", letters.to_str().unwrap(), "--tenant", "birkenfurt"], more].concat())
}

/// The text of each page, lines joined.
pub fn texts(pdf: &Path) -> Vec<String> {
    pages(pdf, "text")
}

/// What stands in the window of the envelope, page by page.
fn windows(pdf: &Path) -> Vec<String> {
    pages(pdf, "window")
}

fn pages(pdf: &Path, of: &str) -> Vec<String> {
    let pages = read_by("letters.py", pdf, &[]);
    pages.as_array().unwrap().iter().map(|page| page[of].as_str().unwrap().split_whitespace().collect::<Vec<_>>().join(" ")).collect()
}

/// What a camera makes of the QR code on each of these pages, the first of which is 0.
pub fn scan(pdf: &Path, pages: &[usize]) -> Vec<String> {
    codes(pdf, pages)
        .into_iter()
        .map(|page| match &page[..] {
            [(format, link)] if format == "QR Code" => link.clone(),
            other => panic!("one QR code on the page: {other:?}"),
        })
        .collect()
}

/// Kind and text of each code on these pages.
fn codes(pdf: &Path, pages: &[usize]) -> Vec<Vec<(String, String)>> {
    let pages: Vec<_> = pages.iter().map(usize::to_string).collect();
    serde_json::from_value(read_by("codes.py", pdf, &pages)).unwrap()
}

#[test]
fn a_letter_read_back_logs_in() {
    let world = world();
    let (pdf, csv) = (world.path("letters.pdf"), world.path("letters.csv"));
    let said = print(&world, "letters-2.jsonl", &["--pdf", pdf.to_str().unwrap(), "--csv", csv.to_str().unwrap()]).succeeded();
    assert_eq!(said.out, "letters: 2 printed, 0 with letters that the font lacks\n");

    let bytes = fs::read(&pdf).unwrap();
    let raw = String::from_utf8_lossy(&bytes).into_owned();
    assert!(raw.contains("pdfaid:part>2<") && raw.contains("pdfaid:conformance>U<"), "says that it is PDF/A-2u");
    let texts = texts(&pdf);
    assert_eq!(texts.len(), 2);
    let letters = world.lines("letters-2.jsonl");
    let today = Zoned::now().with_time_zone(jiff::tz::TimeZone::get("Europe/Berlin").unwrap());
    for (link, text) in scan(&pdf, &[0, 1]).iter().zip(&texts) {
        let letter = letters.iter().find(|letter| letter["link"].as_str() == Some(link)).unwrap();
        let field = |name: &str| letter[name].as_str().unwrap().to_owned();
        for part in [field("username"), field("password"), field("name")] {
            assert!(text.contains(&part), "{part} in {text}");
        }
        let token = link.rsplit('/').next().unwrap();
        let opened = world.block_on(world.store.link_login(&world.tenant, &link_token_hash(token), Timestamp::now())).unwrap();
        assert_eq!(opened.unwrap().as_str(), field("id"));
        let credential = world.block_on(world.store.credential(&world.tenant, &field("username"))).unwrap().unwrap();
        assert!(verify_password(&field("password"), Some(&credential.password_hash)));
        if field("id") == "k-1" {
            for part in [
                "Lindenweg 12 a",
                "99999 Birkenfurt",
                "Kundennummer 4711",
                "Guten Tag Erika Yıldız,",
                "am Smartphone",
                "7ELS-j1 Gas Keller bis 31.12.2099",
                "bis zum 31.12.2099",
                "Ihre Zählerablesung",
            ] {
                assert!(text.contains(part), "{part} in {text}");
            }
            assert!(text.contains(&today.strftime("Datum %d.%m.%Y").to_string()), "{text}");
        } else {
            let today = today.strftime("Date %-d %B %Y").to_string();
            for part in ["Your meter reading", "do so by 31 December 2099.", "until 31 Dec 2099", "works until 31 March 2099.", &today] {
                assert!(text.contains(part), "{part} in {text}");
            }
        }
    }
    let table = fs::read_to_string(&csv).unwrap();
    let mut lines = table.lines();
    assert!(lines.next().unwrap().starts_with("number;file;page;account;customerNumber;line1;"), "{table}");
    assert!(lines.next().unwrap().starts_with("1;letters.pdf;1;k-2;k-2;Muster;Weg 1;10115 Berlin;"), "{table}");
    assert!(table.contains(";Lindenweg;12 a;99999;Birkenfurt;;Guten Tag Erika Yıldız;") && table.contains(";7ELS-j1 (Gas)"), "{table}");
}

#[test]
fn what_cannot_arrive_is_left_out_and_holds_nothing_up() {
    let world = World::with_tenant();
    let accounts = ["good", "street", "town", "zip", "idle", "over", "wide", "long"];
    let name = |id: &str| if id == "long" { "lang ".repeat(35) } else { id.to_owned() };
    let lines: Vec<_> = accounts.iter().map(|id| format!(r#"{{"id":"{id}","name":"{}"}}"#, name(id))).collect();
    world.import_accounts(&lines).succeeded();
    let word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";
    let wide = format!(r#""company":"{word}","#);
    let lines = [
        job("good", "j-good", r#""lastname":"Gut","#, LINDENWEG, "2099-12-31"),
        job("street", "j-street", r#""lastname":"Ohnestraße","#, r#""zip":"99084","city":"Erfurt""#, "2099-12-31"),
        job("town", "j-town", "", r#""street":"Weg","zip":"99084""#, "2099-12-31"),
        job("zip", "j-zip", "", r#""street":"Weg","zip":"077430","city":"Jena""#, "2099-12-31"),
        job("over", "j-over", "", LINDENWEG, "2025-12-31"),
        job("wide", "j-wide", &wide, LINDENWEG, "2099-12-31"),
        job("long", "j-long", r#""lastname":"Lang","#, LINDENWEG, "2099-12-31"),
    ];
    world.import_jobs(&lines, &[]);
    let template = format!("Brief\n\n{}\n\n{{access}}\n\n{{meters}}\n", "{name} ".repeat(30));
    let template = world.write("brief.txt", &[template]);
    let (pdf, csv) = (world.path("b.pdf"), world.path("b.csv"));
    let said = print(&world, "letters-2.jsonl", &["--pdf", pdf.to_str().unwrap(), "--csv", csv.to_str().unwrap(), "--template", &template]);
    assert_eq!(said.out, "letters: 1 printed, 7 left out, 0 with letters that the font lacks\n", "{}", said.err);
    assert_eq!(said.code, Some(1));
    for (id, reason) in [
        ("street", "has no street"),
        ("town", "no postcode or no town"),
        ("zip", "the postcode `077430` does not have five digits"),
        ("idle", "no open job"),
        ("over", "no open job"),
        ("wide", "does not fit into the window"),
        ("long", "too long for one page"),
    ] {
        assert!(said.err.lines().any(|line| line.starts_with(&format!("{id}: ")) && line.contains(reason)), "{id}: {}", said.err);
    }
    assert_eq!(texts(&pdf).len(), 1);
    assert_eq!(fs::read_to_string(&csv).unwrap().lines().count(), 2, "a left out letter is in no file");
}

#[test]
fn the_hardest_addresses_stand_in_the_window_whole() {
    let world = World::with_tenant();
    let hard = [
        (
            r#""company":"Wohnungsbaugesellschaft Musterstadt mbH & Co. KG – Hausverwaltung","#,
            "Am Bürgermeister-Doktor-Wilhelm-Schröder-Platz",
            "183 b",
            "Hellschen-Heringsand-Unterschaar",
        ),
        (
            r#""firstname":"Maximiliane-Henriette Karoline","lastname":"Freifrau von und zu Hohenlohe-Waldenburg-Schillingsfürst","#,
            "Straße der Opfer des Faschismus",
            "1–3",
            "Mühlhausen/Thüringen",
        ),
        (r#""company":"Ελληνική Κοινότητα","firstname":"Nguyễn Thị Ánh","lastname":"Tuyết","#, "Żółkiewskiego", "7", "Şişli"),
    ];
    let (mut accounts, mut jobs) = (Vec::new(), Vec::new());
    for (place, (customer, street, number, town)) in hard.iter().enumerate() {
        accounts.push(format!(r#"{{"id":"h-{place}","name":"Hart {place}"}}"#));
        let address = format!(r#""street":"{street}","houseNumber":"{number}","zip":"1000{place}","city":"{town}""#);
        jobs.push(job(&format!("h-{place}"), &format!("j-{place}"), customer, &address, "2099-12-31"));
    }
    world.import_accounts(&accounts).succeeded();
    world.import_jobs(&jobs, &[]).succeeded();
    let pdf = world.path("hard.pdf");
    print(&world, "letters-2.jsonl", &["--pdf", pdf.to_str().unwrap()]).succeeded();
    for (window, (customer, street, number, town)) in windows(&pdf).iter().zip(hard) {
        // The reader takes a hyphen at a line's end away.
        let letters = |text: &str| text.chars().filter(|letter| letter.is_alphanumeric()).collect::<String>();
        let names: Vec<_> = customer.split('"').skip(3).step_by(4).collect();
        for part in names.into_iter().chain([street, number, town]) {
            assert!(letters(window).contains(&letters(part)), "{part} in {window}");
        }
        assert!(!window.contains('?'), "{window}");
    }
}

#[test]
fn the_first_deadline_to_come_is_the_same_in_letter_and_table() {
    let world = World::with_tenant();
    let addressed = ERIKA.replacen('{', r#"{"salutation":"Sehr geehrte Frau Dr. Yıldız","#, 1);
    world.import_accounts(&[&addressed]).succeeded();
    let today = Zoned::now().with_time_zone(jiff::tz::TimeZone::get("Europe/Berlin").unwrap()).date();
    let day = |days: i64| (today + days.days()).to_string();
    let person = r#""lastname":"Yıldız","#;
    let late = r#""config":{"features":{"durationSendingReadingValuesBasedOnLatestExecutionIsAllowed":5}},"jobConstraints""#;
    let jobs = [("past", -2), ("first", 10), ("second", 30)]
        .map(|(id, days)| job("k-1", id, person, LINDENWEG, &day(days)).replace(r#""jobConstraints""#, late));
    world.import_jobs(&jobs, &[]).succeeded();
    let (pdf, csv) = (world.path("d.pdf"), world.path("d.csv"));
    print(&world, "letters-2.jsonl", &["--pdf", pdf.to_str().unwrap(), "--csv", csv.to_str().unwrap()]).succeeded();
    let [first, second] = [10, 30].map(|days| (today + days.days()).strftime("%d.%m.%Y").to_string());
    let text = &texts(&pdf)[0];
    assert!(text.contains(&format!("bis zum {first}.")) && text.contains("Sehr geehrte Frau Dr. Yıldız,"), "{text}");
    for (id, day) in [("first", &first), ("second", &second)] {
        assert!(text.contains(&format!("7ELS-{id} Gas Keller bis {day}")), "each meter has its own days: {text}");
    }
    assert!(fs::read_to_string(&csv).unwrap().contains(&format!(";{first};")));
}

#[test]
fn a_reply_card_has_the_code_of_its_job() {
    let world = World::with_tenant();
    world.import_accounts(&[ERIKA]).succeeded();
    let jobs: Vec<_> = (1..=4).map(|place| job("k-1", &format!("j-{place}"), r#""lastname":"Yıldız","#, LINDENWEG, "2099-12-31")).collect();
    world.import_jobs(&jobs, &[]).succeeded();
    let pdf = world.path("cards.pdf");
    print(&world, "letters-2.jsonl", &["--pdf", pdf.to_str().unwrap(), "--reply-cards"]).succeeded();
    let pages = texts(&pdf);
    assert_eq!(pages.len(), 3, "three cards on a page");
    assert!(pages[0].contains("Lieber auf Papier?") && pages[1].contains("zuletzt 1234,5 (20.11.2025)"), "{pages:?}");
    let mut found: Vec<_> = codes(&pdf, &[1, 2]).into_iter().flatten().collect();
    found.sort();
    let expected: Vec<_> = (1..=4).map(|place| ("Data Matrix".to_owned(), format!("ZW1/birkenfurt/j-{place}"))).collect();
    assert_eq!(found, expected);
}

#[test]
fn many_letters_are_parts_in_the_order_of_the_post_with_a_manifest() {
    let world = World::with_tenant();
    let (mut accounts, mut jobs) = (Vec::new(), Vec::new());
    for (place, (zip, country)) in
        [("99999", ""), ("01067", ""), ("1010", "Österreich"), ("50667", "Deutschland"), ("10115", "")].into_iter().enumerate()
    {
        accounts.push(format!(r#"{{"id":"p-{place}","name":"Post {place}"}}"#));
        let country = if country.is_empty() { String::new() } else { format!(r#","country":"{country}""#) };
        let address = format!(r#""street":"Weg","houseNumber":"{place}","zip":"{zip}","city":"Ort"{country}"#);
        jobs.push(job(&format!("p-{place}"), &format!("j-{place}"), "", &address, "2099-12-31"));
    }
    world.import_accounts(&accounts).succeeded();
    world.import_jobs(&jobs, &[]).succeeded();
    let (pdf, csv) = (world.path("post.pdf"), world.path("post.csv"));
    let args = ["--pdf", pdf.to_str().unwrap(), "--csv", csv.to_str().unwrap(), "--per-file", "2"];
    print(&world, "letters-2.jsonl", &args).succeeded();
    let manifest: Value = serde_json::from_str(&fs::read_to_string(world.path("post.manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["letters"], 5);
    let files = manifest["files"].as_array().unwrap();
    let names: Vec<_> = files.iter().map(|file| (file["file"].as_str().unwrap(), file["letters"].as_u64().unwrap())).collect();
    assert_eq!(names, [("post-001.pdf", 2), ("post-002.pdf", 2), ("post-003.pdf", 1), ("post.csv", 5)]);
    for file in files {
        let bytes = fs::read(world.path(file["file"].as_str().unwrap())).unwrap();
        let hash: String = digest::digest(&digest::SHA256, &bytes).as_ref().iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(file["sha256"], hash);
    }
    assert!(!pdf.exists());
    let windows: Vec<_> = (1..=3).flat_map(|part| windows(&world.path(&format!("post-{part:03}.pdf")))).collect();
    for (window, part) in windows.iter().zip(["01067 Ort", "10115 Ort", "50667 Ort", "99999 Ort", "1010 Ort ÖSTERREICH"]) {
        assert!(window.contains(part), "{part} in {window}");
    }
    assert!(windows.iter().filter(|window| window.contains("DEUTSCHLAND")).count() == 0);
    let table = fs::read_to_string(&csv).unwrap();
    assert!(table.contains("\r\n3;post-002.pdf;1;p-3;"), "{table}");
}

#[test]
fn one_file_a_letter_and_the_utilitys_own_text() {
    let world = world();
    let folder = world.path("pdf");
    let template = world.write("letter.txt", &["Werte {name}", "", "{access}", "", "{meters}", "", "{tenant} grüßt."]);
    print(&world, "letters-2.jsonl", &["--pdf-dir", folder.to_str().unwrap(), "--template", &template]).succeeded();
    let [text] = texts(&folder.join("k-1.pdf")).try_into().unwrap();
    assert!(text.contains("Werte Erika Yıldız") && text.contains("Stadtwerke Birkenfurt grüßt."), "{text}");
    assert!(folder.join("k-2.pdf").exists());

    let wrong = world.write("letter.txt", &["{nmae}"]);
    let said = print(&world, "letters-2.jsonl", &["--pdf-dir", folder.to_str().unwrap(), "--template", &wrong]);
    assert_eq!(said.code, Some(2));
    assert!(said.err.contains("{nmae} is unknown"), "{}", said.err);
}

#[test]
fn a_tenant_in_rehearsal_prints_specimens_in_its_own_words() {
    let world = world();
    let folder = world.path("demo/birkenfurt");
    let file = folder.join("tenant.json");
    let mut settings: Value = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
    settings["rehearsal"] = true.into();
    fs::write(&file, settings.to_string()).unwrap();
    let texts_file = folder.join("translations/en-FORMAL.json");
    fs::create_dir_all(texts_file.parent().unwrap()).unwrap();
    let mut own: Value =
        fs::read_to_string(&texts_file).map_or_else(|_| serde_json::json!({}), |text| serde_json::from_str(&text).unwrap());
    own["letter.text"] = "Your meters\n\n{salutation},\n\n{access}\n\n{meters}\n\nThe meter people".into();
    fs::write(&texts_file, own.to_string()).unwrap();
    world.run(&["tenant", "apply", folder.to_str().unwrap()]).succeeded();
    let pdf = world.path("all.pdf");
    print(&world, "letters-2.jsonl", &["--pdf", pdf.to_str().unwrap()]).succeeded();
    let printed = texts(&pdf);
    let of = |name: &str| printed.iter().find(|text| text.contains(name)).unwrap();
    assert!(of("Erika").contains("MUSTER ") && of("Erika").contains("bitte nehmen Sie Ihre Zählerablesung selbst vor"), "{printed:?}");
    assert!(of("Max").contains("SPECIMEN ") && of("Max").contains("The meter people"), "{printed:?}");
    assert_eq!(scan(&pdf, &[0, 1]).len(), 2, "a camera reads the code on it");
}

#[test]
fn a_reprint_ends_what_the_first_letter_said() {
    let world = world();
    let first = world.lines("letters-2.jsonl").into_iter().find(|letter| letter["id"] == "k-1").unwrap();
    let again = world.path("again.jsonl");
    let args = ["letters", "reprint", "--tenant", "birkenfurt", "--account", "k-1", "--letters", again.to_str().unwrap()];
    assert_eq!(world.run(&args).succeeded().out, "letters: 1 written, 0 accounts unknown\n");
    let second = &world.lines("again.jsonl")[0];
    let opens = |letter: &serde_json::Value| {
        let token = link_token_hash(letter["token"].as_str().unwrap());
        let link = world.block_on(world.store.link_login(&world.tenant, &token, Timestamp::now())).unwrap().is_some();
        let name = letter["username"].as_str().unwrap();
        let credential = world.block_on(world.store.credential(&world.tenant, name)).unwrap().unwrap();
        (link, verify_password(letter["password"].as_str().unwrap(), Some(&credential.password_hash)))
    };
    assert_eq!((opens(&first), opens(second)), ((false, false), (true, true)));
    assert_eq!(first["username"], second["username"]);
    let generation = |id: &str| world.block_on(world.store.account(&world.tenant, &id.parse().unwrap())).unwrap().unwrap().generation;
    assert_eq!((generation("k-1"), generation("k-2")), (1, 0), "what was opened with the first letter has ended");
    let again_imported = world.import_accounts(&[ERIKA, ENGLISH]).succeeded();
    assert!(again_imported.out.contains("2 unchanged"), "{}", again_imported.out);
    assert_eq!((generation("k-1"), generation("k-2")), (1, 0));
    assert_eq!(world.run(&args).code, Some(2), "a letters' file is never overwritten");
}

// D-LETTERS-6
#[test]
fn next_seasons_letter_has_a_fresh_link_and_leaves_the_login_as_it_is() {
    let world = world();
    world.import_accounts(&[r#"{"id":"idle","name":"Ohne Auftrag"}"#]).succeeded();
    let first = world.lines("letters-2.jsonl").into_iter().find(|letter| letter["id"] == "k-1").unwrap();
    let opens = |token: &Value| {
        let hash = link_token_hash(token.as_str().unwrap());
        world.block_on(world.store.account_of_link(&world.tenant, &hash, Timestamp::now())).unwrap().is_some()
    };
    let reprint = |file: &str, more: &[&str]| {
        let letters = world.path(file);
        world.run(&[&["letters", "reprint", "--tenant", "birkenfurt", "--letters", letters.to_str().unwrap()], more].concat())
    };
    let said = reprint("next.jsonl", &["--keep-login", "--all"]).succeeded();
    assert_eq!(said.out, "letters: 2 written, 0 accounts unknown\n", "who has nothing to read gets none");
    let next = world.lines("next.jsonl").into_iter().find(|letter| letter["id"] == "k-1").unwrap();
    assert!(opens(&first["token"]) && opens(&next["token"]), "both letters open the portal");
    let credential = world.block_on(world.store.credential(&world.tenant, first["username"].as_str().unwrap())).unwrap().unwrap();
    assert!(verify_password(first["password"].as_str().unwrap(), Some(&credential.password_hash)));
    assert_eq!(world.block_on(world.store.account(&world.tenant, &"k-1".parse().unwrap())).unwrap().unwrap().generation, 0);

    let pdf = world.path("next.pdf");
    print(&world, "next.jsonl", &["--pdf", pdf.to_str().unwrap()]).succeeded();
    let pages = texts(&pdf);
    let page = pages.iter().find(|page| page.contains("Yıldız")).unwrap();
    assert!(page.contains("Passwort gilt weiter wie bisher") && page.contains(first["username"].as_str().unwrap()), "{page}");
    assert!(scan(&pdf, &[0, 1]).contains(&next["link"].as_str().unwrap().to_owned()));

    // The oldest of more than four further links ends; new login data end all of them.
    for year in 0..4 {
        reprint(&format!("year-{year}.jsonl"), &["--keep-login", "--account", "k-1"]).succeeded();
    }
    let latest = &world.lines("year-3.jsonl")[0];
    assert!(!opens(&next["token"]) && opens(&first["token"]) && opens(&latest["token"]));
    reprint("new.jsonl", &["--account", "k-1"]).succeeded();
    assert!(!opens(&first["token"]) && !opens(&latest["token"]) && opens(&world.lines("new.jsonl")[0]["token"]));
    let links = world
        .table()
        .into_iter()
        .filter(|item| item["sk"].as_s().is_ok_and(|sk| sk == "LINK") && item["accountId"].as_s().is_ok_and(|account| account == "k-1"));
    assert_eq!(links.count(), 1, "no link is left behind");
    assert_eq!(reprint("x.jsonl", &["--all"]).code, Some(2), "nobody ends everybody's login by mistake");
}

#[test]
fn who_gets_the_first_login_data_with_next_seasons_letter_keeps_what_a_mail_opened() {
    let world = world();
    let accounts = world.write("mails.jsonl", &[r#"{"id":"m-1","name":"Mia Mail"}"#]);
    world.run(&["accounts", "import", &accounts, "--tenant", "birkenfurt"]).succeeded();
    world.import_jobs(&[job("m-1", "j-m", r#""lastname":"Mail","#, LINDENWEG, "2099-12-31")], &[]).succeeded();
    let (store, tenant, id, now) = (&world.store, &world.tenant, AccountId::new("m-1").unwrap(), Timestamp::now());
    let link = LinkSecretHash { sha256_hex: link_token_hash("of-the-mail"), expires_at: now + 24.hours() };
    let session = NewSession {
        account_id: id.clone(),
        generation: 0,
        login: LoginKind::Token,
        device: DeviceKind::Iphone,
        epoch: 0,
        now,
        ends_at: None,
        random: [8; 80],
    };
    let session = world.block_on(async {
        assert!(store.add_link(tenant, &id, &link).await.unwrap());
        store.open_registration(tenant, &id, "self").await.unwrap();
        let pending = Pending { email: "mia@example.com".parse().unwrap(), confirmation_hash: "hash".into(), expires_at: now + 1.hour() };
        store.await_confirmation(tenant, &id, pending).await.unwrap();
        assert!(store.confirm_registration(tenant, "hash", now).await.unwrap().is_some());
        store.open_session(tenant, session).await.unwrap()
    });
    let reprint = || {
        let letters = world.path("next.jsonl");
        let args = ["letters", "reprint", "--tenant", "birkenfurt", "--keep-login", "--all", "--letters", letters.to_str().unwrap()];
        world.run(&args).succeeded();
        world.lines("next.jsonl").into_iter().find(|letter| letter["id"] == "m-1").unwrap()
    };
    let first = reprint();
    // A run that was stopped before its end finds what it stored.
    fs::rename(world.path("next.jsonl"), world.path("next.jsonl.unfinished")).unwrap();
    let letter = reprint();
    assert_eq!(letter, first);
    world.block_on(async {
        let credential = store.credential(tenant, letter["username"].as_str().unwrap()).await.unwrap().unwrap();
        assert!(verify_password(letter["password"].as_str().unwrap(), Some(&credential.password_hash)));
        for token in ["of-the-mail", letter["token"].as_str().unwrap()] {
            assert!(store.account_of_link(tenant, &link_token_hash(token), now).await.unwrap().is_some(), "{token}");
        }
        let found = store.find_session(tenant, session.as_str(), now).await.unwrap().unwrap();
        assert!(matches!(store.rotate_session(tenant, found, now).await.unwrap(), Rotation::Rotated { .. }));
        assert!(store.registration_by_token(tenant, "self").await.unwrap().unwrap().1.confirmed.is_some());
        assert_eq!(store.account(tenant, &id).await.unwrap().unwrap().generation, 0);
    });
}

#[test]
fn login_data_that_an_interrupted_run_had_made_are_told_by_the_run_that_goes_on() {
    let world = world();
    let reprint = |file: &str, more: &[&str]| {
        let letters = world.path(file);
        world.run(&[&["letters", "reprint", "--tenant", "birkenfurt", "--letters", letters.to_str().unwrap()], more].concat())
    };
    reprint("stopped.jsonl", &["--account", "k-1"]).succeeded();
    fs::rename(world.path("stopped.jsonl"), world.path("next.jsonl.unfinished")).unwrap();
    let said = reprint("next.jsonl", &["--keep-login", "--all"]).succeeded();
    assert_eq!(said.out, "letters: 2 written, 0 accounts unknown\n");
    let letters = world.lines("next.jsonl");
    let of = |account: &str| letters.iter().find(|letter| letter["id"] == account).unwrap();
    let credential = world.block_on(world.store.credential(&world.tenant, of("k-1")["username"].as_str().unwrap())).unwrap().unwrap();
    assert!(verify_password(of("k-1")["password"].as_str().unwrap(), Some(&credential.password_hash)));
    assert!(of("k-2")["password"].is_null());
}

/// The old login data have ended by then, and the new ones are in no other file.
#[test]
fn a_reprint_that_stops_says_where_the_new_login_data_are() {
    let world = World::with_tenant();
    let ids: Vec<_> = (0..30).map(|number| format!("k-{number}")).collect();
    let people: Vec<_> = ids.iter().map(|id| format!(r#"{{"id":"{id}","name":"{}"}}"#, "Erika ".repeat(20))).collect();
    let (people, list) = (world.write("people.jsonl", &people), world.write("list.txt", &ids));
    world.run(&["accounts", "import", &people, "--tenant", "birkenfurt"]).succeeded();
    let letters = world.path("new.jsonl");
    let args = ["letters", "reprint", "--tenant", "birkenfurt", "--accounts", &list, "--letters", letters.to_str().unwrap()];
    let said = on_a_full_disk(&world, &args);
    assert_eq!((said.code, said.out.as_str()), (Some(2), ""), "{}", said.err);
    let told = "has the letters so far, with their login data; the same command with the same --letters goes on with them";
    assert!(said.err.contains(&format!("{}.unfinished: {told}\n", letters.display())), "{}", said.err);
    assert_eq!(world.run(&args).succeeded().out, "letters: 30 written, 0 accounts unknown\n");
    let nothing = world.run(&args);
    assert!(nothing.code == Some(2) && !nothing.err.contains("unfinished"), "{}", nothing.err);
}

// D-LETTERS-16
#[test]
fn whose_login_was_only_tried_gets_another_one_with_next_seasons_letter() {
    let world = world();
    world.block_on(world.store.note_specimen(&world.tenant, &"k-1".parse().unwrap(), Timestamp::now())).unwrap();
    let tried = world.lines("letters-2.jsonl").into_iter().find(|letter| letter["id"] == "k-1").unwrap();
    for number in 0..2 {
        let (name, letters) = (format!("next-{number}.jsonl"), world.path(&format!("next-{number}.jsonl")));
        let args = ["letters", "reprint", "--tenant", "birkenfurt", "--keep-login", "--all", "--letters", letters.to_str().unwrap()];
        world.run(&args).succeeded();
        let passwords: BTreeMap<_, _> =
            world.lines(&name).into_iter().map(|letter| (letter["id"].to_string(), letter["password"].is_string())).collect();
        assert_eq!(passwords, BTreeMap::from([(json!("k-1").to_string(), number == 0), (json!("k-2").to_string(), false)]));
    }
    let credential = world.block_on(world.store.credential(&world.tenant, tried["username"].as_str().unwrap())).unwrap().unwrap();
    assert!(!verify_password(tried["password"].as_str().unwrap(), Some(&credential.password_hash)), "whoever keeps the specimen");
}

// D-LETTERS-12
#[test]
fn whose_letter_came_back_gets_one_only_when_somebody_names_them() {
    let world = world();
    let now = Timestamp::now();
    let invitees = world.block_on(world.store.invitees(&world.tenant, &["k-1".parse().unwrap()], now)).unwrap();
    world.block_on(world.store.note_return(&world.tenant, &invitees[0], Some((now, "Clara".into())))).unwrap();
    let list = world.write("list.txt", &["k-1", "k-2"]);
    for (number, wanted) in [vec!["--keep-login", "--all"], vec!["--accounts", &list]].into_iter().enumerate() {
        let name = format!("again-{number}.jsonl");
        let letters = world.path(&name);
        let args = ["letters", "reprint", "--tenant", "birkenfurt", "--letters", letters.to_str().unwrap()];
        let said = world.run(&[&args[..], &wanted].concat());
        assert_eq!((said.code, said.out.as_str()), (Some(1), "letters: 1 written, 0 accounts unknown, 1 came back\n"), "{}", said.err);
        assert!(said.err.contains("k-1: the last letter came back; --account writes one all the same\n"), "{}", said.err);
        assert_eq!(world.lines(&name)[0]["id"], "k-2");
    }
    let letters = world.path("named.jsonl");
    world.run(&["letters", "reprint", "--tenant", "birkenfurt", "--account", "k-1", "--letters", letters.to_str().unwrap()]).succeeded();
    assert_eq!(world.lines("named.jsonl")[0]["id"], "k-1");
}

// D-LETTERS-15
#[test]
fn a_letter_is_printed_only_where_its_link_opens_its_account() {
    let world = world();
    let other = world.path("other");
    let args = ["tenant", "new", other.to_str().unwrap(), "--id", "other", "--name", "Andere", "--host", "other.example"];
    world.run(&args).succeeded();
    world.run(&["tenant", "apply", other.to_str().unwrap()]).succeeded();
    let of_other = |args: &[&str]| world.run(&[args, &["--tenant", "other"]].concat());
    let accounts = world.write("others.jsonl", &[r#"{"id":"k-1","name":"Otto"}"#]);
    of_other(&["accounts", "import", &accounts]).succeeded();
    let jobs = world.write("jobs-of-other.jsonl", &[job("k-1", "j1", r#""lastname":"Otto","#, LINDENWEG, "2099-12-31")]);
    of_other(&["jobs", "import", &jobs]).succeeded();
    let (letters, pdf) = (world.path("letters-2.jsonl"), world.path("x.pdf"));
    let print = ["letters", "print", letters.to_str().unwrap(), "--pdf", pdf.to_str().unwrap()];
    let said = of_other(&print);
    assert_eq!(said.out, "letters: 0 printed, 2 left out, 0 with letters that the font lacks\n", "{}", said.err);
    assert!(said.err.contains("k-1: its link opens no account here"), "{}", said.err);
    assert!(said.code == Some(1) && !pdf.exists());

    let again = world.path("again.jsonl");
    world.run(&["letters", "reprint", "--tenant", "birkenfurt", "--account", "k-1", "--letters", again.to_str().unwrap()]).succeeded();
    let said = world.run(&[&print[..], &["--tenant", "birkenfurt"]].concat());
    assert_eq!(said.out, "letters: 1 printed, 1 left out, 0 with letters that the font lacks\n", "{}", said.err);
}

/// Months after the import, whose jobs have no last day: they can still be read.
#[test]
fn a_letter_that_is_printed_long_after_the_import_opens_the_portal() {
    let world = World::with_tenant();
    world.import_accounts(&[ERIKA]).succeeded();
    let address = json!({ "street": "Lindenweg", "houseNumber": "12 a", "zip": "99999", "city": "Birkenfurt" });
    let master = testing::job("j1", json!({ "customer": { "lastname": "Yıldız", "mailingAddress": address } }));
    let line = JobLine { account_id: "k-1".parse().unwrap(), master, season: SeasonId::default(), pass_through: PassThrough::default() };
    let application = world.block_on(world.store.tenant_now(&world.tenant)).unwrap().unwrap().application;
    world.block_on(testing::import(&world.store, &application, &[line], Timestamp::now() - (24 * 300).hours()));
    let hash = link_token_hash(world.lines("letters-2.jsonl")[0]["token"].as_str().unwrap());
    let opens = |at: Timestamp| world.block_on(world.store.account_of_link(&world.tenant, &hash, at)).unwrap().is_some();
    assert!(!opens(Timestamp::now()));
    let pdf = world.path("letters.pdf");
    print(&world, "letters-2.jsonl", &["--pdf", pdf.to_str().unwrap()]).succeeded();
    assert!(opens(Timestamp::now() + (24 * 29).hours()));
}

// D-SHARES-10
#[test]
fn a_reprint_says_what_was_shared_with_the_first_letter_and_ends_it_if_told_to() {
    let world = world();
    let maker: AccountId = "k-1".parse().unwrap();
    let ends = Timestamp::now() + SignedDuration::from_hours(24);
    let share = NewShare {
        id: "share".parse().unwrap(),
        name: "Hausmeister",
        allow_to_re_share: true,
        job_ids: &["j1".parse().unwrap()],
        login: NewLogin {
            username: "hausmeister".into(),
            password_hash: "hash".into(),
            link: LinkSecretHash { sha256_hex: "link".into(), expires_at: ends },
        },
        era: 0,
        most: 1,
        created: Timestamp::now(),
        idempotency: IdempotencyWrite {
            key_hash: "k".into(),
            request_hash: "r".into(),
            response_body: String::new(),
            created: Timestamp::now(),
        },
        keyless: false,
    };
    world.block_on(world.store.create_share(&world.tenant, &Access::owner(maker.clone()), share)).unwrap();
    let reprint = |file: &str, more: &[&str]| {
        let letters = world.path(file);
        let args = ["letters", "reprint", "--tenant", "birkenfurt", "--account", "k-1", "--letters", letters.to_str().unwrap()];
        let said = world.run(&[&args[..], more].concat());
        assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
        said
    };
    let is_there = || world.block_on(world.store.account(&world.tenant, &"share".parse().unwrap())).unwrap().is_some();
    let kept = reprint("kept.jsonl", &[]);
    assert_eq!(kept.out, "letters: 1 written, 0 accounts unknown; 1 share of 1 account goes on\n");
    assert!(kept.err.contains("k-1: 1 share that was made with the old login data goes on; --end-shares ends that"), "{}", kept.err);
    assert!(is_there());
    let ended = reprint("ended.jsonl", &["--end-shares"]);
    assert_eq!(ended.out, "letters: 1 written, 0 accounts unknown; 1 share of 1 account has ended\n");
    assert!(!is_there());
    assert_eq!(world.block_on(world.store.share_count(&world.tenant, &maker)).unwrap(), 0);
}
