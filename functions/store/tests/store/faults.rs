//! What the emulators never do: conflicts of transactions, leftovers, throttling, silence. Answers are put in between client and server.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use aws::{AwsSettings, TimeLimits};
use aws_smithy_runtime_api::client::http::{HttpConnector, HttpConnectorFuture, SharedHttpConnector, http_client_fn};
use aws_smithy_runtime_api::client::orchestrator::{HttpRequest, HttpResponse};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_runtime_api::http::StatusCode;
use domain::model::LoginKind;
use store::{Access, JobImported, Slot, Source, Store, StoreError, SubmitResults, Submitted};
use testing::recorded::dynamodb;

use crate::support::{Table, account_id, import, import_job, job_id, line, master, noon, reading, record, stored, submit, tenant};

/// What happens to a request instead of being sent.
pub enum Fault {
    Answer(u16, String),
    Silence,
    Refused,
}

type Script = dyn Fn(&str, usize) -> Option<Fault> + Send + Sync;

/// Asks the script, with the operation and how many requests there were before, and sends what it lets through.
struct Faulty {
    script: Arc<Script>,
    seen: Arc<AtomicUsize>,
    next: SharedHttpConnector,
}

impl std::fmt::Debug for Faulty {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Faulty")
    }
}

impl HttpConnector for Faulty {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let target = request.headers().get("x-amz-target").unwrap_or_default();
        let operation = target.rsplit('.').next().unwrap_or_default();
        match (self.script)(operation, self.seen.fetch_add(1, Ordering::Relaxed)) {
            None => self.next.call(request),
            Some(Fault::Answer(status, body)) => {
                HttpConnectorFuture::ready(Ok(HttpResponse::new(StatusCode::try_from(status).unwrap(), body.into())))
            }
            Some(Fault::Silence) => HttpConnectorFuture::new(std::future::pending()),
            Some(Fault::Refused) => HttpConnectorFuture::ready(Err(ConnectorError::io("refused".into()))),
        }
    }
}

/// A store on the same table whose requests go through the script; and how many there were.
pub fn faulty(table: &Table, script: impl Fn(&str, usize) -> Option<Fault> + Send + Sync + 'static) -> (Store, Arc<AtomicUsize>) {
    let seen = Arc::<AtomicUsize>::default();
    let real = table.client.config().http_client().unwrap();
    let (script, counter): (Arc<Script>, _) = (Arc::new(script), seen.clone());
    let client = http_client_fn(move |settings, components| {
        use aws_smithy_runtime_api::client::http::HttpClient;
        let next = real.http_connector(settings, components);
        SharedHttpConnector::new(Faulty { script: script.clone(), seen: counter.clone(), next })
    });
    let config = table.client.config().to_builder().http_client(client).build();
    (Store::new(aws_sdk_dynamodb::Client::from_conf(config), &table.name), seen)
}

fn recorded(name: &str) -> Fault {
    let (status, body) = dynamodb(name);
    Fault::Answer(status, body.to_string())
}

pub fn error(code: &str) -> Fault {
    let body = serde_json::json!({"__type": format!("com.amazonaws.dynamodb.v20120810#{code}"), "message": "scripted"});
    Fault::Answer(400, body.to_string())
}

#[tokio::test]
async fn a_transaction_that_meets_another_is_tried_again() {
    for answer in ["cancelled", "cancelledByThrottling", "cancelledByThroughput"] {
        let table = Table::dynoxide().await;
        import_job(&table.store, "a1", master("j1", &["t1"])).await;
        let job = stored(&table.store, "a1", "j1").await;
        let (store, seen) = faulty(&table, move |operation, n| (operation == "TransactWriteItems" && n < 3).then(|| recorded(answer)));
        assert_eq!(submit(&store, &job, &[reading("t1", "1.000", noon())], record("k", "r", "")).await, Submitted::Stored);
        assert_eq!(seen.load(Ordering::Relaxed), 4);
    }
}

