//! Who the command is to AWS, by a program that stands for the AWS command line.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use jiff::Timestamp;
use serde_json::Value;

use crate::world::{Said, World};

/// Credentials as `aws configure export-credentials --format process` prints them.
const KEYS: &str =
    r#"printf '{"Version":1,"AccessKeyId":"key-%s","SecretAccessKey":"s","SessionToken":"t","Expiration":"%s"}' "$n" "$end""#;

/// What AWS says of a login that has ended.
const ENDED: &str = "echo 'Error when retrieving token from sso: Token has expired and refresh failed' >&2; exit 255";

const LIST: [&str; 4] = ["accounts", "list", "--tenant", "birkenfurt"];
const EXPORT: &str = "zaehlwerk configure export-credentials --format process";

/// Takes the credentials from a command's environment, and gives it an `aws` that does this when it is asked for the `$n`th time for others.
fn by_cli(world: &World, mut command: Command, answer: &str) -> Command {
    let folder = world.path("bin");
    fs::create_dir_all(&folder).unwrap();
    let log = world.path("asked");
    let program = format!(
        "#!/bin/sh\nPATH=/usr/bin:/bin\nlog='{}'\necho \"$AWS_PROFILE $*\" >> \"$log\"\n[ \"$2\" = get ] && echo eu-west-1 && exit\n\
         n=$(grep -c export \"$log\")\nend=$(date -u -d '+1 hour' +%FT%TZ)\n{answer}\n",
        log.display()
    );
    fs::write(folder.join("aws"), program).unwrap();
    fs::set_permissions(folder.join("aws"), fs::Permissions::from_mode(0o755)).unwrap();
    command.env_remove("AWS_ACCESS_KEY_ID").env_remove("AWS_SECRET_ACCESS_KEY").env("PATH", folder).env("AWS_PROFILE", "zaehlwerk");
    command
}

fn run(mut command: Command) -> Said {
    Said::from(command.output().unwrap())
}

/// What `aws` was asked, each with its profile.
fn asked(world: &World) -> Vec<String> {
    fs::read_to_string(world.path("asked")).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Stands before the table, and keeps each of the first calls until the credentials that it came with have ended.
#[derive(Clone)]
struct Gate {
    table: String,
    /// How many calls it keeps.
    keeps: usize,
    /// The access key of each call that came.
    keys: Arc<Mutex<Vec<String>>>,
    /// When which of them ends.
    ends: PathBuf,
}

impl Gate {
    /// With its address. It has a thread of its own, which ends with the process.
    fn before(world: &World, keeps: usize) -> (Self, String) {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        listener.set_nonblocking(true).unwrap();
        let gate = Self { table: world.endpoint().to_owned(), keeps, keys: Arc::default(), ends: world.path("ends") };
        let state = gate.clone();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener).unwrap();
                axum::serve(listener, axum::Router::new().fallback(pass).with_state(state)).await.unwrap();
            });
        });
        (gate, url)
    }

    /// Notes the call, and gives its key if it is one that is kept.
    fn note(&self, request: &Request) -> Option<String> {
        let signed = request.headers()["authorization"].to_str().unwrap();
        let key = signed.split_once("Credential=").unwrap().1.split('/').next().unwrap().to_owned();
        let mut keys = self.keys.lock().unwrap();
        keys.push(key.clone());
        (keys.len() <= self.keeps).then_some(key)
    }

    fn end(&self, key: &str) -> Timestamp {
        let ends = fs::read_to_string(&self.ends).unwrap();
        ends.lines().find_map(|line| line.strip_prefix(&format!("{key} "))).unwrap().parse().unwrap()
    }
}

async fn pass(State(gate): State<Gate>, request: Request) -> Response {
    if let Some(key) = gate.note(&request) {
        let left = gate.end(&key).duration_since(Timestamp::now());
        tokio::time::sleep(Duration::try_from(left).unwrap_or_default()).await;
    }
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let http = reqwest::Client::builder().no_gzip().build().unwrap();
    let sent = http.request(head.method, format!("{}{}", gate.table, head.uri)).headers(head.headers).body(body).send().await.unwrap();
    let mut answer = Response::builder().status(sent.status());
    *answer.headers_mut().unwrap() = sent.headers().clone();
    answer.body(Body::from(sent.bytes().await.unwrap())).unwrap()
}

