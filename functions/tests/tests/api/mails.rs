//! Accesses by e-mail, and registrations: what arrives, and what is refused.

use futures::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::MailState;
use testing::Fate;

use crate::calls::new_address;
use crate::lab::Lab;
use crate::world::{Answer, Persona, Portal, after, mails_to};

const SHARE_MAIL: &str = "/api/communication/email/share/account";

fn share_mail(share: &Value, address: &str) -> Value {
    let login = json!({ "token": share["token"], "username": share["username"], "password": share["password"] });
    json!({ "accountId": share["id"], "login": login, "metaData": { "mailTo": { "email": address } } })
}

async fn send(portal: &Portal, sender: &Persona<'_>, body: &Value, key: Option<&str>) -> Answer {
    portal.send(Method::POST, SHARE_MAIL, Some(sender.token()), Some(body), key).await
}

#[tokio::test]
async fn an_access_arrives_with_all_that_it_takes() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.persona("anna");
    let share = anna.share("Keller Nord", &["job-1"]).await;
    let address = new_address();
    let mut body = share_mail(&share, &address);
    body["metaData"]["mailTo"]["name"] = json!("Uwe Muster");
    let sent = send(&portal, &anna, &body, None).await;
    assert_eq!(sent.status, StatusCode::ACCEPTED, "{sent:?}");
    let id = sent.body["id"].as_str().unwrap();
    assert_eq!(portal.mail("anna", id).await.state, MailState::Sent);

    let mails = mails_to(&address).await;
    assert_eq!(mails.len(), 1, "{mails:?}");
    let text = mails[0]["BodyText"].as_str().unwrap();
    for part in ["Guten Tag Uwe Muster,", "anna Mustermann", "Keller Nord", share["tokenUrl"].as_str().unwrap()] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(after(&mails[0], "Benutzername: "), share["username"]);
    assert_eq!(after(&mails[0], "Passwort: "), share["password"]);
    assert!(mails[0]["BodyHtml"].as_str().unwrap().contains(share["tokenUrl"].as_str().unwrap()));

    // What opens the access really opens it.
    assert_eq!(portal.open_share(&share).await.jobs().await, ["job-1"]);

    let mut with_link_only = share_mail(&share, &address);
    with_link_only["login"] = json!({ "token": share["token"] });
    with_link_only["salutation"] = json!("Sehr geehrte Damen und Herren");
    assert_eq!(send(&portal, &anna, &with_link_only, None).await.status, StatusCode::ACCEPTED);
    let text = mails_to(&address).await[1]["BodyText"].as_str().unwrap().to_owned();
    let whose = "Die nächste Zeile stammt von der Person, die diesen Zugang eingerichtet hat, nicht von ";
    assert!(text.starts_with(whose) && text.contains("\r\n\r\nSehr geehrte Damen und Herren,\r\n") && !text.contains("Passwort"), "{text}");
}

#[tokio::test]
async fn a_mail_names_the_account_at_the_top_and_has_no_link_of_the_makers() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.persona("anna");
    let below = portal.login_share(&anna.share("Rechnung offen", &["job-1"]).await).await;
    let share = below.share("Gewinn: https://evil.example/x oder a@evil.example", &["job-1"]).await;
    let address = new_address();
    let sent = send(&portal, &below, &share_mail(&share, &address), None).await;
    assert_eq!(sent.status, StatusCode::ACCEPTED, "{sent:?}");
    let mails = mails_to(&address).await;
    for body in ["BodyText", "BodyHtml"] {
        let text = mails[0][body].as_str().unwrap();
        assert!(text.contains("anna Mustermann") && text.contains("oder a evil example"), "{text}");
        for word in ["evil.example", "https://evil", "a@evil", "Rechnung offen"] {
            assert!(!text.contains(word), "{word}: {text}");
        }
    }
}

