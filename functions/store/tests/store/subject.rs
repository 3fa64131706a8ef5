use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use emulators::Dynamo;
use store::Store;
use testing::{Asked, Fate, Proxy, Upstream, account_id};

use crate::support::{account, import_job, master, tenant};

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
