//! The index, of whose partitions a clerk's command line could name any (D-PLATFORM-22).

use aws_sdk_dynamodb::types::AttributeValue;
use domain::ids::RunId;
use futures::{StreamExt, stream};
use jiff::ToSpan;
use serde_json::json;
use store::{Audit, AuditFilter, ExportTask, MailKind, NewMail, NewRun, NewVersion, OpenJobsFilter, ReadingsFilter, RunTask, Store};

use crate::on_both;
use crate::support::{Item, Table, account_id, import_job, master, noon, other_tenant, reading, record, stored, submit, tenant};

/// Another tenant's items in front of each of the tenant's own, at its place, and behind it: more than a page has, and than one query reads.
const BESIDE_EACH: usize = 60;
const BYTES: usize = 20_000;
/// Something that is done about an account.
const COMMAND: &str = "desk customer";

fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

/// Another tenant's item that claims this place of the index, and passes each filter.
fn foreign(partition: &str, place: String, number: usize) -> Item {
    let sk = format!("X#{partition}#{place}#{number}");
    let keys = [("pk", format!("T#{}#A#anna", other_tenant())), ("sk", sk), ("gsi1pk", partition.to_owned())];
    let others =
        [("gsi1sk", place), ("command", COMMAND.to_owned()), ("openUntil", "2026-12-01".to_owned()), ("leasedUntil", "x".repeat(BYTES))];
    keys.into_iter().chain(others).map(|(name, value)| (name.to_owned(), text(value))).collect()
}

fn run() -> NewRun {
    let task = RunTask::Export(ExportTask { without_job: false, season: None, preset: "plain".into(), again: None });
    NewRun { id: RunId::new("r1").unwrap(), task, member: None, by: "test".into(), asked: noon() }
}

async fn put(table: &Table, items: Vec<Item>) {
    let puts = items.into_iter().map(|item| table.client.put_item().table_name(&table.name).set_item(Some(item)).send());
    stream::iter(puts).buffer_unordered(8).for_each(|put| async { drop(put.unwrap()) }).await;
}

/// All of a list, by its pages.
async fn walk<P>(page: impl AsyncFn(Option<String>) -> (P, Option<String>)) -> Vec<P> {
    let (mut pages, mut cursor) = (Vec::new(), None);
    loop {
        let (found, next) = page(cursor).await;
        pages.push(found);
        if next.is_none() {
            return pages;
        }
        cursor = next;
    }
}

/// What the tenant's lists by the index say, page by page.
async fn lists(store: &Store) -> Vec<String> {
    let (t, now) = (tenant(), noon() + 1.hour());
    let accounts = walk(async |cursor| store.accounts(&t, cursor.as_deref()).await.unwrap()).await;
    let open = walk(async |cursor| {
        let page = store.open_jobs(&t, &OpenJobsFilter::default(), 1, cursor.as_deref()).await.unwrap();
        (page.jobs, page.next_cursor)
    });
    let due = OpenJobsFilter { due_until: Some("2027-12-31".parse().unwrap()), ..OpenJobsFilter::default() };
    let of_due = store.open_jobs(&t, &due, 1, None).await.unwrap();
    let results = walk(async |cursor| {
        let page = store.results(&t, noon(), now, cursor.as_deref()).await.unwrap();
        (page.entries, page.next_cursor)
    });
    let came = store.readings_that_came(&t, &ReadingsFilter::default(), &[(noon(), now)], None).await.unwrap();
    let mails = store.mails_of_kind(&t, MailKind::Access, (noon(), now), None, now).await.unwrap();
    let about = AuditFilter { since: noon(), until: now, account: Some(account_id("a1")), member: None, actions: Vec::new() };
    let audit = store.audit_page(&t, &about, None).await.unwrap();
    let narrowed = AuditFilter { actions: vec![COMMAND.parse().unwrap()], ..about };
    let narrowed = store.audit_page(&t, &narrowed, None).await.unwrap();
    vec![
        format!("{accounts:#?}"),
        format!("{:#?}", open.await),
        format!("{of_due:#?}"),
        format!("{:?}", store.count_open_jobs(&t, &due, 10).await.unwrap()),
        format!("{:#?}", results.await),
        format!("{came:#?}"),
        format!("{mails:#?}"),
        format!("{audit:#?}"),
        format!("{narrowed:#?}"),
        format!("{:#?}", store.open_runs().await.unwrap()),
    ]
}

on_both! {
    async fn what_another_tenants_item_claims_is_in_no_list(table) {
        let store = &table.store;
        let bundle = testing::bundle(testing::application(tenant().as_str(), json!({})));
        store.apply_tenant(&bundle, NewVersion::by("test")).await.unwrap();
        let a1 = account_id("a1");
        for (account, job) in [("a1", "j1"), ("a2", "j2"), ("a3", "j3")] {
            let mut job = master(job, &["t1"]);
            job.job_constraints.latest_execution = Some("2026-12-31".parse().unwrap());
            import_job(store, account, job).await;
        }
        submit(store, &stored(store, "a1", "j1").await, &[reading("t1", "1.000", noon())], record("k", "r", "")).await;
        for (minute, id) in [(0, "m1"), (1, "m2")] {
            let mail = NewMail {
                id,
                account: &a1,
                top: &a1,
                kind: MailKind::Access,
                recipient_hash: id,
                mailbox_hash: id,
                request_hash: "request",
                account_limit: 50,
                tenant_limit: 500,
            };
            store.claim_mail(&tenant(), &mail, noon() + minute.minutes()).await.unwrap();
            let audit = Audit { by: "test", command: COMMAND, account: Some(&a1), ..Audit::default() };
            store.keep_audit(&tenant(), audit, noon() + minute.minutes()).await.unwrap();
        }
        store.put_run(&tenant(), &run()).await.unwrap();
        let before = lists(store).await;

        let places = |item: &Item| Some((item.get("gsi1pk")?.as_s().unwrap().clone(), item["gsi1sk"].as_s().unwrap().clone()));
        let own: Vec<_> = table.scan().await.iter().filter_map(places).collect();
        assert_eq!(own.len(), 3 + 2 + 1 + 2 + 2 + 1, "accounts, open jobs, readings, mails, what was done, runs");
        let mut others = Vec::new();
        for (partition, place) in &own {
            let front = &place[..place.len() - 1];
            for n in 0..BESIDE_EACH {
                others.extend([format!("{front}!{n}"), place.clone(), format!("{place}~{n}")].map(|place| foreign(partition, place, n)));
            }
        }
        put(&table, others).await;
        assert_eq!(lists(store).await, before);
    }

    async fn a_run_that_cannot_be_read_stops_no_other_tenants_runs(table) {
        let store = &table.store;
        store.put_run(&tenant(), &run()).await.unwrap();
        let before = store.open_runs().await.unwrap();
        for place in ["r0", "r9", "no id", "r10#r11"] {
            let at = [("pk", format!("T#{0}#RUNS", other_tenant())), ("sk", place.to_owned()), ("gsi1pk", "RUNS".to_owned())];
            let said = [("gsi1sk", format!("{}#{place}", other_tenant())), ("leasedUntil", "later".to_owned())];
            put(&table, vec![at.into_iter().chain(said).map(|(name, value)| (name.to_owned(), text(value))).collect()]).await;
        }
        assert_eq!(store.open_runs().await.unwrap(), before);
    }
}
