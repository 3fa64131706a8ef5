//! The log tells what happened, and nothing about whom.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};

use crate::calls::{browser_error, rightful};
use crate::world::{Answer, Persona, Portal, log, password, reading};

#[tokio::test]
async fn every_request_has_one_line_with_its_outcome() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    for (answer, operation, code) in [
        (anna.get("/api/pro/job").await, "job_list", Value::Null),
        (portal.get("/api/pro/job").await, "job_list", json!("token-missing")),
        (anna.send("no-such-job", reading("1.0"), None).await, "result_create", json!("not-found")),
        (portal.get("/nowhere").await, "fallback", json!("not-found")),
    ] {
        let line = answer.log_line();
        assert_eq!((&line["operation"], &line["code"]), (&json!(operation), &code), "{line}");
        assert_eq!(line["status"], answer.status.as_u16());
        assert!(line["durationMs"].as_f64().unwrap() > 0.0);
        let id = answer.header("x-request-id").unwrap();
        assert_eq!(log().iter().filter(|line| line.contains(id)).count(), 1);
    }
}

#[tokio::test]
async fn what_is_counted_for_a_tenant_says_whose_it_is_and_how_it_went() {
    let portal = Portal::with_job("anna", "job-1").await;
    let anna = portal.login("anna").await;
    let counted = |answer: &Answer| {
        let line = answer.log_line();
        (line["tenant"] == portal.tenant(), line["succeeded"].clone())
    };
    assert_eq!(counted(&portal.token(json!({ "username": "anna", "password": "guess" })).await), (true, json!(0)));
    assert_eq!(counted(&anna.send("job-1", reading("1.0"), None).await), (true, json!(1)));
    assert_eq!(counted(&anna.get("/api/pro/job").await), (true, Value::Null), "how long it took, and no more");
    assert_eq!(counted(&portal.get("/nowhere").await), (false, Value::Null), "nobody's");
}

