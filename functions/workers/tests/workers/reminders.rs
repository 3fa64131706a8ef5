//! Whoever has not read is reminded without anybody's doing, once, and by day.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use desk::invitations::{self, Plan};
use desk::mailing::{Courier, Outcome};
use desk::recipients::Recipients;
use domain::ids::{RunId, SeasonId, TenantId};
use domain::login::link_token_hash;
use domain::open_filter::OpenFilter;
use domain::pass_through::PassThrough;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use mail::Mailer;
use serde_json::json;
use store::{Access, IdempotencyWrite, JobLine, LinkSecretHash, NewLogin, NewShare, Pending, RunMails, RunState, RunTask, Tenant};
use testing::{Asked, Fate, Permission, after, ask_for, mails_to, ministack, only, permissions};
use workers::table::{ERASURE, REMINDERS, RUNS};

use crate::runs::{found, wake, work};
use crate::world::{Stop, World, account, master, tenant};

/// Noon in the tenant's time zone, on the day on which mails are really counted.
fn noon() -> Timestamp {
    let today = Timestamp::now().to_zoned(TimeZone::get("Europe/Berlin").unwrap()).date();
    today.at(12, 0, 0, 0).to_zoned(TimeZone::get("Europe/Berlin").unwrap()).unwrap().timestamp()
}

fn address(name: &str, id: &str) -> String {
    format!("{id}-{name}@customers.example")
}

/// A tenant whose three customers have given an address; the job of the last one is not due for long.
async fn world(name: &str, reminders: serde_json::Value) -> World {
    let world = World::new().await;
    let settings = emulators::settings("", Some(ministack().await));
    emulators::verify_sender(&settings, "example.org").await.unwrap();
    let sender = json!({ "senderEmail": "ablesung@example.org", "senderName": "Werk" });
    world.apply_with(&tenant(), json!({ "communicationSettings": sender, "desk": { "reminders": reminders } })).await;
    for (id, days) in [("a", 5), ("b", 7), ("c", 60)] {
        world.account(id, "Reader", None).await;
        let last = noon().to_zoned(TimeZone::UTC).date() + days.days();
        let mut job = master(&format!("j-{id}"), &format!("7ELS{id}"));
        job.job_constraints.latest_execution = Some(last);
        world.import(id, &job).await;
        confirm(&world, &tenant(), id, &address(name, id)).await;
    }
    world
}

pub(crate) async fn confirm(world: &World, tenant: &TenantId, id: &str, email: &str) {
    let (store, who, hash) = (&world.store, account(id), format!("hash-{id}"));
    store.open_registration(tenant, &who, &format!("token-{id}")).await.unwrap();
    let expires_at = Timestamp::now() + 1.hour();
    let pending = Pending { email: email.parse().unwrap(), confirmation_hash: hash.clone(), expires_at };
    store.await_confirmation(tenant, &who, pending).await.unwrap();
    assert!(store.confirm_registration(tenant, &hash, Timestamp::now()).await.unwrap().is_some());
}

/// How many mails each of the three has.
async fn sent(name: &str) -> Vec<usize> {
    let mut sent = Vec::new();
    for id in ["a", "b", "c"] {
        sent.push(mails_to(ministack().await, &address(name, id)).await.len());
    }
    sent
}