/// The first two live for a second, the next for an hour.
fn short_lives(world: &World) -> String {
    let ends = world.path("ends");
    format!("[ $n -lt 3 ] && end=$(date -u -d '+1 second' +%FT%T.%NZ)\necho \"key-$n $end\" >> '{}'\n{KEYS}", ends.display())
}

#[test]
fn a_run_that_outlives_its_credentials_goes_on_with_others() {
    let world = World::with_tenant();
    let (gate, url) = Gate::before(&world, 2);
    let file = world.write("more.jsonl", &[r#"{"id":"b","name":"Bert","username":"bert.s","password":"geheim-bert"}"#]);
    let letters = world.path("more-letters.jsonl");
    let import = ["accounts", "import", &file, "--tenant", "birkenfurt", "--letters", letters.to_str().unwrap()];
    run(by_cli(&world, world.command_at(&url, &import), &short_lives(&world))).succeeded();
    let mut keys = gate.keys.lock().unwrap().clone();
    let signed = keys.len();
    keys.dedup();
    // Each call that was kept outlived its key, so that the next one was signed with another.
    assert_eq!(keys, ["key-1", "key-2", "key-3"]);
    assert!(signed > 3, "and it went on with that");
    assert_eq!(asked(&world), [EXPORT; 3], "no more often than they end");
}

#[test]
fn a_login_that_ends_on_the_way_is_said_with_what_helps() {
    let world = World::with_tenant();
    let (_gate, url) = Gate::before(&world, 1);
    // Its second call is one that is not tried again for a minute, in which somebody could log in.
    let show = world.command_at(&url, &["subject", "show", "--account", "a", "--tenant", "birkenfurt"]);
    let said = run(by_cli(&world, show, &format!("[ $n -gt 1 ] && {{ {ENDED}; }}\n{}", short_lives(&world))));
    assert_eq!(said.code, Some(2), "{}", said.err);
    assert!(said.err.contains("the login at AWS has ended: log in again by `aws sso login`"), "{}", said.err);
}

#[test]
fn the_profile_says_who_and_where_unless_the_environment_does() {
    let world = World::with_tenant();
    let mut by_profile = by_cli(&world, world.command(&LIST), KEYS);
    by_profile.env_remove("AWS_REGION");
    run(by_profile).succeeded();
    assert_eq!(asked(&world), [EXPORT, "zaehlwerk configure get region"]);
    let mut by_environment = by_cli(&world, world.command(&LIST), ENDED);
    by_environment.envs([("AWS_ACCESS_KEY_ID", "key"), ("AWS_SECRET_ACCESS_KEY", "s")]);
    run(by_environment).succeeded();
    assert_eq!(asked(&world).len(), 2, "nobody is asked who is not needed");
}

#[test]
fn without_credentials_it_is_said_what_helps() {
    let world = World::with_tenant();
    let said = |answer: &str, language: &str| {
        let mut command = by_cli(&world, world.command(&LIST), answer);
        command.env("ZAEHLWERK_LANG", language);
        let said = run(command);
        assert_eq!(said.code, Some(2), "{}", said.err);
        said.err
    };
    assert!(said(ENDED, "de").contains("die Anmeldung bei AWS ist abgelaufen: mit `aws sso login`"));
    let refused = said("echo 'The config profile (zaehlwerk) could not be found' >&2; exit 255", "en");
    assert!(refused.contains("gives no credentials: The config profile (zaehlwerk) could not be found"), "{refused}");
    assert!(said("echo '{}'", "en").contains("has to be version 2.9 or newer"));
    let over = said(&format!("end=2020-01-01T00:00:00Z\n{KEYS}"), "en");
    assert!(over.contains("gives no others"), "{over}");
    let mut nowhere = by_cli(&world, world.command(&[&LIST[..], &["--json"]].concat()), KEYS);
    nowhere.env("PATH", world.path("nowhere"));
    let said = run(nowhere);
    let document: Value = serde_json::from_str(&said.out).unwrap();
    assert!(
        document["error"].as_str().unwrap().contains("neither is AWS_ACCESS_KEY_ID set nor is there the AWS command line"),
        "{document}"
    );
}