/// A page may be of any making: what is no error of ours in our own form is refused, so that the log has nothing else.
#[tokio::test]
async fn an_error_of_a_browser_is_a_field_of_its_line_and_bounded() {
    let portal = Portal::with_account("anna").await;
    let path = "/api/public/browser-errors";
    let tell = async |body: &Value| portal.send(Method::POST, path, None, Some(body), None).await;
    let told = tell(&browser_error()).await;
    assert_eq!(told.status, StatusCode::NO_CONTENT, "{told:?}");
    let line = told.log_line();
    assert_eq!((&line["browserError"], &line["level"]), (&browser_error(), &json!("info")));
    for (field, value) in [
        ("page", json!("/ablesung/job-4711")),
        ("page", json!("https://portal.example/m/token")),
        ("stack", json!(["at sommer (start-a.js:1:2)"])),
        ("stack", json!([])),
        ("stack", json!(vec!["start-a.js:1:2"; 9])),
        ("name", json!("Anna Sommer")),
        ("version", json!("anna")),
        ("browser", json!("Anna’s")),
        ("browserVersion", json!(4711_0815)),
        ("message", json!("Anna Sommer")),
    ] {
        let mut body = browser_error();
        body[field] = value;
        let refused = tell(&body).await;
        assert_eq!((refused.status, &refused.body["code"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("request-invalid")), "{body}");
        assert_eq!(refused.log_line()["browserError"], Value::Null);
    }
    let long = portal.post_text(path, "application/json", &format!("{}{}", " ".repeat(4096), browser_error())).await;
    assert_eq!(long.body["code"], "request-too-large");
    for _ in 1..30 {
        assert_eq!(tell(&browser_error()).await.status, StatusCode::NO_CONTENT);
    }
    let more = tell(&browser_error()).await;
    assert_eq!((&more.body["code"], more.header("retry-after").is_some()), (&json!("too-many-attempts"), true));
    assert_eq!(more.log_line()["browserError"], Value::Null);
}

/// Everything that must not be in the log is sent through every door, the wrong ones included, and then looked for.
#[tokio::test]
async fn no_line_says_who_it_was() {
    let portal = Portal::with_account("canary-name").await;
    let place = json!({ "meterNumber": "1CAN0000004711", "meterAddress": { "street": "Canarystreet", "city": "Canaryville" } });
    portal.add_job("canary-name", "job-1", json!({ "meter": place, "customer": { "lastname": "Canarysson" } })).await;
    let anna = portal.login("canary-name").await;

    let mut body = reading("4711.0");
    body["results"][0]["comment"] = json!("a canary comment");
    anna.send_with_photo("job-1").await;
    let sent = anna.send("job-1", body, Some("canary-key")).await;
    assert_eq!(sent.status, StatusCode::OK, "{sent:?}");
    anna.get("/api/pro/job?cursor=canary-cursor").await;
    anna.get("/api/pro/account/info").await;
    portal.token(json!({ "username": "canary-name", "password": "canary-guess" })).await;
    portal.token(json!({ "username": "canary-nobody", "password": "canary-guess" })).await;
    portal.token(json!({ "token": portal.link_token("canary-name") })).await;
    portal.token(json!({ "token": "canary-link-token" })).await;
    portal.token(json!({ "refreshToken": anna.refresh_token() })).await;
    portal.token(json!({ "refreshToken": "canary-family.canary-secret" })).await;
    portal.get_with("/api/pro/job", "canary.bearer.token").await;
    portal.get("/canary-path?canary=query").await;
    for text in [
        "{\"canary\": ",
        "canary",
        "{\"applicationId\":\"canary-tenant\",\"token\":[\"canary\"]}",
        "{\"applicationId\":3,\"canary-field\":1}",
    ] {
        portal.post_text("/auth/token", "application/json", text).await;
        anna.post_text("/api/pro/job/job-1/meterRateTask/result", text).await;
    }
    for (field, value) in [
        ("readingValue", json!("canary")),
        ("comment", json!(["canary"])),
        ("taskId", json!("canary task")),
        ("lowerReason", json!("CANARY")),
    ] {
        let mut body = reading("4712.0");
        body["results"][0][field] = value;
        anna.send("job-1", body, None).await;
    }
    let mut body = reading("4712.0");
    body["readingDate"] = json!("canary-date");
    anna.send("job-1", body, None).await;
    body = reading("4712.0");
    body["results"][0]["readingImages"] =
        json!([{ "encodedImage": "canary!", "mimeType": "image/canary" }, { "uploadId": "canary-upload" }]);
    anna.send("job-1", body, None).await;
    portal.request(Method::PATCH, "/api/pro/job?canary").await;

    assert_unknown_to_the_log(&portal, &anna);
}

/// That no line has a canary or a secret of this person.
fn assert_unknown_to_the_log(portal: &Portal, person: &Persona<'_>) {
    let secrets = [
        "canary".to_owned(),
        "1can0000004711".to_owned(),
        password(person.name()),
        portal.link_token(person.name()).to_lowercase(),
        person.token().to_lowercase(),
        person.token().split('.').next_back().unwrap().to_lowercase(),
        person.refresh_token().as_str().unwrap().to_lowercase(),
    ];
    for line in log() {
        let lower = line.to_lowercase();
        for secret in &secrets {
            assert!(!lower.contains(secret.as_str()), "{secret} in {line}");
        }
    }
}

/// Every place of a document that holds no other place.
fn leaves(value: &Value, at: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => fields.iter().for_each(|(name, value)| leaves(value, &format!("{at}/{name}"), found)),
        Value::Array(values) => values.iter().enumerate().for_each(|(n, value)| leaves(value, &format!("{at}/{n}"), found)),
        _ => found.push(at.to_owned()),
    }
}