/// One letter, with as many sub-accounts as it likes, leaves the others their mails.
#[tokio::test]
async fn those_below_count_with_the_account_at_the_top_and_nobody_silences_the_others() {
    let portal = Portal::configured(json!({ "communicationSettings": { "tenantRecipientsPerDay": 10 } })).await;
    for name in ["anna", "bert"] {
        portal.add_account(name).await;
        portal.add_job(name, &format!("{name}-job"), json!({})).await;
    }
    let anna = portal.persona("anna");
    let mut chain = vec![(portal.login("anna").await, anna.share("Eins", &["anna-job"]).await)];
    for name in ["Zwei", "Drei"] {
        let below = portal.login_share(&chain.last().unwrap().1).await;
        let share = below.share(name, &["anna-job"]).await;
        chain.push((below, share));
    }
    for (n, (maker, share)) in chain.iter().enumerate() {
        let sent = send(&portal, maker, &share_mail(share, &new_address()), None).await;
        // A fifth of the day's ten.
        if n < 2 {
            assert_eq!(sent.status, StatusCode::ACCEPTED, "{n}: {sent:?}");
        } else {
            sent.assert_problem(429, "too-many-recipients");
            assert!(sent.header("retry-after").is_some());
        }
    }
    let register = async |account: &str| {
        let path = format!("/api/public/communication/{}", portal.registration(account).await);
        portal.post(&path, json!({ "email": new_address(), "privacyAccepted": true })).await
    };
    // Those who share nothing get their mails, and so does who has shared too much.
    for account in ["anna", "bert"] {
        assert_eq!(register(account).await.status, StatusCode::ACCEPTED, "{account}");
    }
    for n in 0..4 {
        let account = format!("resident-{n}");
        portal.add_account(&account).await;
        let answer = register(&account).await;
        assert_eq!((answer.status, answer.log_line()["mailDayNearlyFull"].is_null()), (StatusCode::ACCEPTED, true), "{n}");
    }
    portal.add_account("late").await;
    let late = register("late").await;
    assert_eq!((late.status, late.log_line()["mailDayNearlyFull"].as_str()), (StatusCode::ACCEPTED, Some(portal.tenant())));
}

#[tokio::test]
async fn ten_requests_with_one_key_are_one_mail() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.persona("anna");
    let share = anna.share("Keller", &["job-1"]).await;
    let address = new_address();
    let body = share_mail(&share, &address);
    let answers = join_all((0..10).map(|_| send(&portal, &anna, &body, Some("k")))).await;
    for answer in &answers {
        assert_eq!((answer.status, &answer.body), (StatusCode::ACCEPTED, &answers[0].body), "{answer:?}");
    }
    assert_eq!(mails_to(&address).await.len(), 1);
    let mut other = body.clone();
    other["metaData"]["mailTo"]["email"] = json!(new_address());
    send(&portal, &anna, &other, Some("k")).await.assert_problem(422, "idempotency-key-reused");
}

#[tokio::test]
async fn nobody_has_us_send_other_words() {
    let portal = Portal::with_job("anna", "job-1").await;
    portal.add_job("anna", "job-2", json!({})).await;
    let anna = portal.persona("anna");
    let (share, other) = (anna.share("Keller", &["job-1"]).await, anna.share("Dach", &["job-2"]).await);
    let address = new_address();
    let with = |path: &str, value: Value| {
        let mut body = share_mail(&share, &address);
        *body.pointer_mut(path).unwrap() = value;
        body
    };
    let mut salutation = share_mail(&share, &address);
    salutation["salutation"] = json!("Gewinnen Sie auf evil．example");
    let mut digits = share_mail(&share, &address);
    digits["salutation"] = json!("Rufen Sie sofort 0900 5 123456 an");
    let mut name = share_mail(&share, &address);
    name["metaData"]["mailTo"]["name"] = json!("Uwe\nBcc: x");
    for (body, field) in [
        (with("/login/token", json!("aaaaaaaaaaaaaaaaaaaaaa")), "login.token"),
        (with("/login/token", other["token"].clone()), "login.token"),
        (with("/login/password", json!("another")), "login.password"),
        (with("/login/username", other["username"].clone()), "login.password"),
        (with("/login/username", Value::Null), "login"),
        (with("/login", json!({})), "login"),
        (with("/metaData/mailTo/email", json!("nobody")), "metaData.mailTo.email"),
        (with("/metaData/mailTo/email", json!("a@example.net, b@example.net")), "metaData.mailTo.email"),
        (salutation, "salutation"),
        (digits, "salutation"),
        (name, "metaData.mailTo.name"),
    ] {
        let refused = send(&portal, &anna, &body, None).await;
        refused.assert_problem(422, "request-invalid");
        assert_eq!(refused.body["fieldErrors"][0]["field"], field, "{body}");
    }
    // Login data that were renewed are not its own any more.
    let renewed = anna.post(&format!("/api/pro/share/account/{}/login", share["id"].as_str().unwrap()), None).await;
    assert_eq!(renewed.status, StatusCode::OK, "{renewed:?}");
    send(&portal, &anna, &share_mail(&share, &address), None).await.assert_problem(422, "request-invalid");
    assert_eq!(mails_to(&address).await.len(), 0);
}

