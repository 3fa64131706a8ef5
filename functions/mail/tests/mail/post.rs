//! One mail for ten orders; what the mail service says is what the caller learns.

use std::sync::Arc;
use std::time::Instant;

use domain::email::EmailAddress;
use domain::ids::{AccountId, TenantId};
use domain::staff::{ProviderId, Role};
use emulators::Dynamo;
use futures::future::join_all;
use mail::{Mailer, Order, Post, SendError};
use store::{Identity, Lease, MailKind, MailState, NewMember, NewMembership, NewVersion, Store, Tenant};
use testing::{mails_to, ministack};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use crate::support::{address, bundle, messages, noon};

/// Round trips of an order that finds a record of its mail and nobody who sends it: the record in vain, a look at it, the
/// lease, the logo, that it was sent.
const AT_ONCE: u64 = 5;

struct World {
    store: Store,
    mailer: Mailer,
    tenant: Arc<Tenant>,
    _dynamo: Dynamo,
}

impl World {
    async fn start() -> Self {
        let dynamo = Dynamo::in_memory().unwrap();
        let settings = emulators::settings(dynamo.endpoint(), Some(ministack().await));
        emulators::create_table(&store::dynamodb(&settings), "table").await.unwrap();
        emulators::verify_sender(&settings, "example.org").await.unwrap();
        let store = Store::new(store::dynamodb(&settings), "table");
        store.apply_tenant(&bundle(), NewVersion::by("test")).await.unwrap();
        let tenant = store.tenant(&TenantId::new("musterwerk").unwrap()).await.unwrap().unwrap();
        Self { store, mailer: Mailer::new(&settings, None), tenant, _dynamo: dynamo }
    }

    fn post(&self) -> Post<'_> {
        Post { store: &self.store, mailer: &self.mailer, tenant: &self.tenant, now: noon() }
    }
}

/// A mail with the data of a share, which its own account asks for.
fn order<'a>(account: &'a AccountId, to: &'a EmailAddress, key: &'a str) -> Order<'a> {
    Order { account, top: account, kind: MailKind::Access, key, request_hash: "r", to, to_name: None, language: None }
}

/// A mail service that answers every request in this way.
async fn service_that_says(status: &'static str, body: &'static str) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut seen = vec![0; 64 * 1024];
            _ = stream.read(&mut seen).await;
            if !status.is_empty() {
                let head = format!(
                    "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                    body.len()
                );
                _ = stream.write_all(format!("{head}{body}").as_bytes()).await;
            }
        }
    });
    url
}

#[tokio::test]
async fn ten_orders_of_one_mail_send_one() {
    let world = World::start().await;
    let (account, to) = (AccountId::new("anna").unwrap(), address("ten-orders@example.com"));
    let order = order(&account, &to, "k");
    let (_, message) = messages().swap_remove(0);
    let post = world.post();
    let sent = join_all((0..10).map(|_| post.send(order, &message))).await;
    let ids: Vec<_> = sent.into_iter().map(Result::unwrap).collect();
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
    assert_eq!(world.post().send(order, &message).await.unwrap(), ids[0]);

    let mails = mails_to(ministack().await, to.as_str()).await;
    assert_eq!(mails.len(), 1, "{mails:?}");
    assert_eq!(mails[0]["Source"], "zaehler@example.org", "{mails:?}");
    assert!(mails[0]["BodyText"].as_str().unwrap().contains("/m/4bWxYzA1b2C3d4E5f6G7h8"), "{mails:?}");
    let record = world.store.mail(&world.tenant.application.application_id, &account, &ids[0]).await.unwrap().unwrap();
    assert_eq!((record.state, record.kind.as_str()), (MailState::Sent, "access"));
    assert_eq!(record.message_id.as_ref(), mails[0]["MessageId"].as_str().map(str::to_owned).as_ref());

    let other = Order { request_hash: "other", ..order };
    assert!(matches!(world.post().send(other, &message).await, Err(SendError::KeyReused)));
    let other_kind = Order { kind: MailKind::Receipt, ..order };
    assert_ne!(world.post().send(other_kind, &message).await.unwrap(), ids[0]);
}

