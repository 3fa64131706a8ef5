use std::fs;
use std::path::Path;

use domain::ids::AccountId;
use domain::login::{link_token_hash, verify_password};
use jiff::{SignedDuration, Timestamp};
use serde::Deserialize;
use store::{Access, IdempotencyWrite, LinkSecretHash, NewLogin, NewShare};

use crate::world::{World, read_by};

const ERIKA: &str = r#"{"id":"k-1","name":"Erika Yıldız"}"#;
const ENGLISH: &str = r#"{"id":"k-2","name":"Max Muster","language":"en-FORMAL","validUntil":"2027-03-31"}"#;

/// Two accounts, one with a job, and their letters.
fn world() -> World {
    let world = World::with_tenant();
    world.import_accounts(&[ERIKA, ENGLISH]).succeeded();
    let customer = r#""customer":{"firstname":"Erika","lastname":"Yıldız","mailingAddress":{"street":"Lindenweg","houseNumber":"12 a","zip":"99999","city":"Birkenfurt"}}"#;
    let place = r#""jobConstraints":{"latestExecution":"2026-12-31"}"#;
    let meter = r#""meter":{"meterNumber":"7ELS0012345678","meterAddress":{"locationDescription":"Keller"},"meterRateTasks":[{"taskId":"t","obis":"7-0:3.0.0"}]}"#;
    world.import_jobs(&[format!(r#"{{"accountId":"k-1","id":"j1",{customer},{place},{meter}}}"#)], &[]).succeeded();
    world
}

fn print(world: &World, letters: &str, more: &[&str]) -> crate::world::Said {
    let letters = world.path(letters);
    world.run(&[&["letters", "print", letters.to_str().unwrap(), "--tenant", "birkenfurt"], more].concat())
}

/// The text of each page, lines joined.
pub fn texts(pdf: &Path) -> Vec<String> {
    let pages = read_by("letters.py", pdf, &[]);
    pages.as_array().unwrap().iter().map(|page| page.as_str().unwrap().replace('\n', " ")).collect()
}

/// What a camera makes of the QR code on each of these pages, the first of which is 0: the filled squares drawn as pixels.
pub fn scan(pdf: &Path, pages: &[usize]) -> Vec<String> {
    let pages: Vec<_> = pages.iter().map(usize::to_string).collect();
    serde_json::from_value::<Vec<Drawn>>(read_by("squares.py", pdf, &pages)).unwrap().into_iter().map(scan_page).collect()
}

/// What `squares.py` says of a page: left, top, right and bottom of each shape.
#[derive(Deserialize)]
struct Drawn {
    flipped: bool,
    shapes: Vec<[f32; 4]>,
}

fn scan_page(Drawn { flipped, shapes }: Drawn) -> String {
    const SIZE: usize = 1200;
    let squares: Vec<_> = shapes.into_iter().filter(|[left, top, right, bottom]| right - left < 10.0 && bottom - top < 10.0).collect();
    assert!(squares.len() > 100, "{} squares", squares.len());
    let left = squares.iter().map(|square| square[0]).fold(f32::MAX, f32::min) - 20.0;
    let top = squares.iter().map(|square| square[1]).fold(f32::MAX, f32::min) - 20.0;
    let right = squares.iter().map(|square| square[2]).fold(f32::MIN, f32::max) + 20.0;
    let scale = SIZE as f32 / (right - left);
    let mut dark = vec![false; SIZE * SIZE];
    for [x0, y0, x1, y1] in squares {
        for y in ((y0 - top) * scale) as usize..((y1 - top) * scale).ceil() as usize {
            for x in ((x0 - left) * scale) as usize..((x1 - left) * scale).ceil() as usize {
                let row = if flipped { y } else { SIZE - 1 - y };
                dark[row.min(SIZE - 1) * SIZE + x.min(SIZE - 1)] = true;
            }
        }
    }
    let mut image = rqrr::PreparedImage::prepare_from_greyscale(SIZE, SIZE, |x, y| if dark[y * SIZE + x] { 0 } else { 255 });
    let grids = image.detect_grids();
    assert_eq!(grids.len(), 1, "one code on the page");
    grids[0].decode().unwrap().1
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
    for ((link, text), letter) in scan(&pdf, &[0, 1]).iter().zip(&texts).zip(world.lines("letters-2.jsonl")) {
        let field = |name: &str| letter[name].as_str().unwrap().to_owned();
        for part in [field("username"), field("password"), field("name")] {
            assert!(text.contains(&part), "{part} in {text}");
        }
        assert_eq!(*link, field("link"));
        let token = link.rsplit('/').next().unwrap();
        let opened = world.block_on(world.store.link_login(&world.tenant, &link_token_hash(token), Timestamp::now())).unwrap();
        assert_eq!(opened.unwrap().as_str(), field("id"));
        let credential = world.block_on(world.store.credential(&world.tenant, &field("username"))).unwrap().unwrap();
        assert!(verify_password(&field("password"), Some(&credential.password_hash)));
        if field("id") == "k-1" {
            for part in
                ["Lindenweg 12 a", "99999 Birkenfurt", "7ELS0012345678", "Gas", "Keller", "bis zum 31.12.2026", "Ihre Zählerablesung"]
            {
                assert!(text.contains(part), "{part} in {text}");
            }
        } else {
            assert!(text.contains("Your meter reading") && text.contains("until 31.03.2027"), "{text}");
        }
    }
    let table = fs::read_to_string(&csv).unwrap();
    assert!(table.contains(";Lindenweg 12 a;99999 Birkenfurt;") && table.contains(";7ELS0012345678 (Gas)"), "{table}");
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
    assert_eq!(kept.out, "letters: 1 written, 0 accounts unknown; 1 shares of 1 accounts go on\n");
    assert!(kept.err.contains("k-1: 1 shares that were made with the old login data go on; --end-shares ends them"), "{}", kept.err);
    assert!(is_there());
    let ended = reprint("ended.jsonl", &["--end-shares"]);
    assert_eq!(ended.out, "letters: 1 written, 0 accounts unknown; 1 shares of 1 accounts have ended\n");
    assert!(!is_there());
    assert_eq!(world.block_on(world.store.share_count(&world.tenant, &maker)).unwrap(), 0);
}
