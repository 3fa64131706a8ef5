use domain::device::DeviceKind;
use domain::model::LoginKind;
use futures::future::join_all;
use jiff::{SignedDuration, Timestamp};
use store::{Access, EndedLogins, NewSession, RefreshToken, Rotation, Store, StoreError, TokenOrigin, random};

use crate::on_both;
use crate::support::{account, account_id, noon, other_tenant, tenant};

fn new() -> NewSession {
    NewSession {
        account_id: account_id("a1"),
        generation: 0,
        login: LoginKind::Token,
        device: DeviceKind::AndroidPhone,
        epoch: 0,
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
        Some(found) => store.rotate_session(&tenant(), found, now).await.unwrap(),
        None => Rotation::Refused,
    }
}

async fn next(store: &Store, token: &RefreshToken, now: Timestamp) -> RefreshToken {
    match rotate(store, token, now).await {
        Rotation::Rotated { token, .. } => token,
        other => panic!("{other:?}"),
    }
}

const HOUR: i64 = 3600;

async fn ended(store: &Store) -> EndedLogins {
    store.put_account(&tenant(), &account("a1")).await.unwrap();
    store.entrant(&tenant(), &account_id("a1")).await.unwrap().unwrap().ended
}

fn from_session(token: &RefreshToken) -> TokenOrigin {
    TokenOrigin { session: Some(token.session_id().to_owned()), epoch: 0 }
}

