//! Every function gets by with the IAM actions that its routes grant, and uses all of them.
//!
//! The functions reach the emulators through a guard that answers like IAM: 403 for an action that is not granted.

#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use api::grants::{Grant, Resource};
use api::route::Caller;
use api::routes::ROUTES;
use api::settings::{PrivateKey, Settings};
use aws::AwsSettings;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Request, Response, StatusCode};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use domain::ids::{AccountId, TenantId};
use domain::login::{hash_password, link_token_hash};
use edge::{SharedService, invoke};
use emulators::{Dynamo, Ministack, MinistackOptions, Textract};
use jiff::{Timestamp, ToSpan as _, tz::TimeZone};
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use store::{Account, Effect, InTheWay, JobImport, JobLine, LinkSecretHash, NewAccount, Store, TenantBundle};

const TABLE: &str = "table";
const BUCKET: &str = "photos-of-the-test";
/// The tenants: one with all that the product has, and one with a CRM of its own.
const TENANTS: [&str; 2] = ["portal", "with-crm"];

/// An IAM action on a kind of resource.
type Permission = (String, &'static str);

/// Stands between one function and one emulator.
struct Guard {
    upstream: String,
    granted: BTreeSet<Permission>,
    used: Mutex<BTreeSet<Permission>>,
    http: reqwest::Client,
}

impl Guard {
    /// A guard on a port of its own; the address is what the function takes for the emulator.
    async fn start(upstream: &str, granted: &BTreeSet<Permission>) -> (Arc<Self>, String) {
        let guard = Arc::new(Self {
            upstream: upstream.into(),
            granted: granted.clone(),
            used: Mutex::default(),
            http: reqwest::Client::builder().no_gzip().build().unwrap(),
        });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let app = axum::Router::new().fallback(pass).with_state(guard.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        (guard, address)
    }
}

async fn pass(State(guard): State<Arc<Guard>>, request: Request<Body>) -> Response<Body> {
    let (parts, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    for permission in needed(&parts, &body) {
        let granted = guard.granted.contains(&permission);
        guard.used.lock().unwrap().insert(permission);
        if !granted {
            let denied = json!({"__type": "com.amazon.coral.service#AccessDeniedException"}).to_string();
            return Response::builder().status(StatusCode::FORBIDDEN).body(Body::from(denied)).unwrap();
        }
    }
    // The host stays the guard's, because it is signed.
    let url = format!("{}{}", guard.upstream, parts.uri);
    let sent = guard.http.request(parts.method, url).headers(parts.headers).body(body).send().await.unwrap();
    let mut response = Response::builder().status(sent.status());
    *response.headers_mut().unwrap() = sent.headers().clone();
    response.body(Body::from(sent.bytes().await.unwrap())).unwrap()
}

/// What IAM would ask for: of a transaction, the actions of its parts.
fn needed(parts: &axum::http::request::Parts, body: &[u8]) -> Vec<Permission> {
    if let Some(target) = parts.headers.get("x-amz-target") {
        let (service, operation) = target.to_str().unwrap().split_once('.').unwrap();
        if service == "Textract" {
            return vec![(format!("textract:{operation}"), "textRecognition")];
        }
        if service == "AmazonSSM" {
            return vec![(format!("ssm:{operation}"), "crmKeys")];
        }
        if operation != "TransactWriteItems" {
            return vec![(format!("dynamodb:{operation}"), "table")];
        }
        let body: Value = serde_json::from_slice(body).unwrap();
        let kinds = body["TransactItems"].as_array().unwrap().iter().flat_map(|item| item.as_object().unwrap().keys());
        return kinds
            .map(|kind| {
                (if kind == "ConditionCheck" { "dynamodb:ConditionCheckItem".into() } else { format!("dynamodb:{kind}Item") }, "table")
            })
            .collect();
    }
    if parts.uri.path() == "/v2/email/outbound-emails" {
        return ["ses:SendEmail", "ses:SendRawEmail"].map(|action| (action.to_owned(), "mail")).into();
    }
    let folder = parts.uri.path().trim_start_matches('/').split('/').nth(1).unwrap_or_default();
    let resource = if folder == "uploads" { "uploads" } else { "photos" };
    let action = if parts.method == axum::http::Method::PUT { "s3:PutObject" } else { "s3:GetObject" };
    vec![(action.into(), resource)]
}

fn permissions(grants: impl Iterator<Item = &'static Grant>) -> BTreeSet<Permission> {
    let name = |resource| match resource {
        Resource::Table => "table",
        Resource::TableIndex => "tableIndex",
        Resource::Uploads => "uploads",
        Resource::Photos => "photos",
        Resource::PhotoBucket => "photoBucket",
        Resource::SigningKey => "signingKey",
        Resource::Mail => "mail",
        Resource::CrmKeys => "crmKeys",
        Resource::WebhookSecrets => "webhookSecrets",
        Resource::TextRecognition => "textRecognition",
    };
    grants.flat_map(|grant| grant.actions.iter().map(move |action| ((*action).to_owned(), name(grant.resource)))).collect()
}

/// A function behind its guards.
struct Guarded {
    service: SharedService,
    guards: [Arc<Guard>; 3],
    granted: BTreeSet<Permission>,
}

struct Portal {
    functions: BTreeMap<&'static str, Guarded>,
    ministack: Ministack,
    _textract: Textract,
    _dynamo: Dynamo,
}

fn signing_key() -> (String, String) {
    let seed = [7; 32];
    let mut der = vec![0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20];
    der.extend(seed);
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", STANDARD.encode(der));
    let public = Ed25519KeyPair::from_seed_unchecked(&seed).unwrap();
    (pem, json!({"k": URL_SAFE_NO_PAD.encode(public.public_key().as_ref())}).to_string())
}

impl Portal {
    async fn start() -> Self {
        let dynamo = Dynamo::in_memory().unwrap();
        let ministack = Ministack::start(&MinistackOptions::default()).await.unwrap();
        let textract = Textract::start().unwrap();
        let aws = emulators::settings(dynamo.endpoint(), Some(ministack.endpoint()));
        emulators::create_table(&store::dynamodb(&aws), TABLE).await.unwrap();
        emulators::create_bucket(&store::s3(&aws), BUCKET, "http://portal.localhost").await.unwrap();
        for tenant in TENANTS {
            fill(&Store::new(store::dynamodb(&aws), TABLE), tenant).await;
        }
        emulators::verify_sender(&aws, "example.org").await.unwrap();

        let (pem, public_keys) = signing_key();
        let mut functions = BTreeMap::new();
        for routes in ROUTES.chunk_by(|one, next| one.function == next.function) {
            let granted: BTreeSet<_> = routes.iter().flat_map(|route| permissions(route.all_grants())).collect();
            let (table, dynamodb_url) = Guard::start(dynamo.endpoint(), &granted).await;
            let (bucket, s3_url) = Guard::start(ministack.endpoint(), &granted).await;
            let (ocr, textract_url) = Guard::start(textract.endpoint(), &granted).await;
            let aws = emulators::settings(&dynamodb_url, Some(&s3_url));
            let settings = Settings {
                aws: AwsSettings { textract_endpoint_url: Some(textract_url), ..aws },
                table_name: Some(TABLE.into()),
                portal_host: Some("portal".into()),
                photo_bucket: Some(BUCKET.into()),
                mail_configuration_set: None,
                crm_parameter_prefix: Some("/crm/".into()),
                webhook_parameter_prefix: None,
                reads_photos: true,
                jwt_public_keys: Some(public_keys.clone()),
                jwt_private_key: Some(PrivateKey::Pem(pem.clone())),
            };
            let service = api::connect(routes, &settings).await.unwrap();
            functions.insert(routes[0].function, Guarded { service, guards: [table, bucket, ocr], granted });
        }
        Self { functions, ministack, _textract: textract, _dynamo: dynamo }
    }

    async fn call(&self, operation: &str, variables: &[&str], token: Option<&str>, body: Option<Value>) -> (u16, Value) {
        self.call_at("portal", operation, variables, token, body).await
    }

    async fn call_at(&self, tenant: &str, operation: &str, variables: &[&str], token: Option<&str>, body: Option<Value>) -> (u16, Value) {
        self.call_with(json!({"host": format!("{tenant}.localhost")}), operation, variables, token, body).await
    }

    /// With these headers beside those of every call.
    async fn call_with(
        &self,
        mut headers: Value,
        operation: &str,
        variables: &[&str],
        token: Option<&str>,
        body: Option<Value>,
    ) -> (u16, Value) {
        let route = ROUTES.iter().find(|route| route.operation == operation).unwrap();
        let mut variables = variables.iter();
        let path: Vec<_> =
            route.path().split('/').map(|part| if part.starts_with('{') { variables.next().unwrap() } else { part }).collect();
        headers["content-type"] = "application/json".into();
        if let Some(token) = token {
            headers["authorization"] = format!("Bearer {token}").into();
        }
        let event = json!({
            "rawPath": path.join("/"),
            "headers": headers,
            "requestContext": {"http": {"method": route.method().as_str(), "sourceIp": "192.0.2.1"}},
            "body": body.map(|body| body.to_string()),
        });
        let reply = invoke(&*self.functions[route.function].service, &event.to_string(), "id", None).await;
        (reply.status_code, serde_json::from_str(&reply.body).unwrap_or_default())
    }

    /// What follows this text in the mail to this address, up to the next white space.
    async fn in_mail(&self, address: &str, before: &str) -> String {
        let url = format!("{}/_ministack/ses/messages", self.ministack.endpoint());
        let sent: Value = reqwest::get(url).await.unwrap().json().await.unwrap();
        let mut mails = sent["messages"].as_object().unwrap().values().flat_map(|mails| mails.as_array().unwrap());
        let mail = mails.find(|mail| mail["To"] == json!([address])).unwrap();
        let (_, rest) = mail["BodyText"].as_str().unwrap().split_once(before).unwrap();
        rest.split_whitespace().next().unwrap().to_owned()
    }

    async fn log_in(&self, grant: Value) -> (u16, Value) {
        let mut body = json!({"applicationId": "portal"});
        body.as_object_mut().unwrap().extend(grant.as_object().unwrap().clone());
        self.call("auth_token", &[], None, Some(body)).await
    }
}

async fn fill(store: &Store, name: &str) {
    let tenant = TenantId::new(name).unwrap();
    let crm = match name {
        "portal" => json!({"adapter": "builtin"}),
        // Nobody is there: the key is read before that is seen.
        _ => json!({"adapter": "http", "baseUrl": "http://localhost:9", "credentialsParameter": "key"}),
    };
    let application = json!({
        "applicationId": name, "name": "Portal", "hosts": [format!("{name}.localhost")], "portalUrl": format!("http://{name}.localhost"),
        "communicationSettings": {"senderName": "Portal", "senderEmail": "portal@example.org"},
        "crm": crm, "crmSettings": {"receiptPlacements": ["HOME"], "unknownUserReceiptAllowed": true},
        "features": {"unknownReadingsAllowed": true},
        "config": {"unknownUserReading": {"unknownUserReadingAllowed": true}},
        "unknownReading": {
            "meters": {"GAS_METER": {"defaultMeterConfig": {"meterRateConfigs": [{"obis": "7-0:3.0.0", "obisLabel": "3.0.0", "rateName": "Gas"}]}}},
            "readingReasons": [{"value": "OTHER", "labelDE": "Sonstiges", "labelEN": "Other"}],
        },
    });
    let bundle = TenantBundle {
        application: serde_json::from_value(application).unwrap(),
        translations: BTreeMap::new(),
        help: BTreeMap::from([("de-FORMAL".into(), "Hilfe".into())]),
        contact: Vec::new(),
        instructions: Vec::new(),
        logo: b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x40\0\0\0\x20".to_vec(),
    };
    store.apply_tenant(&bundle).await.unwrap();
    let account = Account {
        id: AccountId::new("anna").unwrap(),
        name: "Anna".into(),
        share: None,
        roles: Vec::new(),
        language: None,
        valid_until: None,
        username: Some("anna".into()),
        generation: 0,
    };
    let link = LinkSecretHash { sha256_hex: link_token_hash("link"), expires_at: Timestamp::now() + 1.hour() };
    let new = NewAccount { account, password_hash: Some(hash_password("secret", [1; 16]).unwrap()), link: Some(link) };
    store.put_account(&tenant, &new).await.unwrap();
    let master = json!({
        "id": "job-1",
        "jobPermissions": {"reShare": true},
        "meter": {"meterNumber": "1EBZ0100000619", "meterRateTasks": [{"taskId": "t1", "obis": "1-0:1.8.0", "postDecimals": 0}]},
    });
    let line = JobLine { account_id: AccountId::new("anna").unwrap(), master: serde_json::from_value(master).unwrap() };
    store.open_registration(&tenant, &line.account_id, "self-service").await.unwrap();
    let import = JobImport { application: &bundle.application, effect: Effect::Stored, in_the_way: InTheWay::All, now: Timestamp::now() };
    store.import_jobs(import, &[line]).await.unwrap();
}

fn jpeg() -> Vec<u8> {
    std::fs::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../domain/tests/photos/baseline.jpg")).unwrap()
}

#[track_caller]
fn ok(what: &str, (status, body): (u16, Value)) -> Value {
    assert!((200..300).contains(&status), "{what}: {status} {body}");
    body
}

/// Registration and receipts, by the product itself and by a tenant's own CRM.
async fn communicate(portal: &Portal, token: Option<&str>, reading: Value, visited: Value) {
    let info = ok("registration", portal.call("crm_registration_info", &[], token, None).await);
    let page = info["selfServiceToken"].as_str().unwrap();
    for email in ["first@example.org", "second@example.org", "third@example.org"] {
        let body = json!({"email": email, "privacyAccepted": true});
        ok(email, portal.call("communication_register", &[page], None, Some(body)).await);
        // The second one takes the place of one that waits, the third that of a confirmed one.
        if email != "first@example.org" {
            let link = portal.in_mail(email, "/registrierung/bestaetigen/").await;
            ok("confirmation", portal.call("communication_confirm", &[&link], None, None).await);
        }
    }
    let info = ok("registration", portal.call("crm_registration_info", &[], token, None).await);
    let page = info["selfServiceToken"].as_str().unwrap();
    assert_eq!(ok("state", portal.call("communication_get", &[page], None, None).await)["state"], "confirmed");
    for key in ["k", "k", "another"] {
        let headers = json!({"host": "portal.localhost", "idempotency-key": key});
        let (status, body) = portal.call_with(headers, "reading_receipts", &[], token, None).await;
        assert_eq!(status, if key == "k" { 202 } else { 409 }, "{body}");
    }
    ok("revocation", portal.call("communication_revoke", &[page], None, None).await);

    let login = json!({"applicationId": "with-crm", "username": "anna", "password": "secret"});
    let login = ok("login", portal.call_at("with-crm", "auth_token", &[], None, Some(login)).await);
    let token = login["token"].as_str();
    ok("reading", portal.call_at("with-crm", "result_create", &["job-1"], token, Some(reading)).await);
    let visitor = ok("visitor", portal.call_at("with-crm", "auth_token_visitor", &[], None, None).await);
    let visitor = visitor["token"].as_str();
    ok("visitor's reading", portal.call_at("with-crm", "visitor_reading_create", &[], visitor, Some(visited.clone())).await);
    for (operation, token, body) in
        [("crm_registration_info", token, None), ("reading_receipts", token, None), ("visitor_receipt_create", visitor, Some(visited))]
    {
        let (status, body) = portal.call_at("with-crm", operation, &[], token, body).await;
        assert_eq!((status, &body["code"]), (503, &json!("crm-unavailable")), "{operation}: {body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn grants_are_exact() {
    let portal = Portal::start().await;
    ok("application", portal.call("application_get", &[], None, None).await);
    ok("head", portal.call("application_head", &[], None, None).await);
    ok("logo", portal.call("application_logo", &[], None, None).await);
    let manifest = ok("manifest", portal.call("application_manifest", &[], None, None).await);
    assert_eq!(manifest["icons"][0]["sizes"], "64x32");

    assert_eq!(portal.log_in(json!({"username": "anna", "password": "wrong"})).await.0, 401);
    let login = ok("password", portal.log_in(json!({"username": "Anna", "password": "sec ret"})).await);
    ok("link", portal.log_in(json!({"token": "link"})).await);
    let refreshed = ok("refresh", portal.log_in(json!({"refreshToken": login["refreshToken"]})).await);
    let token = refreshed["token"].as_str();

    ok("account", portal.call("account_info", &[], token, None).await);
    let jobs = ok("jobs", portal.call("job_list", &[], token, None).await);
    assert_eq!(jobs["jobs"][0]["meter"]["meterType"], "ELECTRIC_METER");

    for operation in ["instructions_get", "help_languages", "contact_get", "visitor_config_get"] {
        ok(operation, portal.call(operation, &["portal"], None, None).await);
    }
    ok("help", portal.call("help_get", &["portal", "en-FORMAL"], None, None).await);

    let photo = jpeg();
    let upload = async |operation: &str, token: Option<&str>| {
        let announced = json!({"contentType": "image/jpeg", "contentLength": photo.len()});
        let ticket = ok(operation, portal.call(operation, &[], token, Some(announced)).await);
        let put = reqwest::Client::new().put(ticket["url"].as_str().unwrap());
        let put = put.header("content-type", "image/jpeg").header("if-none-match", "*");
        assert_eq!(put.body(photo.clone()).send().await.unwrap().status(), 200);
        json!([{"uploadId": ticket["uploadId"]}])
    };
    let images = upload("upload_create", token).await;
    let seen = portal.call("photo_reading_create", &["job-1", "t1"], token, Some(images[0].clone())).await;
    assert_eq!(ok("seen in the photo", seen), json!({"proposal": null}));

    let today = Timestamp::now().to_zoned(TimeZone::get("Europe/Berlin").unwrap()).date().to_string();
    let without_photo = json!({"readingDate": today, "results": [{"taskId": "t1", "readingValue": "00123"}]});
    let mut reading = without_photo.clone();
    reading["results"][0]["readingImages"] = images;
    let job = ok("reading", portal.call("result_create", &["job-1"], token, Some(reading)).await);
    let image = job["meter"]["meterRateTasks"][0]["readingResults"][0]["readingResultImages"][0]["imageId"].as_str().unwrap();
    ok("photo", portal.call("result_image_get", &["job-1", "t1", image], token, None).await);

    let images = upload("upload_create", token).await;
    let unknown = json!({"meterNumber": "1EBZ0100000620", "readingValue": "1", "readingDate": today, "readingImages": images});
    ok("unknown reading", portal.call("own_reading_create", &[], token, Some(unknown)).await);
    let visitor = ok("visitor", portal.call("auth_token_visitor", &[], None, None).await);
    let visitor = visitor["token"].as_str();
    let images = upload("visitor_upload_create", visitor).await;
    let mut visited = json!({
        "meterType": "GAS_METER", "meterNumber": "7GMT0000004711", "readingDate": today, "readingReason": "OTHER",
        "readingValues": [{"obis": "7-0:3.0.0", "value": "1", "readingImages": images}],
        "contact": {"firstname": "V", "lastname": "B", "street": "W", "houseNumber": "1", "zip": "99999", "city": "B"},
    });
    ok("visitor's reading", portal.call("visitor_reading_create", &[], visitor, Some(visited.clone())).await);
    visited["email"] = json!("visitor@example.org");
    for _ in 0..2 {
        ok("its receipt", portal.call("visitor_receipt_create", &[], visitor, Some(visited.clone())).await);
    }

    // A sub-account that shares on, and what only it makes a function ask for: the chain above it, and that it is still there.
    let wish = json!({"name": "Hausmeister", "allowToReShare": true, "jobIds": ["job-1"]});
    let share = ok("share", portal.call("share_create", &[], token, Some(wish.clone())).await);
    let by_link = ok("link of the share", portal.log_in(json!({"token": share["token"]})).await);
    ok("refresh of the share", portal.log_in(json!({"refreshToken": by_link["refreshToken"]})).await);
    let below = ok("login of the share", portal.log_in(json!({"username": share["username"], "password": share["password"]})).await);
    for route in ROUTES.iter().filter(|route| route.caller != Caller::Public) {
        let body = (route.operation == "share_create").then(|| wish.clone());
        portal.call(route.operation, &["job-1", "t1", "no-such-image"], below["token"].as_str(), body).await;
    }
    let with_access = json!({
        "accountId": share["id"], "metaData": {"mailTo": {"email": "caretaker@example.org"}},
        "login": {"token": share["token"], "username": share["username"], "password": share["password"]},
    });
    ok("access by mail", portal.call("share_mail", &[], token, Some(with_access.clone())).await);
    ok("the same once more", portal.call("share_mail", &[], token, Some(with_access)).await);
    let shares = ok("shares", portal.call("share_list", &[], token, None).await);
    assert_eq!(shares["sharedAccounts"][0]["jobIds"], json!(["job-1"]));
    let id = share["id"].as_str().unwrap();
    ok("other login data", portal.call("share_login_create", &[id], token, None).await);
    ok("a job less", portal.call("share_job_delete", &[id, "job-1"], token, None).await);
    ok("the end of the share", portal.call("share_delete", &[id], token, None).await);

    visited["readingValues"] = json!([{"obis": "7-0:3.0.0", "value": "1"}]);
    // Before the registration ends, and its token with it.
    ok("no reminders", portal.call("reminders_stop", &["self-service"], None, None).await);
    communicate(&portal, token, without_photo, visited).await;

    let logout = json!({"applicationId": "portal", "refreshToken": refreshed["refreshToken"]});
    assert_eq!(portal.call("reminders_page", &["self-service"], None, None).await.0, 303);
    ok("logout", portal.call("auth_logout", &[], None, Some(logout)).await);

    // What no request can show: the key is given directly here, and ministack does not hide missing objects.
    let unseen = |permission: &&Permission| permission.1 != "signingKey" && permission.0 != "s3:ListBucket";
    for (name, function) in &portal.functions {
        let used: BTreeSet<_> = function.guards.iter().flat_map(|guard| guard.used.lock().unwrap().clone()).collect();
        let mut granted: BTreeSet<_> = function.granted.iter().filter(unseen).cloned().collect();
        // No sub-account has the role for visitors' receipts, so that nobody's chain is read there.
        if *name == "visitor_receipt_create" {
            granted.remove(&("dynamodb:BatchGetItem".to_owned(), "table"));
        }
        assert_eq!(used, granted, "{name} (left: used, right: granted)");
    }
}