#[tokio::test]
async fn what_the_mail_service_says_is_what_the_caller_learns() {
    let world = World::start().await;
    let (account, to) = (AccountId::new("anna").unwrap(), address("uwe@example.com"));
    let (_, message) = messages().swap_remove(0);
    let settings = emulators::settings("http://127.0.0.1:9", None);
    for (key, status, body, released) in [
        ("rejected", "400 Bad Request", r#"{"__type":"MessageRejected","message":"Email address is not verified: x@y.de"}"#, true),
        ("busy", "429 Too Many Requests", r#"{"__type":"TooManyRequestsException","message":"slow down"}"#, true),
        ("broken", "500 Internal Server Error", r#"{"__type":"InternalServiceErrorException"}"#, false),
        ("silent", "", "", false),
    ] {
        let broken = aws::AwsSettings { sesv2_endpoint_url: Some(service_that_says(status, body).await), ..settings.clone() };
        let mailer = Mailer::new(&broken, None);
        let order = order(&account, &to, key);
        let error = Post { mailer: &mailer, ..world.post() }.send(order, &message).await.unwrap_err();
        assert_eq!(matches!(error, SendError::Refused(_)), key == "rejected", "{key}: {error:?}");
        assert!(!error.to_string().contains('@'), "{error}");
        // What was certainly not sent can be tried at once; what may have been waits for the lease to end, and asks for that again and again.
        let ((store, meter), began) = (world.store.metered(), Instant::now());
        assert!(Post { store: &store, ..world.post() }.send(order, &message).await.is_ok(), "{key}");
        let (trips, took) = (meter.round_trips(), began.elapsed());
        assert!(if released { trips == AT_ONCE } else { trips > AT_ONCE && took >= Lease::LIFE }, "{key}: {trips} round trips, {took:?}");
    }
}

#[tokio::test]
async fn a_tenant_without_a_sender_sends_nothing() {
    let world = World::start().await;
    let mut tenant = (*world.tenant).clone();
    tenant.application.communication_settings.sender_email = String::new();
    let (account, to) = (AccountId::new("anna").unwrap(), address("uwe@example.com"));
    let order = order(&account, &to, "k");
    let post = Post { tenant: &tenant, ..world.post() };
    let refused = post.send(order, &messages().swap_remove(0).1).await;
    assert!(matches!(refused, Err(SendError::Refused(_))), "{refused:?}");
}

#[tokio::test]
async fn in_rehearsal_only_members_get_mail() {
    let world = World::start().await;
    let mut tenant = (*world.tenant).clone();
    tenant.application.rehearsal = true;
    let id = &tenant.application.application_id;
    let email = address("lead@example.com");
    let identity = Identity { provider: ProviderId::platform(), subject: "s".into() };
    let lead = NewMember { identity, name: "Jonas".into(), email: Some(email), random: [7; 16] };
    let member = world.store.member_for(&lead).await.unwrap();
    let new = NewMembership { roles: [Role::Lead].into(), invited_by: "test".into(), now: noon(), until: None };
    world.store.join_tenant(id, &member, &new).await.unwrap();
    let post = Post { tenant: &tenant, ..world.post() };
    let account = AccountId::new("anna").unwrap();
    let (_, message) = messages().swap_remove(0);
    let send = async |to: &str| post.send(order(&account, &address(to), to), &message).await;
    assert!(matches!(send("anna@example.com").await, Err(SendError::Rehearsal)));
    assert!(send("lead+probe@example.com").await.is_ok(), "a mailbox of a member's");
    let open = world.post().send(order(&account, &address("anna@example.com"), "anna@example.com"), &message).await;
    assert!(open.is_ok(), "what was kept back is not taken for sent: {open:?}");
}
