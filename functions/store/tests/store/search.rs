use domain::model::JobMaster;
use domain::search::Search;
use serde_json::json;
use store::{JobImported, NewAccount, Store};

use crate::on_both;
use crate::support::{account, account_id, import, job_id, line, noon, other_tenant, tenant, with_login};

fn named(id: &str, name: &str) -> NewAccount {
    let mut new = account(id);
    new.account.name = name.into();
    new
}

/// A job at this address.
fn at_address(id: &str, number: &str, street: &str, house_number: &str, zip: &str) -> JobMaster {
    let address = json!({ "street": street, "houseNumber": house_number, "zip": zip, "city": "Musterstadt" });
    testing::job(id, json!({ "maLoId": "41373559241", "meter": { "meterNumber": number, "meterAddress": address } }))
}

/// All pages of accounts, and the most round trips of one.
async fn pages(store: &Store, typed: &str) -> (Vec<Vec<String>>, u64) {
    let search = Search::parse(typed).unwrap();
    let (mut pages, mut most, mut cursor) = (Vec::new(), 0, None);
    loop {
        let (store, meter) = store.metered();
        let page = store.find_accounts(&tenant(), &search, cursor.as_deref()).await.unwrap();
        pages.push(page.found.iter().map(|found| found.account.id.to_string()).collect());
        most = most.max(meter.round_trips());
        cursor = page.next_cursor;
        if cursor.is_none() {
            return (pages, most);
        }
    }
}

async fn accounts(store: &Store, typed: &str) -> Vec<String> {
    let (pages, round_trips) = pages(store, typed).await;
    assert!(round_trips <= 3, "{typed}: {round_trips}");
    pages.concat()
}

async fn jobs(store: &Store, typed: &str) -> Vec<String> {
    let page = store.find_jobs(&tenant(), &Search::parse(typed).unwrap(), None).await.unwrap();
    page.found.iter().map(|found| found.job.master.id.to_string()).collect()
}

