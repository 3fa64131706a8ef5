use domain::model::LoginKind;
use futures::future::join_all;
use jiff::{SignedDuration, Timestamp};
use store::{NewSession, RefreshToken, Rotation, Store, random};

use crate::on_both;
use crate::support::{account_id, noon, other_tenant, tenant};

fn new() -> NewSession {
    NewSession {
        account_id: account_id("a1"),
        generation: 0,
        login: LoginKind::Token,
        now: noon(),
        ends_at: None,
        random: random().unwrap(),
    }
}

fn later(seconds: i64) -> Timestamp {
    noon() + SignedDuration::from_secs(seconds)
}

async fn rotate(store: &Store, token: &RefreshToken, now: Timestamp) -> Rotation {
    match store.find_session(&tenant(), token.as_str(), now).await.unwrap() {
        Some(found) => store.rotate_session(found, now).await.unwrap(),
        None => Rotation::Refused,
    }
}

async fn next(store: &Store, token: &RefreshToken, now: Timestamp) -> RefreshToken {
    match rotate(store, token, now).await {
        Rotation::Rotated { token, .. } => token,
        Rotation::Refused => panic!("refused"),
    }
}

on_both! {
    async fn goes_on_from_token_to_token(table) {
        let store = &table.store;
        let first = store.open_session(&tenant(), new()).await.unwrap();
        let Rotation::Rotated { token: second, session } = rotate(store, &first, later(60)).await else { panic!() };
        assert_ne!(first, second);
        assert_eq!((session.account_id, session.login), (account_id("a1"), LoginKind::Token));
        assert_eq!(session.expires_at, later(30 * 24 * 3600));
        let third = next(store, &second, later(120)).await;
        assert_ne!(second, third);
    }

    async fn the_previous_token_gets_the_same_successor_for_10_seconds(table) {
        let store = &table.store;
        let first = store.open_session(&tenant(), new()).await.unwrap();
        let second = next(store, &first, later(60)).await;
        assert_eq!(next(store, &first, later(65)).await, second);
        assert_eq!(next(store, &first, later(70)).await, second);
        next(store, &second, later(71)).await;
    }

    async fn a_token_used_again_later_revokes_the_family(table) {
        let store = &table.store;
        let first = store.open_session(&tenant(), new()).await.unwrap();
        let second = next(store, &first, later(60)).await;
        assert_eq!(rotate(store, &first, later(71)).await, Rotation::Refused);
        assert_eq!(rotate(store, &second, later(72)).await, Rotation::Refused, "the whole family is revoked");
    }

    async fn the_one_before_the_previous_revokes_even_within_10_seconds(table) {
        let store = &table.store;
        let first = store.open_session(&tenant(), new()).await.unwrap();
        let second = next(store, &first, later(1)).await;
        let third = next(store, &second, later(2)).await;
        assert_eq!(rotate(store, &first, later(3)).await, Rotation::Refused);
        assert_eq!(rotate(store, &third, later(4)).await, Rotation::Refused);
    }

    async fn thirty_tabs_at_once_get_the_same_successor(table) {
        let store = &table.store;
        let first = store.open_session(&tenant(), new()).await.unwrap();
        let tokens = join_all((0..30).map(|_| next(store, &first, later(60)))).await;
        assert!(tokens.iter().all(|token| *token == tokens[0]));
        next(store, &tokens[0], later(61)).await;
    }

    async fn ends_after_30_days_or_with_the_account(table) {
        let store = &table.store;
        let long = store.open_session(&tenant(), new()).await.unwrap();
        let short = store.open_session(&tenant(), NewSession { ends_at: Some(later(3600)), ..new() }).await.unwrap();
        let beyond = store.open_session(&tenant(), NewSession { ends_at: Some(later(90 * 24 * 3600)), ..new() }).await.unwrap();
        let short = next(store, &short, later(3599)).await;
        assert_eq!(rotate(store, &short, later(3600)).await, Rotation::Refused);
        let long = next(store, &long, later(30 * 24 * 3600 - 1)).await;
        assert_eq!(rotate(store, &long, later(30 * 24 * 3600)).await, Rotation::Refused);
        assert_eq!(rotate(store, &beyond, later(30 * 24 * 3600)).await, Rotation::Refused);
    }

    async fn logout_ends_it_with_either_of_its_last_tokens(table) {
        let store = &table.store;
        let first = store.open_session(&tenant(), new()).await.unwrap();
        let second = next(store, &first, later(1)).await;
        let third = next(store, &second, later(2)).await;
        store.revoke_session(&tenant(), first.as_str()).await.unwrap();
        store.revoke_session(&other_tenant(), third.as_str()).await.unwrap();
        assert_eq!(next(store, &second, later(3)).await, third, "neither an old token nor another tenant ends it");
        store.revoke_session(&tenant(), second.as_str()).await.unwrap();
        assert_eq!(rotate(store, &third, later(4)).await, Rotation::Refused);
        store.revoke_session(&tenant(), third.as_str()).await.unwrap();
    }

    async fn what_is_no_token_is_refused_without_a_read(table) {
        let first = table.store.open_session(&tenant(), new()).await.unwrap();
        let (store, meter) = table.store.metered();
        for text in ["", ".", "x", "a.b", "#.#", "a.b.c", &format!("{}x", first.as_str()), &format!("#{}", first.as_str()), &"x".repeat(9000)] {
            assert!(store.find_session(&tenant(), text, noon()).await.unwrap().is_none());
            store.revoke_session(&tenant(), text).await.unwrap();
        }
        assert_eq!(meter.round_trips(), 0);
        assert!(store.find_session(&other_tenant(), first.as_str(), noon()).await.unwrap().is_none());
        next(&store, &first, noon()).await;
    }

    async fn stores_no_token(table) {
        let first = table.store.open_session(&tenant(), new()).await.unwrap();
        let second = next(&table.store, &first, later(1)).await;
        let items = format!("{:?}", table.client.scan().table_name(&table.name).send().await.unwrap().items());
        for token in [&first, &second] {
            let (rest, secret) = token.as_str().rsplit_once('.').unwrap();
            let (_, family) = rest.rsplit_once('.').unwrap();
            assert!(items.contains(family) && !items.contains(secret));
        }
    }
}