#[tokio::test(flavor = "multi_thread")]
async fn go_out_once_a_day_between_eight_and_eight() {
    let world = world("daily", json!({ "automatic": true, "daysBefore": 14, "perSecond": 20 })).await;
    for hour in [noon() - 5.hours(), noon() + 8.hours()] {
        let ran = world.by_clock(&REMINDERS, hour).await;
        assert!(ran.went_well, "{}", ran.line);
    }
    assert_eq!(sent("daily").await, [0, 0, 0], "it is too early, or too late");
    let ran = world.by_clock(&REMINDERS, noon()).await;
    assert_eq!(ran.line["counts"], json!({ "sent": 2 }), "{}", ran.line);
    assert_eq!(sent("daily").await, [1, 1, 0], "one is due in sixty days");
    // What one asks for by hand is done at any time; there is nobody left to remind.
    for now in [noon() + 15.minutes(), noon() + 24.hours()] {
        world.works(&REMINDERS, now).await;
    }
    assert_eq!(sent("daily").await, [1, 1, 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_day_that_began_with_a_fault_is_not_lost() {
    let world = world("fault", json!({ "automatic": true, "daysBefore": 6, "perSecond": 20 })).await;
    let fault = Stop { call: 10, after: false };
    let broken = world.invoke(&REMINDERS, workers::BY_CLOCK, noon(), std::time::Duration::from_secs(300), Some(fault)).await;
    assert!(!broken.went_well, "{}", broken.line);
    let ran = world.by_clock(&REMINDERS, noon() + 15.minutes()).await;
    assert!(ran.went_well, "{}", ran.line);
    assert_eq!(sent("fault").await, [1, 0, 0]);
}

/// With which the worker has never come through, so that nothing is known but that.
#[tokio::test(flavor = "multi_thread")]
async fn a_tenant_whose_first_step_failed_has_its_turn_in_the_next_run() {
    let world = world("first", json!({ "automatic": true, "daysBefore": 6, "perSecond": 20 })).await;
    let mut granted = only(permissions(REMINDERS.grants));
    // The mail service does not say how much it takes.
    let script = move |n: usize, asked: &Asked| if asked.action == "GET /email" { Fate::Denied } else { granted(n, asked) };
    let broken = world.invoke_while(&REMINDERS, (workers::BY_CLOCK, noon(), Duration::from_secs(300)), script).await;
    assert!(!broken.went_well, "{}", broken.line);
    let ran = world.by_clock(&REMINDERS, noon() + 15.minutes()).await;
    assert!(ran.went_well, "{}", ran.line);
    assert_eq!(sent("first").await, [1, 0, 0]);
}

/// Half of the 14 mails that the emulated service takes in a second are for reminders, and others have them all.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_finds_no_room_says_so_before_its_time_is_up() {
    let world = world("crowded", json!({ "automatic": true, "daysBefore": 14, "perSecond": 20 })).await;
    let now = Timestamp::now();
    // For one mail there is room, in the eighth second.
    for turn in (0..7 * 30).filter(|turn| *turn != 7 * 8) {
        assert_eq!(world.store.count_reminder(7, now + (turn / 7).seconds()).await.unwrap(), None, "{turn}");
    }
    const LEFT: Duration = Duration::from_secs(25);
    let ran = tokio::time::timeout(LEFT, world.invoke(&REMINDERS, workers::BY_CLOCK, noon(), LEFT, None));
    let ran = ran.await.expect("the platform has ended it without a word");
    assert!(!ran.went_well && ran.line["causes"][0].as_str().unwrap().contains("no room"), "{}", ran.line);
    assert_eq!((&ran.line["counts"], &ran.line["finished"]), (&json!({ "sent": 1 }), &json!(false)), "{}", ran.line);
    assert_eq!(sent("crowded").await.iter().sum::<usize>(), 1);
    let ran = world.by_clock(&REMINDERS, noon() + 15.minutes()).await;
    assert!(ran.went_well, "{}", ran.line);
    assert_eq!(sent("crowded").await, [1, 1, 0]);
}

/// What the mail service takes is noted although another mail of the run went wrong: the next run would send it once more.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_on_its_way_beside_a_fault_is_sent_once() {
    let (season, filter) = (None, None);
    let invitations = RunTask::Invitations { season, filter: filter.clone() };
    let ways = [
        ("beside-worker", None, [1, 1, 0]),
        ("beside-reminders", Some(RunTask::Reminders { filter }), [1, 1, 0]),
        ("beside-invitations", Some(invitations), [1, 1, 1]),
    ];
    for (name, task, all) in ways {
        let world = world(name, json!({ "automatic": true, "daysBefore": 14, "perSecond": 20 })).await;
        let mut has_gone = false;
        let script = move |_: usize, asked: &Asked| {
            let writes = ["UpdateItem", "TransactWriteItems"].contains(&asked.action.as_str());
            has_gone |= asked.action == "POST /email";
            match () {
                () if writes && has_gone && asked.names("T#portal#A#a") => Fate::Takes(Duration::from_secs(2)),
                () if writes && asked.names("T#portal#A#b") => Fate::Denied,
                () => Fate::Works,
            }
        };
        let told = match &task {
            None => {
                let ran = world.invoke_while(&REMINDERS, (workers::BY_CLOCK, noon(), Duration::from_secs(300)), script).await;
                assert!(!ran.went_well, "{}", ran.line);
                ran.line["counts"]["sent"].as_u64()
            }
            Some(task) => {
                let run = ask_for(&world.store, &tenant(), name.parse().unwrap(), task.clone(), noon()).await;
                world.invoke_while(&RUNS, (&wake(&run), noon(), Duration::from_secs(90)), script).await;
                found(&world, &run).await.outcome.and_then(|outcome| outcome.mails).map(|mails| mails.sent)
            }
        };
        let first = sent(name).await;
        assert!(first[0] == 1 && first[1] == 0, "{name}: {first:?}");
        match task {
            None => assert!(world.by_clock(&REMINDERS, noon() + 15.minutes()).await.went_well),
            Some(task) => assert!(run(&world, name, task, None).await.0.is_some()),
        }
        assert_eq!(sent(name).await, all, "{name}");
        assert_eq!(told, Some(first.iter().sum::<usize>() as u64), "{name}: {first:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_reminded_whose_utility_does_not_want_it() {
    let by_command = world("command", json!({})).await;
    let without_sender = world("sender", json!({ "automatic": true })).await;
    without_sender
        .apply_with(&tenant(), json!({ "communicationSettings": { "senderEmail": "" }, "desk": { "reminders": { "automatic": true } } }))
        .await;
    for (world, name) in [(by_command, "command"), (without_sender, "sender")] {
        world.works(&REMINDERS, noon()).await;
        assert_eq!(sent(name).await, [0, 0, 0], "{name}");
    }
}

/// Who got a share cannot log in once the account above has ended.
#[tokio::test(flavor = "multi_thread")]
async fn a_share_of_an_account_that_has_ended_is_not_reminded() {
    let world = world("ended", json!({ "automatic": true, "daysBefore": 14, "perSecond": 20 })).await;
    for (id, owner) in [("below-a", "a"), ("below-b", "b")] {
        let link = LinkSecretHash { sha256_hex: format!("link-of-{id}"), expires_at: noon() + 24.hours() };
        let new = NewShare {
            id: account(id),
            name: "Hausmeister",
            allow_to_re_share: false,
            job_ids: &[format!("j-{owner}").parse().unwrap()],
            login: NewLogin { username: id.into(), password_hash: "hash".into(), link },
            era: 0,
            most: 1000,
            created: noon(),
            idempotency: IdempotencyWrite { key_hash: id.into(), request_hash: "h".into(), response_body: "{}".into(), created: noon() },
            keyless: false,
        };
        world.store.create_share(&tenant(), &Access::owner(account(owner)), new).await.unwrap();
        confirm(&world, &tenant(), id, &address("ended", id)).await;
    }
    let yesterday = noon().to_zoned(TimeZone::get("Europe/Berlin").unwrap()).date().yesterday().unwrap();
    world.account("a", "Reader", Some(&yesterday.to_string())).await;
    let ran = world.by_clock(&REMINDERS, noon()).await;
    assert_eq!(ran.line["counts"], json!({ "sent": 2 }), "{}", ran.line);
    assert_eq!(sent("ended").await, [0, 1, 0]);
    assert_eq!(mails_to(ministack().await, &address("ended", "below-b")).await.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_that_takes_no_mail_keeps_nobody_waiting() {
    let world = world("suppressed", json!({ "automatic": true, "perSecond": 20 })).await;
    let suppressed = "suppressionlist@simulator.amazonses.com";
    confirm(&world, &tenant(), "a", suppressed).await;
    let ran = world.works(&REMINDERS, noon()).await;
    assert_eq!(sent("suppressed").await[1], 1, "{}", ran.line);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_was_stopped_anywhere_reminds_nobody_twice() {
    // One is due: of several, those on their way when the worker stops come again (D-MAILS-2).
    let settings = json!({ "automatic": true, "daysBefore": 6, "perSecond": 20 });
    let mut world = world("stopped", settings).await;
    let prepared = world.snapshot().await;
    let writes = world.works(&REMINDERS, noon()).await.writes;
    let mut wanted = sent("stopped").await;
    assert_eq!(wanted, [1, 0, 0]);
    assert!(writes.len() > 4, "{writes:?}");
    for call in writes {
        world.restore(&prepared).await;
        let stopped = world.run(&REMINDERS, noon(), std::time::Duration::from_secs(300), Some(Stop { call, after: true })).await;
        assert!(!stopped.went_well, "at call {call}: {}", stopped.line);
        world.works(&REMINDERS, noon()).await;
        wanted[0] += 1;
        assert_eq!(sent("stopped").await, wanted, "stopped at call {call}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_uses_what_it_is_granted_and_no_more() {
    let world = world("granted", json!({ "automatic": true, "perSecond": 20 })).await;
    let used: BTreeSet<Permission> = world.works(&REMINDERS, noon()).await.used;
    assert_eq!(used, permissions(REMINDERS.grants), "left: used, right: granted");
}

/// A run of this task at noon; gives what became of its mails, and what it used.
async fn run(world: &World, id: &str, task: RunTask, stop: Option<Stop>) -> (Option<RunMails>, BTreeSet<Permission>) {
    let id: RunId = id.parse().unwrap();
    if world.store.run(&tenant(), &id).await.unwrap().is_none() {
        ask_for(&world.store, &tenant(), id.clone(), task, noon()).await;
    }
    let minutes = if stop.is_some() { 0 } else { 5 };
    let used = work(world, &id, noon() + minutes.minutes(), stop).await.used;
    let ended = found(world, &id).await;
    assert!(stop.is_some() || ended.state == RunState::Done, "{:?}", ended.failure);
    (ended.outcome.and_then(|outcome| outcome.mails), used)
}

/// What a run of reminders uses.
pub(crate) async fn by_a_run() -> BTreeSet<Permission> {
    let world = world("run-grants", json!({ "daysBefore": 14, "perSecond": 20 })).await;
    run(&world, "r", RunTask::Reminders { filter: None }, None).await.1
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lead_sees_who_is_due_and_reminds_them_once() {
    let mut world = world("run", json!({ "daysBefore": 14, "perSecond": 20 })).await;
    let due = run(&world, "due", RunTask::DueReminders { filter: None, lang: Default::default() }, None).await.0;
    assert_eq!(due, Some(RunMails { due: 2, ..RunMails::default() }));
    let file = &found(&world, &"due".parse().unwrap()).await.outcome.unwrap().files[0];
    assert_eq!((file.name.as_str(), file.rows), ("reminders.csv", 2));
    assert_eq!(sent("run").await, [0, 0, 0], "nobody gets anything by that");
    // The worker dies between two mails; the next one sends what is left.
    let prepared = world.snapshot().await;
    let writes = {
        let id: RunId = "dry".parse().unwrap();
        ask_for(&world.store, &tenant(), id.clone(), RunTask::Reminders { filter: None }, noon()).await;
        work(&world, &id, noon(), None).await.writes
    };
    assert_eq!(sent("run").await, [1, 1, 0]);
    world.restore(&prepared).await;
    let half = *writes.iter().nth(writes.len() / 2).unwrap();
    run(&world, "r", RunTask::Reminders { filter: None }, Some(Stop { call: half, after: true })).await;
    assert!(run(&world, "r", RunTask::Reminders { filter: None }, None).await.0.is_some());
    let twice = sent("run").await;
    assert!(twice[0] >= 2 && twice[1] >= 2, "each of them once more, because the table forgot the first time: {twice:?}");
    assert!(twice.iter().sum::<usize>() <= 5, "at most the one that was on its way comes again (D-MAILS-2): {twice:?}");
    let again = run(&world, "again", RunTask::Reminders { filter: None }, None).await.0;
    assert_eq!(again, Some(RunMails::default()), "whoever was reminded is due no more");
    assert_eq!(sent("run").await, twice);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_filter_narrows_down_of_which_meters_somebody_is_reminded() {
    let world = world("filter", json!({ "daysBefore": 14, "perSecond": 20 })).await;
    let due_until = Some(noon().to_zoned(TimeZone::UTC).date() + 6.days());
    let filter = |email| Some(OpenFilter { due_until, email, ..OpenFilter::default() });
    let due = |filter| RunTask::DueReminders { filter, lang: Default::default() };
    assert_eq!(run(&world, "due", due(filter(None)), None).await.0, Some(RunMails { due: 1, ..RunMails::default() }));
    let reached = run(&world, "reached", due(filter(Some(true))), None).await.0;
    assert_eq!(reached, Some(RunMails { due: 1, ..RunMails::default() }));
    let sent_by = run(&world, "r", RunTask::Reminders { filter: filter(None) }, None).await.0;
    assert_eq!(sent_by, Some(RunMails { sent: 1, ..RunMails::default() }));
    assert_eq!(sent("filter").await, [1, 0, 0], "b has a day more");
    let rest = run(&world, "rest", due(None), None).await.0;
    assert_eq!(rest, Some(RunMails { due: 1, ..RunMails::default() }));
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_a_filter_chose_is_invited_once_though_a_worker_was_stopped() {
    let mut world = world("invite", json!({ "perSecond": 20 })).await;
    let due_until = Some(noon().to_zoned(TimeZone::UTC).date() + 10.days());
    let chosen = || RunTask::Invitations { season: None, filter: Some(OpenFilter { due_until, ..OpenFilter::default() }) };
    let prepared = world.snapshot().await;
    let dry: RunId = "dry".parse().unwrap();
    ask_for(&world.store, &tenant(), dry.clone(), chosen(), noon()).await;
    let writes = work(&world, &dry, noon(), None).await.writes;
    assert_eq!(sent("invite").await, [1, 1, 0], "the third one's deadline is later");
    world.restore(&prepared).await;
    let half = *writes.iter().nth(writes.len() / 2).unwrap();
    run(&world, "r", chosen(), Some(Stop { call: half, after: true })).await;
    assert!(run(&world, "r", chosen(), None).await.0.is_some());
    let twice = sent("invite").await;
    assert!(twice[0] >= 2 && twice[1] >= 2 && twice[2] == 0, "each of them once more, because the table forgot the first time: {twice:?}");
    assert!(twice.iter().sum::<usize>() <= 5, "at most the one that was on its way comes again (D-MAILS-2): {twice:?}");
    let again = run(&world, "again", chosen(), None).await.0;
    assert_eq!(again, Some(RunMails::default()), "whoever was invited is due no more");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_invitation_of_one_season_is_none_of_another() {
    let world = world("seasons", json!({ "perSecond": 20 })).await;
    let water = SeasonId::new("water").unwrap();
    let master = master("water-of-a", "8ELSa");
    let line = JobLine { account_id: account("a"), master, season: water.clone(), pass_through: PassThrough::default() };
    testing::import(&world.store, &testing::application(tenant().as_str(), json!({})), &[line], noon() - 73.hours()).await;
    let (power, filter, lang) = (Some(SeasonId::default()), None, Default::default());
    let first = run(&world, "power", RunTask::Invitations { season: power.clone(), filter: filter.clone() }, None).await.0;
    assert_eq!(first, Some(RunMails { sent: 3, ..RunMails::default() }));
    let due = async |id: &str, season| run(&world, id, RunTask::DueInvitations { season, filter: None, lang }, None).await.0.unwrap().due;
    assert_eq!(due("again", power).await, 0);
    assert_eq!(due("due-water", Some(water.clone())).await, 1, "of the other season a heard nothing");
    run(&world, "water", RunTask::Invitations { season: Some(water.clone()), filter }, None).await;
    assert_eq!((due("due-water-2", Some(water)).await, due("all", None).await), (0, 0));
}

/// As where the rest finds no room: the lead reads beside what went wrong how many have got theirs.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_ends_with_a_fault_says_how_many_it_reached() {
    let world = world("part", json!({ "daysBefore": 14, "perSecond": 1 })).await;
    let (season, filter) = (None, None);
    let tasks = [RunTask::Reminders { filter: filter.clone() }, RunTask::Invitations { season, filter }];
    for (id, task) in ["reminders", "invitations"].into_iter().zip(tasks) {
        let run = ask_for(&world.store, &tenant(), id.parse().unwrap(), task, noon()).await;
        let mut mails = 0;
        let of_b = move |_: usize, asked: &Asked| {
            mails += usize::from(asked.action == "POST /email");
            if mails > 1 && asked.action == "UpdateItem" && asked.names("T#portal#A#b") { Fate::Denied } else { Fate::Works }
        };
        world.invoke_while(&RUNS, (&wake(&run), noon(), Duration::from_secs(90)), of_b).await;
        let mails = found(&world, &run).await.outcome.and_then(|outcome| outcome.mails);
        assert_eq!(mails, Some(RunMails { sent: 1, ..RunMails::default() }), "{id}");
        assert!(world.store.cancel_run(&tenant(), &run, noon()).await.unwrap());
    }
}

/// An account has four links beside its first one, and each more ends the oldest (D-LETTERS-6).
#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_that_is_tried_again_ends_no_link_of_a_letter() {
    let world = world("busy", json!({ "perSecond": 20 })).await;
    for n in 0..3 {
        let link = LinkSecretHash { sha256_hex: format!("letter-{n}"), expires_at: noon() + 24.hours() };
        assert!(world.store.add_link(&tenant(), &account("a"), &link).await.unwrap());
    }
    let due_until = Some(noon().to_zoned(TimeZone::UTC).date() + 6.days());
    let chosen = RunTask::Invitations { season: None, filter: Some(OpenFilter { due_until, ..OpenFilter::default() }) };
    let run = ask_for(&world.store, &tenant(), "busy".parse().unwrap(), chosen, noon()).await;
    let mut was_given_back = false;
    let busy_once = move |_: usize, asked: &Asked| {
        was_given_back |= asked.action == "UpdateItem" && asked.names("leaseUntil = :free");
        if asked.action == "POST /email" && !was_given_back { Fate::Throttled } else { Fate::Works }
    };
    world.invoke_while(&RUNS, (&wake(&run), noon(), Duration::from_secs(90)), busy_once).await;
    assert_eq!(found(&world, &run).await.outcome.unwrap().mails, Some(RunMails { sent: 1, ..RunMails::default() }));
    for n in 0..3 {
        let opened = world.store.account_of_link(&tenant(), &format!("letter-{n}"), noon()).await.unwrap();
        assert_eq!(opened.map(|entrant| entrant.account.id), Some(account("a")), "of letter {n}");
    }
    let mail = mails_to(ministack().await, &address("busy", "a")).await.remove(0);
    let opened = world.store.account_of_link(&tenant(), &link_token_hash(&after(&mail, "/m/")), noon()).await.unwrap();
    assert_eq!(opened.map(|entrant| entrant.account.id), Some(account("a")), "of the mail");
}

/// The lead asks for the invitations once more when the mail service takes some again.
#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_that_the_mail_service_took_in_no_try_ends_no_link_of_a_letter() {
    let world = world("refused", json!({ "perSecond": 20 })).await;
    for n in 0..3 {
        let link = LinkSecretHash { sha256_hex: format!("letter-{n}"), expires_at: noon() + 24.hours() };
        assert!(world.store.add_link(&tenant(), &account("a"), &link).await.unwrap());
    }
    let all = || RunTask::Invitations { season: None, filter: None };
    let first = ask_for(&world.store, &tenant(), "refused".parse().unwrap(), all(), noon()).await;
    let is_busy = |_: usize, asked: &Asked| if asked.action == "POST /email" { Fate::Throttled } else { Fate::Works };
    world.invoke_while(&RUNS, (&wake(&first), noon(), Duration::from_secs(90)), is_busy).await;
    assert_eq!(found(&world, &first).await.outcome.unwrap().mails, Some(RunMails { failed: 3, ..RunMails::default() }));
    let taken = run(&world, "taken", all(), None).await.0;
    assert_eq!(taken, Some(RunMails { sent: 3, ..RunMails::default() }));
    for n in 0..3 {
        let opened = world.store.account_of_link(&tenant(), &format!("letter-{n}"), noon()).await.unwrap();
        assert_eq!(opened.map(|entrant| entrant.account.id), Some(account("a")), "of letter {n}");
    }
    let mail = mails_to(ministack().await, &address("refused", "a")).await.remove(0);
    let opened = world.store.account_of_link(&tenant(), &link_token_hash(&after(&mail, "/m/")), noon()).await.unwrap();
    assert_eq!(opened.map(|entrant| entrant.account.id), Some(account("a")), "of the mail");
}

async fn plan(world: &World, of: &Tenant) -> Plan {
    let (store, application) = (&world.store, &of.application);
    let mut recipients = Recipients::all(store, application, None);
    let today = noon().to_zoned(TimeZone::UTC).date();
    invitations::plan(store, &tenant(), application, None, &mut recipients, Timestamp::now(), today).await.unwrap()
}

/// Of thousands at the tenant's pace, the last one gets theirs an hour after the plan.
#[tokio::test(flavor = "multi_thread")]
async fn an_invitation_goes_by_what_holds_when_it_is_sent() {
    let world = world("moved", json!({ "perSecond": 20 })).await;
    let (store, t, now) = (&world.store, tenant(), Timestamp::now());
    world.account("d", "Reader", None).await;
    world.import("d", &master("j-d", "7ELSd")).await;
    confirm(&world, &t, "d", &address("moved", "d")).await;
    let settings = store.tenant(&t).await.unwrap().unwrap();
    let due = plan(&world, &settings).await.due;
    assert_eq!(due.len(), 4, "{due:?}");

    // New login data by letter, no more mails, an erasure, and a letter that came back.
    store.renew_registration(&t, &account("a"), now).await.unwrap();
    store.stop_reminders(&t, &account("b")).await.unwrap();
    store.request_erasure(&t, &account("c"), now).await.unwrap();
    world.works(&ERASURE, noon()).await;
    let invitee = async |id: &str| store.invitees(&t, &[account(id)], now).await.unwrap().remove(0);
    let returned = Some((now, "Mara Lindner".to_owned()));
    store.note_return(&t, &invitee("d").await, returned.clone()).await.unwrap();

    let mailer = Mailer::new(&emulators::settings("", Some(ministack().await)), None);
    let courier = Courier::new(store, &mailer, &settings, None).await.unwrap();
    assert_eq!(courier.per_second(), 7, "half of the 14 that the emulated service takes, though the tenant would have 20");
    let mut outcomes = BTreeMap::new();
    let told = invitations::send_all(store, &courier, &settings, &due, |one, outcome| {
        outcomes.insert(one.invitee.account.id.to_string(), outcome);
    });
    told.await.unwrap();
    let gone = Outcome::Failed { reason: "the account is gone".into(), may_have_gone: false };
    let expected = [("a", Outcome::Suppressed), ("b", Outcome::Suppressed), ("c", gone), ("d", Outcome::Sent)];
    assert_eq!(outcomes, expected.map(|(id, outcome)| (id.to_owned(), outcome)).into());
    assert_eq!(sent("moved").await, [0, 0, 0], "at the addresses of then");
    assert_eq!(store.registration(&t, &account("c")).await.unwrap(), None);

    // Whoever got theirs is due no more, although something else was noted of them meanwhile.
    let noted = invitee("d").await;
    assert!(noted.invited_at.is_some() && noted.returned.map(|(_, by)| by) == returned.clone().map(|(_, by)| by));
    assert!(plan(&world, &settings).await.due.is_empty());
    let before = invitee("b").await;
    store.note_return(&t, &before, returned).await.unwrap();
    store.note_invitation(&t, &before, None, now).await.unwrap();
    let noted = invitee("b").await;
    assert!(noted.invited_at.is_some() && noted.returned.is_some(), "{noted:?}");
    assert_eq!(mails_to(ministack().await, &address("moved", "d")).await.len(), 1);
}

/// Two hundred thousand customers have to be looked at within a worker's time.
#[tokio::test(flavor = "multi_thread")]
async fn whether_customers_are_due_is_looked_at_side_by_side() {
    const TAKES: Duration = Duration::from_secs(2);
    let world = world("many", json!({ "daysBefore": 14, "perSecond": 20 })).await;
    let (filter, lang, season) = (None, Default::default(), None);
    let reminders = RunTask::DueReminders { filter: filter.clone(), lang };
    for (id, task) in [("reminders", reminders), ("invitations", RunTask::DueInvitations { season, filter, lang })] {
        let run = ask_for(&world.store, &tenant(), id.parse().unwrap(), task, noon()).await;
        let asked = Arc::new(Mutex::new(Vec::new()));
        let noted = asked.clone();
        let script = move |_: usize, asked: &Asked| {
            let of_jobs = asked.action == "Query" && ["a", "b", "c"].iter().any(|id| asked.names(&format!("\"T#portal#A#{id}\"")));
            if !of_jobs {
                return Fate::Works;
            }
            noted.lock().unwrap().push(Instant::now());
            Fate::Takes(TAKES)
        };
        world.invoke_while(&RUNS, (&wake(&run), noon(), Duration::from_secs(90)), script).await;
        assert_eq!(found(&world, &run).await.state, RunState::Done, "{:?}", found(&world, &run).await.failure);
        let asked = asked.lock().unwrap();
        assert_eq!(asked.len(), 3, "{id}");
        assert!(asked[2] - asked[0] < TAKES, "{id}: the first is not waited for");
    }
}
