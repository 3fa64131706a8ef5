//! What a customer sees in the portal, shown to the staff.

use domain::ids::AccountId;
use domain::staff::Role;
use jiff::Timestamp;
use reqwest::{Method, StatusCode};
use serde_json::json;
use store::CustomerPreview;

use crate::world::{Answer, Portal};

async fn seen(portal: &Portal, token: &str) -> Answer {
    portal.send(Method::POST, "/api/public/customer-preview", None, Some(&json!({ "token": token })), None).await
}

#[tokio::test]
async fn staff_see_a_customers_jobs_as_the_customer_does() {
    let portal = Portal::with_job("anna", "job-1").await;
    let (member, session) = portal.member_since(&[Role::Support], Timestamp::now()).await;
    let path = format!("/api/desk/tenants/{}/customers/anna/preview", portal.tenant());
    let asked = portal.send(Method::POST, &path, Some(&session), None, None).await;
    let (address, token) = asked.body["url"].as_str().unwrap().split_once('#').unwrap();
    assert!(address.ends_with("/vorschau"), "{asked:?}");
    let shown = seen(&portal, token).await;
    let anna = portal.login("anna").await;
    let own = anna.get("/api/pro/job").await;
    assert_eq!((&shown.body["jobs"], &shown.body["isCut"]), (&own.body["jobs"], &json!(false)), "{shown:?}");
    let ends = |answer: &Answer| answer.body["expiresAt"].as_str().unwrap().parse::<Timestamp>().unwrap().as_millisecond();
    assert_eq!(ends(&shown), ends(&asked));
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    let entry = trail.last().unwrap();
    assert_eq!((&*entry.command, entry.member.as_ref(), entry.account.is_some()), ("desk customer preview", Some(&member), true));

    // Whoever may not see the customer any more sees no preview either.
    portal.store().remove_member(portal.tenant_id(), &member, &[]).await.unwrap();
    seen(&portal, token).await.assert_problem(404, "not-found");
}

/// The token is none of a login, and good for a quarter of an hour at its own tenant.
#[tokio::test]
async fn a_previews_token_opens_nothing_else() {
    let (portal, other) = (Portal::with_job("anna", "job-1").await, Portal::with_account("anna").await);
    let token = portal.customer_preview("anna").await;
    for (method, path) in [(Method::GET, "/api/pro/job"), (Method::GET, "/api/pro/account/info"), (Method::POST, "/api/pro/upload")] {
        let answer = portal.send(method, path, Some(&token), None, None).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path}: {answer:?}");
    }
    let login = json!({ "applicationId": portal.tenant(), "token": token });
    let login = portal.send(Method::POST, "/auth/token", None, Some(&login), None).await;
    assert_eq!(login.status, StatusCode::UNAUTHORIZED, "{login:?}");
    assert_eq!(portal.get(&format!("/api/public/preview/{token}")).await.status, StatusCode::NOT_FOUND);
    seen(&other, &token).await.assert_problem(404, "not-found");
    seen(&portal, "made-up").await.assert_problem(404, "not-found");
    let member = portal.member_since(&[Role::Support], Timestamp::now()).await.0;
    let over = CustomerPreview { account: AccountId::new("anna").unwrap(), member, until: Timestamp::now() };
    portal.store().put_customer_preview(portal.tenant_id(), "over", &over).await.unwrap();
    seen(&portal, "over").await.assert_problem(404, "not-found");
    let session = portal.member(&[Role::Support]).await;
    let path = format!("/api/desk/tenants/{}/customers/nobody/preview", portal.tenant());
    portal.send(Method::POST, &path, Some(&session), None, None).await.assert_problem(404, "not-found");
}
