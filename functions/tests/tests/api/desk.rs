//! The desk's door: who comes in, and who does not.
//!
//! For each route of the desk the rightful call comes first, so that a refusal is never the answer to a call that could not work anyway.

use api::route::{Caller, Route};
use domain::staff::{self, Role};
use jiff::{Timestamp, ToSpan as _};
use reqwest::{Method, StatusCode};
use serde_json::json;

use crate::calls::{Call, rightful};
use crate::world::{Answer, DESK_ORIGIN, Portal, desk_cookie};

const ME: &str = "/api/desk/me";

fn routes() -> impl Iterator<Item = (&'static Route, Option<Role>)> {
    api::routes::ROUTES.iter().filter_map(|route| match route.caller {
        Caller::Member | Caller::Platform => Some((*route, None)),
        Caller::Staff(role) => Some((*route, Some(role))),
        Caller::Public | Caller::Bearer { .. } | Caller::Desk => None,
    })
}

/// The call with these headers and the session's cookie.
async fn with_headers(portal: &Portal, call: &Call, headers: &[(&'static str, &str)]) -> Answer {
    let cookie = desk_cookie(call.token.as_deref().unwrap());
    let headers = [headers, &[("cookie", &cookie)]].concat();
    portal.send_with(call.method.clone(), &call.path, &headers, call.body.as_ref()).await
}

#[tokio::test]
async fn every_route_of_the_desk_refuses_everybody_else() {
    let (portal, foreign) = (Portal::with_account("owner").await, Portal::with_account("owner").await);
    portal.add_job("owner", "owner-job", json!({})).await;
    let owner = portal.persona("owner");
    let mut walked = 0;
    for (route, needed) in routes() {
        for call in rightful(&portal, route, &owner).await {
            walked += 1;
            let name = &call.name;
            // What was made for the call is there once: whoever may not comes first.
            call.perform_as(&portal, None).await.assert_problem(401, "session-missing");
            for session in ["no.session", "", owner.token(), &format!("{}x", call.token.as_ref().unwrap())] {
                call.perform_as(&portal, Some(session)).await.assert_problem(401, "session-ended");
            }
            // A resident's token is nothing here, and a member's cookie without the page's header neither.
            let bearer = format!("Bearer {}", owner.token());
            let refused = [("x-desk", "1"), ("origin", DESK_ORIGIN), ("authorization", &bearer)];
            portal.send_with(call.method.clone(), &call.path, &refused, call.body.as_ref()).await.assert_problem(401, "session-missing");
            for headers in [
                &[("origin", DESK_ORIGIN)][..],
                &[("x-desk", "0"), ("origin", DESK_ORIGIN)],
                &[("x-desk", "1"), ("origin", DESK_ORIGIN), ("sec-fetch-site", "cross-site")],
                &[("x-desk", "1"), ("origin", DESK_ORIGIN), ("sec-fetch-site", "same-site")],
            ] {
                with_headers(&portal, &call, headers).await.assert_problem(403, "cross-site");
            }
            if call.method != Method::GET {
                for headers in
                    [&[("x-desk", "1")][..], &[("x-desk", "1"), ("origin", "https://evil.example")], &[("x-desk", "1"), ("origin", "null")]]
                {
                    with_headers(&portal, &call, headers).await.assert_problem(403, "cross-site");
                }
            }

            if route.caller == Caller::Platform {
                // The role at a tenant is none at the platform.
                call.perform_as(&portal, Some(&portal.member(&Role::ALL).await)).await.assert_problem(404, "not-found");
            }
            if let Some(needed) = needed {
                let stranger = foreign.member(&Role::ALL).await;
                let refused = call.perform_as(&portal, Some(&stranger)).await;
                refused.assert_problem(404, "not-found");
                let path = call.path.replacen(&format!("/{}", portal.tenant()), "/no-such-tenant", 1);
                let unknown = portal.send(call.method.clone(), &path, Some(&stranger), call.body.as_ref(), None).await;
                assert_eq!(refused.without_instance(), unknown.without_instance(), "{name}");
                let path = call.path.replacen(&format!("/{}", portal.tenant()), "/NO TENANT", 1);
                portal
                    .send(call.method.clone(), &path, call.token.as_deref(), call.body.as_ref(), None)
                    .await
                    .assert_problem(404, "not-found");
                for role in Role::ALL.into_iter().filter(|role| !role.may(needed)) {
                    call.perform_as(&portal, Some(&portal.member(&[role]).await)).await.assert_problem(403, "role-missing");
                }
            }
            if let Some((status, code)) = call.refusal() {
                call.perform_on_nothing(&portal, call.token.as_deref()).await.assert_problem(status, code);
            }
            let answered = call.perform(&portal, None).await;
            assert!(answered.succeeded(), "{name}: {answered:?}");
        }
    }
    assert!(walked > 0);
}

/// Each role alone calls each route that it may call.
#[tokio::test]
async fn every_role_may_what_the_table_says() {
    let portal = Portal::with_account("owner").await;
    portal.add_job("owner", "owner-job", json!({})).await;
    let owner = portal.persona("owner");
    for (route, needed) in routes().filter_map(|(route, needed)| Some((route, needed?))) {
        for role in Role::ALL.into_iter().filter(|role| staff::may(&[*role].into(), needed)) {
            for call in rightful(&portal, route, &owner).await {
                let answered = call.perform_as(&portal, Some(&portal.member(&[role]).await)).await;
                assert!(answered.succeeded(), "{} as {role}: {answered:?}", call.name);
            }
        }
    }
}

#[tokio::test]
async fn a_member_is_told_who_they_are_and_where() {
    let portal = Portal::with_account("anna").await;
    let (member, session) = portal.member_since(&[Role::Clerk, Role::Privacy], Timestamp::now()).await;
    let me = portal.send(Method::GET, ME, Some(&session), None, None).await;
    assert_eq!(me.status, StatusCode::OK, "{me:?}");
    assert_eq!(me.body["id"], member.as_str());
    assert_eq!(
        me.body["memberships"],
        json!([{ "tenant": portal.tenant(), "name": "Test", "isInRehearsal": false, "roles": ["clerk", "privacy"] }])
    );
    assert_eq!(me.body["isPlatform"], false);
    assert_eq!(me.header("cache-control"), Some("no-store"));
    assert_eq!(me.header("access-control-allow-origin"), None);
}

#[tokio::test]
async fn a_member_who_is_removed_or_lowered_notices_at_the_next_request() {
    let portal = Portal::with_account("anna").await;
    let (member, session) = portal.member_since(&[Role::Lead], Timestamp::now()).await;
    let memberships = async || portal.send(Method::GET, ME, Some(&session), None, None).await.body["memberships"].clone();
    assert_eq!(memberships().await[0]["roles"], json!(["lead"]));
    let lead = [Role::Lead].into();
    assert!(portal.store().change_roles(portal.tenant_id(), &member, (&lead, &[Role::Support].into()), &[]).await.unwrap());
    assert_eq!(memberships().await[0]["roles"], json!(["support"]));
    portal.store().remove_member(portal.tenant_id(), &member, &[]).await.unwrap();
    assert_eq!(memberships().await, json!([]));
    assert!(!portal.store().change_roles(portal.tenant_id(), &member, (&[Role::Support].into(), &lead), &[]).await.unwrap());
}

/// Idle for 30 minutes, or ten hours old; polls do not renew, what a person does renews.
#[tokio::test]
async fn a_session_ends_by_itself() {
    let portal = Portal::with_account("anna").await;
    let call = async |session: &str, active: bool| {
        let cookie = desk_cookie(session);
        let mut headers = vec![("x-desk", "1"), ("cookie", &*cookie)];
        headers.extend(active.then_some(("x-desk-active", "1")));
        portal.send_with(Method::GET, ME, &headers, None).await
    };
    let ago = |minutes: i64| Timestamp::now() - minutes.minutes();
    let (_, idle) = portal.member_since(&[Role::Support], ago(31)).await;
    call(&idle, true).await.assert_problem(401, "session-ended");

    let (member, session) = portal.member_since(&[Role::Support], ago(25)).await;
    let until = |answer: &Answer| answer.body["idleUntil"].as_str().unwrap().parse::<Timestamp>().unwrap();
    let polled = until(&call(&session, false).await);
    assert_eq!(until(&call(&session, false).await), polled, "a poll renews nothing");
    assert!(until(&call(&session, true).await) == polled, "the answer tells of before");
    assert!(until(&call(&session, false).await) > Timestamp::now() + 28.minutes());
    let sessions = portal.store().staff_sessions(&member, Timestamp::now()).await.unwrap();
    assert_eq!(sessions.len(), 1);
    assert!(sessions[0].ends_at() < Timestamp::now() + 10.hours() - 20.minutes());

    let store = portal.store();
    let old = testing::staff_session(store, &member, ago(599)).await;
    let found = |minutes: i64| store.staff_login(&old, None, Timestamp::now() - minutes.minutes());
    let login = found(580).await.unwrap().unwrap();
    for minutes in [
        560, 540, 520, 500, 480, 460, 440, 420, 400, 380, 360, 340, 320, 300, 280, 260, 240, 220, 200, 180, 160, 140, 120, 100, 80, 60, 40,
        20, 2,
    ] {
        let login = store.staff_login(&old, None, Timestamp::now() - (minutes + 10).minutes()).await.unwrap().expect("it was renewed");
        assert!(store.renew_staff_session(&member, &login.session, Timestamp::now() - minutes.minutes()).await.unwrap());
    }
    assert!(found(0).await.unwrap().is_some(), "a minute before its end");
    assert!(found(-2).await.unwrap().is_none(), "ten hours old, whatever happened in it");
    // A renewal does not bring back what somebody ended meanwhile.
    store.end_staff_session(&member, &login.session.id).await.unwrap();
    assert!(!store.renew_staff_session(&member, &login.session, Timestamp::now()).await.unwrap());
    call(&old, true).await.assert_problem(401, "session-ended");
}

#[tokio::test]
async fn all_sessions_end_at_once_and_later_ones_hold() {
    let portal = Portal::with_account("anna").await;
    let (member, first) = portal.member_since(&[Role::Support], Timestamp::now()).await;
    let second = testing::staff_session(portal.store(), &member, Timestamp::now()).await;
    portal.store().end_staff_sessions(&member).await.unwrap();
    for session in [first, second] {
        portal.send(Method::GET, ME, Some(&session), None, None).await.assert_problem(401, "session-ended");
    }
    let third = testing::staff_session(portal.store(), &member, Timestamp::now()).await;
    assert_eq!(portal.send(Method::GET, ME, Some(&third), None, None).await.status, StatusCode::OK);
}

/// One read for session and membership; the rest of what `desk_me` costs is the list of tenants.
#[tokio::test]
async fn whoever_may_not_costs_one_read_or_none() {
    let portal = Portal::with_account("anna").await;
    let trips = |answer: &Answer| answer.log_line()["roundTrips"].as_u64().unwrap();
    let session = portal.member(&[Role::Support]).await;
    let cookie = desk_cookie(&session);
    assert_eq!(trips(&portal.send_with(Method::GET, ME, &[("cookie", &cookie)], None).await), 0);
    assert_eq!(trips(&portal.send(Method::GET, ME, None, None, None).await), 0);
    assert_eq!(trips(&portal.send(Method::GET, ME, Some("no.session"), None, None).await), 0);
    let guessed = format!("{}.{}", session.rsplit_once('.').unwrap().0, "A".repeat(43));
    assert_eq!(trips(&portal.send(Method::GET, ME, Some(&guessed), None, None).await), 1);
}

/// In a browser in which a colleague logged in meanwhile, the tab of before does nothing in their name (D-DESK-3).
#[tokio::test]
async fn a_page_that_shows_somebody_else_does_nothing_in_this_members_name() {
    let portal = Portal::with_account("anna").await;
    let (member, session) = portal.member_since(&[Role::Lead], Timestamp::now()).await;
    let (colleague, _) = portal.member_since(&[Role::Support], Timestamp::now()).await;
    let cookie = desk_cookie(&session);
    let asked = async |shown: &str| {
        let headers = [("x-desk", "1"), ("x-desk-member", shown), ("cookie", &*cookie)];
        portal.send_with(Method::GET, ME, &headers, None).await
    };
    assert_eq!(asked(member.as_str()).await.status, StatusCode::OK);
    asked(colleague.as_str()).await.assert_problem(401, "session-ended");
}

/// What shows many at a time is in the trail once a minute, and the end of a session each time.
#[tokio::test]
async fn looking_for_people_and_ending_sessions_is_in_the_trail() {
    let portal = Portal::with_account("anna").await;
    let (member, session) = portal.member_since(&[Role::Lead], Timestamp::now()).await;
    let desk = async |method: Method, path: &str, body: Option<serde_json::Value>| {
        portal.send(method, path, Some(&session), body.as_ref(), None).await
    };
    let tenant = format!("/api/desk/tenants/{}", portal.tenant());
    for words in ["mu", "must", "mustermann"] {
        assert_eq!(desk(Method::POST, &format!("{tenant}/search"), Some(json!({ "words": words }))).await.status, StatusCode::OK);
    }
    assert_eq!(desk(Method::GET, &format!("{tenant}/waiting"), None).await.status, StatusCode::OK);
    testing::staff_session(portal.store(), &member, Timestamp::now()).await;
    let sessions = desk(Method::GET, "/api/desk/sessions", None).await.body;
    let other = sessions["sessions"].as_array().unwrap().iter().find(|one| one["isCurrent"] == false).unwrap();
    let path = format!("/api/desk/sessions/{}", other["id"].as_str().unwrap());
    assert_eq!(desk(Method::DELETE, &path, None).await.status, StatusCode::NO_CONTENT);
    let left = desk(Method::DELETE, "/api/desk/sessions", None).await;
    assert!(left.status == StatusCode::OK && left.body["location"].is_string(), "{left:?}");
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    let mut actions: Vec<_> = trail.iter().map(|record| record.command.as_str()).collect();
    actions.dedup();
    actions.sort_unstable();
    let searches = actions.iter().filter(|action| **action == "desk search").count();
    assert!((1..=2).contains(&searches), "once a minute: {actions:?}");
    actions.dedup();
    assert_eq!(actions, ["desk search", "desk session ended", "desk sessions ended", "desk waiting list"]);
    assert!(trail.iter().all(|record| record.member.as_ref() == Some(&member)));
}
