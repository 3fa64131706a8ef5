//! Who works for a tenant, as a lead sees and changes it.

use domain::ids::MemberId;
use domain::staff::Role;
use jiff::{SignedDuration, Timestamp};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::StaffInvitation;

use crate::at_desk::send;
use crate::world::{Answer, Portal, mails_to};

async fn list(portal: &Portal, session: &str) -> Value {
    let answer = send(portal, session, Method::GET, "/members", None).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.body
}

/// Gives a member roles, as somebody who sees now which they have.
async fn change(portal: &Portal, session: &str, member: &MemberId, roles: Value) -> Answer {
    let seen = portal.store().roles_of(portal.tenant_id(), member, Timestamp::now()).await.unwrap();
    change_seen(portal, session, member, json!(seen), roles).await
}

async fn change_seen(portal: &Portal, session: &str, member: &MemberId, seen: Value, roles: Value) -> Answer {
    send(portal, session, Method::POST, &format!("/members/{member}"), Some(json!({ "roles": roles, "seen": seen }))).await
}

async fn invite(portal: &Portal, session: &str, email: &str, roles: Value) -> Answer {
    send(portal, session, Method::POST, "/members", Some(json!({ "email": email, "roles": roles }))).await
}

/// How many mails went to this address: with the link of an invitation, and with a password of the user pool.
async fn mailed(address: &str) -> (usize, usize) {
    let mails = mails_to(address).await;
    let links = mails.iter().filter(|mail| mail["BodyText"].as_str().is_some_and(|text| text.contains("/invitation/"))).count();
    (links, mails.len() - links)
}

#[tokio::test]
async fn a_lead_gives_and_takes_what_they_may_do_themselves() {
    let portal = Portal::with_account("anna").await;
    let (me, session) = portal.member_since(&[Role::Lead], Timestamp::now()).await;
    let (other, theirs) = portal.member_since(&[Role::Support], Timestamp::now()).await;
    let seen = list(&portal, &session).await;
    assert_eq!(seen["roles"], json!(["support", "clerk", "lead"]));
    let mine: Vec<_> = seen["members"].as_array().unwrap().iter().map(|one| (one["id"].as_str().unwrap(), one["isMe"] == true)).collect();
    assert_eq!(mine.iter().filter(|(_, is_me)| *is_me).map(|(id, _)| *id).collect::<Vec<_>>(), [me.as_str()]);
    assert!(seen["members"].as_array().unwrap().iter().all(|one| one["loggedInAt"].is_string()), "{seen}");

    let waiting = format!("/api/desk/tenants/{}/waiting", portal.tenant());
    portal.send(Method::GET, &waiting, Some(&theirs), None, None).await.assert_problem(403, "role-missing");
    assert_eq!(change(&portal, &session, &other, json!(["clerk"])).await.status, StatusCode::NO_CONTENT);
    assert_eq!(portal.send(Method::GET, &waiting, Some(&theirs), None, None).await.status, StatusCode::OK);
    for roles in [json!(["clerk", "privacy"]), json!(["platform"])] {
        change(&portal, &session, &other, roles.clone()).await.assert_problem(422, "role-beyond-own");
        invite(&portal, &session, "dora@staff.example", roles).await.assert_problem(422, "role-beyond-own");
    }
    // Nor are rights taken that the lead does not have.
    let (officer, _) = portal.member_since(&[Role::Privacy, Role::Clerk], Timestamp::now()).await;
    change(&portal, &session, &officer, json!(["clerk"])).await.assert_problem(422, "role-beyond-own");
    assert_eq!(change(&portal, &session, &officer, json!(["support", "privacy"])).await.status, StatusCode::NO_CONTENT);
    change(&portal, &session, &other, json!([])).await.assert_problem(422, "request-invalid");
    change(&portal, &session, &me, json!(["clerk"])).await.assert_problem(409, "own-membership");
    change(&portal, &session, &MemberId::new("nobody").unwrap(), json!(["clerk"])).await.assert_problem(404, "not-found");

    send(&portal, &session, Method::DELETE, &format!("/members/{me}"), None).await.assert_problem(409, "own-membership");
    for _ in 0..2 {
        let removed = send(&portal, &session, Method::DELETE, &format!("/members/{other}"), None).await;
        assert_eq!(removed.status, StatusCode::NO_CONTENT, "a removal whose answer did not come is repeated");
    }
    assert!(portal.send(Method::GET, &waiting, Some(&theirs), None, None).await.status.is_client_error());
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    let done: Vec<_> =
        trail.iter().filter(|record| record.command.starts_with("members")).map(|record| record.thing.as_deref().unwrap()).collect();
    assert_eq!(done, [format!("{other} clerk"), format!("{officer} support privacy"), other.to_string()]);
}