#[tokio::test]
async fn a_transaction_that_meets_others_for_ever_is_given_up() {
    let table = Table::dynoxide().await;
    import_job(&table.store, "a1", master("j1", &["t1"])).await;
    let job = stored(&table.store, "a1", "j1").await;
    let (store, seen) = faulty(&table, |operation, _| (operation == "TransactWriteItems").then(|| recorded("cancelled")));
    let submission = SubmitResults {
        job: &job,
        results: &[reading("t1", "1.000", noon())],
        source: Source::Portal(LoginKind::Credentials),
        account_id: &job.account_id,
        idempotency: record("k", "r", ""),
        deliver: false,
    };
    let given_up = store.submit(&tenant(), submission).await.unwrap_err();
    assert!(given_up.is_unavailable() && given_up.retry_after().is_some());
    assert_eq!(seen.load(Ordering::Relaxed), 9, "the tenant, and eight attempts");
}

/// The condition is what counts, even if the same transaction also met another one.
#[tokio::test]
async fn a_failed_condition_is_not_tried_again() {
    let table = Table::dynoxide().await;
    import_job(&table.store, "a1", master("j1", &["t1"])).await;
    let job = stored(&table.store, "a1", "j1").await;
    let (store, seen) = faulty(&table, |operation, _| (operation == "TransactWriteItems").then(|| recorded("cancelledByCondition")));
    assert_eq!(submit(&store, &job, &[reading("t1", "1.000", noon())], record("k", "r", "")).await, Submitted::Stale);
    assert_eq!(seen.load(Ordering::Relaxed), 3, "the tenant, the transaction and the look at the record");
}

/// The answer of a transaction is lost and the SDK sends it again: the token makes it one.
#[tokio::test]
async fn a_lost_answer_stores_nothing_twice() {
    let table = Table::dynoxide().await;
    import_job(&table.store, "a1", master("j1", &["t1"])).await;
    let job = stored(&table.store, "a1", "j1").await;
    let (store, seen) = faulty(&table, |operation, n| (operation == "TransactWriteItems" && n == 1).then_some(Fault::Refused));
    assert_eq!(submit(&store, &job, &[reading("t1", "1.000", noon())], record("k", "r", "")).await, Submitted::Stored);
    assert_eq!(seen.load(Ordering::Relaxed), 3);
    assert_eq!(stored(&table.store, "a1", "j1").await.version, 1);
}

#[tokio::test]
async fn what_a_batch_leaves_over_is_asked_for_again() {
    let table = Table::dynoxide().await;
    import_job(&table.store, "a1", master("j1", &["t1"])).await;
    let partition = format!("T#{}#A#a1", tenant());
    let (_, mut left_over) = dynamodb("readLeftOver");
    let mut keys = left_over["UnprocessedKeys"]["TABLE"].take();
    keys["Keys"] = serde_json::json!([{"pk": {"S": partition}, "sk": {"S": format!("JOB#{}#j1", Slot::of(&job_id("j1")))}}]);
    left_over["UnprocessedKeys"] = serde_json::json!({&table.name: keys});
    let body = left_over.to_string();
    let (store, seen) = faulty(&table, move |_, n| (n < 2).then(|| Fault::Answer(200, body.clone())));
    let (job, _) = store.job_with_idempotency(&tenant(), &account_id("a1"), &job_id("j1"), "k", noon()).await.unwrap();
    assert_eq!(job.unwrap().master.id, job_id("j1"));
    assert_eq!(seen.load(Ordering::Relaxed), 3);

    let body = left_over.to_string();
    let (store, seen) = faulty(&table, move |_, _| Some(Fault::Answer(200, body.clone())));
    let given_up = store.job_with_idempotency(&tenant(), &account_id("a1"), &job_id("j1"), "k", noon()).await.unwrap_err();
    assert!(given_up.is_unavailable());
    assert_eq!(seen.load(Ordering::Relaxed), 6);
}

