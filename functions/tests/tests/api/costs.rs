//! What storage is asked for: a property that is promised, so it is tested. The figures are those of the log.

use api::route::Route;
use reqwest::StatusCode;
use serde_json::json;

use crate::calls::ways;
use crate::lab::Lab;
use crate::world::{Answer, Portal, password, reading};

#[track_caller]
fn round_trips(answer: &Answer) -> u64 {
    answer.log_line()["roundTrips"].as_u64().unwrap()
}

#[tokio::test]
async fn looking_whether_the_jobs_changed_costs_one_small_read() {
    let portal = Portal::with_account("anna").await;
    for n in 0..50 {
        portal.add_job("anna", &format!("job-{n}"), json!({})).await;
    }
    let anna = portal.login("anna").await;
    let first = anna.get("/api/pro/job").await;
    let again = anna.get_if_none_match("/api/pro/job", first.header("etag").unwrap()).await;
    assert_eq!(again.status, StatusCode::NOT_MODIFIED);
    let line = again.log_line();
    assert!(line["readUnits"].as_f64().unwrap() <= 1.0, "{line}");
    assert_eq!(line["roundTrips"], 1, "{line}");
}

#[tokio::test]
async fn a_visit_after_one_change_costs_its_slot() {
    let portal = Portal::with_account("anna").await;
    for n in 0..50 {
        portal.add_job("anna", &format!("job-{n}"), json!({})).await;
    }
    let anna = portal.login("anna").await;
    let all = anna.get("/api/pro/job").await;
    anna.send("job-7", reading("10.0"), None).await;
    let changed = anna.get_if_none_match("/api/pro/job?slots=", all.header("etag").unwrap()).await;
    assert_eq!(changed.status, StatusCode::OK);
    let line = changed.log_line();
    assert!(line["readUnits"].as_f64().unwrap() <= 2.0, "{line}");
    assert_eq!(line["roundTrips"], 2, "{line}");
}

#[tokio::test]
async fn one_question_is_one_round_trip() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let image = anna.send_with_photo("job-1").await;
    for path in
        ["/api/pro/account/info".into(), "/api/pro/job".into(), format!("/api/pro/job/job-1/meter-rate-tasks/t1/result-images/{image}")]
    {
        // The first call of a tenant also reads the tenant.
        assert_eq!(anna.get(&path).await.status, StatusCode::OK);
        let answer = anna.get(&path).await;
        assert!(round_trips(&answer) <= 1, "{path}: {}", answer.log_line());
    }
}

/// So that no time tells whether a password was right before its answer does.
#[tokio::test]
async fn a_wrong_password_is_looked_at_as_a_right_one_is() {
    let portal = Portal::with_account("anna").await;
    let log_in = async |password: String| portal.token(json!({ "username": "anna", "password": password })).await;
    // The first call also reads the tenant.
    log_in(password("anna")).await;
    let (right, wrong) = (log_in(password("anna")).await, log_in("guess".to_owned()).await);
    assert_eq!((right.status, wrong.status), (StatusCode::OK, StatusCode::UNAUTHORIZED));
    assert_eq!(right.log_line()["readUnits"], wrong.log_line()["readUnits"]);
    assert_eq!((round_trips(&right), round_trips(&wrong)), (4, 4));
}

#[tokio::test]
async fn a_submission_is_two_round_trips() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    portal.add_job("anna", "job-2", json!({})).await;
    anna.send_with_photo("job-1").await;
    let sent = anna.send("job-2", reading("5000.0"), Some("k")).await;
    assert_eq!(sent.status, StatusCode::OK, "{sent:?}");
    assert_eq!(round_trips(&sent), 2, "{}", sent.log_line());
    // Another one of the day is counted.
    let again = anna.send("job-2", reading("5001.0"), Some("k2")).await;
    assert_eq!(round_trips(&again), 3, "{}", again.log_line());
}

#[tokio::test]
async fn a_repeated_submission_is_one_round_trip() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let first = anna.send("job-1", reading("5000.0"), Some("k")).await;
    let again = anna.send("job-1", reading("5000.0"), Some("k")).await;
    assert_eq!(first.body, again.body);
    assert_eq!(round_trips(&again), 1, "{}", again.log_line());
    assert_eq!(again.log_line()["writeUnits"], 0.0);
}