#[tokio::test]
async fn mails_are_refused_with_a_reason() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.persona("anna");
    let share = anna.share("Keller", &["job-1"]).await;
    let address = new_address();
    portal.suppress(&address.to_uppercase()).await;
    let refused = send(&portal, &anna, &share_mail(&share, &address), None).await;
    refused.assert_problem(422, "recipient-suppressed");
    assert_eq!(refused.body["fieldErrors"][0]["field"], "metaData.mailTo.email");
    assert_eq!(mails_to(&address).await.len(), 0);

    for (settings, status, code) in [
        (json!({ "communicationSettings": { "accountRecipientsPerHour": 0 } }), 429, "too-many-recipients"),
        (json!({ "communicationSettings": { "tenantRecipientsPerDay": 0 } }), 429, "too-many-recipients"),
        (json!({ "communicationSettings": { "senderEmail": "test@not-verified.example" } }), 422, "mail-refused"),
        (json!({ "communicationSettings": { "senderEmail": "" } }), 422, "mail-refused"),
        (json!({ "features": { "emailSharingEnabled": false } }), 403, "feature-disabled"),
    ] {
        let portal = Portal::configured(settings.clone()).await;
        portal.add_account("anna").await;
        portal.add_job("anna", "job-1", json!({})).await;
        let anna = portal.persona("anna");
        let share = anna.share("Keller", &["job-1"]).await;
        let refused = send(&portal, &anna, &share_mail(&share, &new_address()), None).await;
        refused.assert_problem(status, code);
        let waits = refused.header("retry-after").and_then(|wait| wait.parse::<u64>().ok());
        assert_eq!(waits.is_some_and(|wait| wait > 0), status == 429, "{settings}: {refused:?}");
    }
}

async fn state(portal: &Portal, token: &str) -> Value {
    let answer = portal.get(&format!("/api/public/communication/{token}")).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.body
}

#[tokio::test]
async fn an_address_counts_once_its_owner_has_confirmed_it() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.persona("anna");
    let info = anna.get("/api/pro/account/crm-registration-info").await.body;
    assert_eq!((&info["registered"], &info["currentConfirmedCommunicationTypes"]), (&json!(false), &json!([])), "{info}");
    assert_eq!(info["registrationUrl"], format!("http://{}.localhost/registrierung", portal.tenant()));
    let token = anna.self_service_token().await;
    assert_eq!(info["selfServiceToken"], token, "it stays");
    assert_eq!(state(&portal, &token).await, json!({ "state": "none", "maskedEmail": null, "reminders": false }));

    let (path, address) = (format!("/api/public/communication/{token}"), new_address());
    let asked = portal.post(&path, json!({ "email": address, "privacyAccepted": true, "language": "en-FORMAL" })).await;
    assert_eq!(asked.status, StatusCode::ACCEPTED, "{asked:?}");
    let masked = format!("r***@{}", address.split('@').next_back().unwrap());
    assert_eq!(state(&portal, &token).await, json!({ "state": "pending", "maskedEmail": masked, "reminders": false }));
    assert_eq!(anna.get("/api/pro/account/crm-registration-info").await.body["registered"], false);

    let mails = mails_to(&address).await;
    assert_eq!((mails.len(), &mails[0]["Subject"]), (1, &json!("Please confirm your e-mail address")));
    let confirm = |token: &str| format!("/api/public/communication/confirmation/{token}");
    let link = after(&mails[0], "/registrierung/bestaetigen/");
    portal.request(Method::POST, &confirm("no-such-token")).await.assert_problem(404, "not-found");
    for _ in 0..2 {
        assert_eq!(portal.request(Method::POST, &confirm(&link)).await.status, StatusCode::NO_CONTENT);
    }
    assert_eq!(state(&portal, &token).await["state"], "confirmed");
    let info = anna.get("/api/pro/account/crm-registration-info").await.body;
    assert_eq!((&info["registered"], &info["currentConfirmedCommunicationTypes"]), (&json!(true), &json!(["EMAIL"])), "{info}");

    let stop = format!("/api/public/unsubscribe/{token}");
    assert_eq!(portal.request(Method::POST, &stop).await.status, StatusCode::NO_CONTENT);
    assert_eq!(state(&portal, &token).await, json!({ "state": "confirmed", "maskedEmail": masked, "reminders": false }));

    // Another address does not count before its owner has confirmed it too.
    let other = anna.confirmation_token(&new_address()).await;
    assert_eq!(state(&portal, &token).await, json!({ "state": "confirmed", "maskedEmail": masked, "reminders": false }));

    for _ in 0..2 {
        assert_eq!(portal.request(Method::DELETE, &path).await.status, StatusCode::NO_CONTENT);
    }
    let anew = anna.self_service_token().await;
    assert_eq!(state(&portal, &anew).await, json!({ "state": "none", "maskedEmail": null, "reminders": false }));
    portal.get(&path).await.assert_problem(404, "not-found");
    for link in [link, other] {
        portal.request(Method::POST, &confirm(&link)).await.assert_problem(404, "not-found");
    }
}

