use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use domain::model::LoginKind;
use emulators::Dynamo;
use serde_json::Value;
use store::{ShareTerms, Source, Store, SubmitResults, Submitted};
use testing::{Asked, Fate, Proxy, Upstream, account_id};

use crate::support::{Table, account, import_job, master, noon, reading, record, stored, tenant};

const TAKES: Duration = Duration::from_secs(1);
const JOBS: usize = 6;

/// Somebody waits for those of a housing company with three thousand meters.
#[tokio::test]
async fn readings_of_many_jobs_are_read_side_by_side_and_none_where_they_would_be_too_many() {
    let dynamo = Dynamo::in_memory().unwrap();
    let proxy = Proxy::start(Upstream::new(dynamo.endpoint(), "", "")).await;
    let client = store::dynamodb(&emulators::settings(&proxy.url, None));
    emulators::create_table(&client, "table").await.unwrap();
    let store = Store::new(client, "table");
    store.put_account(&tenant(), &account("a")).await.unwrap();
    for n in 0..JOBS {
        import_job(&store, "a", master(&format!("j{n}"), &["t1"])).await;
    }
    let asked = Arc::new(Mutex::new(Vec::new()));
    let noted = asked.clone();
    proxy.play(move |_, asked: &Asked| {
        if asked.action != "Query" {
            return Fate::Works;
        }
        noted.lock().unwrap().push(Instant::now());
        Fate::Takes(TAKES)
    });
    let all = store.subject(&tenant(), &account_id("a")).await.unwrap();
    let queries = std::mem::take(&mut *asked.lock().unwrap());
    assert_eq!(queries.len(), 1 + JOBS, "the account, and what was sent of each job");
    assert!(*queries.last().unwrap() - queries[1] < TAKES, "the first is not waited for");
    let items = all.len();
    let within = async |most: usize| store.subject_within(&tenant(), &account_id("a"), most).await.unwrap().map(|all| all.len());
    assert_eq!(within(items).await, Some(items));
    asked.lock().unwrap().clear();
    assert_eq!(within(items - 1).await, None);
    assert_eq!(asked.lock().unwrap().len(), 1, "that they are too many shows before the readings are read");
}

/// Their place is with the owner's jobs, and an erasure of the sub-account finds them there.
#[tokio::test]
async fn a_sub_account_is_told_what_it_sent_for_the_owner() {
    let table = Table::dynoxide().await;
    let store = &table.store;
    for id in ["j1", "j2"] {
        import_job(store, "a", master(id, &["t1"])).await;
    }
    for (id, above) in [("below", vec!["a"]), ("lowest", vec!["a", "below"]), ("beside", vec!["a"])] {
        let mut new = account(id);
        let ancestors = above.into_iter().map(account_id).collect();
        new.account.share = Some(ShareTerms { ancestors, allow_to_re_share: true, jobs_version: 0, era: 0 });
        store.put_account(&tenant(), &new).await.unwrap();
    }
    for (job, sender) in [("j1", "below"), ("j1", "beside"), ("j2", "a")] {
        let job = stored(store, "a", job).await;
        let mut sent = reading("t1", "17.000", noon());
        sent.result.comment = Some(format!("from {sender}"));
        let submission = SubmitResults {
            job: &job,
            results: &[sent],
            source: Source::Portal(LoginKind::Token),
            account_id: &account_id(sender),
            idempotency: record(sender, "r", "{}"),
            deliver: false,
        };
        assert_eq!(store.submit(&tenant(), submission).await.unwrap(), Submitted::Stored);
    }
    let told = async |id: &str| {
        let all = store.subject(&tenant(), &account_id(id)).await.unwrap();
        let readings = all.into_iter().filter(|item| item["kind"] == "reading");
        let mut comments: Vec<_> = readings.map(|item| item["entry"]["comment"].as_str().unwrap().to_owned()).collect();
        comments.sort();
        comments
    };
    assert_eq!((told("below").await, told("lowest").await), (vec!["from below".to_owned()], vec![]));
    assert_eq!(told("a").await, ["from a", "from below", "from beside"]);
    let within = async |most: usize| store.subject_within(&tenant(), &account_id("below"), most).await.unwrap();
    let all: Vec<Value> = within(usize::MAX).await.unwrap();
    assert_eq!((within(all.len()).await.map(|all| all.len()), within(all.len() - 1).await), (Some(all.len()), None));
}
