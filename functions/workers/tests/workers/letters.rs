//! Letters are drawn, and handed over or called back, whatever happens to their worker.

use std::collections::BTreeSet;

use desk::import::LetterBook;
use desk::letters::{Letter, Reissue, reissue};
use domain::ids::{AccountId, RunId, SeasonId};
use domain::login::{link_token_hash, verify_password};
use domain::open_filter::OpenFilter;
use domain::pass_through::PassThrough;
use domain::text::Lang;
use jiff::{Timestamp, ToSpan};
use serde_json::json;
use store::{JobLine, LettersEnd, LettersTask, Run, RunLetters, RunState, RunTask};
use testing::{Permission, account_id, ask_for};

use crate::reminders::confirm;
use crate::runs::{found, work};
use crate::world::{Stop, World, days, tenant};

/// One who has login data, two who have none and live in another order than their names, one without an address, and one with nothing to read.
async fn world() -> World {
    let world = World::with_retention(Default::default()).await;
    world.account("a", "Anna Alt", None).await;
    for id in ["b", "c", "d", "e"] {
        world.store.put_account(&tenant(), &testing::account(id)).await.unwrap();
    }
    for (owner, zip) in [("a", "30000"), ("b", "20000"), ("c", "10000")] {
        let address = json!({ "street": "Am Markt", "houseNumber": "1", "zip": zip, "city": "Birkenfurt" });
        let customer = json!({ "lastname": format!("Customer {owner}"), "mailingAddress": address });
        world.import(owner, &testing::job(&format!("job-of-{owner}"), json!({ "customer": customer }))).await;
    }
    world.import("d", &testing::job("job-of-d", json!({}))).await;
    world
}

fn everybody() -> LettersTask {
    LettersTask { season: None, filter: None, only_without_mail: false, accounts: Vec::new(), reply_cards: false, lang: Lang::En }
}

async fn asked(world: &World, id: &str, task: RunTask) -> RunId {
    ask_for(&world.store, &tenant(), id.parse().unwrap(), task, days(3)).await
}

async fn through(world: &World, run: &RunId, now: Timestamp) -> Run {
    work(world, run, now, None).await;
    let ended = found(world, run).await;
    assert_eq!(ended.state, RunState::Done, "{:?}", ended.failure);
    ended
}

fn letters(run: &Run) -> RunLetters {
    run.outcome.clone().unwrap().letters.unwrap()
}

async fn content(world: &World, run: &RunId, name: &str) -> Vec<u8> {
    let key = format!("files/{}/{run}/{name}", tenant());
    let object = world.s3.get_object().bucket(&world.bucket).key(key).send().await.unwrap();
    object.body.collect().await.unwrap().into_bytes().to_vec()
}

/// Account, user name, password and link of each letter, as the print shop has them.
async fn printed(world: &World, run: &RunId) -> Vec<[String; 4]> {
    let table = String::from_utf8(content(world, run, "letters-001.csv").await).unwrap();
    let mut rows = table.trim_start_matches('\u{feff}').lines().map(|line| line.split(';').collect::<Vec<_>>());
    let heads = rows.next().unwrap();
    let place = |name: &str| heads.iter().position(|head| *head == name).unwrap();
    let places = ["account", "username", "password", "link"].map(place);
    rows.map(|row| places.map(|place| row[place].to_owned())).collect()
}

async fn end(world: &World, run: &RunId, handed_over: bool) -> bool {
    world.store.end_letters(&tenant(), run, &LettersEnd { handed_over, at: days(4), by: "Jonas".into() }).await.unwrap()
}