on_both! {
    async fn an_account_is_found_by_its_words_and_those_of_its_jobs(table) {
        let store = &table.store;
        let erna = with_login(named("k-10417", "Erna Müller"), "anna.mueller", "hash");
        store.put_account(&tenant(), &erna).await.unwrap();
        store.put_account(&tenant(), &named("k-20000", "Müller GmbH")).await.unwrap();
        store.put_account(&other_tenant(), &named("k-10417", "Erna Müller")).await.unwrap();
        let lines = [
            line("k-10417", at_address("strom", "1EMH0012345678", "Hauptstr.", "12 a", "99084")),
            line("k-10417", at_address("gas", "7GAS0087654321", "Hauptstr.", "12 a", "99084")),
            line("k-20000", at_address("werk", "1EMH0000000001", "Ringweg", "1", "99085")),
        ];
        import(store, &tenant(), &lines).await;
        for typed in ["erna", "MUELLER erna", "müller haupt 12", "muller 99084", "10417", "anna", "5678", "1 EMH00 1234 5678", "hauptstraße 12a erna", "Musterstadt Erna"] {
            assert_eq!(accounts(store, typed).await, ["k-10417"], "{typed}");
        }
        assert_eq!(accounts(store, "müller").await, ["k-10417", "k-20000"]);
        assert_eq!(accounts(store, "41 373 559 241").await, ["k-10417", "k-20000"]);
        assert_eq!(accounts(store, "müller haupt 13").await, [""; 0]);
        assert_eq!(jobs(store, "müller haupt").await, ["gas", "strom"]);
        assert_eq!(jobs(store, "4321 müller").await, ["gas"]);
        assert_eq!(jobs(store, "54321 müller").await, ["gas"]);
        let found = store.find_accounts(&tenant(), &Search::parse("hauptstr").unwrap(), None).await.unwrap().found.remove(0);
        assert_eq!(found.job.unwrap().master.meter.meter_address.zip.as_deref(), Some("99084"));
    }

    async fn what_changes_is_found_by_its_new_words_only(table) {
        let store = &table.store;
        store.put_account(&tenant(), &named("a1", "Erna Müller")).await.unwrap();
        store.put_account(&tenant(), &named("a2", "Jan Schulz")).await.unwrap();
        let old = line("a1", at_address("j1", "1EMH0012345678", "Hauptstr.", "12", "99084"));
        import(store, &tenant(), std::slice::from_ref(&old)).await;

        store.put_account(&tenant(), &named("a1", "Erna Schmidt")).await.unwrap();
        assert_eq!(accounts(store, "müller").await, [""; 0]);
        assert_eq!(accounts(store, "schmidt haupt").await, ["a1"]);
        assert_eq!(import(store, &tenant(), &[old]).await, [JobImported::Unchanged]);

        import(store, &tenant(), &[line("a1", at_address("j1", "1EMH0012345678", "Ringweg", "12", "99084"))]).await;
        assert_eq!((accounts(store, "hauptstr").await.len(), accounts(store, "ringweg schmidt").await), (0, vec!["a1".to_owned()]));

        // The meter goes to another account.
        let moved = import(store, &tenant(), &[line("a2", at_address("j2", "1EMH0012345678", "Ringweg", "12", "99084"))]).await;
        assert_eq!(moved, [JobImported::Moved]);
        assert_eq!(accounts(store, "12345678").await, ["a2"]);
        assert_eq!(accounts(store, "ringweg schulz").await, ["a2"]);

        store.close_job(&tenant(), &account_id("a2"), &job_id("j2"), noon()).await.unwrap();
        assert_eq!(accounts(store, "12345678").await, [""; 0]);
        let words = table.scan().await.into_iter().filter(|item| item["pk"].as_s().unwrap().contains("#FIND#")).count();
        // Number and two names of each account.
        assert_eq!(words, 4, "a number of two letters and digits is too short for an entry");
    }

    async fn a_readings_words_stay(table) {
        let store = &table.store;
        store.put_account(&tenant(), &named("a1", "Erna Müller")).await.unwrap();
        import(store, &tenant(), &[line("a1", at_address("j1", "1EMH0012345678", "Hauptstr.", "12", "99084"))]).await;
        let job = crate::support::stored(store, "a1", "j1").await;
        crate::support::submit(store, &job, &[crate::support::reading("t1", "5", noon())], crate::support::record("k", "r", "a")).await;
        assert_eq!(jobs(store, "5678").await, ["j1"]);
        store.close_job(&tenant(), &account_id("a1"), &job_id("j1"), noon()).await.unwrap();
        assert_eq!(jobs(store, "5678").await, [""; 0]);
    }

    async fn many_come_in_pages_and_one_with_many_jobs_is_in_nobodys_way(table) {
        let store = &table.store;
        store.put_account(&tenant(), &named("a-manager", "Wohnbau Musterstadt eG")).await.unwrap();
        let lines: Vec<_> = (0..230).map(|n| line("a-manager", at_address(&format!("m{n:03}"), &format!("Z{n:06}"), "Ringweg", "1", "99084"))).collect();
        assert_eq!(import(store, &tenant(), &lines).await, vec![JobImported::Created; 230]);
        for n in 0..60 {
            store.put_account(&tenant(), &named(&format!("w{n:02}"), "Eva Wohnbau")).await.unwrap();
        }
        let (pages, round_trips) = pages(store, "wohnbau").await;
        assert_eq!(pages.iter().map(Vec::len).collect::<Vec<_>>(), [25, 25, 11]);
        assert!(round_trips <= 3, "{round_trips}");
        let mut found = pages.concat();
        assert_eq!(found[0], "a-manager");
        found.sort();
        found.dedup();
        assert_eq!(found.len(), 61);
    }
}

/// The first query looks at 400 entries, and the second at the rest.
#[tokio::test]
async fn what_few_entries_fit_is_found_behind_many_that_do_not() {
    let table = crate::support::Table::dynoxide().await;
    let store = &table.store;
    store.put_account(&tenant(), &named("manager", "Wohnbau Musterstadt eG")).await.unwrap();
    let job = |n: usize, zip: &str| line("manager", at_address(&format!("m{n:03}"), &format!("Z{n:06}"), "Ringweg", "1", zip));
    let lines: Vec<_> = (0..450).map(|n| job(n, "99084")).chain([job(450, "99085")]).collect();
    import(store, &tenant(), &lines).await;
    assert_eq!(jobs(store, "ringweg 99085").await, ["m450"]);
    let (metered, meter) = store.metered();
    let page = metered.find_jobs(&tenant(), &Search::parse("ringweg 99084").unwrap(), None).await.unwrap();
    assert_eq!((page.found.len(), meter.round_trips()), (25, 2));
    assert!(page.next_cursor.is_some());
}

/// What `docs/capacity.md` says of an account and a job.
#[tokio::test]
async fn entries_cost_so_many_units() {
    let table = crate::support::Table::dynoxide().await;
    let (store, meter) = table.store.metered();
    store.put_account(&tenant(), &with_login(named("1000000417", "Erna Müller"), "k7xw9m2p", "hash")).await.unwrap();
    assert_eq!(meter.write_units(), 13.0);
    let (store, meter) = table.store.metered();
    import(&store, &tenant(), &[line("1000000417", at_address("j1", "1EMH0012345678", "Hauptstr.", "12", "99084"))]).await;
    assert_eq!(
        meter.write_units(),
        23.0,
        "with what the import's transaction changes in the counts, and its place in the list of open jobs"
    );
}
