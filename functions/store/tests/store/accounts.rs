use futures::future::join_all;
use jiff::ToSpan;
use jiff::civil::date;
use store::{Imported, LinkSecretHash, NewAccount, StoreError};

use crate::on_both;
use crate::support::{account, account_id, import_at, line, master, noon, other_tenant, tenant, with_login};

fn with_link(mut new: NewAccount, hash: &str) -> NewAccount {
    new.link = Some(LinkSecretHash { sha256_hex: hash.into(), expires_at: noon() + 1.hour() });
    new
}

on_both! {
    async fn is_created_updated_and_left_alone(table) {
        let store = &table.store;
        let new = with_link(with_login(account("a1"), "Erika Muster", "hash"), "0123");
        assert_eq!(store.put_account(&tenant(), &new).await.unwrap(), Imported::Created);
        assert_eq!(store.account(&tenant(), &account_id("a1")).await.unwrap().unwrap(), new.account);
        assert_eq!(store.put_account(&tenant(), &new).await.unwrap(), Imported::Unchanged);

        let mut renamed = new.clone();
        renamed.account.name = "Erika Beispiel".into();
        assert_eq!(store.put_account(&tenant(), &renamed).await.unwrap(), Imported::Updated);
        assert_eq!(store.account(&tenant(), &account_id("a1")).await.unwrap().unwrap().name, "Erika Beispiel");
        assert!(store.account(&other_tenant(), &account_id("a1")).await.unwrap().is_none());
    }

    async fn keeps_its_logins_when_a_line_brings_none(table) {
        let store = &table.store;
        store.put_account(&tenant(), &with_link(with_login(account("a1"), "erika.m", "hash"), "0123")).await.unwrap();
        assert_eq!(store.put_account(&tenant(), &account("a1")).await.unwrap(), Imported::Unchanged);
        assert_eq!(store.credential(&tenant(), "erika.m").await.unwrap().unwrap().password_hash, "hash");
        assert_eq!(store.link_login(&tenant(), "0123", noon()).await.unwrap(), Some(account_id("a1")));
    }

    async fn invited_by_mail_alone_loses_those_links_with_its_first_letter_of_new_login_data(table) {
        let store = &table.store;
        store.put_account(&tenant(), &account("a1")).await.unwrap();
        let mailed = LinkSecretHash { sha256_hex: "0123".into(), expires_at: noon() + 1.hour() };
        assert!(store.add_link(&tenant(), &account_id("a1"), &mailed).await.unwrap());
        // User name and password are one more way in, as the letters of a season have them.
        store.put_account(&tenant(), &with_login(account("a1"), "erika", "hash")).await.unwrap();
        assert_eq!(store.link_login(&tenant(), "0123", noon()).await.unwrap(), Some(account_id("a1")));
        store.put_account(&tenant(), &with_link(with_login(account("a1"), "erika", "hash"), "4567")).await.unwrap();
        assert_eq!(store.link_login(&tenant(), "0123", noon()).await.unwrap(), None);
        assert_eq!(store.account(&tenant(), &account_id("a1")).await.unwrap().unwrap().generation, 1);
    }

    async fn has_a_link_that_is_made_after_its_jobs_ended_the_others(table) {
        let (store, id) = (&table.store, account_id("a1"));
        store.put_account(&tenant(), &account("a1")).await.unwrap();
        let link = LinkSecretHash { sha256_hex: "0123".into(), expires_at: noon() + (24 * 400).hours() };
        store.put_off_links(&tenant(), &id, noon()).await.unwrap();
        assert!(store.add_link(&tenant(), &id, &link).await.unwrap());
        // Without a last day.
        import_at(store, &tenant(), &[line("a1", master("j1", &["t1"]))], noon()).await;
        let later = noon() + (24 * 200).hours();
        assert!(store.account_of_link(&tenant(), "0123", later - (24 * 30).hours()).await.unwrap().is_some());
        assert!(store.account_of_link(&tenant(), "0123", later).await.unwrap().is_none());
        for end in [later + 2.hours(), later + 1.hour()] {
            store.put_off_links(&tenant(), &id, end).await.unwrap();
            assert!(store.account_of_link(&tenant(), "0123", later + 90.minutes()).await.unwrap().is_some(), "never earlier");
        }
    }

    async fn keeps_its_logins_while_its_last_day_is_put_off(table) {
        let store = &table.store;
        let mut ended = with_login(account("a1"), "erika", "hash");
        ended.account.valid_until = Some(date(2026, 11, 20));
        store.put_account(&tenant(), &ended).await.unwrap();
        assert_eq!(store.end_logins(&tenant(), &account_id("a1"), date(2026, 11, 20)).await.unwrap(), 0);
        ended.account.valid_until = Some(date(2027, 1, 31));
        store.put_account(&tenant(), &ended).await.unwrap();
        assert_eq!(store.end_logins(&tenant(), &account_id("a1"), date(2026, 11, 21)).await.unwrap(), 0);
        assert!(store.credential(&tenant(), "erika").await.unwrap().is_some());
        assert_eq!(store.end_logins(&tenant(), &account_id("a1"), date(2027, 2, 1)).await.unwrap(), 1);
    }

    async fn is_found_by_its_name_however_it_is_typed(table) {
        let store = &table.store;
        store.put_account(&tenant(), &with_login(account("a1"), "Erika Müster", "hash")).await.unwrap();
        let found = store.credential(&tenant(), " erikaMÜSTER\t").await.unwrap().unwrap();
        assert_eq!((found.account_id, found.password_hash.as_str()), (account_id("a1"), "hash"));
        assert!(store.credential(&tenant(), "erika").await.unwrap().is_none());
        assert!(store.credential(&other_tenant(), "ErikaMüster").await.unwrap().is_none());
        assert!(store.credential(&tenant(), &"x".repeat(10_000)).await.unwrap().is_none(), "a name of any length has a key");
    }

    async fn cannot_take_the_name_of_another(table) {
        let store = &table.store;
        store.put_account(&tenant(), &with_login(account("a1"), "erika", "hash")).await.unwrap();
        let refused = store.put_account(&tenant(), &with_login(account("a2"), "ERIKA", "other")).await;
        assert_eq!(refused, Err(StoreError::NameTaken));
        assert!(store.account(&tenant(), &account_id("a2")).await.unwrap().is_none(), "nothing is stored");
        assert_eq!(store.credential(&tenant(), "erika").await.unwrap().unwrap().account_id, account_id("a1"));
        assert_eq!(store.put_account(&other_tenant(), &with_login(account("a2"), "erika", "other")).await.unwrap(), Imported::Created);
    }

    async fn of_twenty_that_want_a_name_at_once_one_gets_it(table) {
        let wishes = (0..20).map(|n| {
            let store = table.store.clone();
            async move { store.put_account(&tenant(), &with_login(account(&format!("a{n}")), "erika", "hash")).await }
        });
        let answers = join_all(wishes).await;
        assert_eq!(answers.iter().filter(|answer| **answer == Ok(Imported::Created)).count(), 1);
        assert!(answers.iter().all(|answer| matches!(answer, Ok(Imported::Created) | Err(StoreError::NameTaken))));
    }

    async fn gives_up_its_old_name_and_link(table) {
        let store = &table.store;
        store.put_account(&tenant(), &with_link(with_login(account("a1"), "erika", "hash"), "0123")).await.unwrap();
        let new = with_link(with_login(account("a1"), "erika.neu", "hash2"), "4567");
        assert_eq!(store.put_account(&tenant(), &new).await.unwrap(), Imported::Updated);
        assert!(store.credential(&tenant(), "erika").await.unwrap().is_none());
        assert_eq!(store.credential(&tenant(), "erika.neu").await.unwrap().unwrap().password_hash, "hash2");
        assert_eq!(store.link_login(&tenant(), "0123", noon()).await.unwrap(), None, "revoked");
        assert_eq!(store.link_login(&tenant(), "4567", noon()).await.unwrap(), Some(account_id("a1")));
        assert_eq!(store.put_account(&tenant(), &with_login(account("a2"), "erika", "hash")).await.unwrap(), Imported::Created);
    }

    async fn each_new_login_data_are_another_generation(table) {
        let store = &table.store;
        let generations = async || {
            let account = store.account(&tenant(), &account_id("a1")).await.unwrap().unwrap();
            let credential = store.credential(&tenant(), account.username.as_ref().unwrap()).await.unwrap().unwrap();
            assert_eq!(credential.generation, account.generation, "a password is of the account's login data or of earlier ones");
            account.generation
        };
        let first = with_link(with_login(account("a1"), "erika", "hash"), "0123");
        let mut named = first.clone();
        named.account.name = "Erika Beispiel".into();
        for (new, generation) in [
            (first.clone(), 0),
            (named, 0),
            (with_link(with_login(account("a1"), "erika", "hash2"), "0123"), 1),
            (with_link(account("a1"), "4567"), 2),
            (with_login(account("a1"), "erika.neu", "hash2"), 3),
            (account("a1"), 3),
            (with_link(with_login(account("a1"), "Erika.Neu", "hash2"), "4567"), 3),
            (with_link(with_login(account("a1"), "erika", "hash3"), "89ab"), 4),
        ] {
            store.put_account(&tenant(), &new).await.unwrap();
            assert_eq!(generations().await, generation, "{new:?}");
        }
    }

    async fn a_new_password_replaces_the_old_one(table) {
        let store = &table.store;
        store.put_account(&tenant(), &with_login(account("a1"), "erika", "hash")).await.unwrap();
        assert_eq!(store.put_account(&tenant(), &with_login(account("a1"), "erika", "hash2")).await.unwrap(), Imported::Updated);
        assert_eq!(store.credential(&tenant(), "erika").await.unwrap().unwrap().password_hash, "hash2");
        // The same name as it is printed otherwise needs no new password.
        let mut other_print = account("a1");
        other_print.account.username = Some("Erika".into());
        assert_eq!(store.put_account(&tenant(), &other_print).await.unwrap(), Imported::Updated);
        assert_eq!(store.credential(&tenant(), "erika").await.unwrap().unwrap().password_hash, "hash2");
    }

    async fn a_name_without_a_password_is_refused(table) {
        let mut new = account("a1");
        new.account.username = Some("erika".into());
        let refused = table.store.put_account(&tenant(), &new).await.unwrap_err();
        assert!(matches!(refused, StoreError::Internal { .. }));
        assert_eq!(table.items().await, 0);
    }

    async fn a_link_ends_on_time_and_belongs_to_one(table) {
        let store = &table.store;
        store.put_account(&tenant(), &with_link(account("a1"), "0123")).await.unwrap();
        assert_eq!(store.link_login(&tenant(), "0123", noon() + 59.minutes()).await.unwrap(), Some(account_id("a1")));
        assert_eq!(store.link_login(&tenant(), "0123", noon() + 1.hour()).await.unwrap(), None);
        assert_eq!(store.link_login(&other_tenant(), "0123", noon()).await.unwrap(), None);
        assert_eq!(store.link_login(&tenant(), "4567", noon()).await.unwrap(), None);
        assert_eq!(store.put_account(&tenant(), &with_link(account("a2"), "0123")).await, Err(StoreError::LinkTaken));
    }
}
