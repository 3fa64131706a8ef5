//! Nobody sees what is not theirs: every route, called by everybody who may not.
//!
//! For each route the call of the rightful owner comes first, so that a refusal is never the answer to a call that could not work anyway,
//! and what the owner owns is read again afterwards. A new route fails here until it has a rightful call.

use api::route::{Caller, ROLE_UNKNOWN_READINGS, ROLE_VISITOR_RECEIPT};
use reqwest::StatusCode;
use serde_json::json;

use crate::calls::rightful;
use crate::world::{Portal, double_tariff, reading, token_with_alg_none};

#[tokio::test]
async fn every_route_refuses_everybody_else() {
    let portal = Portal::with_account("owner").await;
    let foreign = Portal::with_account("owner").await;
    portal.add_account("sibling").await;
    for name in ["owner", "sibling"] {
        portal.add_job(name, &format!("{name}-job"), json!({})).await;
    }
    let (owner, sibling, stranger) = (portal.persona("owner"), portal.persona("sibling"), foreign.persona("owner"));
    // What a sub-account sees comes from the account above it; its share is of the sibling.
    let share = sibling.share("Hausmeister", &["sibling-job"]).await;
    let foreign_share = portal.login_share(&share).await;
    let foreign_grandchild = portal.login_share(&foreign_share.share("Aushilfe", &["sibling-job"]).await).await;

    let visitor = portal.visitor().await;

    let mut walked = 0;
    for route in api::routes::ROUTES.iter().filter(|route| matches!(route.caller, Caller::Bearer { .. })) {
        for call in rightful(&portal, route, &owner).await {
            walked += 1;
            let name = &call.name;
            let answered = call.perform(&portal, None).await;
            assert!(answered.status.is_success(), "{name}: the owner gets {answered:?}");
            let before = owner.get("/api/pro/job").await.body;

            call.perform_as(&portal, None).await.assert_problem(401, "token-missing");
            for token in ["no.token", &token_with_alg_none(owner.token()), stranger.token()] {
                call.perform_as(&portal, Some(token)).await.assert_problem(401, "token-invalid");
            }
            call.perform_as(&portal, Some(&portal.expired_token("owner"))).await.assert_problem(401, "token-expired");
            call.perform_as(&portal, Some(&portal.token_with_roles("owner", &[]))).await.assert_problem(403, "role-missing");

            if ![ROLE_UNKNOWN_READINGS, ROLE_VISITOR_RECEIPT].map(|role| Caller::Bearer { role }).contains(&route.caller) {
                call.perform_as(&portal, Some(&visitor)).await.assert_problem(403, "role-missing");
            }

            for other in [&sibling, &foreign_share, &foreign_grandchild] {
                let answered = call.perform_as(&portal, Some(other.token())).await;
                // Visitors have this role, and accounts to which the utility gave it.
                if route.caller == (Caller::Bearer { role: ROLE_VISITOR_RECEIPT }) && other.name() != sibling.name() {
                    answered.assert_problem(403, "role-missing");
                    continue;
                }
                match call.refusal() {
                    Some((status, code)) => {
                        answered.assert_problem(status, code);
                        let unknown = call.perform_on_nothing(&portal, Some(other.token())).await;
                        assert_eq!(answered.without_instance(), unknown.without_instance(), "{name}");
                    }
                    None => {
                        assert!(answered.status.is_success(), "{name}: {answered:?}");
                        assert!(!answered.body.to_string().contains("owner"), "{name}: {answered:?}");
                    }
                }
            }
            assert_eq!(owner.get("/api/pro/job").await.body, before, "{name} changed what the owner owns");
        }
    }
    assert!(walked > 0);
}

