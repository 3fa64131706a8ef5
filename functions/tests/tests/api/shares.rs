//! Sharing jobs with sub-accounts: what they see, what ends, and what is refused (L4 to L6, and the domain decisions on shares).

use futures::future::join_all;
use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::calls::new_address;
use crate::readings_without_job::own_reading;
use crate::world::{Answer, Persona, Portal, reading};

const SHARES: &str = "/api/pro/share/account";

async fn with_jobs(count: usize) -> Portal {
    let portal = Portal::with_account("manager").await;
    for n in 0..count {
        portal.add_job("manager", &format!("job-{n}"), json!({})).await;
    }
    portal
}

fn path(share: &Value) -> String {
    format!("{SHARES}/{}", share["id"].as_str().unwrap())
}

fn wish(jobs: &[&str]) -> Value {
    json!({ "name": "Hausmeister", "allowToReShare": true, "jobIds": jobs })
}

async fn list(who: &Persona<'_>) -> Vec<Value> {
    let answer = who.get(SHARES).await;
    assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
    answer.body["sharedAccounts"].as_array().unwrap().clone()
}

async fn refresh(portal: &Portal, who: &Persona<'_>) -> Answer {
    portal.token(json!({ "refreshToken": who.refresh_token() })).await
}

#[tokio::test]
async fn shows_its_login_data_once() {
    let portal = with_jobs(2).await;
    let manager = portal.login("manager").await;
    let created = manager.share("  Hausmeister Süd ", &["job-1"]).await;
    let token = created["token"].as_str().unwrap();
    assert_eq!(created["tokenUrl"], format!("http://{}.localhost/m/{token}", portal.tenant()));
    assert_eq!((&created["name"], &created["jobIds"], &created["hasToken"]), (&json!("Hausmeister Süd"), &json!(["job-1"]), &json!(true)));

    let listed = manager.get(SHARES).await;
    assert_eq!(listed.body["sharedAccounts"].as_array().unwrap().len(), 1);
    for field in ["id", "name", "allowToReShare", "jobIds", "username", "hasToken", "created"] {
        assert_eq!(listed.body["sharedAccounts"][0][field], created[field], "{field}");
    }
    for secret in ["token", "password"] {
        assert!(!listed.body.to_string().contains(created[secret].as_str().unwrap()), "{secret}");
    }
}

#[tokio::test]
async fn the_same_request_after_the_shares_erasure_makes_another_one() {
    let portal = with_jobs(1).await;
    let manager = portal.login("manager").await;
    let first = manager.share("Hausmeister", &["job-0"]).await;
    assert_eq!(manager.share("Hausmeister", &["job-0"]).await["id"], first["id"]);
    portal.erase(first["id"].as_str().unwrap()).await;
    let next = manager.share("Hausmeister", &["job-0"]).await;
    assert_ne!(next["id"], first["id"]);
    assert_eq!(portal.login_share(&next).await.jobs().await, ["job-0"]);
}

#[tokio::test]
async fn a_sub_account_sees_its_jobs_and_who_shared_them() {
    let portal = with_jobs(3).await;
    let manager = portal.login("manager").await;
    let created = manager.share("Hausmeister", &["job-2", "job-0"]).await;
    for caretaker in [portal.login_share(&created).await, portal.open_share(&created).await] {
        assert_eq!(caretaker.jobs().await, ["job-0", "job-2"]);
        let info = caretaker.get("/api/pro/account/info").await.body;
        let expected = (&created["id"], &json!("Hausmeister"), &json!("manager"), &json!("manager Mustermann"));
        assert_eq!((&info["id"], &info["name"], &info["parentId"], &info["parentName"]), expected);
        let jobs = caretaker.get("/api/pro/job").await.body["jobs"].clone();
        assert_eq!(jobs[0]["login"], created["id"]);
        caretaker.send("job-1", reading("1.0"), None).await.assert_problem(404, "not-found");
    }
}

#[tokio::test]
async fn a_reading_of_a_sub_account_is_the_managers_too_and_says_who_sent_it() {
    let portal = with_jobs(1).await;
    let manager = portal.login("manager").await;
    let created = manager.share("Hausmeister", &["job-0"]).await;
    let caretaker = portal.open_share(&created).await;
    let image = caretaker.send_with_photo("job-0").await;

    let photo = format!("/api/pro/job/job-0/meter-rate-tasks/t1/result-images/{image}");
    for who in [&manager, &caretaker] {
        let jobs = who.get("/api/pro/job").await.body;
        assert_eq!(jobs["jobs"][0]["done"], true, "{jobs}");
        assert_eq!(who.get(&photo).await.status, StatusCode::OK);
    }
    let ledger = portal.ledger().await;
    let sent: Vec<_> = ledger.iter().map(|entry| (json!(entry.account_id), json!(entry.login_account_id))).collect();
    assert_eq!(sent, [(json!("manager"), created["id"].clone())]);
    assert_eq!(ledger[0].login_kind, Some(domain::model::LoginKind::Token));
}