#[tokio::test]
async fn a_refusal_writes_nothing() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    anna.send("job-1", reading("1.0"), Some("k1")).await;
    let refused = anna.send("job-1", reading("1.00"), Some("k2")).await;
    refused.assert_problem(422, "reading-invalid");
    assert_eq!(refused.log_line()["writeUnits"], 0.0, "{}", refused.log_line());
}

/// Where the table of costs is committed.
const TABLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/costs.md");
/// By how many bytes an answer's length may differ from run to run: fractions of a second end where their zeros begin. A PDF, compressed around random words, may
/// by a hundredth.
const BYTES: u64 = 64;

/// What an operation costs, beside its first call: then its tenant is read too.
#[derive(Debug, PartialEq)]
struct Cost {
    operation: String,
    round_trips: u64,
    read_units: f64,
    write_units: f64,
    bytes: u64,
}

impl Cost {
    async fn of(route: &'static Route, way: usize) -> Self {
        let (lab, call) = Lab::for_call(route, way).await;
        call.knock(&lab.portal).await;
        let answer = call.perform(&lab.portal, Some("key")).await;
        assert!(answer.succeeded(), "{}: {answer:?}", call.name);
        let line = answer.log_line();
        Self {
            operation: call.name,
            round_trips: line["roundTrips"].as_u64().unwrap(),
            read_units: line["readUnits"].as_f64().unwrap(),
            write_units: line["writeUnits"].as_f64().unwrap(),
            bytes: answer.bytes.len() as u64,
        }
    }

    fn row(&self) -> String {
        let Self { operation, round_trips, read_units, write_units, bytes } = self;
        format!("| {operation} | {round_trips} | {read_units:.1} | {write_units:.1} | {bytes} |")
    }

    fn parse(row: &str) -> Option<Self> {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [operation, round_trips, read_units, write_units, bytes] = cells[..] else { return None };
        Some(Self {
            operation: operation.to_owned(),
            round_trips: round_trips.parse().ok()?,
            read_units: read_units.parse().ok()?,
            write_units: write_units.parse().ok()?,
            bytes: bytes.parse().ok()?,
        })
    }

    fn is_like(&self, other: &Self) -> bool {
        let Self { operation, round_trips, read_units, write_units, bytes } = other;
        (&self.operation, self.round_trips, self.read_units, self.write_units) == (operation, *round_trips, *read_units, *write_units)
            && self.bytes.abs_diff(*bytes) <= BYTES.max(bytes / 25)
    }
}

/// A change of what an operation costs is seen in review: `make costs` writes the table anew.
#[tokio::test]
async fn operations_cost_what_the_table_says() {
    let mut costs = Vec::new();
    for (route, way) in ways().await {
        costs.push(Cost::of(route, way).await);
    }
    if std::env::var_os("WRITE_COSTS").is_some() {
        let head = "# What each operation costs\n\n\
            By the tests' own counters, for the calls of `tests/api/calls.rs` on an account with one job, once the function knows its tenant \
            (which it reads once a minute). Written by `make costs`; a test fails when it is not so any more.\n\n\
            | operation | round trips to DynamoDB | read units | write units | bytes of the answer |\n|---|---:|---:|---:|---:|\n";
        let rows: String = costs.iter().map(|cost| cost.row() + "\n").collect();
        std::fs::write(TABLE, format!("{head}{rows}")).unwrap();
        return;
    }
    let table: Vec<_> = std::fs::read_to_string(TABLE).unwrap_or_default().lines().filter_map(Cost::parse).collect();
    let known = |cost: &Cost| table.iter().any(|row| row.is_like(cost));
    let drifted: Vec<_> = costs.iter().filter(|cost| !known(cost)).map(Cost::row).collect();
    assert!(drifted.is_empty(), "costs.md says something else (`make costs` writes it anew):\n{}", drifted.join("\n"));
    assert_eq!(table.len(), costs.len(), "costs.md has operations that are gone");
}
