use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use domain::ids::{AccountId, JobId};
use futures::future::join_all;
use jiff::{SignedDuration, ToSpan};
use store::{
    Access, FoundShare, IdempotencyWrite, LinkSecretHash, NewAccount, NewLogin, NewShare, Share, ShareRenewal, Store, StoreError,
    Submitted, ToShare,
};

use crate::faults::{error, faulty};
use crate::on_both;
use crate::support::{
    Table, account, account_id, import, job_id, line, master, noon, other_tenant, reading, record, stored, submit, tenant,
};

/// The same, by whoever read the maker in this era.
async fn share_in(store: &Store, above: &Access, id: &str, jobs: &[JobId], era: u64) {
    assert_eq!(store.create_share(&tenant(), above, NewShare { era, ..new(id, jobs) }).await, Ok(Submitted::Stored));
}

fn owner() -> Access {
    Access::owner(account_id("manager"))
}

async fn portfolio(store: &Store, count: usize) -> Vec<JobId> {
    store.put_account(&tenant(), &account("manager")).await.unwrap();
    let ids: Vec<_> = (0..count).map(|n| format!("job-{n:05}")).collect();
    let lines: Vec<_> = ids.iter().map(|id| line("manager", master(id, &["t1"]))).collect();
    import(store, &tenant(), &lines).await;
    ids.iter().map(|id| job_id(id)).collect()
}

fn login(name: &str) -> NewLogin {
    let link = LinkSecretHash { sha256_hex: format!("link-of-{name}"), expires_at: noon() + 24.hours() };
    NewLogin { username: name.into(), password_hash: format!("hash-of-{name}"), link }
}

fn renewal(login: &NewLogin, end_shared_on: bool) -> ShareRenewal<'_> {
    ShareRenewal { login, end_shared_on, now: noon() }
}

fn new<'a>(id: &str, jobs: &'a [JobId]) -> NewShare<'a> {
    NewShare {
        id: account_id(id),
        name: "Hausmeister",
        allow_to_re_share: true,
        job_ids: jobs,
        login: login(id),
        era: 0,
        most: 1000,
        created: noon(),
        idempotency: record(&format!("make {id}"), "r", "sealed"),
        keyless: false,
    }
}

/// Makes a share and gives what its sub-account sees.
async fn share(store: &Store, above: &Access, id: &str, jobs: &[JobId]) -> Access {
    assert_eq!(store.create_share(&tenant(), above, new(id, jobs)).await, Ok(Submitted::Stored));
    access(store, &above.lineage(), id).await.unwrap()
}

async fn access(store: &Store, above: &[AccountId], id: &str) -> Option<Access> {
    store.access(&tenant(), above, &account_id(id)).await.unwrap()
}

async fn seen(store: &Store, access: &Access) -> Vec<String> {
    let page = store.accessible_jobs(&tenant(), access, 500, None).await.unwrap();
    page.jobs.into_iter().map(|job| job.master.id.to_string()).collect()
}

async fn remove(store: &Store, share: &str, job: &JobId) -> Submitted {
    let write = record(&format!("remove {job}"), "r", "");
    store.remove_shared_job(&tenant(), &account_id("manager"), &account_id(share), job, &write).await.unwrap()
}

async fn delete(store: &Store, share: &str) -> store::Result<Submitted> {
    store.delete_share(&tenant(), &owner(), &account_id("manager"), &account_id(share), &record("delete", "r", "")).await
}

