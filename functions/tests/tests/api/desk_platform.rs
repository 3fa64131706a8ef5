//! Those who run the product: new tenants, and access to one for a time.

use domain::ids::{MemberId, TenantId};
use domain::staff::Role;
use jiff::{Timestamp, ToSpan as _};
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use store::NewMembership;

use crate::at_desk::send;
use crate::world::{Answer, Portal, mails_to};

/// From which the mail service takes mails here.
const SENDER: &str = "test@example.org";

async fn ask(portal: &Portal, session: &str, method: Method, path: &str, body: Option<Value>) -> Answer {
    portal.send(method, &format!("/api/desk/platform/tenants{path}"), Some(session), body.as_ref(), None).await
}

fn wanted(tenant: &str, host: &str) -> Value {
    json!({
        "tenant": tenant, "name": "Stadtwerke \"Neustadt\"", "host": host, "portalUrl": format!("https://{host}"),
        "senderEmail": SENDER,
    })
}

fn reached(host: &str, sender: &str) -> Value {
    json!({ "hosts": [host], "portalUrl": format!("https://{host}"), "senderEmail": sender })
}

/// Where the new tenant's faults are.
fn paths(answer: &Answer) -> Vec<&str> {
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.body["faults"].as_array().unwrap().iter().map(|fault| fault["path"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_tenant_is_made_once_and_led_by_whom_the_platform_invites() {
    let portal = Portal::with_account("anna").await;
    let (_, session) = portal.platform_member().await;
    let (tenant, host) = (format!("{}-new", portal.tenant()), format!("{}-new.example", portal.tenant()));
    let create = async |body: Value| ask(&portal, &session, Method::POST, "", Some(body)).await;

    let mut bad = wanted(&tenant, "https://neu");
    bad["senderEmail"] = json!("no address");
    let faults = create(bad).await;
    assert!(["hosts[0]", "portalUrl"].iter().all(|path| paths(&faults).contains(path)), "{faults:?}");
    assert!(faults.body["faults"][0]["reason"]["de"].is_string());
    assert_eq!(paths(&create(wanted("platform", &host)).await), ["applicationId"]);
    assert_eq!(paths(&create(wanted(portal.tenant(), &host)).await), ["applicationId"]);
    let taken = portal.store().tenant_now(portal.tenant_id()).await.unwrap().unwrap().application.hosts[0].clone();
    let elsewhere = json!({ "portalUrl": format!("https://{taken}") });
    let mut other = wanted(&tenant, &taken);
    other.as_object_mut().unwrap().extend(elsewhere.as_object().unwrap().clone());
    assert_eq!(paths(&create(other).await), ["hosts"]);
    assert!(portal.store().tenant_now(&tenant.parse().unwrap()).await.unwrap().is_none());

    // The answer to the first request may get lost.
    for _ in 0..2 {
        assert_eq!(paths(&create(wanted(&tenant, &host)).await), [""; 0]);
    }
    let path = format!("/{tenant}");
    let found = ask(&portal, &session, Method::GET, &path, None).await.body;
    assert_eq!((&found["name"], &found["hosts"], &found["leads"]), (&json!("Stadtwerke \"Neustadt\""), &json!([host]), &json!(0)));
    let listed = ask(&portal, &session, Method::GET, "", None).await.body;
    let line = listed["tenants"].as_array().unwrap().iter().find(|line| line["tenant"] == tenant.as_str()).unwrap();
    assert_eq!(line["hasAccess"], false);

    let address = format!("lead-of-{tenant}@staff.example");
    let invited = ask(&portal, &session, Method::POST, &format!("{path}/leads"), Some(json!({ "email": address }))).await;
    assert_eq!(invited.status, StatusCode::NO_CONTENT, "{invited:?}");
    assert_eq!(mails_to(&address).await.len(), 2, "a password, and the link");
    let found = ask(&portal, &session, Method::GET, &path, None).await.body;
    assert_eq!(found["invited"][0]["roles"], json!(["lead", "privacy"]));
    let open = portal.store().staff_invitations(&tenant.parse().unwrap(), Timestamp::now()).await.unwrap();
    assert!(open[0].1.inviter.is_some(), "it ends with the membership of whoever wrote it");

    let seen = reached(&host, SENDER);
    let moved = |host: &str| json!({ "hosts": [host], "portalUrl": format!("https://{host}"), "senderEmail": "", "seen": seen });
    assert_eq!(paths(&ask(&portal, &session, Method::POST, &path, Some(moved(&taken))).await), ["hosts"]);
    let there = format!("moved-{host}");
    // The answer to the first request may get lost.
    for _ in 0..2 {
        assert_eq!(paths(&ask(&portal, &session, Method::POST, &path, Some(moved(&there))).await), [""; 0]);
    }
    // Somebody else has seen it before, and wants another sender only.
    let mut undone = reached(&host, "other@example.org");
    undone["seen"] = seen.clone();
    ask(&portal, &session, Method::POST, &path, Some(undone)).await.assert_problem(409, "conflict");
    let found = ask(&portal, &session, Method::GET, &path, None).await.body;
    assert_eq!((&found["hosts"], &found["senderEmail"]), (&json!([there]), &json!("")));
    ask(&portal, &session, Method::GET, "/no-such-tenant", None).await.assert_problem(404, "not-found");
    let trail = portal.store().audit(&tenant.parse().unwrap()).await.unwrap();
    let mut done: Vec<_> = trail.iter().map(|record| record.command.as_str()).collect();
    done.dedup();
    assert_eq!(done, ["desk tenant", "members invite", "desk tenant changed"]);
}

/// The rights of the platform show nobody's customer; what a lead gives ends by itself, gives nothing on, and is in the trail.
#[tokio::test]
async fn access_is_given_by_a_lead_for_a_time() {
    let portal = Portal::with_job("anna", "job-1").await;
    let (member, session) = portal.platform_member().await;
    let lead = portal.member(&[Role::Lead]).await;
    let customer = async || send(&portal, &session, Method::GET, "/customers/anna", None).await;
    let path = format!("/{}/access", portal.tenant());
    let give = async |roles: Value, hours: u16| {
        let body = json!({ "roles": roles, "hours": hours });
        send(&portal, &lead, Method::POST, &format!("/access/{member}"), Some(body)).await
    };
    customer().await.assert_problem(404, "not-found");
    give(json!(["support"]), 8).await.assert_problem(404, "not-found");
    for reason in ["", " \n", &"x".repeat(501)] {
        let refused = ask(&portal, &session, Method::POST, &path, Some(json!({ "reason": reason }))).await;
        refused.assert_problem(422, "request-invalid");
    }
    let asked = ask(&portal, &session, Method::POST, &path, Some(json!({ "reason": " Der Import bricht ab. " }))).await;
    assert_eq!(asked.status, StatusCode::NO_CONTENT, "{asked:?}");
    let seen = send(&portal, &lead, Method::GET, "/members", None).await.body;
    assert_eq!((&seen["asked"][0]["member"], &seen["asked"][0]["reason"]), (&json!(member), &json!("Der Import bricht ab.")));
    let state = ask(&portal, &session, Method::GET, &format!("/{}", portal.tenant()), None).await.body;
    assert_eq!(state["access"]["roles"], json!([]));
    customer().await.assert_problem(404, "not-found");

    give(json!([]), 8).await.assert_problem(422, "request-invalid");
    give(json!(["support"]), 169).await.assert_problem(422, "request-invalid");
    give(json!(["privacy"]), 8).await.assert_problem(422, "role-beyond-own");
    for _ in 0..2 {
        assert_eq!(give(json!(["lead"]), 8).await.status, StatusCode::NO_CONTENT);
    }
    assert_eq!(customer().await.status, StatusCode::OK);
    let me = portal.send(Method::GET, "/api/desk/me", Some(&session), None, None).await.body;
    assert_eq!((&me["isPlatform"], &me["memberships"][0]["tenant"]), (&json!(true), &json!(portal.tenant())));
    let refused = ask(&portal, &session, Method::POST, &path, Some(json!({ "reason": "noch einmal" }))).await;
    refused.assert_problem(409, "conflict");
    // Whoever has access for a time makes nobody a member, and removes nobody.
    let (other, _) = portal.member_since(&[Role::Support], Timestamp::now()).await;
    let invited = json!({ "email": "petra@private.example", "roles": ["support"] });
    send(&portal, &session, Method::POST, "/members", Some(invited)).await.assert_problem(422, "role-beyond-own");
    let changed = json!({ "roles": ["clerk"], "seen": ["support"] });
    send(&portal, &session, Method::POST, &format!("/members/{other}"), Some(changed)).await.assert_problem(422, "role-beyond-own");
    send(&portal, &session, Method::DELETE, &format!("/members/{other}"), None).await.assert_problem(422, "role-beyond-own");
    let (second, _) = portal.platform_member().await;
    portal.ask_for_access(&second).await;
    let body = json!({ "roles": ["support"], "hours": 1 });
    send(&portal, &session, Method::POST, &format!("/access/{second}"), Some(body)).await.assert_problem(422, "role-beyond-own");

    assert_eq!(ask(&portal, &session, Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    customer().await.assert_problem(404, "not-found");
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    let words: Vec<_> = trail.iter().map(|record| record.command.as_str()).filter(|words| words.starts_with("desk access")).collect();
    assert_eq!(words, ["desk access asked", "desk access granted", "desk access ended"]);
}

/// They asked while they ran the product.
#[tokio::test]
async fn whoever_has_left_is_given_no_access() {
    let portal = Portal::with_account("anna").await;
    let lead = portal.member(&[Role::Lead]).await;
    let (member, _) = portal.platform_member().await;
    portal.ask_for_access(&member).await;
    portal.store().remove_member(&TenantId::platform(), &member, &[]).await.unwrap();
    let body = json!({ "roles": ["support"], "hours": 8 });
    send(&portal, &lead, Method::POST, &format!("/access/{member}"), Some(body)).await.assert_problem(404, "not-found");
}

#[tokio::test]
async fn access_ends_by_itself_and_leaves_a_members_own_alone() {
    let portal = Portal::with_job("anna", "job-1").await;
    let (member, session) = portal.platform_member().await;
    let customer = async || send(&portal, &session, Method::GET, "/customers/anna", None).await;
    let give = async |member: &MemberId, now: Timestamp| {
        portal.ask_for_access(member).await;
        let new = NewMembership { roles: [Role::Lead].into(), invited_by: "test".into(), now, until: Some(now + 1.hour()) };
        portal.store().give_access(portal.tenant_id(), member, new).await.unwrap()
    };
    assert!(give(&member, Timestamp::now() - 2.hours()).await);
    customer().await.assert_problem(404, "not-found");
    let me = portal.send(Method::GET, "/api/desk/me", Some(&session), None, None).await.body;
    assert_eq!(me["memberships"], json!([]));
    assert_eq!(portal.store().members(portal.tenant_id(), Timestamp::now()).await.unwrap(), []);
    // What is over is no reason against another time; what is not, is.
    assert!(give(&member, Timestamp::now()).await);
    assert_eq!(customer().await.status, StatusCode::OK);
    assert!(!give(&member, Timestamp::now()).await);
    // A membership without an end is neither replaced nor ended by this.
    let (own, _) = portal.member_since(&[Role::Clerk], Timestamp::now()).await;
    assert!(!give(&own, Timestamp::now()).await);
    assert!(!portal.store().end_access(portal.tenant_id(), &own).await.unwrap());
    // Who leads for a time is none of the two leads that a tenant keeps.
    let lead = portal.member(&[Role::Lead]).await;
    let (leaves, _) = portal.member_since(&[Role::Lead], Timestamp::now()).await;
    portal.store().recount(portal.tenant_id(), Timestamp::now()).await.unwrap();
    send(&portal, &lead, Method::DELETE, &format!("/members/{leaves}"), None).await.assert_problem(409, "too-few-leads");
    let removed = send(&portal, &lead, Method::DELETE, &format!("/members/{member}"), None).await;
    assert_eq!(removed.status, StatusCode::NO_CONTENT, "{removed:?}");
    customer().await.assert_problem(404, "not-found");
}