#[tokio::test]
async fn a_role_that_another_lead_took_away_does_not_come_back_by_what_was_shown_before() {
    let portal = Portal::with_account("anna").await;
    let (first, second) = (portal.member(&[Role::Lead]).await, portal.member(&[Role::Lead]).await);
    let (other, _) = portal.member_since(&[Role::Clerk, Role::Lead], Timestamp::now()).await;
    let seen = json!(["clerk", "lead"]);
    // The answer to the first request may get lost.
    for _ in 0..2 {
        let taken = change_seen(&portal, &first, &other, seen.clone(), json!(["clerk"])).await;
        assert_eq!(taken.status, StatusCode::NO_CONTENT, "{taken:?}");
    }
    let stale = change_seen(&portal, &second, &other, seen, json!(["support", "clerk", "lead"])).await;
    stale.assert_problem(409, "conflict");
    let roles = portal.store().roles_of(portal.tenant_id(), &other, Timestamp::now()).await.unwrap();
    assert_eq!(roles, [Role::Clerk].into());
    assert_eq!(change(&portal, &second, &other, json!(["support", "clerk"])).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn an_invitation_goes_by_mail_takes_the_place_of_another_and_can_be_taken_back() {
    let portal = Portal::with_account("anna").await;
    let session = portal.member(&[Role::Lead]).await;
    invite(&portal, &session, "no address", json!(["clerk"])).await.assert_problem(422, "request-invalid");
    invite(&portal, &session, "clara@staff.example", json!([])).await.assert_problem(422, "request-invalid");
    let address = format!("clara-of-{}@staff.example", portal.tenant());
    for roles in [json!(["support"]), json!(["clerk", "lead"])] {
        let answer = invite(&portal, &session, &address, roles).await;
        assert_eq!(answer.status, StatusCode::NO_CONTENT, "{answer:?}");
    }
    let invited = list(&portal, &session).await["invited"].clone();
    assert_eq!(invited.as_array().unwrap().len(), 1, "{invited}");
    assert_eq!((&invited[0]["email"], &invited[0]["roles"]), (&json!(address), &json!(["clerk", "lead"])));
    assert_eq!(mailed(&address).await.0, 2);
    let path = format!("/invitations/{}", invited[0]["id"].as_str().unwrap());
    for _ in 0..2 {
        assert_eq!(send(&portal, &session, Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    }
    assert_eq!(list(&portal, &session).await["invited"], json!([]));
}

#[tokio::test]
async fn who_has_a_hundred_invitations_open_takes_some_back_first() {
    let portal = Portal::with_account("anna").await;
    let session = portal.member(&[Role::Lead]).await;
    for number in 0..100 {
        let invitation = StaffInvitation {
            email: format!("{number}@staff.example").parse().unwrap(),
            roles: [Role::Support].into(),
            invited_by: "test".into(),
            inviter: None,
            expires_at: Timestamp::now() + SignedDuration::from_hours(24),
            member: None,
        };
        portal.store().invite_member(portal.tenant_id(), &format!("token-{number}"), &invitation, None).await.unwrap();
    }
    invite(&portal, &session, "clara@staff.example", json!(["support"])).await.assert_problem(409, "too-many-invitations");
}

/// Whoever is invited again and again replaces their own invitation, so that the number of open ones bounds no mails (D-MAILS-7).
#[tokio::test]
async fn a_day_has_five_invitations_for_a_mailbox_and_a_hundred_for_a_tenant() {
    let portal = Portal::with_account("anna").await;
    let session = portal.member(&[Role::Lead]).await;
    let (_, platform) = portal.platform_member().await;
    let name = format!("stranger-of-{}", portal.tenant());
    let address = format!("{name}@staff.example");
    for _ in 0..5 {
        assert_eq!(invite(&portal, &session, &address, json!(["clerk"])).await.status, StatusCode::NO_CONTENT);
    }
    let lead = async |email: &str| {
        let path = format!("/api/desk/platform/tenants/{}/leads", portal.tenant());
        portal.send(Method::POST, &path, Some(&platform), Some(&json!({ "email": email })), None).await
    };
    let same_mailbox = format!("{name}+1@staff.example");
    for refused in [
        invite(&portal, &session, &address, json!(["clerk"])).await,
        invite(&portal, &session, &same_mailbox, json!(["clerk"])).await,
        lead(&address).await,
    ] {
        refused.assert_problem(429, "too-many-recipients");
        assert!(refused.header("retry-after").is_some(), "{refused:?}");
    }
    assert_eq!(mailed(&address).await, (5, 5), "neither links nor passwords");
    assert_eq!(list(&portal, &session).await["invited"].as_array().unwrap().len(), 1, "the one before stays good");

    let (colleague, _) = portal.member_since(&[Role::Clerk], Timestamp::now()).await;
    for number in 5..100 {
        let email = format!("{number}-of-{}@staff.example", portal.tenant()).parse().unwrap();
        portal.store().count_staff_invitation(portal.tenant_id(), &email, Timestamp::now()).await.unwrap();
    }
    invite(&portal, &session, "another@staff.example", json!(["clerk"])).await.assert_problem(429, "too-many-recipients");
    lead("another@staff.example").await.assert_problem(429, "too-many-recipients");
    let again = send(&portal, &session, Method::POST, &format!("/members/{colleague}/invitation"), None).await;
    again.assert_problem(429, "too-many-recipients");
}

/// Of an address whose mails came back the link is handed over, as of one that the mail service refuses (D-DESK-7).
#[tokio::test]
async fn an_address_whose_mails_came_back_gets_no_invitation_by_mail() {
    let portal = Portal::with_account("anna").await;
    let session = portal.member(&[Role::Lead]).await;
    let (other, _) = portal.member_since(&[Role::Clerk], Timestamp::now()).await;
    let members = portal.store().members(portal.tenant_id(), Timestamp::now()).await.unwrap();
    let email = members.into_iter().find(|one| one.member.id == other).unwrap().member.email.unwrap();
    let address = email.as_str();
    portal.store().suppress(portal.tenant_id(), &email.hash(), Timestamp::now()).await.unwrap();
    let again = send(&portal, &session, Method::POST, &format!("/members/{other}/invitation"), None).await;
    again.assert_problem(422, "mail-refused");
    let shown = invite(&portal, &session, address, json!(["clerk"])).await;
    assert_eq!(shown.status, StatusCode::OK, "{shown:?}");
    assert!(shown.body["link"].as_str().unwrap().contains("/invitation/"));
    assert_eq!(mailed(address).await.0, 0);
}

/// Nor does who wrote it come back by an invitation to another address.
#[tokio::test]
async fn what_a_lead_wrote_ends_with_their_roles() {
    let portal = Portal::with_account("anna").await;
    let session = portal.member(&[Role::Lead]).await;
    let open = async || list(&portal, &session).await["invited"].as_array().unwrap().len();
    for ends in [json!(["clerk"]), Value::Null] {
        let (other, theirs) = portal.member_since(&[Role::Lead], Timestamp::now()).await;
        let private = format!("private-of-{other}@staff.example");
        assert_eq!(invite(&portal, &theirs, &private, json!(["lead"])).await.status, StatusCode::NO_CONTENT);
        // More roles are no reason.
        let officer = portal.member(&[Role::Lead, Role::Privacy]).await;
        assert_eq!(change(&portal, &officer, &other, json!(["lead", "privacy"])).await.status, StatusCode::NO_CONTENT);
        assert_eq!(open().await, 1);
        let ended = match ends {
            Value::Null => send(&portal, &officer, Method::DELETE, &format!("/members/{other}"), None).await,
            roles => change(&portal, &officer, &other, roles).await,
        };
        assert_eq!(ended.status, StatusCode::NO_CONTENT);
        assert_eq!(open().await, 0);
    }
}

#[tokio::test]
async fn a_live_tenant_keeps_two_leads() {
    let portal = Portal::with_job("anna", "job-1").await;
    let session = portal.member(&[Role::Lead]).await;
    let (other, _) = portal.member_since(&[Role::Lead], Timestamp::now()).await;
    portal.store().recount(portal.tenant_id(), Timestamp::now()).await.unwrap();
    change(&portal, &session, &other, json!(["clerk"])).await.assert_problem(409, "too-few-leads");
    send(&portal, &session, Method::DELETE, &format!("/members/{other}"), None).await.assert_problem(409, "too-few-leads");
    portal.member(&[Role::Lead]).await;
    assert_eq!(change(&portal, &session, &other, json!(["clerk"])).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn a_member_with_another_login_is_invited_at_their_own_address_as_themself() {
    let portal = Portal::with_account("anna").await;
    let (me, session) = portal.member_since(&[Role::Lead], Timestamp::now()).await;
    let (other, _) = portal.member_since(&[Role::Clerk, Role::Lead], Timestamp::now()).await;
    let again = async |member: &MemberId| send(&portal, &session, Method::POST, &format!("/members/{member}/invitation"), None).await;
    for _ in 0..2 {
        assert_eq!(again(&other).await.status, StatusCode::NO_CONTENT);
    }
    let seen = list(&portal, &session).await;
    let email = seen["members"].as_array().unwrap().iter().find(|one| one["id"] == other.as_str()).unwrap()["email"].as_str().unwrap();
    let invited = seen["invited"].as_array().unwrap();
    assert_eq!(invited.len(), 1, "{invited:?}");
    assert_eq!(
        (&invited[0]["email"], &invited[0]["roles"], &invited[0]["member"]),
        (&json!(email), &json!(["clerk", "lead"]), &json!(other))
    );
    assert_eq!(mailed(email).await.0, 2);

    // By whatever address: of two invitations both would be good.
    let elsewhere = StaffInvitation {
        email: "elsewhere@staff.example".parse().unwrap(),
        roles: [Role::Clerk, Role::Lead].into(),
        invited_by: "operator".to_owned(),
        inviter: None,
        expires_at: Timestamp::now() + SignedDuration::from_hours(24),
        member: Some(other.clone()),
    };
    portal.store().invite_member(portal.tenant_id(), "elsewhere", &elsewhere, None).await.unwrap();
    assert_eq!(list(&portal, &session).await["invited"].as_array().unwrap().len(), 2);
    assert_eq!(again(&other).await.status, StatusCode::NO_CONTENT);
    let invited = list(&portal, &session).await["invited"].clone();
    assert_eq!((invited.as_array().unwrap().len(), &invited[0]["email"]), (1, &json!(email)), "{invited}");

    // With other roles than it says, it is no longer good.
    assert_eq!(change(&portal, &session, &other, json!(["clerk"])).await.status, StatusCode::NO_CONTENT);
    assert_eq!(list(&portal, &session).await["invited"], json!([]));

    again(&me).await.assert_problem(409, "own-membership");
    again(&MemberId::new("nobody").unwrap()).await.assert_problem(404, "not-found");
    // Else a lead would become the officer by a mail that only the officer should get.
    let (officer, _) = portal.member_since(&[Role::Privacy], Timestamp::now()).await;
    again(&officer).await.assert_problem(422, "role-beyond-own");
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    let done: Vec<_> = trail.iter().filter(|record| record.command == "members reinvite").map(|record| record.thing.as_deref()).collect();
    assert_eq!(done, [Some(other.as_str()); 3]);
}

/// D-DESK-18
#[tokio::test]
async fn whoever_is_invited_gets_a_password_unless_the_tenant_has_a_login_of_its_own() {
    let portal = Portal::with_account("anna").await;
    let session = portal.member(&[Role::Lead]).await;
    let address = format!("new-of-{}@staff.example", portal.tenant());
    assert_eq!(invite(&portal, &session, &address, json!(["clerk"])).await.status, StatusCode::NO_CONTENT);
    assert_eq!(mailed(&address).await, (1, 1));
    assert!(mails_to(&address).await[1]["BodyText"].as_str().unwrap().contains("bekommen Sie ein vorläufiges mit einer eigenen E-Mail"));
    // The first one may have lapsed.
    assert_eq!(invite(&portal, &session, &address, json!(["clerk"])).await.status, StatusCode::NO_CONTENT);
    assert_eq!(mailed(&address).await, (2, 2));
    let (other, _) = portal.member_since(&[Role::Support], Timestamp::now()).await;
    let again = send(&portal, &session, Method::POST, &format!("/members/{other}/invitation"), None).await;
    assert_eq!(again.status, StatusCode::NO_CONTENT, "{again:?}");
    let member = portal.store().members(portal.tenant_id(), Timestamp::now()).await.unwrap();
    let email = member.into_iter().find(|one| one.member.id == other).unwrap().member.email.unwrap();
    assert_eq!(mailed(email.as_str()).await, (1, 1));
}

#[tokio::test]
async fn an_invitation_that_is_not_open_as_it_was_seen_is_not_sent_again() {
    let portal = Portal::with_account("anna").await;
    let (first, second) = (portal.member(&[Role::Lead]).await, portal.member(&[Role::Lead]).await);
    let address = format!("wrong-of-{}@staff.example", portal.tenant());
    assert_eq!(invite(&portal, &first, &address, json!(["lead"])).await.status, StatusCode::NO_CONTENT);
    let seen = list(&portal, &first).await["invited"][0]["id"].clone();
    let again = json!({ "email": address, "roles": ["lead"], "again": seen });
    assert_eq!(send(&portal, &first, Method::POST, "/members", Some(again.clone())).await.status, StatusCode::NO_CONTENT);
    // What was sent again has another id.
    send(&portal, &first, Method::POST, "/members", Some(again)).await.assert_problem(409, "conflict");
    let seen = list(&portal, &first).await["invited"][0]["id"].clone();
    let again = json!({ "email": address, "roles": ["lead"], "again": seen });

    assert_eq!(invite(&portal, &second, &address, json!(["support"])).await.status, StatusCode::NO_CONTENT);
    send(&portal, &first, Method::POST, "/members", Some(again.clone())).await.assert_problem(409, "conflict");
    let open = list(&portal, &second).await["invited"].clone();
    assert_eq!((open.as_array().unwrap().len(), &open[0]["roles"]), (1, &json!(["support"])), "{open}");
    let path = format!("/invitations/{}", open[0]["id"].as_str().unwrap());
    assert_eq!(send(&portal, &second, Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    send(&portal, &first, Method::POST, "/members", Some(again)).await.assert_problem(409, "conflict");
    assert_eq!(list(&portal, &second).await["invited"], json!([]));
    assert_eq!(mailed(&address).await.0, 3);

    let (other, _) = portal.member_since(&[Role::Support], Timestamp::now()).await;
    let path = format!("/members/{other}/invitation");
    assert_eq!(send(&portal, &first, Method::POST, &path, None).await.status, StatusCode::NO_CONTENT);
    let seen = list(&portal, &first).await["invited"][0]["id"].as_str().unwrap().to_owned();
    let path_again = format!("{path}?again={seen}");
    assert_eq!(send(&portal, &first, Method::POST, &path_again, None).await.status, StatusCode::NO_CONTENT);
    send(&portal, &first, Method::POST, &path_again, None).await.assert_problem(409, "conflict");
}

/// A link that somebody has stays good until the mail with the next one is out; where that does not go out, whoever invites hands the link over.
#[tokio::test]
async fn a_mail_that_does_not_go_out_takes_no_invitation_along() {
    for sender in ["", "meters@nobody-verified.example"] {
        let portal = Portal::configured(json!({ "communicationSettings": { "senderName": "Test", "senderEmail": sender } })).await;
        let session = portal.member(&[Role::Lead]).await;
        let address = format!("by-hand-of-{}@staff.example", portal.tenant());
        for roles in [json!(["support"]), json!(["clerk"])] {
            let shown = invite(&portal, &session, &address, roles.clone()).await;
            assert_eq!(shown.status, StatusCode::OK, "{shown:?}");
            let (_, path) = shown.body["link"].as_str().unwrap().split_once("/invitation/").unwrap();
            let found = portal.send(Method::GET, &format!("/api/desk/invitations/{path}"), Some(&session), None, None).await;
            assert_eq!(found.body["roles"], roles, "{found:?}");
            assert_eq!(list(&portal, &session).await["invited"].as_array().unwrap().len(), 1);
        }
        assert_eq!(mailed(&address).await.0, 0);

        // Nobody sees the link by which they would be a colleague, and the one from before stays good.
        let (other, _) = portal.member_since(&[Role::Clerk], Timestamp::now()).await;
        let before = StaffInvitation {
            email: format!("{other}@staff.example").parse().unwrap(),
            roles: [Role::Clerk].into(),
            invited_by: "test".into(),
            inviter: None,
            expires_at: Timestamp::now() + SignedDuration::from_hours(24),
            member: Some(other.clone()),
        };
        let id = portal.store().invite_member(portal.tenant_id(), &format!("before-{other}"), &before, None).await.unwrap();
        let refused = send(&portal, &session, Method::POST, &format!("/members/{other}/invitation"), None).await;
        refused.assert_problem(422, "mail-refused");
        let invited = list(&portal, &session).await["invited"].clone();
        let open: Vec<_> = invited.as_array().unwrap().iter().filter(|one| one["member"] == json!(other)).collect();
        assert_eq!(open.iter().map(|one| &one["id"]).collect::<Vec<_>>(), [&json!(id)]);
    }
}