/// A path may name several things; each must belong to the one before it.
#[tokio::test]
async fn a_photo_is_found_under_its_own_job_and_rate_only() {
    let portal = Portal::with_account("owner").await;
    for job in ["job-1", "job-2"] {
        portal.add_job("owner", job, double_tariff()).await;
    }
    portal.add_account("sibling").await;
    portal.add_job("sibling", "job-3", double_tariff()).await;
    let (owner, sibling) = (portal.login("owner").await, portal.login("sibling").await);
    let image = owner.send_both_with_photo("job-1").await;
    owner.send_both_with_photo("job-2").await;
    sibling.send_both_with_photo("job-3").await;

    let path = |job: &str, task: &str, image: &str| format!("/api/pro/job/{job}/meter-rate-tasks/{task}/result-images/{image}");
    let found = owner.get(&path("job-1", "t1", &image)).await;
    assert_eq!(found.status, StatusCode::OK, "{found:?}");
    let random = owner.get(&path("job-1", "t1", "no-such-image")).await;
    random.assert_problem(404, "not-found");
    for refused in [
        owner.get(&path("job-2", "t1", &image)).await,
        owner.get(&path("job-1", "t2", &image)).await,
        owner.get(&path("job-1", "no-such-task", &image)).await,
        sibling.get(&path("job-1", "t1", &image)).await,
        sibling.get(&path("job-3", "t1", &image)).await,
    ] {
        refused.assert_problem(404, "not-found");
        assert_eq!(refused.without_instance(), random.without_instance());
    }
}

/// Who may call a route without a login is a decision, not an accident: this list only grows on purpose.
#[test]
fn the_public_routes_are_these() {
    let public: Vec<_> = api::routes::ROUTES
        .iter()
        .filter(|route| !route.caller.is_logged_in())
        .map(|route| format!("{} {}", route.method(), route.path()))
        .collect();
    assert_eq!(
        public,
        [
            "GET /api/public/application",
            "HEAD /api/public/application",
            "GET /api/public/application/logo.png",
            "GET /api/public/application/icon/{side}",
            "GET /api/public/application/manifest/manifest.json",
            "GET /api/public/meterReadingHelp/{applicationId}",
            "GET /api/public/help/{applicationId}",
            "GET /api/public/help/{applicationId}/{language}",
            "GET /api/public/contact/{applicationId}",
            "GET /api/public/unknown-readings/config/{applicationId}",
            "GET /api/public/preview/{token}",
            "GET /api/public/preview",
            "POST /api/public/customer-preview",
            "POST /api/public/unsubscribe/{selfServiceToken}",
            "GET /api/public/unsubscribe/{selfServiceToken}",
            "POST /api/public/browser-errors",
            "POST /auth/token",
            "POST /auth/logout",
            "POST /auth/token-unknown-readings",
            "GET /api/public/communication/{selfServiceToken}",
            "POST /api/public/communication/{selfServiceToken}",
            "DELETE /api/public/communication/{selfServiceToken}",
            "POST /api/public/communication/confirmation/{token}",
            "GET /desk/login",
            "GET /desk/callback/{provider}",
        ]
    );
}

#[tokio::test]
async fn an_account_that_is_gone_sees_nothing() {
    let portal = Portal::with_job("anna", "job-1").await;
    let answer = portal.get_with("/api/pro/account/info", &portal.fresh_token("ghost")).await;
    assert!(matches!(answer.status, StatusCode::UNAUTHORIZED | StatusCode::NOT_FOUND), "{answer:?}");
}

/// An id of one tenant means nothing to another, even when both call their things the same.
#[tokio::test]
async fn equal_ids_of_two_tenants_are_two_things() {
    let here = Portal::with_job("anna", "job-1").await;
    let there = Portal::with_job("anna", "job-1").await;
    let sent = here.login("anna").await.send("job-1", reading("1.0"), Some("k")).await;
    assert_eq!(sent.status, StatusCode::OK, "{sent:?}");
    assert_eq!(there.login("anna").await.get("/api/pro/job").await.body["jobs"][0]["done"], false);
    assert!(there.ledger().await.is_empty());
}