#[tokio::test]
async fn throttling_and_lost_connections_are_survived_or_told() {
    let table = Table::dynoxide().await;
    import_job(&table.store, "a1", master("j1", &["t1"])).await;
    let faults: [fn() -> Fault; 3] = [|| recorded("throttled"), || recorded("throttledOnDemand"), || Fault::Refused];
    for fault in faults {
        let (store, seen) = faulty(&table, move |_, n| (n < 2).then(fault));
        assert!(store.job(&tenant(), &account_id("a1"), &job_id("j1")).await.unwrap().is_some());
        assert_eq!(seen.load(Ordering::Relaxed), 3);

        let (store, seen) = faulty(&table, move |_, _| Some(fault()));
        let told = store.job(&tenant(), &account_id("a1"), &job_id("j1")).await.unwrap_err();
        assert!(told.is_unavailable(), "{told}");
        assert_eq!(seen.load(Ordering::Relaxed), 3, "bounded");
    }
}

#[tokio::test]
async fn silence_is_told_within_the_operation_timeout() {
    let mut table = Table::dynoxide().await;
    table.client = store::dynamodb(&AwsSettings { time_limits: Some(TimeLimits::AWS), ..emulators::settings("http://127.0.0.1:9", None) });
    let (store, _) = faulty(&table, |_, _| Some(Fault::Silence));
    let owner = Access::owner(account_id("a1"));
    // Nothing is sent from here on, so the clock may run on its own.
    tokio::time::pause();
    let begin = tokio::time::Instant::now();
    let told = store.accessible_state(&tenant(), &owner).await.unwrap_err();
    assert!(told.is_unavailable(), "{told}");
    assert!(begin.elapsed() > aws::ATTEMPT_TIMEOUT && begin.elapsed() <= aws::OPERATION_TIMEOUT + Duration::from_millis(100));
}

#[tokio::test]
async fn what_is_our_fault_is_internal() {
    let table = Table::dynoxide().await;
    let missing = Store::new(table.client.clone(), "no-such-table");
    let told = missing.accessible_state(&tenant(), &Access::owner(account_id("a1"))).await.unwrap_err();
    assert!(
        matches!(&told, StoreError::Internal { operation: "GetItem", reason } if reason.starts_with("ResourceNotFoundException")),
        "{told}"
    );
    let (store, _) = faulty(&table, |operation, _| (operation == "TransactWriteItems").then(|| recorded("cancelledByContent")));
    import_job(&table.store, "a1", master("j1", &["t1"])).await;
    let job = stored(&table.store, "a1", "j1").await;
    let submission = SubmitResults {
        job: &job,
        results: &[],
        source: Source::Portal(LoginKind::Credentials),
        account_id: &job.account_id,
        idempotency: record("k", "r", ""),
        deliver: false,
    };
    let told = store.submit(&tenant(), submission).await.unwrap_err();
    assert_eq!(told.to_string(), "TransactWriteItems: cancelled: ValidationError");
}

/// A reading comes in between the read and the write of an import.
#[tokio::test]
async fn an_import_that_lost_a_race_reads_again() {
    let table = Table::dynoxide().await;
    import_job(&table.store, "a1", master("j1", &["t1"])).await;
    let (store, seen) =
        faulty(&table, |operation, n| (operation == "TransactWriteItems" && n < 2).then(|| recorded("cancelledByCondition")));
    let answers = import(&store, &tenant(), &[line("a1", master("j1", &["t1", "t2"])), line("a1", master("j2", &["t1"]))]).await;
    assert_eq!(answers, [JobImported::Updated { renumbered: false, dropped: false }, JobImported::Created]);
    assert_eq!(seen.load(Ordering::Relaxed), 6, "together in vain, then each by itself");
}

#[tokio::test]
async fn warming_opens_a_connection_and_needs_no_right() {
    let table = Table::dynoxide().await;
    let operations = Arc::<Mutex<Vec<String>>>::default();
    let log = operations.clone();
    let (store, _) = faulty(&table, move |operation, _| {
        log.lock().unwrap().push(operation.to_owned());
        Some(recorded("denied"))
    });
    store.warm("musterstadt.example").await.unwrap();
    assert_eq!(*operations.lock().unwrap(), ["GetItem"]);
    table.store.warm("musterstadt.example").await.unwrap();
    let (store, _) = faulty(&table, |_, _| Some(Fault::Refused));
    assert!(store.warm("musterstadt.example").await.unwrap_err().is_unavailable());
}