#[tokio::test]
async fn one_key_of_the_manager_and_the_sub_account_is_two_requests() {
    let portal = with_jobs(1).await;
    let manager = portal.login("manager").await;
    let caretaker = portal.login_share(&manager.share("Hausmeister", &["job-0"]).await).await;
    let mine = manager.send("job-0", reading("1.0"), Some("key")).await;
    let theirs = caretaker.send("job-0", reading("1.0"), Some("key")).await;
    assert_eq!((mine.status, theirs.status), (StatusCode::OK, StatusCode::OK), "{theirs:?}");
    let again = caretaker.send("job-0", reading("1.0"), Some("key")).await;
    assert_eq!(again.body, theirs.body);
    assert_eq!(portal.ledger().await.len(), 2);
}

/// What is not theirs does not come by a slot that they share with others.
#[tokio::test]
async fn of_what_changed_a_sub_account_sees_what_it_has() {
    let portal = with_jobs(30).await;
    let manager = portal.login("manager").await;
    let shared: Vec<String> = (0..15).map(|n| format!("job-{n}")).collect();
    let share = manager.share("Hausmeister", &shared.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let caretaker = portal.login_share(&share).await;
    let all = caretaker.get("/api/pro/job").await;
    for job in ["job-3", "job-20"] {
        assert_eq!(manager.send(job, reading("1.0"), None).await.status, StatusCode::OK);
    }
    let tag = all.header("etag").unwrap();
    let changed = caretaker.get_if_none_match("/api/pro/job?slots=", tag).await;
    assert_eq!(changed.body["changedSlots"].as_array().map(Vec::len), Some(2), "{changed:?}");
    let jobs = changed.body["jobs"].as_array().unwrap();
    let ids: Vec<_> = jobs.iter().map(|job| job["id"].as_str().unwrap().to_owned()).collect();
    assert!(ids.contains(&"job-3".into()) && ids.iter().all(|id| shared.contains(id)), "{ids:?}");
    // Another set is another list.
    assert_eq!(manager.delete(&format!("{}/job/job-0", path(&share)), None).await.status, StatusCode::NO_CONTENT);
    let whole = caretaker.get_if_none_match("/api/pro/job?slots=", tag).await;
    assert_eq!((whole.body.get("changedSlots"), whole.body["jobs"].as_array().map(Vec::len)), (None, Some(14)));
}

#[tokio::test]
async fn an_unchanged_view_is_not_sent_again_and_a_changed_one_is() {
    let portal = with_jobs(3).await;
    let manager = portal.login("manager").await;
    let upper = manager.share("Verwaltung", &["job-0", "job-1"]).await;
    let upper_login = portal.login_share(&upper).await;
    let caretaker = portal.login_share(&upper_login.share("Hausmeister", &["job-0", "job-1"]).await).await;
    let tag = async || caretaker.get("/api/pro/job").await.header("etag").unwrap().to_owned();
    let revalidated = async |tag: &str| caretaker.get_if_none_match("/api/pro/job", tag).await.status;

    let first = tag().await;
    assert_eq!(revalidated(&first).await, StatusCode::NOT_MODIFIED);
    // Somebody else's reading, and a job less two accounts above, are seen.
    assert_eq!(manager.send("job-1", reading("1.0"), None).await.status, StatusCode::OK);
    assert_eq!(revalidated(&first).await, StatusCode::OK);
    let second = tag().await;
    assert_eq!(revalidated(&second).await, StatusCode::NOT_MODIFIED);
    assert_eq!(manager.delete(&format!("{}/job/job-0", path(&upper)), None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(revalidated(&second).await, StatusCode::OK);
    assert_eq!(caretaker.jobs().await, ["job-1"]);
    assert_eq!(revalidated(&tag().await).await, StatusCode::NOT_MODIFIED);
}

#[tokio::test]
async fn a_sub_accounts_jobs_come_in_pages() {
    let portal = with_jobs(5).await;
    let manager = portal.login("manager").await;
    let caretaker = portal.login_share(&manager.share("Hausmeister", &["job-0", "job-1", "job-3", "job-4"]).await).await;
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = caretaker.get(&format!("/api/pro/job?limit=3{cursor}")).await;
        seen.extend(page.body["jobs"].as_array().unwrap().iter().map(|job| job["id"].clone()));
        let Some(next) = page.body["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(seen, ["job-0", "job-1", "job-3", "job-4"]);
    caretaker.get("/api/pro/job?cursor=nonsense").await.assert_problem(400, "malformed-request");
}

#[tokio::test]
async fn all_or_nothing_and_the_same_answer_for_what_does_not_exist_is_foreign_or_must_not_be_shared() {
    let portal = with_jobs(1).await;
    portal.add_account("neighbour").await;
    portal.add_job("neighbour", "job-foreign", json!({})).await;
    portal.add_job("manager", "job-private", json!({ "jobPermissions": { "reShare": false } })).await;
    let manager = portal.login("manager").await;
    let mut bodies = Vec::new();
    for bad in ["no-such-job", "job-foreign", "job-private"] {
        let answer = manager.share_as(wish(&["job-0", bad]), None).await;
        answer.assert_problem(422, "share-invalid");
        answer.assert_finding("jobIds[1]", "JOB_NOT_SHAREABLE");
        assert_eq!(answer.body["fieldErrors"].as_array().unwrap().len(), 1);
        bodies.push(answer.without_instance());
    }
    assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
    assert!(list(&manager).await.is_empty());
}

#[tokio::test]
async fn what_the_form_of_a_share_lacks_is_named() {
    let portal = with_jobs(1).await;
    let manager = portal.login("manager").await;
    let many = |count: usize| (0..count).map(|n| format!("job-{n}")).collect::<Vec<_>>();
    for (field, value, at, code) in [
        ("name", json!(" \u{feff} "), "name", "NAME_REQUIRED"),
        ("name", json!("x".repeat(101)), "name", "NAME_TOO_LONG"),
        ("name", json!("Hausmeister\nGewinnen Sie"), "name", "NAME_CHARACTERS"),
        ("jobIds", json!([]), "jobIds", "JOBS_REQUIRED"),
        ("jobIds", json!(many(1000)), "jobIds", "MAX_JOBS"),
        ("jobIds", json!(["job-0", "job-0"]), "jobIds[1]", "JOB_TWICE"),
    ] {
        let mut body = wish(&["job-0"]);
        body[field] = value;
        let answer = manager.share_as(body, None).await;
        answer.assert_problem(422, "share-invalid");
        answer.assert_finding(at, code);
    }
    let both = manager.share_as(json!({ "name": "", "allowToReShare": false, "jobIds": [] }), None).await;
    assert_eq!(both.body["fieldErrors"].as_array().unwrap().len(), 2, "{both:?}");
    manager.share_as(json!({ "name": "x", "allowToReShare": false, "jobIds": ["a b"] }), None).await.assert_problem(422, "request-invalid");
    manager.share_as(json!({ "name": "x", "jobIds": ["job-0"] }), None).await.assert_problem(422, "request-invalid");
    // 999 are no fault of the form.
    let most = manager.share_as(json!({ "name": "x", "allowToReShare": false, "jobIds": many(999) }), None).await;
    assert_eq!(most.body["fieldErrors"].as_array().unwrap().len(), 998, "{most:?}");
}

#[tokio::test]
async fn the_portal_or_the_job_must_allow_sharing() {
    let portal = with_jobs(1).await;
    portal.add_job("manager", "job-allowed", json!({ "config": { "features": { "reshareAllowed": true } } })).await;
    portal.configure(json!({ "features": { "reshareAllowed": false } })).await;
    let manager = portal.login("manager").await;
    manager.share_as(wish(&["job-0"]), None).await.assert_problem(422, "share-invalid");
    manager.share("Hausmeister", &["job-allowed"]).await;
    let jobs = manager.get("/api/pro/job").await.body;
    let may: Vec<_> = jobs["jobs"].as_array().unwrap().iter().map(|job| (&job["id"], &job["jobPermissions"]["reShare"])).collect();
    assert_eq!(may, [(&json!("job-0"), &json!(false)), (&json!("job-allowed"), &json!(true))]);
}

#[tokio::test]
async fn sharing_on_needs_the_permission_of_everybody_above() {
    let portal = with_jobs(2).await;
    let manager = portal.login("manager").await;
    let narrow = manager.share_as(json!({ "name": "A", "allowToReShare": false, "jobIds": ["job-0"] }), None).await.body;
    let narrow = portal.login_share(&narrow).await;
    narrow.share_as(wish(&["job-0"]), None).await.assert_problem(422, "share-invalid");
    assert_eq!(narrow.get("/api/pro/job").await.body["jobs"][0]["jobPermissions"]["reShare"], false);

    let wide = portal.login_share(&manager.share("B", &["job-0"]).await).await;
    assert_eq!(wide.get("/api/pro/job").await.body["jobs"][0]["jobPermissions"]["reShare"], true);
    let foreign = wide.share_as(wish(&["job-1"]), None).await;
    foreign.assert_problem(422, "share-invalid");
    let below = portal.login_share(&wide.share("C", &["job-0"]).await).await;
    assert_eq!(below.jobs().await, ["job-0"]);
    let info = below.get("/api/pro/account/info").await.body;
    assert_eq!((&info["parentName"], &info["parentId"]), (&json!("B"), &json!(wide.name())));
}

#[tokio::test]
async fn a_chain_has_an_end() {
    let portal = with_jobs(1).await;
    let mut chain = vec![portal.login("manager").await];
    for level in 2..=domain::share::MAX_CHAIN {
        let created = chain.last().unwrap().share("Kette", &["job-0"]).await;
        assert_eq!(created["allowToReShare"], level < domain::share::MAX_CHAIN);
        chain.push(portal.login_share(&created).await);
    }
    let last = chain.last().unwrap();
    assert_eq!(last.jobs().await, ["job-0"]);
    last.share_as(wish(&["job-0"]), None).await.assert_problem(422, "share-invalid");
}

#[tokio::test]
async fn a_job_taken_from_a_share_is_taken_from_those_below() {
    let portal = with_jobs(2).await;
    let manager = portal.login("manager").await;
    let upper = manager.share("Verwaltung", &["job-0", "job-1"]).await;
    let upper_login = portal.login_share(&upper).await;
    let lower = portal.login_share(&upper_login.share("Hausmeister", &["job-0", "job-1"]).await).await;
    for job in ["job-0", "job-1"] {
        let taken = format!("{}/job/{job}", path(&upper));
        assert_eq!(manager.delete(&taken, None).await.status, StatusCode::NO_CONTENT);
        assert_eq!(manager.delete(&taken, None).await.status, StatusCode::NO_CONTENT, "the same request again");
        manager.delete(&taken, Some("another-request")).await.assert_problem(404, "not-found");
    }
    assert!(lower.jobs().await.is_empty());
    assert_eq!(list(&upper_login).await[0]["jobIds"], json!([]));
    let listed = list(&manager).await;
    assert_eq!((listed.len(), &listed[0]["jobIds"]), (1, &json!([])), "the share stays, empty");
}

#[tokio::test]
async fn deleting_a_share_ends_it_and_those_below_at_once() {
    let portal = with_jobs(1).await;
    let manager = portal.login("manager").await;
    let upper = manager.share("Verwaltung", &["job-0"]).await;
    let upper_login = portal.login_share(&upper).await;
    let lower = upper_login.share("Hausmeister", &["job-0"]).await;
    let lower_login = portal.open_share(&lower).await;

    assert_eq!(manager.delete(&path(&upper), None).await.status, StatusCode::NO_CONTENT);
    for (created, login) in [(&upper, &upper_login), (&lower, &lower_login)] {
        for gone in ["/api/pro/job", "/api/pro/account/info", SHARES] {
            login.get(gone).await.assert_problem(401, "token-invalid");
        }
        login.send("job-0", reading("1.0"), None).await.assert_problem(401, "token-invalid");
        refresh(&portal, login).await.assert_problem(401, "refresh-invalid");
        portal.token(json!({ "token": created["token"] })).await.assert_problem(401, "link-invalid");
        let by_name = json!({ "username": created["username"], "password": created["password"] });
        portal.token(by_name).await.assert_problem(401, "login-failed");
    }
    assert!(list(&manager).await.is_empty());
    assert_eq!(manager.delete(&path(&upper), None).await.status, StatusCode::NO_CONTENT, "the same request again");
    manager.delete(&path(&upper), Some("another-request")).await.assert_problem(404, "not-found");
    assert_eq!(manager.jobs().await, ["job-0"]);
}

/// What a deleted sub-account leaves leads nowhere from outside, and its readings without a job are found with the account at the top.
#[tokio::test]
async fn a_deleted_share_leaves_nothing_that_an_erasure_does_not_find() {
    let portal = with_jobs(1).await;
    let manager = portal.login("manager").await;
    let upper = manager.share("Verwaltung", &["job-0"]).await;
    let upper_login = portal.login_share(&upper).await;
    let lower = portal.login_share(&upper_login.share("Hausmeister", &["job-0"]).await).await;
    let before = portal.everything().await;
    lower.register(&new_address()).await;
    // One that waits for its confirmation, too.
    lower.confirmation_token(&new_address()).await;
    let page = format!("/api/public/communication/{}", lower.self_service_token().await);
    let sent = portal.send(Method::POST, "/api/pro/unknown-reading", Some(lower.token()), Some(&own_reading()), None).await;
    assert_eq!(sent.status, StatusCode::CREATED, "{sent:?}");
    let doors = |items: &str| items.lines().filter(|item| item.contains("#SELF#") || item.contains("#CONFIRM#")).count();
    assert_eq!((doors(&before), doors(&portal.everything().await)), (0, 3));

    assert_eq!(manager.delete(&path(&upper), None).await.status, StatusCode::NO_CONTENT);
    portal.get(&page).await.assert_problem(404, "not-found");
    assert_eq!(doors(&portal.everything().await), 0);
    assert_eq!(portal.readings_without_job().await.len(), 1, "the utility has the reading");
    let id = sent.body["id"].as_str().unwrap();
    assert!(portal.subject("manager").await.contains(id), "it is disclosed and erased with the account at the top");
}

#[tokio::test]
async fn new_login_data_end_the_old_ones_and_their_sessions() {
    let portal = with_jobs(1).await;
    let manager = portal.login("manager").await;
    let created = manager.share("Hausmeister", &["job-0"]).await;
    let (by_name, by_link) = (portal.login_share(&created).await, portal.open_share(&created).await);
    let below = portal.login_share(&by_name.share("Aushilfe", &["job-0"]).await).await;
    by_name.register(&new_address()).await;
    let door = format!("/api/public/communication/{}", by_name.self_service_token().await);

    let mut renewed = manager.post(&format!("{}/login", path(&created)), None).await.body;
    for field in ["token", "username", "password", "tokenUrl"] {
        assert_ne!(renewed[field], created[field], "{field}");
    }
    for old in [&by_name, &by_link] {
        old.get("/api/pro/job").await.assert_problem(401, "token-invalid");
        refresh(&portal, old).await.assert_problem(401, "refresh-invalid");
    }
    portal.token(json!({ "token": created["token"] })).await.assert_problem(401, "link-invalid");
    let old = json!({ "username": created["username"], "password": created["password"] });
    portal.token(old).await.assert_problem(401, "login-failed");
    portal.get(&door).await.assert_problem(404, "not-found");

    renewed["id"] = created["id"].clone();
    let next = portal.login_share(&renewed).await;
    let registered = next.get("/api/pro/account/crm-registration-info").await.body;
    assert_eq!(registered["registered"], false, "what the next one reads does not go to the address of the one before: {registered}");
    for new in [portal.login_share(&renewed).await, portal.open_share(&renewed).await] {
        assert_eq!(new.jobs().await, ["job-0"]);
        assert_eq!(refresh(&portal, &new).await.status, StatusCode::OK);
    }
    assert_eq!(below.jobs().await, ["job-0"], "those below have login data of their own");
    assert_eq!(list(&manager).await[0]["username"], renewed["username"]);
}

#[tokio::test]
async fn a_login_by_link_takes_no_access_away() {
    let portal = with_jobs(1).await;
    let manager = portal.login("manager").await;
    let by_link = portal.open_share(&manager.share("Verwaltung", &["job-0"]).await).await;
    let below = by_link.share("Hausmeister", &["job-0"]).await;
    by_link.delete(&path(&below), None).await.assert_problem(403, "credentials-needed");
    by_link.delete(&format!("{}/job/job-0", path(&below)), None).await.assert_problem(403, "credentials-needed");
    by_link.delete(&format!("{SHARES}/no-such-share"), None).await.assert_problem(403, "credentials-needed");
    assert_eq!(list(&by_link).await[0]["jobIds"], json!(["job-0"]));
    by_link.post(&format!("{}/login", path(&below)), None).await.assert_problem(403, "credentials-needed");
    // The login data that it would have ended go on.
    portal.login_share(&below).await;
}

#[tokio::test]
async fn only_who_made_a_share_may_change_it() {
    let portal = with_jobs(1).await;
    let manager = portal.login("manager").await;
    let upper = portal.login_share(&manager.share("Verwaltung", &["job-0"]).await).await;
    let beside = portal.login_share(&manager.share("Nachbar", &["job-0"]).await).await;
    let below = upper.share("Hausmeister", &["job-0"]).await;
    let below_login = portal.login_share(&below).await;
    let lowest = portal.login_share(&below_login.share("Aushilfe", &["job-0"]).await).await;
    // Neither the account two above, nor one beside, nor the sub-account itself, nor one below.
    for other in [&manager, &beside, &below_login, &lowest] {
        let unknown = other.delete(&format!("{SHARES}/no-such-share"), None).await;
        unknown.assert_problem(404, "not-found");
        for refused in
            [other.delete(&format!("{}/job/job-0", path(&below)), None).await, other.post(&format!("{}/login", path(&below)), None).await]
        {
            refused.assert_problem(404, "not-found");
            assert_eq!(refused.without_instance(), unknown.without_instance());
        }
    }
    for other in [&beside, &below_login, &lowest] {
        other.delete(&path(&below), None).await.assert_problem(404, "not-found");
    }
    assert_eq!(below_login.jobs().await, ["job-0"]);
}

#[tokio::test]
async fn whoever_is_above_sees_what_was_shared_on_and_may_end_it() {
    let portal = with_jobs(1).await;
    let manager = portal.login("manager").await;
    let (upper, beside) = (manager.share("Verwaltung", &["job-0"]).await, manager.share("Nachbar", &["job-0"]).await);
    let (upper_login, beside_login) = (portal.login_share(&upper).await, portal.login_share(&beside).await);
    let lower = upper_login.share("Hausmeister", &["job-0"]).await;
    let lower_login = portal.login_share(&lower).await;
    let lowest = lower_login.share("Aushilfe", &["job-0"]).await;
    let lowest_login = portal.login_share(&lowest).await;

    let of = |share: &Value| format!("{SHARES}?of={}", share["id"].as_str().unwrap());
    for (maker, made) in [(&upper, &lower), (&lower, &lowest)] {
        let listed = manager.get(&of(maker)).await.body["sharedAccounts"].clone();
        assert_eq!(listed.as_array().unwrap().len(), 1, "{listed}");
        for field in ["id", "name", "created", "jobIds"] {
            assert_eq!(listed[0][field], made[field], "{field}");
        }
    }
    for (who, whose) in [(&beside_login, &upper), (&lower_login, &upper), (&lower_login, &lower), (&upper_login, &upper)] {
        who.get(&of(whose)).await.assert_problem(404, "not-found");
    }

    let by_link = portal.open_share(&upper).await;
    by_link.delete(&path(&lowest), None).await.assert_problem(403, "credentials-needed");
    for _ in 0..2 {
        assert_eq!(manager.delete(&path(&lowest), None).await.status, StatusCode::NO_CONTENT);
    }
    lowest_login.get("/api/pro/job").await.assert_problem(401, "token-invalid");
    assert!(list(&lower_login).await.is_empty());
    assert_eq!(upper_login.delete(&path(&lower), None).await.status, StatusCode::NO_CONTENT);
    lower_login.get("/api/pro/job").await.assert_problem(401, "token-invalid");
    assert_eq!(upper_login.jobs().await, ["job-0"]);
}

#[tokio::test]
async fn new_login_data_end_what_was_shared_on_if_they_are_to() {
    let portal = with_jobs(1).await;
    let manager = portal.login("manager").await;
    let upper = manager.share("Verwaltung", &["job-0"]).await;
    let thief = portal.login_share(&upper).await;
    let mut taken = vec![(upper.clone(), thief)];
    for name in ["Dieb", "Enkel"] {
        let created = taken.last().unwrap().1.share(name, &["job-0"]).await;
        let login = portal.login_share(&created).await;
        taken.push((created, login));
    }
    let renew = format!("{}/login?andSharedOn=true", path(&upper));
    let mut renewed = manager.post(&renew, Some("renew")).await.body;
    assert_eq!(manager.post(&renew, Some("renew")).await.body, renewed);
    for (created, login) in &taken {
        login.get("/api/pro/job").await.assert_problem(401, "token-invalid");
        login.share_as(wish(&["job-0"]), None).await.assert_problem(401, "token-invalid");
        refresh(&portal, login).await.assert_problem(401, "refresh-invalid");
        portal.token(json!({ "token": created["token"] })).await.assert_problem(401, "link-invalid");
        let by_name = json!({ "username": created["username"], "password": created["password"] });
        portal.token(by_name).await.assert_problem(401, "login-failed");
    }
    renewed["id"] = upper["id"].clone();
    let owner = portal.login_share(&renewed).await;
    assert!(list(&owner).await.is_empty());
    // What is shared from now on goes on, and past the next login data that end nothing.
    let below = portal.login_share(&owner.share("Hausmeister", &["job-0"]).await).await;
    assert_eq!(manager.post(&format!("{}/login?andSharedOn=false", path(&upper)), None).await.status, StatusCode::OK);
    assert_eq!(below.jobs().await, ["job-0"]);
    manager.post(&format!("{}/login?andSharedOn=perhaps", path(&upper)), None).await.assert_problem(400, "malformed-request");
}

#[tokio::test]
async fn another_letter_ends_what_was_shared_with_the_earlier_one_if_the_utility_says_so() {
    let portal = with_jobs(1).await;
    let thief = portal.login("manager").await;
    let created = thief.share("Dieb", &["job-0"]).await;
    let below = portal.login_share(&created).await;
    let lower = portal.login_share(&below.share("Enkel", &["job-0"]).await).await;
    portal.renew_letter("manager", "second-letter-second-letter", false).await;
    assert_eq!((below.jobs().await, lower.jobs().await), (vec!["job-0".to_owned()], vec!["job-0".to_owned()]));
    portal.renew_letter("manager", "third-letter-third-letter-3", true).await;
    for login in [&below, &lower] {
        login.get("/api/pro/job").await.assert_problem(401, "token-invalid");
        refresh(&portal, login).await.assert_problem(401, "refresh-invalid");
    }
    portal.token(json!({ "token": created["token"] })).await.assert_problem(401, "link-invalid");
    // A token of the earlier letter lasts a little longer, but shares nothing any more.
    thief.share_as(wish(&["job-0"]), None).await.assert_problem(401, "token-invalid");
}

#[tokio::test]
async fn shares_come_in_pages() {
    let portal = with_jobs(1).await;
    let manager = portal.login("manager").await;
    let mut made = Vec::new();
    for n in 0..3 {
        made.push(manager.share(&format!("Haus {n}"), &["job-0"]).await["id"].clone());
    }
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = manager.get(&format!("{SHARES}?limit=2{cursor}")).await;
        let shares = page.body["sharedAccounts"].as_array().unwrap();
        assert!(shares.len() <= 2, "{page:?}");
        seen.extend(shares.iter().map(|share| share["id"].clone()));
        let Some(next) = page.body["nextCursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    let sorted = |mut ids: Vec<Value>| {
        ids.sort_by_key(Value::to_string);
        ids
    };
    assert_eq!(sorted(seen), sorted(made));
    for wrong in ["limit=0", "limit=101", "cursor=a%20b"] {
        manager.get(&format!("{SHARES}?{wrong}")).await.assert_problem(400, "malformed-request");
    }
}

#[tokio::test]
async fn a_creation_sent_again_gets_the_same_login_data_which_are_stored_sealed() {
    let portal = with_jobs(2).await;
    let manager = portal.login("manager").await;
    let first = manager.share_as(wish(&["job-0"]), Some("key")).await;
    let again = manager.share_as(wish(&["job-0"]), Some("key")).await;
    assert_eq!((first.status, again.status), (StatusCode::CREATED, StatusCode::CREATED));
    assert_eq!(first.body, again.body);
    manager.share_as(wish(&["job-1"]), Some("key")).await.assert_problem(422, "idempotency-key-reused");
    assert_eq!(list(&manager).await.len(), 1);

    let renew = format!("{}/login", path(&first.body));
    let renewed = manager.post(&renew, Some("renew")).await;
    assert_eq!(manager.post(&renew, Some("renew")).await.body, renewed.body);
    let stored = portal.everything().await;
    for answer in [&first, &renewed] {
        for secret in ["token", "password"] {
            assert!(!stored.contains(answer.body[secret].as_str().unwrap()), "{secret} is stored in clear");
        }
    }
}

/// Without a key the content is the key, as long as the answer is worth something.
#[tokio::test]
async fn without_a_key_the_same_share_is_one_until_its_login_data_are_void() {
    let portal = with_jobs(1).await;
    let manager = portal.login("manager").await;
    let first = manager.share("Hausmeister", &["job-0"]).await;
    assert_eq!(manager.share("Hausmeister", &["job-0"]).await, first);
    let renew = format!("{}/login", path(&first));
    let renewed = manager.post(&renew, None).await.body;
    assert_ne!(manager.post(&renew, None).await.body["password"], renewed["password"], "each wish is one of its own");
    let second = manager.share("Hausmeister", &["job-0"]).await;
    assert_ne!(second["id"], first["id"]);
    assert_eq!(manager.delete(&path(&second), None).await.status, StatusCode::NO_CONTENT);
    let third = manager.share("Hausmeister", &["job-0"]).await;
    assert_ne!(third["id"], second["id"]);
    portal.login_share(&third).await;
}

#[tokio::test]
async fn twenty_equal_wishes_at_once_make_one_share_and_twenty_others_twenty() {
    let portal = with_jobs(1).await;
    let manager = portal.login("manager").await;
    let answers = join_all((0..20).map(|_| manager.share_as(wish(&["job-0"]), Some("key")))).await;
    assert!(answers.iter().all(|answer| answer.status == StatusCode::CREATED && answer.body == answers[0].body), "{answers:?}");
    let keys: Vec<_> = (0..20).map(|n| format!("key-{n}")).collect();
    let answers = join_all(keys.iter().map(|key| manager.share_as(wish(&["job-0"]), Some(key)))).await;
    assert!(answers.iter().all(|answer| answer.status == StatusCode::CREATED), "{answers:?}");
    assert_eq!(list(&manager).await.len(), 21);
}

/// Deleting a share makes room for another one, and new login data need none: each costs as much as a login.
#[tokio::test]
async fn login_data_are_made_so_often_in_an_hour_and_those_below_do_not_use_up_what_the_owner_may() {
    let portal = with_jobs(1).await;
    let manager = portal.login("manager").await;
    let created = manager.share("Hausmeister", &["job-0"]).await;
    let renew = format!("{}/login", path(&created));
    portal.have_share_logins_made("manager", true, 300).await;
    let below = portal.login_share(&created).await;
    below.share_as(wish(&["job-0"]), None).await.assert_problem(429, "too-many-attempts");
    let renewed = manager.post(&renew, Some("key")).await;
    assert_eq!(renewed.status, StatusCode::OK, "{renewed:?}");

    portal.have_share_logins_made("manager", false, 300).await;
    let refused = manager.post(&renew, None).await;
    refused.assert_problem(429, "too-many-attempts");
    assert!(refused.header("retry-after").and_then(|wait| wait.parse::<u64>().ok()).is_some_and(|wait| (1..=3600).contains(&wait)));
    manager.share_as(wish(&["job-0"]), Some("another")).await.assert_problem(429, "too-many-attempts");
    assert_eq!(manager.post(&renew, Some("key")).await.body, renewed.body, "what was made is shown again");
    assert_eq!(manager.delete(&path(&created), None).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn of_twenty_edits_of_one_share_at_once_none_is_lost() {
    let portal = with_jobs(21).await;
    let manager = portal.login("manager").await;
    let jobs: Vec<_> = (0..21).map(|n| format!("job-{n}")).collect();
    let created = manager.share("Hausmeister", &jobs.iter().map(String::as_str).collect::<Vec<_>>()).await;
    let caretaker = portal.login_share(&created).await;
    let paths: Vec<_> = jobs[..20].iter().map(|job| format!("{}/job/{job}", path(&created))).collect();
    let answers = join_all(paths.iter().map(|path| manager.delete(path, None))).await;
    assert!(answers.iter().all(|answer| answer.status == StatusCode::NO_CONTENT), "{answers:?}");
    assert_eq!(list(&manager).await[0]["jobIds"], json!(["job-20"]));
    assert_eq!(caretaker.jobs().await, ["job-20"]);
}

#[tokio::test]
async fn a_share_ends_with_the_account_above() {
    let portal = with_jobs(1).await;
    let manager = portal.login("manager").await;
    let created = manager.share("Hausmeister", &["job-0"]).await;
    let caretaker = portal.login_share(&created).await;
    portal.add_account_until("manager", Some("2020-12-31")).await;
    caretaker.get("/api/pro/job").await.assert_problem(401, "token-invalid");
    refresh(&portal, &caretaker).await.assert_problem(401, "refresh-invalid");
    portal.token(json!({ "token": created["token"] })).await.assert_problem(401, "link-invalid");
}

#[tokio::test]
async fn a_job_that_the_utility_no_longer_lists_is_gone_from_every_share() {
    let portal = with_jobs(2).await;
    let manager = portal.login("manager").await;
    let caretaker = portal.login_share(&manager.share("Hausmeister", &["job-0", "job-1"]).await).await;
    portal.close_job("manager", "job-0").await;
    assert_eq!(caretaker.jobs().await, ["job-1"]);
    assert_eq!(list(&manager).await[0]["jobIds"], json!(["job-1"]));
    caretaker.send("job-0", reading("1.0"), None).await.assert_problem(422, "job-closed");
    manager.share_as(wish(&["job-0"]), None).await.assert_problem(422, "share-invalid");
}