on_both! {
    async fn goes_on_from_token_to_token(table) {
        let store = &table.store;
        let first = store.open_session(&tenant(), new()).await.unwrap();
        let Rotation::Rotated { token: second, session } = rotate(store, &first, later(60)).await else { panic!() };
        assert_ne!(first, second);
        assert_eq!((session.account_id, session.login), (account_id("a1"), LoginKind::Token));
        assert_eq!(session.expires_at, later(30 * 24 * HOUR));
        let third = next(store, &second, later(120)).await;
        assert_ne!(second, third);
    }

    async fn who_comes_together_gets_the_same_successor(table) {
        let store = &table.store;
        let first = store.open_session(&tenant(), new()).await.unwrap();
        let second = next(store, &first, later(60)).await;
        assert_eq!(next(store, &first, later(65)).await, second);
        assert_eq!(next(store, &first, later(70)).await, second);
        next(store, &second, later(71)).await;
    }

    async fn a_lost_answer_is_fetched_again_for_a_day(table) {
        let store = &table.store;
        let mut token = store.open_session(&tenant(), new()).await.unwrap();
        // Each time the answer is lost ten times, over more than half a day.
        for day in 0..3 {
            let mut last = None;
            for attempt in 0..10 {
                last = Some(next(store, &token, later(day * 24 * HOUR + attempt * 5000)).await);
            }
            token = last.unwrap();
        }
        let successor = next(store, &token, later(72 * HOUR)).await;
        assert_ne!(next(store, &token, later(96 * HOUR)).await, successor, "another answer, another token");
        assert_eq!(rotate(store, &token, later(96 * HOUR + 1)).await, Rotation::Refused, "a day is over");
        assert_eq!(rotate(store, &successor, later(96 * HOUR + 2)).await, Rotation::Refused, "the whole family is revoked");
    }

    async fn each_answer_to_a_token_is_good_until_one_of_them_is_used(table) {
        let store = &table.store;
        let first = store.open_session(&tenant(), new()).await.unwrap();
        let lost = next(store, &first, later(60)).await;
        let got = next(store, &first, later(90)).await;
        let late = next(store, &first, later(120)).await;
        assert!(lost != got && got != late && lost != late);
        // One that came later than the next one was asked for.
        let after = next(store, &got, later(1000)).await;
        next(store, &after, later(2000)).await;
    }

    /// Thief and owner take turns and never use a token that the other has used up: what each got shows that there are two.
    async fn a_stolen_token_shows_itself(table) {
        let store = &table.store;
        let stolen = store.open_session(&tenant(), new()).await.unwrap();
        let owners = next(store, &stolen, later(60)).await;
        let thiefs = next(store, &stolen, later(90)).await;
        next(store, &owners, later(900)).await;
        assert!(!ended(store).await.includes(&from_session(&owners)));
        assert_eq!(rotate(store, &thiefs, later(930)).await, Rotation::Refused);
        assert_eq!(rotate(store, &owners, later(940)).await, Rotation::Refused);
        assert!(ended(store).await.includes(&from_session(&thiefs)), "the thief's access token has ended, too");
    }

    async fn a_token_used_again_once_its_successor_was_used_revokes_the_family(table) {
        let store = &table.store;
        let first = store.open_session(&tenant(), new()).await.unwrap();
        let second = next(store, &first, later(1)).await;
        let third = next(store, &second, later(2)).await;
        assert_eq!(rotate(store, &first, later(3)).await, Rotation::Refused);
        assert_eq!(rotate(store, &third, later(4)).await, Rotation::Refused);
    }

    async fn a_session_is_renewed_sixty_times_in_a_quarter_of_an_hour(table) {
        let store = &table.store;
        let mut token = store.open_session(&tenant(), new()).await.unwrap();
        for n in 0..60 {
            token = next(store, &token, later(n)).await;
        }
        assert_eq!(rotate(store, &token, later(60)).await, Rotation::TooOften { retry_after_seconds: 841 });
        assert_eq!(rotate(store, &token, later(899)).await, Rotation::TooOften { retry_after_seconds: 2 });
        for n in 0..60 {
            next(store, &token, later(900 + n / 10)).await;
        }
        assert!(matches!(rotate(store, &token, later(910)).await, Rotation::TooOften { .. }), "the same one again counts, too");
        let found = store.find_session(&tenant(), token.as_str(), later(1800)).await.unwrap().unwrap();
        let tenant = tenant();
        let at_once = join_all((0..90).map(|_| store.rotate_session(&tenant, found.clone(), later(1800)))).await;
        let renewed = at_once.into_iter().filter(|rotation| matches!(rotation, Ok(Rotation::Rotated { .. }))).count();
        assert!((60..=90).contains(&renewed), "{renewed}");
    }

    async fn they_are_listed_until_they_end(table) {
        let store = &table.store;
        let list = async |access: &Access, now| {
            let sessions = store.sessions(&tenant(), access, now).await.unwrap();
            sessions.into_iter().map(|listed| (listed.id, listed.session.device, listed.session.used_at)).collect::<Vec<_>>()
        };
        let (owner, other) = (Access::owner(account_id("a1")), Access::owner(account_id("a2")));
        let phone = store.open_session(&tenant(), new()).await.unwrap();
        let computer = store.open_session(&tenant(), NewSession { device: DeviceKind::Windows, ..new() }).await.unwrap();
        store.open_session(&tenant(), NewSession { account_id: account_id("a2"), ..new() }).await.unwrap();
        next(store, &phone, later(60)).await;
        let (by_phone, by_computer) = (from_session(&phone), from_session(&computer));
        let (phone, computer) = (phone.session_id().to_owned(), computer.session_id().to_owned());
        let of_phone = (phone.clone(), DeviceKind::AndroidPhone, later(60));
        let of_computer = (computer.clone(), DeviceKind::Windows, noon());
        assert_eq!(list(&owner, later(61)).await, [of_phone.clone(), of_computer]);
        assert!(list(&owner, later(30 * 24 * HOUR)).await.is_empty());

        for wrong in ["", "x", "#", "../x", &"A".repeat(22)] {
            assert!(!store.end_session(&tenant(), &account_id("a1"), wrong).await.unwrap(), "{wrong}");
        }
        assert!(!store.end_session(&tenant(), &account_id("a2"), &computer).await.unwrap());
        assert!(!store.end_session(&other_tenant(), &account_id("a1"), &computer).await.unwrap());
        assert!(store.end_session(&tenant(), &account_id("a1"), &computer).await.unwrap());
        assert_eq!(list(&owner, later(61)).await, [of_phone]);
        let now = ended(store).await;
        assert!(now.includes(&by_computer) && !now.includes(&by_phone));

        store.end_all_sessions(&tenant(), &account_id("a1")).await.unwrap();
        assert!(list(&owner, later(61)).await.is_empty());
        let now = ended(store).await;
        assert!(now.includes(&by_phone) && (now.epoch, now.sessions_from) == (1, 1));
        store.open_session(&tenant(), NewSession { epoch: 1, ..new() }).await.unwrap();
        assert_eq!(list(&owner, later(61)).await.len(), 1);
        assert_eq!(list(&other, later(61)).await.len(), 1, "nobody else's");
        let ended = Access::claimed(account_id("a1"), by_phone);
        assert_eq!(store.sessions(&tenant(), &ended, later(61)).await.unwrap_err(), StoreError::LoginEnded);
    }

    /// However many log out, the item that every request reads stays small.
    async fn after_twenty_logouts_all_access_tokens_are_renewed(table) {
        let store = &table.store;
        let kept = store.open_session(&tenant(), new()).await.unwrap();
        for n in 0..21 {
            let token = store.open_session(&tenant(), new()).await.unwrap();
            store.revoke_session(&tenant(), token.as_str()).await.unwrap();
            let now = ended(store).await;
            assert!(now.includes(&from_session(&token)));
            assert_eq!(now.includes(&from_session(&kept)), n == 20, "{n}");
        }
        assert!(ended(store).await.sessions.is_empty());
        next(store, &kept, later(1)).await;
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
        let short = store.open_session(&tenant(), NewSession { ends_at: Some(later(HOUR)), ..new() }).await.unwrap();
        let beyond = store.open_session(&tenant(), NewSession { ends_at: Some(later(90 * 24 * HOUR)), ..new() }).await.unwrap();
        let short = next(store, &short, later(HOUR - 1)).await;
        assert_eq!(rotate(store, &short, later(HOUR)).await, Rotation::Refused);
        let long = next(store, &long, later(30 * 24 * HOUR - 1)).await;
        assert_eq!(rotate(store, &long, later(30 * 24 * HOUR)).await, Rotation::Refused);
        assert_eq!(rotate(store, &beyond, later(30 * 24 * HOUR)).await, Rotation::Refused);
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