on_both! {
    async fn of_999_jobs_is_eleven_reads_a_count_and_one_transaction(table) {
        let jobs = portfolio(&table.store, 999).await;
        let (store, meter) = table.store.metered();
        let ToShare { jobs: offered, record: earlier, .. } = store.jobs_to_share(&tenant(), &owner(), &jobs, "k", noon()).await.unwrap().unwrap();
        assert_eq!((offered.len(), earlier, meter.round_trips()), (999, None, 11));
        let before = table.items().await;
        assert_eq!(store.create_share(&tenant(), &owner(), new("s", &jobs)).await, Ok(Submitted::Stored));
        assert_eq!(meter.round_trips(), 13);
        // The sub-account, its set, its name, its link, the answer, and the count.
        assert_eq!(table.items().await, before + 6);
    }

    async fn is_looked_at_by_the_hundred(table) {
        let jobs = portfolio(&table.store, 250).await;
        let access = share(&table.store, &owner(), "s", &jobs).await;
        let (store, meter) = table.store.metered();
        let page = store.accessible_jobs(&tenant(), &access, 500, None).await.unwrap();
        assert_eq!((page.jobs.len(), page.next_cursor), (250, None));
        assert_eq!(meter.round_trips(), 1 + 3);
        let listed = store.shares(&tenant(), &owner(), 100, None).await.unwrap().shares;
        assert_eq!((listed.len(), listed[0].job_ids.len()), (1, 250));
        assert_eq!(meter.round_trips(), 1 + 3 + 1 + 3);
    }

    /// What every request of a sub-account costs, however many jobs there are.
    async fn heads_are_small(table) {
        let jobs = portfolio(&table.store, 999).await;
        let first = share(&table.store, &owner(), "s1", &jobs).await;
        share(&table.store, &first, "s2", &jobs).await;
        let (store, meter) = table.store.metered();
        let access = access(&store, &first.lineage(), "s2").await.unwrap();
        assert_eq!(meter.round_trips(), 1);
        store.accessible_state(&tenant(), &access).await.unwrap();
        assert_eq!(meter.round_trips(), 2);
        if table.counts_capacity {
            // The three of the chain and which logins have ended, and the version.
            assert_eq!(meter.read_units(), 3.0 + 1.0 + 1.0);
        }
    }

    async fn sees_what_all_above_still_have(table) {
        let store = &table.store;
        let jobs = portfolio(store, 4).await;
        let upper = share(store, &owner(), "upper", &jobs[..3]).await;
        let lower = share(store, &upper, "lower", &jobs[1..3]).await;
        assert_eq!((lower.root(), lower.account()), (&account_id("manager"), &account_id("lower")));
        assert_eq!(seen(store, &lower).await, ["job-00001", "job-00002"]);
        for (id, sees) in [("job-00000", false), ("job-00001", true), ("job-00003", false), ("unknown", false)] {
            assert_eq!(store.accessible_job(&tenant(), &lower, &job_id(id)).await.unwrap().is_some(), sees, "{id}");
            let (job, _) = store.accessible_job_with_idempotency(&tenant(), &lower, &job_id(id), "k", noon()).await.unwrap();
            assert_eq!(job.is_some(), sees, "{id}");
        }
        assert_eq!(remove(store, "upper", &jobs[1]).await, Submitted::Stored);
        assert_eq!(seen(store, &lower).await, ["job-00002"]);
        let offered = store.jobs_to_share(&tenant(), &lower, &jobs, "k", noon()).await.unwrap().unwrap().jobs;
        assert_eq!(offered.into_keys().collect::<Vec<_>>(), [jobs[2].clone()]);
        let listed = store.shares(&tenant(), &upper, 100, None).await.unwrap().shares;
        assert_eq!(listed[0].job_ids, BTreeSet::from([jobs[2].clone()]));
        assert!(store.shares(&other_tenant(), &owner(), 100, None).await.unwrap().shares.is_empty());
    }

    /// A job that is closed and was never read is nowhere; one that was read can be looked at.
    async fn shows_no_job_that_its_owner_does_not_see(table) {
        let store = &table.store;
        let jobs = portfolio(store, 2).await;
        let access = share(store, &owner(), "s", &jobs).await;
        submit(store, &stored(store, "manager", "job-00001").await, &[reading("t1", "1.000", noon())], record("k", "r", "")).await;
        for job in &jobs {
            store.close_job(&tenant(), &account_id("manager"), job, noon()).await.unwrap();
        }
        assert_eq!(seen(store, &access).await, ["job-00001"]);
        assert_eq!(store.shares(&tenant(), &owner(), 100, None).await.unwrap().shares[0].job_ids, BTreeSet::from([jobs[1].clone()]));
    }

    async fn changes_its_version_with_its_set_and_with_any_job(table) {
        let store = &table.store;
        let jobs = portfolio(store, 3).await;
        let upper = share(store, &owner(), "upper", &jobs).await;
        share(store, &upper, "lower", &jobs).await;
        let version = async || {
            let access = access(store, &upper.lineage(), "lower").await.unwrap();
            let state = store.accessible_state(&tenant(), &access).await.unwrap();
            let page = store.accessible_jobs(&tenant(), &access, 1, None).await.unwrap();
            assert_eq!(page.state.as_ref(), Some(&state));
            let next = store.accessible_jobs(&tenant(), &access, 1, page.next_cursor.as_deref()).await.unwrap();
            assert_eq!(next.state, None, "it says nothing of the jobs before");
            state.to_string()
        };
        let mut versions = vec![version().await, version().await];
        versions.dedup();
        assert_eq!(remove(store, "upper", &jobs[0]).await, Submitted::Stored);
        versions.push(version().await);
        submit(store, &stored(store, "manager", "job-00002").await, &[reading("t1", "1.000", noon())], record("k", "r", "")).await;
        versions.push(version().await);
        assert_eq!(versions.iter().collect::<BTreeSet<_>>().len(), 3, "{versions:?}");
    }

    /// Whoever shares does not make the portfolio look changed, nor wait for others who share.
    async fn creations_do_not_touch_the_portfolio(table) {
        let store = &table.store;
        let jobs = portfolio(store, 3).await;
        let before = store.accessible_state(&tenant(), &owner()).await.unwrap();
        let made = join_all((0..20).map(|n| {
            let (store, jobs) = (store.clone(), jobs.clone());
            async move { store.create_share(&tenant(), &owner(), new(&format!("s{n}"), &jobs)).await }
        }));
        assert!(made.await.iter().all(|made| *made == Ok(Submitted::Stored)));
        assert_eq!(store.shares(&tenant(), &owner(), 100, None).await.unwrap().shares.len(), 20);
        assert_eq!(store.accessible_state(&tenant(), &owner()).await.unwrap(), before);
    }

    async fn of_twenty_removals_at_once_none_is_lost(table) {
        let store = &table.store;
        let jobs = portfolio(store, 21).await;
        let shared = share(store, &owner(), "s", &jobs).await;
        // With other login data in between, which are a change of the same items.
        let renewal = async {
            loop {
                let renewed = store.renew_share_login(&tenant(), &account_id("manager"), &account_id("s"), &renewal(&login("other"), false), None).await;
                match renewed.unwrap() {
                    Submitted::Stale => {}
                    other => break other,
                }
            }
        };
        let removals = join_all(jobs[..20].iter().map(|job| remove(store, "s", job)));
        let (removed, renewed) = futures::join!(removals, renewal);
        assert!(removed.iter().all(|removed| *removed == Submitted::Stored), "{removed:?}");
        assert_eq!(renewed, Submitted::Stored);
        assert_eq!(seen(store, &shared).await, ["job-00020"]);
        let head = access(store, &[account_id("manager")], "s").await.unwrap();
        let below = &head.heads()[1];
        assert_eq!((below.share.as_ref().unwrap().jobs_version, below.generation), (20, 2));
    }

    async fn without_its_last_job_stays(table) {
        let store = &table.store;
        let jobs = portfolio(store, 1).await;
        let shared = share(store, &owner(), "s", &jobs).await;
        assert_eq!(remove(store, "s", &jobs[0]).await, Submitted::Stored);
        assert_eq!(remove(store, "s", &jobs[0]).await, Submitted::Replayed { response_body: String::new() });
        let again = record("again", "r", "");
        let again = store.remove_shared_job(&tenant(), &account_id("manager"), &account_id("s"), &jobs[0], &again).await;
        assert_eq!(again, Ok(Submitted::Stale), "it is not there any more");
        assert!(seen(store, &shared).await.is_empty());
        assert_eq!(store.shares(&tenant(), &owner(), 100, None).await.unwrap().shares.len(), 1);
    }

    async fn is_made_once(table) {
        let store = &table.store;
        let jobs = portfolio(store, 1).await;
        let make = async |id: &str, idempotency: IdempotencyWrite| {
            let new = NewShare { idempotency, ..new(id, &jobs) };
            store.create_share(&tenant(), &owner(), new).await
        };
        assert_eq!(make("s1", record("k", "r", "first")).await, Ok(Submitted::Stored));
        let before = table.items().await;
        assert_eq!(make("s2", record("k", "r", "second")).await, Ok(Submitted::Replayed { response_body: "first".into() }));
        assert_eq!(make("s3", record("k", "other", "")).await, Ok(Submitted::KeyReused));
        assert_eq!(table.items().await, before, "all or nothing");
        let taken = NewShare { login: login("s1"), ..new("s4", &jobs) };
        assert_eq!(store.create_share(&tenant(), &owner(), taken).await, Err(StoreError::NameTaken));
        assert_eq!(table.items().await, before);
    }

    async fn are_limited_below_the_account_at_the_top(table) {
        let store = &table.store;
        let jobs = portfolio(store, 1).await;
        let make = async |above: &Access, id: &str| store.create_share(&tenant(), above, NewShare { most: 2, ..new(id, &jobs) }).await;
        assert_eq!(make(&owner(), "s1").await, Ok(Submitted::Stored));
        let below = access(store, &[account_id("manager")], "s1").await.unwrap();
        assert_eq!(make(&below, "s2").await, Ok(Submitted::Stored));
        for above in [&owner(), &below] {
            assert_eq!(make(above, "s3").await, Err(StoreError::TooManyShares));
        }
        assert_eq!(store.share_count(&tenant(), &account_id("manager")).await, Ok(2));
        assert_eq!(store.create_share(&tenant(), &owner(), NewShare { login: login("s1"), ..new("s4", &jobs) }).await, Err(StoreError::NameTaken));
        assert_eq!(store.share_count(&tenant(), &account_id("manager")).await, Ok(2), "what was not made is not counted");
        delete(store, "s1").await.unwrap();
        assert_eq!(store.share_count(&tenant(), &account_id("manager")).await, Ok(0), "with everything below");
        assert_eq!(make(&owner(), "s5").await, Ok(Submitted::Stored));
    }

    async fn come_in_pages(table) {
        let store = &table.store;
        let jobs = portfolio(store, 1).await;
        for n in 0..5 {
            share(store, &owner(), &format!("s{n}"), &jobs).await;
        }
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let page = store.shares(&tenant(), &owner(), 2, after.as_ref()).await.unwrap();
            assert!(page.shares.len() <= 2);
            seen.extend(page.shares.into_iter().map(|share| share.id.to_string()));
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        assert_eq!(seen, ["s0", "s1", "s2", "s3", "s4"]);
    }

    async fn a_page_of_large_shares_is_a_short_one(table) {
        let store = &table.store;
        let jobs = portfolio(store, 999).await;
        for n in 0..5 {
            share(store, &owner(), &format!("s{n}"), &jobs).await;
        }
        let page = store.shares(&tenant(), &owner(), 100, None).await.unwrap();
        assert_eq!((page.shares.len(), page.next.clone()), (4, Some(account_id("s3"))));
        let rest = store.shares(&tenant(), &owner(), 100, page.next.as_ref()).await.unwrap();
        assert_eq!((rest.shares.len(), rest.next), (1, None));
    }

    async fn end_with_the_era_in_which_they_were_made(table) {
        let store = &table.store;
        let jobs = portfolio(store, 1).await;
        let (manager, upper) = (account_id("manager"), account_id("upper"));
        let above = share(store, &owner(), "upper", &jobs).await;
        let lower = share(store, &above, "lower", &jobs).await;
        share(store, &lower, "lowest", &jobs).await;
        let chain = [manager.clone(), upper.clone()];
        let lowest = [manager.clone(), upper.clone(), account_id("lower")];

        // New login data alone end none of those below.
        store.renew_share_login(&tenant(), &manager, &upper, &renewal(&login("new"), false), None).await.unwrap();
        assert!(access(store, &chain, "lower").await.is_some() && access(store, &lowest, "lowest").await.is_some());
        store.renew_share_login(&tenant(), &manager, &upper, &renewal(&login("newer"), true), None).await.unwrap();
        assert!(access(store, &chain, "lower").await.is_none() && access(store, &lowest, "lowest").await.is_none());
        let above = access(store, std::slice::from_ref(&manager), "upper").await.unwrap();
        assert!(store.shares(&tenant(), &above, 100, None).await.unwrap().shares.is_empty());

        // Whoever shares with what was read before shares nothing.
        share_in(store, &above, "late", &jobs, 0).await;
        assert!(access(store, &chain, "late").await.is_none());
        share_in(store, &above, "again", &jobs, 1).await;
        assert!(access(store, &chain, "again").await.is_some());
        assert_eq!(store.delete_ended_shares(&tenant(), &upper).await, Ok(2));
        assert_eq!(store.delete_ended_shares(&tenant(), &upper).await, Ok(0));
        for gone in ["lower", "lowest", "late"] {
            assert_eq!(store.account(&tenant(), &account_id(gone)).await, Ok(None), "{gone}");
        }
        assert!(access(store, &chain, "again").await.is_some());
        assert_eq!(store.share_count(&tenant(), &manager).await, Ok(2));
    }

    async fn end_with_a_letter_if_the_utility_says_so(table) {
        let store = &table.store;
        let jobs = portfolio(store, 1).await;
        let manager = account_id("manager");
        let upper = share(store, &owner(), "upper", &jobs).await;
        share(store, &upper, "lower", &jobs).await;
        let letter = async |hash: &str, end_shares| {
            let link = Some(LinkSecretHash { sha256_hex: hash.into(), expires_at: noon() + SignedDuration::from_hours(24) });
            store.put_account(&tenant(), &NewAccount { link, end_shares, ..account("manager") }).await.unwrap();
        };
        letter("first", true).await;
        assert!(access(store, std::slice::from_ref(&manager), "upper").await.is_some(), "no login data were replaced");
        letter("second", false).await;
        assert!(access(store, std::slice::from_ref(&manager), "upper").await.is_some());
        letter("third", true).await;
        assert!(access(store, std::slice::from_ref(&manager), "upper").await.is_none());
        assert!(access(store, &[manager.clone(), account_id("upper")], "lower").await.is_none());
        assert_eq!(store.delete_ended_shares(&tenant(), &manager).await, Ok(1));
        assert_eq!(store.share_count(&tenant(), &manager).await, Ok(0));
    }

    async fn logs_in_with_its_newest_data_only(table) {
        let store = &table.store;
        let jobs = portfolio(store, 1).await;
        share(store, &owner(), "s", &jobs).await;
        let link = async |hash: &str| store.account_of_link(&tenant(), hash, noon()).await.unwrap().map(|entrant| entrant.account.id);
        assert_eq!(link("link-of-s").await, Some(account_id("s")));
        assert_eq!(store.account_of_link(&tenant(), "link-of-s", noon() + SignedDuration::from_hours(24)).await.unwrap(), None);
        let write = record("renew", "r", "sealed");
        let renew = async || store.renew_share_login(&tenant(), &account_id("manager"), &account_id("s"), &renewal(&login("new"), false), Some(&write)).await;
        assert_eq!(renew().await, Ok(Submitted::Stored));
        assert_eq!((link("link-of-s").await, link("link-of-new").await), (None, Some(account_id("s"))));
        assert!(store.credential(&tenant(), "s").await.unwrap().is_none());
        assert_eq!(store.credential(&tenant(), "new").await.unwrap().unwrap().account_id, account_id("s"));
        assert_eq!(store.shares(&tenant(), &owner(), 100, None).await.unwrap().shares[0].username, "new");
    }

    /// The share is that of the one who made it, also for those above.
    async fn belongs_to_its_maker(table) {
        let store = &table.store;
        let jobs = portfolio(store, 1).await;
        let upper = share(store, &owner(), "upper", &jobs).await;
        share(store, &upper, "lower", &jobs).await;
        let found = async |maker: &str, id: &str| {
            store.share_with_idempotency(&tenant(), &account_id(maker), &account_id(id), "k", noon()).await.unwrap().0
        };
        assert!(matches!(found("upper", "lower").await, Some(FoundShare::Live(Share { .. }))));
        assert_eq!(found("manager", "lower").await, None);
        assert_eq!(remove(store, "lower", &jobs[0]).await, Submitted::Stale);
        let renewed = store.renew_share_login(&tenant(), &account_id("manager"), &account_id("lower"), &renewal(&login("x"), false), None).await;
        assert_eq!(renewed, Ok(Submitted::Stale));
    }

    async fn ends_with_everything_below(table) {
        let store = &table.store;
        let jobs = portfolio(store, 1).await;
        let before = table.items().await;
        tree(store, &jobs).await;
        assert_eq!(delete(store, "s").await, Ok(Submitted::Stored));
        assert_eq!(delete(store, "s").await, Ok(Submitted::Replayed { response_body: String::new() }));
        // Left are the record of the making, that of the end, and the count.
        assert_eq!(table.items().await, before + 3);
    }

    /// Whoever is just being deleted cannot put anything below itself any more.
    async fn that_has_ended_shares_nothing(table) {
        let store = &table.store;
        let jobs = portfolio(store, 1).await;
        let ended = share(store, &owner(), "s", &jobs).await;
        assert_eq!(delete(store, "s").await, Ok(Submitted::Stored));
        let before = table.items().await;
        assert_eq!(store.create_share(&tenant(), &ended, new("late", &jobs)).await, Ok(Submitted::Stale));
        assert_eq!(table.items().await, before);
        assert!(seen(store, &ended).await.is_empty(), "even with a chain that was read before");
    }
}

