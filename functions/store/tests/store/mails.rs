//! Mails: one record each, suppressed addresses, limits.

use std::time::Duration;

use domain::ids::AccountId;
use futures::future::join_all;
use jiff::SignedDuration;
use store::{MailClaim, MailEvent, MailEventKind, MailKind, MailState, NewMail, Noted, Store, StoreError};

use crate::on_both;
use crate::support::{account_id, at, noon, other_tenant, tenant};

const RECIPIENT: &str = "hash-of-an-address";

fn claim<'a>(id: &'a str, account: &'a domain::ids::AccountId) -> NewMail<'a> {
    NewMail {
        id,
        account,
        top: account,
        kind: MailKind::Access,
        recipient_hash: RECIPIENT,
        mailbox_hash: RECIPIENT,
        request_hash: "request",
        account_limit: 50,
        tenant_limit: 500,
    }
}

/// A mail of this kind to this address that this account asks for.
fn to<'a>(kind: MailKind, recipient_hash: &'a str, account: &'a domain::ids::AccountId) -> NewMail<'a> {
    NewMail { kind, recipient_hash, mailbox_hash: recipient_hash, ..claim("m1", account) }
}

fn event(kind: MailEventKind, suppress: &[&str]) -> MailEvent {
    MailEvent {
        tenant: tenant(),
        record: Some((account_id("anna"), "m1".into())),
        sent_at: None,
        kind,
        suppress: suppress.iter().map(|hash| (*hash).to_owned()).collect(),
    }
}

async fn state(store: &Store) -> MailState {
    store.mail(&tenant(), &account_id("anna"), "m1").await.unwrap().unwrap().state
}

