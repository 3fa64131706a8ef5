use std::collections::BTreeSet;
use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use domain::ids::{AccountId, SeasonId};
use domain::model::{LoginKind, ReadingResult};
use domain::value::MeterValue;
use jiff::{Timestamp, ToSpan, Zoned};
use serde_json::Value;
use store::{Effect, InTheWay, JobImport, JobLine, Occasion, Pending};

use crate::mscons::submit_by;
use crate::world::{Said, World};

pub struct Post {
    pub world: World,
}

/// The demo tenant with a mail service, and these reminders' settings.
pub fn post(reminders: &str) -> Post {
    let world = World::with_tenant();
    let file = world.path("demo/birkenfurt/tenant.json");
    let desk = format!(r#"{{ "desk": {{ "reminders": {reminders} }},"#);
    fs::write(&file, fs::read_to_string(&file).unwrap().replacen('{', &desk, 1)).unwrap();
    world.run(&["tenant", "apply", file.parent().unwrap().to_str().unwrap()]).succeeded();
    world.block_on(emulators::verify_sender(&world.aws(), "stadtwerke-birkenfurt.example")).unwrap();
    Post { world }
}

impl Post {
    fn command(&self, more: &[&str]) -> std::process::Command {
        self.world.command_with_aws(&[&["reminders", "send", "--tenant", "birkenfurt"], more].concat())
    }

    fn send(&self, more: &[&str]) -> Said {
        Said::from(self.command(more).output().unwrap())
    }

    /// Accounts with an open job that is due in so many days.
    fn add(&self, accounts: &[(&str, i64)]) {
        let lines: Vec<_> = accounts.iter().map(|(id, _)| format!(r#"{{"id":"{id}","name":"{id}"}}"#)).collect();
        self.world.import_accounts(&lines).succeeded();
        let jobs: Vec<_> = accounts.iter().map(|(id, days)| job(id, &format!("j-{id}"), *days)).collect();
        self.world.import_jobs(&jobs, &[]).succeeded();
    }

    pub fn confirm(&self, account: &str) {
        let (store, tenant, account) = (&self.world.store, &self.world.tenant, AccountId::new(account).unwrap());
        let (hash, expires_at) = (format!("hash-{account}"), Timestamp::now() + 1.hour());
        let email = address(account.as_str()).parse().unwrap();
        self.world.block_on(async {
            store.open_registration(tenant, &account, &format!("token-{account}")).await.unwrap();
            store.await_confirmation(tenant, &account, Pending { email, confirmation_hash: hash.clone(), expires_at }).await.unwrap();
            assert!(store.confirm_registration(tenant, &hash, Timestamp::now()).await.unwrap().is_some());
        });
    }

    /// The addresses of those of the accounts `k-0` to `k-9` of whom it is noted that they were reminded.
    fn noted(&self) -> BTreeSet<String> {
        let accounts: Vec<_> = (0..10).map(|number| AccountId::new(format!("k-{number}")).unwrap()).collect();
        let reachable = self.world.block_on(self.world.store.reachable(&self.world.tenant, &accounts)).unwrap();
        reachable.iter().filter(|one| one.reminded.last().is_some()).map(|one| one.email.as_str().to_owned()).collect()
    }

    pub fn recipients(&self) -> Vec<String> {
        let mut recipients: Vec<_> = self.world.mails().iter().map(|mail| mail["To"][0].as_str().unwrap().to_owned()).collect();
        recipients.sort();
        recipients
    }
}

fn address(account: &str) -> String {
    format!("{account}@kunden.example")
}

pub fn job(account: &str, id: &str, days: i64) -> String {
    let last = Zoned::now().with_time_zone(jiff::tz::TimeZone::get("Europe/Berlin").unwrap()).date() + days.days();
    format!(
        r#"{{"accountId":"{account}","id":"{id}","jobConstraints":{{"latestExecution":"{last}"}},"meter":{{"meterNumber":"7ELS-{id}","meterRateTasks":[{{"taskId":"t","obis":"7-0:3.0.0"}}]}}}}"#
    )
}

#[test]
fn whoever_sent_what_a_clerk_rejects_is_asked_by_mail_to_read_again() {
    let post = post("{}");
    post.add(&[("a", 5)]);
    post.confirm("a");
    let reject = |account: &str, reason: &str| {
        let result = ReadingResult {
            reading_date: Zoned::now().date(),
            reading_value: MeterValue::parse("01600.5").unwrap(),
            created: Timestamp::now(),
            comment: None,
            lower_reason: None,
            reading_result_images: vec![],
        };
        let id = submit_by(&post.world, LoginKind::Token, account, &format!("j-{account}"), 0, result);
        let job = format!("j-{account}");
        let args = ["clearing", "reject", &job, &id, "--tenant", "birkenfurt", "--reason", reason];
        let twice = [(); 2].map(|()| Said::from(post.world.command_with_aws(&args).output().unwrap()).succeeded().out);
        twice[1].clone()
    };
    assert!(reject("a", "Das Foto zeigt einen <anderen> Zähler.").ends_with("; the customer has a mail\n"));
    assert_eq!(post.recipients(), [address("a")], "once, although the command came twice");
    let due: Value = serde_json::from_str(&post.send(&["--dry-run", "--json"]).succeeded().out).unwrap();
    assert_eq!((due["due"].as_array().unwrap().len(), &due["due"][0]["account"]), (1, &"a".into()), "the job is open again");
}

#[test]
fn who_is_late_and_reachable_is_reminded_so_often_and_no_more() {
    let post = post(r#"{ "atMost": 2, "daysBefore": 10, "daysBetween": 3, "perSecond": 100 }"#);
    post.add(&[("near", 5), ("far", 20), ("past", -1), ("silent", 5), ("declined", 5), ("twice", 5), ("again", 5), ("fresh", 5)]);
    for account in ["near", "far", "past", "declined", "twice", "again", "fresh"] {
        post.confirm(account);
    }
    let (store, tenant) = (&post.world.store, &post.world.tenant);
    let id = |name: &str| AccountId::new(name).unwrap();
    // `twice` had all its reminders, `again` one long enough ago, `fresh` one yesterday.
    let deadline = post.world.jobs_of("near")[0].master.job_constraints.latest_execution.unwrap();
    for (account, days_ago) in [("twice", [9, 5].as_slice()), ("again", &[5]), ("fresh", &[1])] {
        for days in days_ago {
            post.world.block_on(async {
                let reminded = store.reachable(tenant, &[id(account)]).await.unwrap().remove(0).reminded;
                store
                    .note_reminder(tenant, &id(account), &reminded, [Occasion::Deadline(deadline)], Timestamp::now() - (24 * days).hours())
                    .await
                    .unwrap();
            });
        }
    }
    post.world.block_on(store.stop_reminders(tenant, &id("declined"))).unwrap();

    let said = post.send(&["--dry-run"]).succeeded().out;
    let mut lines: Vec<_> = said.lines().collect();
    assert_eq!(lines.pop(), Some("dry run, nothing was sent: 2 reminders are due"));
    lines.sort();
    assert_eq!(
        lines,
        [format!("again  again@kunden.example  1 meter  {deadline}"), format!("near  near@kunden.example  1 meter  {deadline}")]
    );
    assert_eq!(post.world.mails(), Vec::<Value>::new());

    assert!(post.send(&[]).succeeded().out.starts_with("reminders: 2 sent; 0 addresses"));
    assert_eq!(post.recipients(), ["again@kunden.example", "near@kunden.example"]);
    let mail = post.world.mails().into_iter().find(|mail| mail["To"][0] == "near@kunden.example").unwrap();
    let text = mail["BodyText"].as_str().unwrap();
    for part in [deadline.strftime("%d.%m.%Y").to_string(), "http://localhost:5173/abmelden/token-near".into()] {
        assert!(text.contains(&part), "{part} in {text}");
    }
    // The same command again: everybody has had the day's reminder.
    assert!(post.send(&[]).succeeded().out.starts_with("reminders: 0 sent"));
    assert_eq!(post.world.mails().len(), 2);

    // Whoever confirms an address anew wants mails again.
    post.confirm("declined");
    let due: Value = serde_json::from_str(&post.send(&["--dry-run", "--json"]).succeeded().out).unwrap();
    assert_eq!((&due["due"][0]["account"], &due["due"][0]["email"]), (&"declined".into(), &"declined@kunden.example".into()), "{due}");
}

#[test]
fn jobs_without_a_last_day_are_reminded_of_when_they_have_been_open_for_long() {
    let settings = r#"{ "atMost": 2, "daysAfterOpening": 10, "daysBetween": 3, "perSecond": 100 }"#;
    let post = post(settings);
    let (store, tenant) = (&post.world.store, &post.world.tenant);
    let settings = post.world.block_on(store.tenant(tenant)).unwrap().unwrap();
    let today = Zoned::now().with_time_zone(jiff::tz::TimeZone::get("Europe/Berlin").unwrap()).date();
    // Since when it is listed, and on which day it may first be read, in days ago.
    let jobs = [
        ("old", 10, None),
        ("new", 9, None),
        ("later", 30, Some(9)),
        ("begun", 30, Some(10)),
        ("listed", 9, Some(30)),
        ("ancient", 401, None),
        ("often", 20, None),
    ];
    let names: Vec<_> = jobs.iter().map(|(name, ..)| format!(r#"{{"id":"{name}","name":"{name}"}}"#)).collect();
    post.world.import_accounts(&names).succeeded();
    post.add(&[("both", 5)]);
    for (name, listed, first) in jobs.into_iter().chain([("both", 11, None)]) {
        let master = format!(
            r#"{{"id":"o-{name}","jobConstraints":{{}},"meter":{{"meterNumber":"7ELS-{name}","meterRateTasks":[{{"taskId":"t","obis":"7-0:3.0.0"}}]}}}}"#
        );
        let mut line = JobLine {
            account_id: AccountId::new(name).unwrap(),
            master: serde_json::from_str(&master).unwrap(),
            season: SeasonId::default(),
            pass_through: Default::default(),
        };
        line.master.job_constraints.earliest_execution = first.map(|days: i64| today - days.days());
        let listed = (today - i64::from(listed).days()).at(12, 0, 0, 0).in_tz("Europe/Berlin").unwrap().timestamp();
        let import = JobImport {
            application: &settings.application,
            effect: Effect::Stored,
            in_the_way: InTheWay::default(),
            coming: None,
            import: None,
            now: listed,
        };
        post.world.block_on(store.import_jobs(import, &[line])).unwrap();
        post.confirm(name);
    }
    let often = AccountId::new("often").unwrap();
    for days in [9_i64, 5] {
        post.world.block_on(async {
            let reminded = store.reachable(tenant, std::slice::from_ref(&often)).await.unwrap().remove(0).reminded;
            let occasion = Occasion::Opening(today - 20.days());
            store.note_reminder(tenant, &often, &reminded, [occasion], Timestamp::now() - (24 * days).hours()).await.unwrap();
        });
    }
    let due = || {
        let said = post.send(&["--dry-run"]).succeeded().out;
        let mut lines: Vec<_> = said.lines().map(str::to_owned).collect();
        lines.pop();
        lines.sort();
        lines
    };
    let both = |meters: &str| format!("both  both@kunden.example  {meters}  {}", today + 5.days());
    let open = |name: &str| format!("{name}  {name}@kunden.example  1 meter  no deadline");
    assert_eq!(due(), [open("begun"), both("2 meters"), open("old")]);
    assert!(post.send(&[]).succeeded().out.starts_with("reminders: 3 sent"));
    let mail = post.world.mails().into_iter().find(|mail| mail["To"][0] == "old@kunden.example").unwrap();
    let text = mail["BodyText"].as_str().unwrap();
    assert!(text.contains("Bitte senden Sie ihn, sobald Sie können."), "{text}");
    let old = AccountId::new("old").unwrap();
    let reminded = post.world.block_on(store.reachable(tenant, &[old])).unwrap().remove(0).reminded;
    let times = |days: i64| reminded.times(Occasion::Opening(today - days.days()));
    assert_eq!((times(10), times(9), reminded.times(Occasion::Deadline(today - 10.days()))), (1, 0, 0));

    // A utility that wants none of these says so.
    let file = post.world.path("demo/birkenfurt/tenant.json");
    let never = fs::read_to_string(&file).unwrap().replace(r#""daysAfterOpening": 10"#, r#""daysAfterOpening": null"#);
    fs::write(&file, never).unwrap();
    post.world.run(&["tenant", "apply", file.parent().unwrap().to_str().unwrap()]).succeeded();
    post.add(&[("fresh", 5)]);
    post.confirm("fresh");
    assert_eq!(due(), [format!("fresh  fresh@kunden.example  1 meter  {}", today + 5.days())]);
}

/// Only what hangs takes longer, however busy the machine is.
const PATIENCE: Duration = Duration::from_secs(600);
/// Mails that the mail service takes and answers for, before the one that it only takes.
const ANSWERED: usize = 3;

/// Stands before the mail service: keeps one answer for itself, and all mails that come after that one.
struct Gate {
    url: String,
    keeps: mpsc::Receiver<Kept>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kept {
    /// The mail service has taken the mail, and whoever sent it does not learn that.
    Answer,
    /// The mail service has never seen the mail.
    Mail,
}

#[derive(Clone)]
struct Desk {
    service: String,
    mails: Arc<AtomicUsize>,
    kept: mpsc::Sender<Kept>,
}

impl Gate {
    /// It has a thread of its own, which ends with the process.
    fn before(service: &str) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        listener.set_nonblocking(true).unwrap();
        let (kept, keeps) = mpsc::channel();
        let desk = Desk { service: service.to_owned(), mails: Arc::default(), kept };
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                axum::serve(listener, axum::Router::new().fallback(pass).with_state(desk)).await.unwrap();
            });
        });
        Self { url, keeps }
    }

    /// Waits until it keeps an answer and a mail.
    fn wait(&self) {
        let mut kept = BTreeSet::new();
        while kept.len() < 2 {
            kept.insert(self.keeps.recv_timeout(PATIENCE).unwrap());
        }
    }
}

async fn pass(State(desk): State<Desk>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let is_mail = head.uri.path().ends_with("/outbound-emails");
    let before = if is_mail { desk.mails.fetch_add(1, Ordering::SeqCst) } else { 0 };
    if before > ANSWERED {
        desk.kept.send(Kept::Mail).unwrap();
        return std::future::pending().await;
    }
    let http = reqwest::Client::builder().no_gzip().build().unwrap();
    // The host stays the gate's, because it is signed.
    let sent = http.request(head.method, format!("{}{}", desk.service, head.uri)).headers(head.headers).body(body).send().await.unwrap();
    let mut answer = Response::builder().status(sent.status());
    *answer.headers_mut().unwrap() = sent.headers().clone();
    let answer = answer.body(Body::from(sent.bytes().await.unwrap())).unwrap();
    if before == ANSWERED {
        desk.kept.send(Kept::Answer).unwrap();
        return std::future::pending().await;
    }
    answer
}

#[test]
fn a_run_keeps_to_the_tenants_rate_and_one_that_was_killed_is_finished() {
    let post = post(r#"{ "perSecond": 4 }"#);
    let names: Vec<String> = (0..10).map(|number| format!("k-{number}")).collect();
    post.add(&names.iter().map(|name| (name.as_str(), 5)).collect::<Vec<_>>());
    names.iter().for_each(|name| post.confirm(name));

    let gate = Gate::before(post.world.ministack());
    let mut killed = post.command(&[]).env("AWS_ENDPOINT_URL_SESV2", &gate.url).spawn().unwrap();
    gate.wait();
    let begun = Instant::now();
    while post.noted().len() < ANSWERED {
        assert!(begun.elapsed() < PATIENCE, "{:?}", killed.try_wait());
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    let (taken, noted) = (post.recipients(), post.noted());
    assert_eq!((taken.len(), noted.len()), (ANSWERED + 1, ANSWERED), "{taken:?}, {noted:?}");
    let unknown: Vec<_> = taken.iter().filter(|address| !noted.contains(*address)).cloned().collect();

    let begun = Instant::now();
    // What may have been sent is waited for, until its lease ends.
    let left = names.len() - ANSWERED;
    let said = post.send(&[]).succeeded().out;
    assert!(said.starts_with(&format!("reminders: {left} sent")), "{said}");
    let least = Duration::from_millis(250) * u32::try_from(left - 1).unwrap();
    assert!(begun.elapsed() >= least, "{:?} for {left} mails", begun.elapsed());
    // What the mail service had taken and nobody knew of is sent again, and nothing else: neither what was noted nor what it never saw.
    let mut expected: Vec<_> = names.iter().map(|name| address(name)).chain(unknown).collect();
    expected.sort();
    assert_eq!(post.recipients(), expected);
    assert!(post.send(&[]).succeeded().out.starts_with("reminders: 0 sent"));
    assert_eq!(post.recipients(), expected);
}

#[test]
fn who_declines_while_the_others_get_theirs_gets_none() {
    let post = post(r#"{ "perSecond": 1 }"#);
    let names: Vec<String> = (0..8).map(|number| format!("k-{number}")).collect();
    post.add(&names.iter().map(|name| (name.as_str(), 5)).collect::<Vec<_>>());
    names.iter().for_each(|name| post.confirm(name));
    let run = post.command(&[]).spawn().unwrap();
    let begun = Instant::now();
    while post.recipients().is_empty() {
        assert!(begun.elapsed() < PATIENCE);
    }
    for name in &names {
        post.world.block_on(post.world.store.stop_reminders(&post.world.tenant, &AccountId::new(name).unwrap())).unwrap();
    }
    let said = Said::from(run.wait_with_output().unwrap()).succeeded().out;
    // Accounts are read in pages, and only those of one page may be on their way already.
    let recipients = post.recipients();
    assert!(recipients.len() < names.len(), "{said}{recipients:?}");
}

/// The emulated mail service takes 14 mails a second: seven are for reminders, and other tenants have those of the next five seconds.
#[test]
fn half_of_what_the_mail_service_takes_is_shared_by_all_tenants_whatever_each_asks_for() {
    let post = post(r#"{ "perSecond": 1000 }"#);
    post.add(&[("k-1", 5)]);
    post.confirm("k-1");
    let now = Timestamp::now();
    for turn in 0..35 {
        let taken = post.world.store.count_reminder(7, now + (turn / 7).seconds());
        assert_eq!(post.world.block_on(taken).unwrap(), None, "{turn}");
    }
    assert!(post.send(&[]).succeeded().out.starts_with("reminders: 1 sent"));
    let waited = Timestamp::now().as_second() - now.as_second();
    assert!(waited >= 5, "{waited} s");
}

#[test]
fn when_the_days_recipients_are_used_up_the_rest_waits() {
    let post = post(r#"{ "perSecond": 100 }"#);
    let file = post.world.path("demo/birkenfurt/tenant.json");
    let text = fs::read_to_string(&file).unwrap();
    let few = text.replace(r#""tenantRecipientsPerDay": 500"#, r#""tenantRecipientsPerDay": 2"#);
    assert_ne!(few, text);
    fs::write(&file, few).unwrap();
    post.world.run(&["tenant", "apply", file.parent().unwrap().to_str().unwrap()]).succeeded();
    post.add(&[("a-1", 5), ("a-2", 5), ("a-3", 5)]);
    ["a-1", "a-2", "a-3"].iter().for_each(|name| post.confirm(name));
    let said = post.send(&["--json"]);
    let result: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((said.code, &result["sent"], &result["later"]), (Some(1), &2.into(), &1.into()), "{result} {}", said.err);
    assert_eq!(post.world.mails().len(), 2);
}