/// Every route, in all its ways, rightly and with a canary in each place that a client fills: neither the log nor a problem says it again.
#[tokio::test]
async fn no_line_and_no_problem_of_any_route_repeats_what_was_sent() {
    let portal = Portal::with_account("canary-name").await;
    let place = json!({ "meterNumber": "1CAN0000004711", "meterAddress": { "street": "Canarystreet", "city": "Canaryville" } });
    portal.add_job("canary-name", "canary-name-job", json!({ "meter": place, "customer": { "lastname": "Canarysson" } })).await;
    let person = portal.login("canary-name").await;
    let mut repeated = Vec::new();
    for route in api::routes::ROUTES {
        for mut call in rightful(&portal, route, &person).await {
            let sent = call.perform(&portal, None).await;
            assert!(sent.succeeded(), "{}: {sent:?}", call.name);
            let name = call.name.clone();
            let mut note = |what: &str, answer: &Answer| {
                let told = !answer.succeeded() && answer.body.to_string().to_lowercase().contains("canary");
                repeated.extend(told.then(|| format!("{name}, {what}: {}", answer.body)));
            };
            let path = call.path.clone();
            if let Some(unknown) = &call.unknown_path {
                call.path = unknown.replace("no-such-thing", "canary-thing");
                note("path", &call.perform(&portal, None).await);
            }
            call.path = format!("{path}?limit=canary&cursor=canary&canary=canary");
            note("query", &call.perform(&portal, None).await);
            call.path = path;
            note("key", &call.perform(&portal, Some("canary key")).await);
            note("token", &call.perform_as(&portal, Some("canary.token")).await);
            let Some(body) = call.body.clone() else { continue };
            let mut places = Vec::new();
            leaves(&body, "", &mut places);
            for place in places {
                for canary in [json!("canary"), json!(["canary"]), json!({ "canary": "canary" })] {
                    let mut changed = body.clone();
                    *changed.pointer_mut(&place).unwrap() = canary;
                    call.body = Some(changed);
                    note(&place, &call.perform(&portal, None).await);
                }
            }
        }
    }
    assert!(repeated.is_empty(), "{} problems:\n{}", repeated.len(), repeated.join("\n"));
    assert_unknown_to_the_log(&portal, &person);
}

/// After an incident it has to be told how many persons were concerned, and from where; not who they are.
#[tokio::test]
async fn the_security_log_tells_events_by_pseudonyms() {
    let portal = Portal::with_job("anna", "job-1").await;
    portal.add_account("bert").await;
    let good = json!({ "username": "anna", "password": password("anna") });
    let seen = async |address: &str, grant: Value| {
        let line = portal.token_from(address, grant).await.log_line();
        (line["event"].as_str().unwrap_or_default().to_owned(), line["account"].as_str().map(str::to_owned), line["network"].clone())
    };
    let login = seen("198.51.100.1", good.clone()).await;
    let (event, account, network) = login.clone();
    assert_eq!(event, "login");
    assert!(account.as_ref().is_some_and(|account| account.len() == 16) && network.as_str().is_some_and(|network| network.len() == 16));
    assert_eq!(seen("198.51.100.200", good).await, login, "the same account and the same /24");
    let wrong = seen("198.51.101.1", json!({ "username": "anna", "password": "guess" })).await;
    assert_eq!((wrong.0.as_str(), &wrong.1), ("login-failed", &account));
    assert_ne!(wrong.2, network);
    let nobody = seen("198.51.100.1", json!({ "username": "nobody", "password": "guess" })).await;
    assert_eq!((nobody.0.as_str(), nobody.1, &nobody.2), ("login-failed", None, &network));
    let link = seen("198.51.100.1", json!({ "token": portal.link_token("anna") })).await;
    assert_eq!((link.0.as_str(), &link.1), ("login", &account));
    assert_eq!(seen("198.51.100.1", json!({ "token": "0123456789012345678901" })).await.0, "link-failed");
    assert_ne!(seen("198.51.100.1", json!({ "username": "bert", "password": password("bert") })).await.1, account);

    let anna = portal.login("anna").await;
    let renewed = seen("198.51.100.1", json!({ "refreshToken": anna.refresh_token() })).await;
    assert_eq!(renewed.0, "", "it is the same login");
    let stolen = format!("anna.{}.{}", "A".repeat(22), "A".repeat(43));
    let refused = seen("198.51.100.1", json!({ "refreshToken": &stolen })).await;
    assert_eq!((refused.0.as_str(), &refused.1), ("refresh-refused", &account));
    let logout = async |token: Value| {
        let body = json!({ "applicationId": portal.tenant(), "refreshToken": token });
        let line = portal.post("/auth/logout", body).await.log_line();
        (line["event"].as_str().unwrap_or_default().to_owned(), line["account"].as_str().map(str::to_owned))
    };
    assert_eq!(logout(stolen.into()).await, (String::new(), None), "nobody logged out");
    assert_eq!(logout(anna.refresh_token()).await, ("logout".to_owned(), account));
}