on_both! {
    async fn a_disclosure_names_a_mail_and_its_kind(table) {
        let anna = account_id("anna");
        table.store.claim_mail(&tenant(), &claim("m1", &anna), noon()).await.unwrap();
        let items = table.store.subject(&tenant(), &anna).await.unwrap();
        let mail = items.iter().find(|item| item["kind"] == "mail").unwrap();
        assert_eq!(mail["mailKind"], "access");
    }

    async fn ten_deliveries_are_one_mail(table) {
        let anna = account_id("anna");
        let claims = join_all((0..10).map(|_| async {
            table.elsewhere().claim_mail(&tenant(), &claim("m1", &anna), noon()).await.unwrap()
        })).await;
        let claimed: Vec<_> = claims.iter().filter(|claim| matches!(claim, MailClaim::Claimed(_))).collect();
        assert_eq!(claimed.len(), 1, "{claims:?}");
        assert_eq!(claims.iter().filter(|claim| **claim == MailClaim::Held { retry_after: Duration::from_secs(8) }).count(), 9, "{claims:?}");

        table.store.mail_sent(&tenant(), &anna, "m1", "ses-1").await.unwrap();
        assert_eq!(table.store.claim_mail(&tenant(), &claim("m1", &anna), noon()).await, Ok(MailClaim::Sent));
        let record = table.store.mail(&tenant(), &anna, "m1").await.unwrap().unwrap();
        assert_eq!((record.kind.as_str(), record.state, record.message_id.as_deref()), ("access", MailState::Sent, Some("ses-1")));
        let other = NewMail { request_hash: "another", ..claim("m1", &anna) };
        assert_eq!(table.store.claim_mail(&tenant(), &other, noon()).await, Ok(MailClaim::KeyReused));
    }

    async fn whoever_vanished_while_sending_is_followed_by_one_other(table) {
        let anna = account_id("anna");
        let MailClaim::Claimed(gone) = table.store.claim_mail(&tenant(), &claim("m1", &anna), noon()).await.unwrap() else { panic!() };
        let early = noon() + SignedDuration::from_secs(7);
        assert_eq!(
            table.store.claim_mail(&tenant(), &claim("m1", &anna), early).await,
            Ok(MailClaim::Held { retry_after: Duration::from_secs(1) })
        );
        let late = noon() + SignedDuration::from_secs(8);
        let claims = join_all((0..5).map(|_| async { table.elsewhere().claim_mail(&tenant(), &claim("m1", &anna), late).await.unwrap() })).await;
        assert_eq!(claims.iter().filter(|claim| matches!(claim, MailClaim::Claimed(_))).count(), 1, "{claims:?}");
        // The lease that is over frees nothing.
        table.store.release_mail(&tenant(), &anna, "m1", gone).await.unwrap();
        assert!(matches!(table.store.claim_mail(&tenant(), &claim("m1", &anna), late).await, Ok(MailClaim::Held { .. })));
    }

    async fn a_mail_that_was_certainly_not_sent_can_be_tried_at_once(table) {
        let anna = account_id("anna");
        let MailClaim::Claimed(lease) = table.store.claim_mail(&tenant(), &claim("m1", &anna), noon()).await.unwrap() else { panic!() };
        table.store.release_mail(&tenant(), &anna, "m1", lease).await.unwrap();
        assert!(matches!(table.store.claim_mail(&tenant(), &claim("m1", &anna), noon()).await, Ok(MailClaim::Claimed(_))));
    }

    async fn states_only_move_forward(table) {
        let anna = account_id("anna");
        assert_eq!(table.store.note_mail_event(&event(MailEventKind::Delivered, &[]), noon()).await, Ok(Noted::UnknownMail));
        table.store.claim_mail(&tenant(), &claim("m1", &anna), noon()).await.unwrap();
        for (kind, noted, now) in [
            (MailEventKind::Delivered, Noted::Changed, MailState::Delivered),
            (MailEventKind::Delivered, Noted::Known, MailState::Delivered),
            (MailEventKind::Complained, Noted::Changed, MailState::Complained),
            (MailEventKind::Bounced, Noted::Known, MailState::Complained),
        ] {
            assert_eq!(table.store.note_mail_event(&event(kind, &[]), noon()).await, Ok(noted), "{kind:?}");
            assert_eq!(state(&table.store).await, now);
        }
        // The sender hears of its success after the events did.
        table.store.mail_sent(&tenant(), &anna, "m1", "ses-1").await.unwrap();
        assert_eq!(state(&table.store).await, MailState::Complained);
    }

    async fn a_suppressed_address_gets_no_mail_of_the_tenant(table) {
        let anna = account_id("anna");
        table.store.claim_mail(&tenant(), &claim("m1", &anna), noon()).await.unwrap();
        table.store.note_mail_event(&event(MailEventKind::Bounced, &[RECIPIENT]), noon()).await.unwrap();
        assert_eq!(table.store.claim_mail(&tenant(), &claim("m2", &anna), noon()).await, Err(StoreError::RecipientSuppressed));
        assert_eq!(table.store.mail(&tenant(), &anna, "m2").await, Ok(None));
        assert!(matches!(table.store.claim_mail(&other_tenant(), &claim("m2", &anna), noon()).await, Ok(MailClaim::Claimed(_))));
        let two_years = noon() + SignedDuration::from_hours(2 * 365 * 24);
        let before = two_years - SignedDuration::from_secs(1);
        assert_eq!(table.store.claim_mail(&tenant(), &claim("m3", &anna), before).await, Err(StoreError::RecipientSuppressed));
        assert!(matches!(table.store.claim_mail(&tenant(), &claim("m3", &anna), two_years).await, Ok(MailClaim::Claimed(_))));
        table.store.lift_suppression(&tenant(), RECIPIENT).await.unwrap();
        assert!(matches!(table.store.claim_mail(&tenant(), &claim("m2", &anna), noon()).await, Ok(MailClaim::Claimed(_))));
    }

    async fn an_address_that_nobody_has_confirmed_gets_so_many_a_day_whoever_asks(table) {
        for (kind, most) in [(MailKind::Access, 20), (MailKind::Confirmation, 5), (MailKind::VisitorReceipt, 10)] {
            for n in 0..most {
                let sender = account_id(&format!("visitor~{}-{n}", kind.as_str()));
                let claimed = table.store.claim_mail(&tenant(), &to(kind, RECIPIENT, &sender), noon()).await;
                assert!(matches!(claimed, Ok(MailClaim::Claimed(_))), "{kind:?} {n}: {claimed:?}");
            }
            let one_more = account_id(&format!("visitor~{}", kind.as_str()));
            let full = StoreError::TooManyRecipients { retry_after: Duration::from_secs(12 * 3600) };
            assert_eq!(table.store.claim_mail(&tenant(), &to(kind, RECIPIENT, &one_more), noon()).await, Err(full), "{kind:?}");
            let sent = table.store.claim_mail(&tenant(), &to(kind, RECIPIENT, &account_id(&format!("visitor~{}-0", kind.as_str()))), noon()).await;
            assert!(matches!(sent, Ok(MailClaim::Held { .. })), "the same mail is not another one: {sent:?}");
            for (tenant, recipient, now) in
                [(other_tenant(), RECIPIENT, noon()), (tenant(), RECIPIENT, at("2026-11-22T00:00:00Z")), (tenant(), "another-address", noon())]
            {
                let one_more = account_id(&format!("visitor~{}-{recipient}-{}", kind.as_str(), now.as_second()));
                let claimed = table.store.claim_mail(&tenant, &to(kind, recipient, &one_more), now).await;
                assert!(matches!(claimed, Ok(MailClaim::Claimed(_))), "{kind:?} {recipient} {now}: {claimed:?}");
            }
        }
        let anna = account_id("anna");
        for n in 0..30 {
            let id = format!("receipt-{n}");
            let receipt = NewMail { kind: MailKind::Receipt, account_limit: 30, ..claim(&id, &anna) };
            assert!(matches!(table.store.claim_mail(&tenant(), &receipt, noon()).await, Ok(MailClaim::Claimed(_))), "its owner wants them");
        }
    }

    async fn visitors_use_up_a_part_of_the_tenants_mails(table) {
        let visitors = |id, recipient_hash, account| NewMail { kind: MailKind::VisitorReceipt, recipient_hash, mailbox_hash: recipient_hash, tenant_limit: 11, ..claim(id, account) };
        let visitor = account_id("visitor~1");
        for recipient in ["a", "b", "c"] {
            let claimed = table.store.claim_mail(&tenant(), &visitors(recipient, recipient, &visitor), noon()).await;
            assert!(matches!(claimed, Ok(MailClaim::Claimed(_))), "{recipient}: {claimed:?}");
        }
        let full = StoreError::TooManyRecipients { retry_after: Duration::from_secs(12 * 3600) };
        assert_eq!(table.store.claim_mail(&tenant(), &visitors("d", "d", &visitor), noon()).await, Err(full));
        let anna = account_id("anna");
        let access = NewMail { tenant_limit: 11, ..claim("m1", &anna) };
        assert!(matches!(table.store.claim_mail(&tenant(), &access, noon()).await, Ok(MailClaim::Claimed(_))));
        // The day has had four: of a smaller one nothing is left, but for whoever has to hear that their address was replaced.
        let after = |kind, id| NewMail { kind, tenant_limit: 4, ..claim(id, &anna) };
        let full = StoreError::TooManyRecipients { retry_after: Duration::from_secs(12 * 3600) };
        assert_eq!(table.store.claim_mail(&tenant(), &after(MailKind::Reminder, "m2"), noon()).await, Err(full));
        let told = table.store.claim_mail(&tenant(), &after(MailKind::AddressChanged, "m3"), noon()).await;
        assert!(matches!(told, Ok(MailClaim::Claimed(_))), "{told:?}");
    }

    async fn nobody_leaves_no_room_for_receipts_and_reminders(table) {
        // One letter, however many sub-accounts it makes: a fifth of the day for accesses, a tenth for confirmations and for receipts.
        let full = StoreError::TooManyRecipients { retry_after: Duration::from_secs(12 * 3600) };
        let top = account_id("anna");
        let ask = async |kind, n: u32, top: &AccountId| {
            let (account, recipient) = (account_id(&format!("below-{top}-{kind:?}-{n}")), format!("{kind:?}-{n}-{top}"));
            let mail = NewMail { top, tenant_limit: 50, recipient_hash: &recipient, mailbox_hash: &recipient, ..to(kind, &recipient, &account) };
            table.store.claim_mail(&tenant(), &mail, noon()).await
        };
        for (kind, most) in [(MailKind::Access, 10), (MailKind::Confirmation, 5), (MailKind::Receipt, 5)] {
            for n in 0..most {
                assert!(matches!(ask(kind, n, &top).await, Ok(MailClaim::Claimed(_))), "{kind:?} {n}");
            }
            assert_eq!(ask(kind, most, &top).await, Err(full.clone()), "{kind:?}");
        }
        // Many letters together: two fifths for accesses.
        assert!(matches!(ask(MailKind::Access, 100, &account_id("bert")).await, Ok(MailClaim::Claimed(_))));
        for n in 0..9 {
            let claimed = ask(MailKind::Access, n, &account_id(&format!("other-{n}"))).await;
            assert!(matches!(claimed, Ok(MailClaim::Claimed(_))), "{n}: {claimed:?}");
        }
        assert_eq!(ask(MailKind::Access, 101, &account_id("carl")).await, Err(full));
        for (n, kind) in [(7, MailKind::Receipt), (8, MailKind::Reminder), (9, MailKind::Confirmation)] {
            assert!(matches!(ask(kind, n, &account_id("carl")).await, Ok(MailClaim::Claimed(_))), "{kind:?}");
        }
    }

    async fn plus_addresses_fill_one_mailbox(table) {
        for n in 0..21_u32 {
            let (top, recipient) = (account_id(&format!("anna-{n}")), format!("flut+{n}"));
            let mail = NewMail { recipient_hash: &recipient, mailbox_hash: "flut", ..claim("m1", &top) };
            assert_eq!(table.store.claim_mail(&tenant(), &mail, noon()).await.is_ok(), n < 20, "{n}");
        }
    }

    async fn the_last_fifth_of_a_tenants_day_is_told(table) {
        let told = async |n: u32| {
            let ((store, meter), top) = (table.store.metered(), account_id(&format!("anna-{n}")));
            let recipient = n.to_string();
            let mail = NewMail { kind: MailKind::Reminder, tenant_limit: 10, recipient_hash: &recipient, ..claim("m1", &top) };
            (store.claim_mail(&tenant(), &mail, noon()).await.is_ok(), meter.tenant_with_nearly_full_mail_day().is_some())
        };
        for n in 0..8 {
            assert_eq!(told(n).await, (true, false), "{n}");
        }
        for (n, sent) in [(8, true), (9, true), (10, false)] {
            assert_eq!(told(n).await, (sent, true), "{n}");
        }
    }

    async fn a_mail_that_is_not_to_be_sent_after_all_is_counted_anew(table) {
        let anna = account_id("anna");
        for _ in 0..20 {
            let MailClaim::Claimed(lease) = table.store.claim_mail(&tenant(), &claim("m1", &anna), noon()).await.unwrap() else { panic!() };
            table.store.forget_mail(&tenant(), &anna, "m1", lease).await.unwrap();
        }
        let full = StoreError::TooManyRecipients { retry_after: Duration::from_secs(12 * 3600) };
        assert_eq!(table.store.claim_mail(&tenant(), &claim("m1", &anna), noon()).await, Err(full));
    }

    async fn limits_count_each_recipient_once(table) {
        let (anna, bert) = (account_id("anna"), account_id("bert"));
        let limited = |id, account| NewMail { kind: MailKind::Reminder, account_limit: 2, tenant_limit: 3, ..claim(id, account) };
        let now = at("2026-11-21T12:59:50Z");
        for id in ["m1", "m2"] {
            assert!(matches!(table.store.claim_mail(&tenant(), &limited(id, &anna), now).await, Ok(MailClaim::Claimed(_))), "{id}");
        }
        assert!(matches!(table.store.claim_mail(&tenant(), &limited("m2", &anna), now).await, Ok(MailClaim::Held { .. })), "again");
        let full = StoreError::TooManyRecipients { retry_after: Duration::from_secs(10) };
        assert_eq!(table.store.claim_mail(&tenant(), &limited("m3", &anna), now).await, Err(full.clone()));
        assert!(matches!(table.store.claim_mail(&tenant(), &limited("m1", &bert), now).await, Ok(MailClaim::Claimed(_))));
        let full_day = StoreError::TooManyRecipients { retry_after: Duration::from_secs(11 * 3600 + 10) };
        assert_eq!(table.store.claim_mail(&tenant(), &limited("m2", &bert), now).await, Err(full_day));
        let next_hour = now + SignedDuration::from_secs(10);
        assert!(matches!(table.store.claim_mail(&tenant(), &limited("m3", &anna), next_hour).await, Err(StoreError::TooManyRecipients { .. })));
        let next_day = at("2026-11-22T00:00:00Z");
        assert!(matches!(table.store.claim_mail(&tenant(), &limited("m3", &anna), next_day).await, Ok(MailClaim::Claimed(_))));
        let none = NewMail { account_limit: 0, ..claim("m9", &anna) };
        assert!(matches!(table.store.claim_mail(&tenant(), &none, next_day).await, Err(StoreError::TooManyRecipients { .. })));
    }
}