/// What is in the letters works.
async fn works(world: &World, printed: &[[String; 4]]) -> bool {
    for [account, username, password, link] in printed {
        let hash = link_token_hash(link.rsplit('/').next().unwrap());
        let opens = world.store.account_of_link(&tenant(), &hash, days(5)).await.unwrap();
        let credential = world.store.credential(&tenant(), username).await.unwrap();
        let is_right = password.is_empty() || credential.is_some_and(|found| verify_password(password, Some(&found.password_hash)));
        if opens.is_none_or(|entrant| entrant.account.id != account_id(account)) || !is_right {
            return false;
        }
    }
    true
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lead_sees_who_would_get_a_letter_and_what_it_looks_like() {
    let world = world().await;
    let before = world.table().await;
    let shown = through(&world, &asked(&world, "due", RunTask::DueLetters(everybody())).await, days(3)).await;
    assert_eq!(letters(&shown), RunLetters { letters: 3, new_logins: 2, left_out: 1, ..RunLetters::default() });
    let files: Vec<_> = shown.outcome.unwrap().files.into_iter().map(|file| (file.name, file.rows)).collect();
    assert_eq!(files, [("specimen.pdf".to_owned(), 3), ("recipients.csv".to_owned(), 3), ("left-out.csv".to_owned(), 1)]);
    let id: RunId = "due".parse().unwrap();
    assert!(content(&world, &id, "specimen.pdf").await.starts_with(b"%PDF"));
    let list = String::from_utf8(content(&world, &id, "recipients.csv").await).unwrap();
    let order: Vec<_> = list.lines().skip(1).map(|line| (line.split(';').next().unwrap(), line.split(';').next_back().unwrap())).collect();
    assert_eq!(order, [("c", "yes"), ("b", "yes"), ("a", "no")], "in the order of the post: {list}");
    assert!(String::from_utf8(content(&world, &id, "left-out.csv").await).unwrap().contains("d;the address has no"));
    let after = world.table().await;
    let wrote: Vec<_> = after.iter().filter(|(key, item)| before.get(*key) != Some(*item)).map(|(key, _)| key).collect();
    assert!(wrote.iter().all(|(partition, _)| partition.ends_with("#RUNS")), "{wrote:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_printed_works_once_it_is_handed_over_wherever_a_worker_was_stopped() {
    let mut world = world().await;
    let run = asked(&world, "letters", RunTask::Letters(everybody())).await;
    let prepared = world.snapshot().await;
    let writes = work(&world, &run, days(3), None).await.writes;
    let drawn = letters(&found(&world, &run).await);
    assert_eq!(drawn, RunLetters { letters: 3, new_logins: 2, left_out: 1, ..RunLetters::default() });
    for stop in writes.iter().map(|&call| Stop { call, after: true }) {
        world.restore(&prepared).await;
        work(&world, &run, days(3), Some(stop)).await;
        let ended = through(&world, &run, days(3) + 2.minutes()).await;
        assert_eq!(letters(&ended), drawn, "{stop:?}");
        let names: BTreeSet<_> = ended.outcome.unwrap().files.into_iter().map(|file| file.name).collect();
        assert_eq!(
            names.iter().map(String::as_str).collect::<Vec<_>>(),
            ["delivery-note.csv", "left-out.csv", "letters-001.csv", "letters-001.pdf"]
        );
        assert_eq!(printed(&world, &run).await.iter().map(|[account, ..]| account.as_str()).collect::<Vec<_>>(), ["c", "b", "a"]);
    }
    let wanted = printed(&world, &run).await;
    assert!(!works(&world, &wanted).await, "nothing works before");
    assert!(wanted[0][2].len() == 12 && wanted[2][1] == "a-user" && wanted[2][2].is_empty(), "{wanted:?}");
    assert!(end(&world, &run, true).await && !end(&world, &run, false).await, "who handed over cannot call back");

    let over = asked(&world, "over", RunTask::HandOver { letters: run.clone(), lang: Lang::En }).await;
    let prepared = world.snapshot().await;
    let writes = work(&world, &over, days(4), None).await.writes;
    let handed = RunLetters { letters: 3, new_logins: 2, ..RunLetters::default() };
    assert_eq!(letters(&found(&world, &over).await), handed);
    for stop in writes.iter().map(|&call| Stop { call, after: true }) {
        world.restore(&prepared).await;
        work(&world, &over, days(4), Some(stop)).await;
        assert_eq!(letters(&through(&world, &over, days(4) + 2.minutes()).await), handed, "{stop:?}");
        assert!(works(&world, &wanted).await, "{stop:?}");
    }
    let due = through(&world, &asked(&world, "due", RunTask::DueLetters(everybody())).await, days(5)).await;
    assert_eq!(letters(&due), RunLetters { had: 3, left_out: 1, ..RunLetters::default() }, "nobody gets a second one for the same jobs");
    world.import_at("b", &testing::job("job-2-of-b", json!({})), days(3) + 1.hour()).await;
    let due = through(&world, &asked(&world, "due-2", RunTask::DueLetters(everybody())).await, days(5)).await;
    assert_eq!(
        letters(&due),
        RunLetters { letters: 1, had: 2, left_out: 1, ..RunLetters::default() },
        "it came after the letter was drawn"
    );
    let accounts = ["a", "e", "x"].map(account_id).to_vec();
    let named = through(&world, &asked(&world, "named", RunTask::DueLetters(LettersTask { accounts, ..everybody() })).await, days(5)).await;
    assert_eq!(letters(&named), RunLetters { letters: 1, left_out: 2, ..RunLetters::default() }, "whoever is named gets another one");
    let customer = world.store.customer(&tenant(), &account_id("b"), days(5)).await.unwrap().unwrap();
    assert_eq!(customer.lettered, Some((days(3), "Jonas".to_owned())));
}

#[tokio::test(flavor = "multi_thread")]
async fn letters_that_were_called_back_never_work_and_later_login_data_stay() {
    let world = world().await;
    let first = asked(&world, "first", RunTask::Letters(everybody())).await;
    through(&world, &first, days(3)).await;
    assert!(end(&world, &first, false).await);
    let over = asked(&world, "over-1", RunTask::HandOver { letters: first.clone(), lang: Lang::En }).await;
    work(&world, &over, days(4), None).await;
    let refused = found(&world, &over).await;
    assert_eq!(refused.state, RunState::Failed);
    assert!(!works(&world, &printed(&world, &first).await).await);

    let second = asked(&world, "second", RunTask::Letters(everybody())).await;
    through(&world, &second, days(3)).await;
    let mut renewed = testing::account("b");
    (renewed.account.username, renewed.password_hash) = (Some("another".into()), Some("hash".into()));
    world.store.put_account(&tenant(), &renewed).await.unwrap();
    // A letter was stolen: the link of the one that was drawn before is not to open what a new password has closed.
    let mut stolen = testing::account("a");
    (stolen.account.username, stolen.password_hash) = (Some("a-user".into()), Some("another hash".into()));
    world.store.put_account(&tenant(), &stolen).await.unwrap();
    assert!(end(&world, &second, true).await);
    let over = asked(&world, "over-2", RunTask::HandOver { letters: second.clone(), lang: Lang::En }).await;
    let ended = through(&world, &over, days(4)).await;
    assert_eq!(letters(&ended), RunLetters { letters: 1, new_logins: 1, left_out: 2, ..RunLetters::default() });
    let list = String::from_utf8(content(&world, &over, "left-out.csv").await).unwrap();
    for account in ["a", "b"] {
        assert!(list.contains(&format!("{account};the account has got other login data since")), "{list}");
    }
    assert_eq!(world.store.account(&tenant(), &account_id("b")).await.unwrap().unwrap().username.as_deref(), Some("another"));
}

/// Draws the letters of a season, or of all, and hands them over.
async fn sent(world: &World, id: &str, task: LettersTask) -> RunId {
    let run = asked(world, id, RunTask::Letters(task)).await;
    through(world, &run, days(3)).await;
    assert!(end(world, &run, true).await);
    let over = asked(world, &format!("over-{id}"), RunTask::HandOver { letters: run.clone(), lang: Lang::En }).await;
    through(world, &over, days(4)).await;
    run
}

/// The account's letter came back.
async fn came_back(world: &World, id: &str) {
    note_return(world, id, Some((days(4), "Clara".to_owned()))).await;
}

/// The account can be written to again.
async fn lift(world: &World, id: &str) {
    note_return(world, id, None).await;
}

async fn note_return(world: &World, id: &str, returned: Option<(Timestamp, String)>) {
    let invitee = world.store.invitees(&tenant(), &[account_id(id)], days(4)).await.unwrap().remove(0);
    world.store.note_return(&tenant(), &invitee, returned).await.unwrap();
}

// D-LETTERS-8
#[tokio::test(flavor = "multi_thread")]
async fn whoever_found_a_letter_that_came_back_loses_the_address_wherever_a_worker_was_stopped() {
    let mut world = world().await;
    confirm(&world, &tenant(), "c", "invited-by-mail@example.com").await;
    sent(&world, "first", everybody()).await;
    confirm(&world, &tenant(), "b", "finder@example.com").await;
    came_back(&world, "b").await;
    lift(&world, "b").await;
    let task = LettersTask { accounts: vec![account_id("b")], ..everybody() };
    let run = asked(&world, "second", RunTask::Letters(task)).await;
    through(&world, &run, days(3)).await;
    assert!(end(&world, &run, true).await);
    let over = asked(&world, "over", RunTask::HandOver { letters: run.clone(), lang: Lang::En }).await;
    let prepared = world.snapshot().await;
    let writes = work(&world, &over, days(4), None).await.writes;
    for stop in writes.iter().map(|&call| Stop { call, after: true }) {
        world.restore(&prepared).await;
        work(&world, &over, days(4), Some(stop)).await;
        through(&world, &over, days(4) + 2.minutes()).await;
        assert!(works(&world, &printed(&world, &run).await).await, "{stop:?}");
        let registered = world.store.registration(&tenant(), &account_id("b")).await.unwrap().unwrap();
        assert_eq!(registered.confirmed, None, "{stop:?}");
        assert!(world.store.registration_by_token(&tenant(), "token-b").await.unwrap().is_none(), "{stop:?}");
    }
    let registered = world.store.registration(&tenant(), &account_id("c")).await.unwrap().unwrap();
    assert!(registered.confirmed.is_some(), "the first login data take the place of none");
}

/// Letters that a command writes.
#[derive(Default)]
struct Book(Vec<Letter>);

impl LetterBook for Book {
    type Error = desk::Failure;

    fn earlier(&self, _: &AccountId) -> Option<&Letter> {
        None
    }

    fn write(&mut self, letter: &Letter) -> Result<(), desk::Failure> {
        self.0.push(letter.clone());
        Ok(())
    }

    fn withdraw(&mut self, _: &AccountId) -> Result<(), desk::Failure> {
        Ok(())
    }
}

/// A command writes the account a letter that brings one more link.
async fn bring_link(world: &World, id: &str) {
    assert_eq!(by_command(world, id).await.password, None);
}

/// The letter that a command writes the account, which leaves login data that somebody has read as they are.
async fn by_command(world: &World, id: &str) -> Letter {
    let settings = world.store.tenant(&tenant()).await.unwrap().unwrap();
    let mut book = Book::default();
    reissue(&world.store, &settings.application, &account_id(id), Reissue::Link, &mut book).await.unwrap();
    assert_eq!(book.0.len(), 1);
    book.0.remove(0)
}

// D-LETTERS-12
#[tokio::test(flavor = "multi_thread")]
async fn a_letter_that_brought_a_link_only_takes_no_login_data_along_when_it_comes_back() {
    let world = world().await;
    let first = sent(&world, "first", everybody()).await;
    confirm(&world, &tenant(), "b", "reader@example.com").await;
    bring_link(&world, "b").await;
    came_back(&world, "b").await;
    lift(&world, "b").await;
    let again = sent(&world, "again", everybody()).await;
    let drawn = printed(&world, &again).await;
    assert!(drawn.len() == 1 && drawn[0][0] == "b" && drawn[0][2].is_empty(), "{drawn:?}");
    assert!(works(&world, &printed(&world, &first).await).await, "what the first letter told works on");
    assert!(world.store.registration(&tenant(), &account_id("b")).await.unwrap().unwrap().confirmed.is_some());
}

// D-LETTERS-12
#[tokio::test(flavor = "multi_thread")]
async fn login_data_that_came_back_are_replaced_although_a_link_went_out_since() {
    let world = world().await;
    sent(&world, "first", everybody()).await;
    came_back(&world, "b").await;
    bring_link(&world, "b").await;
    lift(&world, "b").await;
    let again = sent(&world, "again", everybody()).await;
    let drawn = printed(&world, &again).await;
    assert!(drawn.len() == 1 && drawn[0][0] == "b" && !drawn[0][2].is_empty(), "{drawn:?}");
    assert!(works(&world, &drawn).await);
}

// D-LETTERS-16
#[tokio::test(flavor = "multi_thread")]
async fn login_data_that_came_back_are_replaced_by_a_command_that_leaves_others_as_they_are() {
    let world = world().await;
    sent(&world, "first", everybody()).await;
    came_back(&world, "b").await;
    lift(&world, "b").await;
    let Letter { username, password, token, .. } = by_command(&world, "b").await;
    assert!(works(&world, &[["b".to_owned(), username, password.unwrap(), token]]).await);
    let again = sent(&world, "again", everybody()).await;
    let drawn = printed(&world, &again).await;
    assert!(drawn.len() == 1 && drawn[0][0] == "b" && drawn[0][2].is_empty(), "the command's letter told them: {drawn:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_letter_of_one_season_is_none_of_another() {
    let world = world().await;
    let water = SeasonId::new("water").unwrap();
    let address = json!({ "street": "Am Markt", "houseNumber": "1", "zip": "20000", "city": "Birkenfurt" });
    let line = JobLine {
        account_id: account_id("b"),
        master: testing::job("water-of-b", json!({ "customer": { "lastname": "Customer b", "mailingAddress": address } })),
        season: water.clone(),
        pass_through: PassThrough::default(),
    };
    testing::import(&world.store, &testing::application(tenant().as_str(), json!({})), &[line], days(1)).await;
    let of = |season: &SeasonId| LettersTask { season: Some(season.clone()), ..everybody() };
    sent(&world, "power", of(&SeasonId::default())).await;
    let due = async |id: &str, task| letters(&through(&world, &asked(&world, id, RunTask::DueLetters(task)).await, days(5)).await);
    assert_eq!(
        due("due-water", of(&water)).await,
        RunLetters { letters: 1, ..RunLetters::default() },
        "of the other season b heard nothing"
    );
    let again = due("due-power", of(&SeasonId::default())).await;
    assert_eq!(again, RunLetters { had: 3, left_out: 1, ..RunLetters::default() });
    sent(&world, "all", everybody()).await;
    assert_eq!(due("due-rest", of(&water)).await, RunLetters { had: 1, ..RunLetters::default() }, "of all is of each");
}

#[tokio::test(flavor = "multi_thread")]
async fn letters_whose_characters_the_font_lacks_are_listed() {
    let world = world().await;
    let meter = json!({ "meterNumber": "9B", "meterAddress": { "locationDescription": "Keller ☎" } });
    world.import("a", &testing::job("job-2-of-a", json!({ "meter": meter }))).await;
    for (id, task) in [("due", RunTask::DueLetters(everybody())), ("drawn", RunTask::Letters(everybody()))] {
        let run = asked(&world, id, task).await;
        assert_eq!(letters(&through(&world, &run, days(3)).await).question_marks, 1, "{id}");
        let list = String::from_utf8(content(&world, &run, "question-marks.csv").await).unwrap();
        assert_eq!(list.trim_start_matches('\u{feff}').trim_end(), "a;Keller ☎", "{id}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_drawn_in_rehearsal_is_nobodys_letter() {
    let world = world().await;
    world.apply_with(&tenant(), json!({ "rehearsal": true })).await;
    let specimens = asked(&world, "specimens", RunTask::Letters(everybody())).await;
    through(&world, &specimens, days(3)).await;
    assert!(end(&world, &specimens, true).await);
    let over = asked(&world, "over", RunTask::HandOver { letters: specimens.clone(), lang: Lang::En }).await;
    work(&world, &over, days(4), None).await;
    let refused = found(&world, &over).await;
    assert_eq!(refused.state, RunState::Failed);
    assert!(refused.failure.unwrap().en.starts_with("in rehearsal no letter goes out"));
    assert!(!works(&world, &printed(&world, &specimens).await).await);
    world.apply_with(&tenant(), json!({ "rehearsal": false })).await;
    let due = through(&world, &asked(&world, "due", RunTask::DueLetters(everybody())).await, days(5)).await;
    assert_eq!(letters(&due), RunLetters { letters: 3, new_logins: 2, left_out: 1, ..RunLetters::default() });
}

// D-LOGIN-2
#[tokio::test(flavor = "multi_thread")]
async fn letters_to_jobs_that_were_listed_long_ago_open_the_portal() {
    let world = World::with_retention(Default::default()).await;
    world.store.put_account(&tenant(), &testing::account("b")).await.unwrap();
    let address = json!({ "street": "Am Markt", "houseNumber": "1", "zip": "20000", "city": "Birkenfurt" });
    let customer = json!({ "lastname": "Customer b", "mailingAddress": address });
    world.import_at("b", &testing::job("job-of-b", json!({ "customer": customer })), days(-300)).await;
    let first = asked(&world, "first", RunTask::Letters(everybody())).await;
    through(&world, &first, days(3)).await;
    assert!(end(&world, &first, true).await);
    let over = asked(&world, "over", RunTask::HandOver { letters: first.clone(), lang: Lang::En }).await;
    through(&world, &over, days(4)).await;
    let printed = printed(&world, &first).await;
    assert!(printed.len() == 1 && works(&world, &printed).await);
}

/// Of a filter: who lives in the district that begins so.
fn of_district(district: &str) -> LettersTask {
    LettersTask { filter: Some(OpenFilter { district: Some(district.into()), ..OpenFilter::default() }), ..everybody() }
}

/// As [`world`], with meters in districts; c has one in each.
async fn world_of_districts() -> World {
    let world = world().await;
    for (owner, job, district) in
        [("a", "job-of-a", "Nord"), ("b", "job-of-b", "Süd"), ("c", "job-of-c", "Süd"), ("c", "job-2-of-c", "Nord")]
    {
        let address = json!({ "street": "Am Markt", "houseNumber": "1", "zip": "10000", "city": "Birkenfurt" });
        let customer = json!({ "lastname": owner, "mailingAddress": address });
        let meter = json!({ "meterNumber": format!("9{job}"), "meterAddress": { "cityDistrict": district } });
        let fields = json!({ "customer": customer, "meter": meter });
        world.import(owner, &testing::job(job, fields)).await;
    }
    world
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_a_filter_chose_gets_the_same_letter_wherever_a_worker_was_stopped() {
    let mut world = world_of_districts().await;
    let shown = through(&world, &asked(&world, "due", RunTask::DueLetters(of_district("nor"))).await, days(3)).await;
    assert_eq!(letters(&shown), RunLetters { letters: 2, new_logins: 1, ..RunLetters::default() });
    let run = asked(&world, "letters", RunTask::Letters(of_district("nor"))).await;
    let prepared = world.snapshot().await;
    let writes = work(&world, &run, days(3), None).await.writes;
    for stop in writes.iter().map(|&call| Stop { call, after: true }) {
        world.restore(&prepared).await;
        work(&world, &run, days(3), Some(stop)).await;
        let ended = through(&world, &run, days(3) + 2.minutes()).await;
        assert_eq!(letters(&ended), RunLetters { letters: 2, new_logins: 1, ..RunLetters::default() }, "{stop:?}");
        assert_eq!(printed(&world, &run).await.iter().map(|[account, ..]| account.as_str()).collect::<Vec<_>>(), ["a", "c"], "{stop:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn who_answers_between_counting_and_drawing_is_treated_as_of_a_season() {
    let mut world = world_of_districts().await;
    let run = asked(&world, "letters", RunTask::Letters(of_district("nord"))).await;
    let before = world.snapshot().await;
    let writes = work(&world, &run, days(3), None).await.writes;
    world.restore(&before).await;
    // Behind the plan, before the first file.
    let plan = *writes.iter().nth(1).unwrap();
    work(&world, &run, days(3), Some(Stop { call: plan, after: true })).await;
    let planned: serde_json::Value = serde_json::from_slice(&content(&world, &run, "plan.json").await).unwrap();
    assert_eq!(planned["letters"], json!(["a", "c"]));
    world.read("a", "job-of-a", "a", "", days(3)).await;
    world.read("c", "job-2-of-c", "c", "", days(3)).await;
    world.import("b", &testing::job("job-2-of-b", json!({ "meter": { "meterAddress": { "zip": "1", "cityDistrict": "Nord" } } }))).await;
    let ended = through(&world, &run, days(3) + 2.minutes()).await;
    // a has nothing to read any more; c has a meter elsewhere, which the letter tells of; b came too late.
    assert_eq!(letters(&ended), RunLetters { letters: 1, new_logins: 1, left_out: 1, ..RunLetters::default() });
    assert_eq!(printed(&world, &run).await.iter().map(|[account, ..]| account.as_str()).collect::<Vec<_>>(), ["c"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_reads_as_much_as_it_finds_and_each_customer_once() {
    let world = world_of_districts().await;
    for number in 0..600 {
        let address = json!({ "zip": "20000", "city": "Birkenfurt", "cityDistrict": "West" });
        let fields = json!({ "meter": { "meterNumber": format!("8{number}"), "meterAddress": address } });
        world.import("c", &testing::job(&format!("many-{number}"), fields)).await;
    }
    let shown = through(&world, &asked(&world, "due", RunTask::DueLetters(of_district("west"))).await, days(3)).await;
    assert_eq!(letters(&shown).letters, 1, "six hundred meters on two pages are one customer");
}

/// What runs of letters use.
pub(crate) async fn by_runs() -> BTreeSet<Permission> {
    let world = world().await;
    let chosen = RunTask::Letters(LettersTask { filter: Some(OpenFilter::default()), ..everybody() });
    let run = asked(&world, "letters", chosen).await;
    let mut used = work(&world, &run, days(3), None).await.used;
    assert!(end(&world, &run, true).await);
    let over = asked(&world, "over", RunTask::HandOver { letters: run, lang: Lang::En }).await;
    used.extend(work(&world, &over, days(4), None).await.used);
    used
}