/// `s` with three below it, one of them further down, and what they have done.
async fn tree(store: &Store, jobs: &[JobId]) {
    let top = share(store, &owner(), "s", jobs).await;
    for id in ["s1", "s2"] {
        let middle = share(store, &top, id, jobs).await;
        if id == "s2" {
            share(store, &middle, "s2-1", jobs).await;
        }
    }
}

async fn alive(store: &Store) -> bool {
    let manager = account_id("manager");
    let chains = [("s", vec![]), ("s1", vec!["s"]), ("s2", vec!["s"]), ("s2-1", vec!["s", "s2"])];
    let alive = chains.iter().map(|(id, above)| {
        let above: Vec<_> = [manager.clone()].into_iter().chain(above.iter().map(|id| account_id(id))).collect();
        async move { access(store, &above, id).await.is_some() }
    });
    join_all(alive).await.contains(&true)
}

/// The deletion is stopped at each of its calls in turn; from the first transaction on nobody gets in, and asking again leaves what one
/// deletion leaves that nothing stopped.
#[tokio::test]
async fn a_deletion_that_was_stopped_anywhere_is_finished_by_the_next() {
    for at in 0.. {
        let table = Table::dynoxide().await;
        let jobs = portfolio(&table.store, 1).await;
        let before = table.items().await;
        tree(&table.store, &jobs).await;
        let (store, calls) = faulty(&table, move |_, n| (n == at).then(|| error("ValidationException")));
        let stopped = delete(&store, "s").await;
        if calls.load(Ordering::Relaxed) <= at {
            assert_eq!(stopped, Ok(Submitted::Stored));
            assert!(at > 10, "{at} calls are too few for a tree of four");
            return;
        }
        assert!(stopped.is_err(), "{at}");
        assert_eq!(alive(&table.store).await, at < 2, "{at}");
        let listed = table.store.shares(&tenant(), &owner(), 100, None).await.unwrap().shares;
        assert_eq!(listed.len(), usize::from(at < 2), "{at}");
        assert_eq!(delete(&table.store, "s").await, Ok(Submitted::Stored), "{at}");
        // Left are the records of the making and of the end, and the count.
        assert_eq!(table.items().await, before + 3, "{at}");
    }
}

/// More than a page of DynamoDB's, so that the list and the tidying go on where the page ended.
#[tokio::test]
async fn many_shares_of_many_jobs_are_all_listed_and_deleted() {
    let table = Table::dynoxide().await;
    let store = &table.store;
    let jobs: Vec<_> = (0..999).map(|n| job_id(&format!("{n:0>60}"))).collect();
    store.put_account(&tenant(), &account("manager")).await.unwrap();
    import(store, &tenant(), &[line("manager", master(jobs[0].as_str(), &["t1"]))]).await;
    let before = table.items().await;
    let top = share(store, &owner(), "s", &jobs).await;
    for n in 0..40 {
        share(store, &top, &format!("s{n}"), &jobs).await;
    }
    let (mut listed, mut after) = (Vec::new(), None);
    loop {
        let page = store.shares(&tenant(), &top, 100, after.as_ref()).await.unwrap();
        listed.extend(page.shares);
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    assert_eq!(listed.len(), 40);
    assert!(listed.iter().all(|share| share.job_ids == BTreeSet::from([jobs[0].clone()])), "what is not there is not effective");
    assert_eq!(delete(store, "s").await, Ok(Submitted::Stored));
    assert_eq!(table.items().await, before + 3);
}