/// The token is in the mails of the address that is confirmed: whoever has those must not go on when another one takes its place.
#[tokio::test]
async fn another_address_ends_what_the_earlier_ones_mails_open() {
    let portal = Portal::with_account("anna").await;
    let anna = portal.persona("anna");
    let (first, second) = (new_address(), new_address());
    anna.register(&first).await;
    let in_mails = anna.self_service_token().await;
    anna.register(&first).await;
    assert_eq!(anna.self_service_token().await, in_mails, "the same address is no other one");
    let link = anna.confirmation_token(&second).await;
    for _ in 0..2 {
        let confirmed = portal.request(Method::POST, &format!("/api/public/communication/confirmation/{link}")).await;
        assert_eq!(confirmed.status, StatusCode::NO_CONTENT, "{confirmed:?}");
    }
    let told = mails_to(&first).await;
    let subjects: Vec<_> = told.iter().map(|mail| mail["Subject"].as_str().unwrap()).collect();
    assert_eq!(subjects.iter().filter(|subject| **subject == "Ihre E-Mail-Adresse wurde geändert").count(), 1, "{subjects:?}");
    assert!(told.iter().all(|mail| !mail["BodyText"].as_str().unwrap().contains(&second)), "nobody is told the other one");
    let body = json!({ "email": new_address(), "privacyAccepted": true });
    for method in [Method::GET, Method::POST] {
        let path = format!("/api/public/communication/{in_mails}");
        portal.send(method, &path, None, Some(&body), None).await.assert_problem(404, "not-found");
    }
    portal.request(Method::DELETE, &format!("/api/public/communication/{in_mails}")).await;
    let anew = anna.self_service_token().await;
    assert_ne!(anew, in_mails);
    assert_eq!(state(&portal, &anew).await["state"], "confirmed", "the old token took nothing away");
}

#[tokio::test]
async fn whose_address_was_replaced_is_told_though_the_mail_service_was_busy() {
    let lab = Lab::start().await;
    let owner = lab.portal.persona("owner");
    let (first, second) = (new_address(), new_address());
    owner.register(&first).await;
    let confirmation = format!("/api/public/communication/confirmation/{}", owner.confirmation_token(&second).await);
    let told = async || mails_to(&first).await.iter().filter(|mail| mail["Subject"] == "Ihre E-Mail-Adresse wurde geändert").count();
    lab.proxy.play(|_, asked| if asked.action == "POST /email" { Fate::Throttled } else { Fate::Works });
    lab.portal.request(Method::POST, &confirmation).await.assert_problem(503, "temporarily-unavailable");
    assert_eq!((told().await, lab.portal.subject("owner").await.contains(&first)), (0, true), "it is still to be told");
    lab.proxy.stop();
    for _ in 0..2 {
        let confirmed = lab.portal.request(Method::POST, &confirmation).await;
        assert_eq!(confirmed.status, StatusCode::NO_CONTENT, "{confirmed:?}");
        assert_eq!((told().await, lab.portal.subject("owner").await.contains(&first)), (1, false), "nothing is kept of it any more");
    }
}

#[tokio::test]
async fn a_registration_needs_consent_and_its_own_token() {
    let portal = Portal::with_account("anna").await;
    let path = format!("/api/public/communication/{}", portal.persona("anna").self_service_token().await);
    let address = new_address();
    for (body, field) in [
        (json!({ "email": address, "privacyAccepted": false }), "privacyAccepted"),
        (json!({ "email": "nobody", "privacyAccepted": true }), "email"),
        (json!({ "privacyAccepted": true }), "email"),
    ] {
        let refused = portal.post(&path, body).await;
        refused.assert_problem(422, "request-invalid");
        assert_eq!(refused.body["fieldErrors"][0]["field"], field);
    }
    let body = json!({ "email": address, "privacyAccepted": true });
    for method in [Method::GET, Method::POST, Method::DELETE] {
        let unknown = portal.send(method, "/api/public/communication/no-such-token", None, Some(&body), None).await;
        unknown.assert_problem(404, "not-found");
    }
    portal.suppress(&address).await;
    portal.post(&path, body).await.assert_problem(422, "recipient-suppressed");
    assert_eq!(mails_to(&address).await.len(), 0);
}

#[tokio::test]
async fn ten_registrations_with_one_key_are_one_mail_whose_link_works() {
    let portal = Portal::with_account("anna").await;
    let path = format!("/api/public/communication/{}", portal.persona("anna").self_service_token().await);
    let address = new_address();
    let body = json!({ "email": address, "privacyAccepted": true });
    let answers = join_all((0..10).map(|_| portal.send(Method::POST, &path, None, Some(&body), Some("k")))).await;
    assert!(answers.iter().all(|answer| answer.status == StatusCode::ACCEPTED), "{answers:?}");
    let mails = mails_to(&address).await;
    assert_eq!(mails.len(), 1);
    let link = format!("/api/public/communication/confirmation/{}", after(&mails[0], "/registrierung/bestaetigen/"));
    assert_eq!(portal.request(Method::POST, &link).await.status, StatusCode::NO_CONTENT);
}
