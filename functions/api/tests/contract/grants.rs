//! Every function gets by with the IAM actions that its routes grant, and uses all of them.
//!
//! Each function reaches the emulators through a proxy that answers like IAM: 403 for an action that is not granted.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use api::grants::Resource;
use api::route::Caller;
use api::routes::ROUTES;
use api::settings::{DeskSettings, PrivateKey, Settings};
use aws::AwsSettings;
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use domain::erasure::ErasureGround;
use domain::ids::{MemberId, RunId, TenantId};
use domain::login::{hash_password, link_token_hash};
use domain::staff::Role;
use edge::{SharedService, invoke};
use emulators::{Dynamo, MessageQueue, Textract};
use jiff::{Timestamp, ToSpan as _, tz::TimeZone};
use ring::signature::{Ed25519KeyPair, KeyPair as _};
use serde_json::{Value, json};
use store::{AskedErasure, JobLine, LinkSecretHash, NewVersion, StaffInvitation, Store, TenantBundle};
use testing::{
    Asked, FILE_OF_RUN, Permission, Proxy, Upstream, account, account_id, after, application, bundle, dead_letter, import, job, join,
    mails_to, ministack, note_file, only, permissions, provider, staff_session, tenant_id,
};

const TABLE: &str = "table";
const DESK_ORIGIN: &str = "http://desk.localhost";
const BUCKET: &str = "photos-of-the-test";
/// The tenants: one with all that the product has, and one with a CRM of its own.
const TENANTS: [&str; 2] = ["portal", "with-crm"];

/// A function behind a proxy of its own.
struct Guarded {
    service: SharedService,
    proxy: Proxy,
    granted: BTreeSet<Permission>,
}

struct Portal {
    functions: BTreeMap<&'static str, Guarded>,
    provider: provider::Provider,
    store: Store,
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
        let textract = Textract::start().unwrap();
        let aws = emulators::settings(dynamo.endpoint(), Some(ministack().await));
        emulators::create_table(&store::dynamodb(&aws), TABLE).await.unwrap();
        emulators::create_bucket(&store::s3(&aws), BUCKET, &["http://portal.localhost"]).await.unwrap();
        for tenant in TENANTS {
            fill(&Store::new(store::dynamodb(&aws), TABLE), tenant).await;
        }
        emulators::verify_sender(&aws, "example.org").await.unwrap();
        let queue = MessageQueue::create(&aws, "runs").await.unwrap();

        let (pem, public_keys) = signing_key();
        let provider = provider::Provider::start();
        let staff_pool = emulators::create_user_pool(&aws, "staff").await.unwrap();
        let upstream = Upstream::new(dynamo.endpoint(), textract.endpoint(), ministack().await);
        let mut functions = BTreeMap::new();
        for routes in ROUTES.chunk_by(|one, next| one.function == next.function) {
            let granted = permissions(routes.iter().flat_map(|route| route.all_grants()));
            let proxy = Proxy::start(upstream.clone()).await;
            proxy.play(only(granted.clone()));
            let settings = Settings {
                aws: AwsSettings { textract_endpoint_url: Some(proxy.url.clone()), ..emulators::settings(&proxy.url, Some(&proxy.url)) },
                table_name: Some(TABLE.into()),
                portal_host: Some("portal".into()),
                portal_hosts: ["neu.example", "alt.example"].map(str::to_owned).into(),
                desk: DeskSettings {
                    origin: Some(DESK_ORIGIN.into()),
                    issuer: Some(provider::ISSUER.into()),
                    client_id: Some(provider::CLIENT_ID.into()),
                    client_secret: Some(PrivateKey::Pem(provider::CLIENT_SECRET.into())),
                    login_parameter_prefix: Some("/login/".into()),
                    pool: Some(staff_pool.clone()),
                    issuer_stand_in: Some(provider.url.clone()),
                },
                photo_bucket: Some(BUCKET.into()),
                run_queue_url: Some(queue.url.clone()),
                mail_configuration_set: None,
                crm_parameter_prefix: Some("/crm/".into()),
                webhook_parameter_prefix: Some("/webhook/".into()),
                reads_photos: true,
                jwt_public_keys: Some(public_keys.clone()),
                pseudonym_key: Some(PrivateKey::Pem(pem.clone())),
                jwt_private_key: Some(PrivateKey::Pem(pem.clone())),
            };
            let service = api::connect(routes, &settings).await.unwrap();
            functions.insert(routes[0].function, Guarded { service, proxy, granted });
        }
        Self { functions, provider, store: Store::new(store::dynamodb(&aws), TABLE), _textract: textract, _dynamo: dynamo }
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
        let (operation, query) = operation.split_once('?').unwrap_or((operation, ""));
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
            "rawQueryString": query,
            "headers": headers,
            "requestContext": {"http": {"method": route.method().as_str(), "sourceIp": "192.0.2.1"}},
            "body": body.map(|body| body.to_string()),
        });
        let reply = invoke(&*self.functions[route.function].service, &event.to_string(), "id", None).await;
        (reply.status_code, serde_json::from_str(&reply.body).unwrap_or_default())
    }

    /// What follows this text in the mail to this address, up to the next white space.
    async fn in_mail(&self, address: &str, before: &str) -> String {
        after(&mails_to(ministack().await, address).await[0], before)
    }

    async fn log_in(&self, grant: Value) -> (u16, Value) {
        let mut body = json!({"applicationId": "portal"});
        body.as_object_mut().unwrap().extend(grant.as_object().unwrap().clone());
        self.call("auth_token", &[], None, Some(body)).await
    }
}

async fn fill(store: &Store, name: &str) {
    let (tenant, anna) = (tenant_id(name), account_id("anna"));
    let crm = match name {
        "portal" => json!({"adapter": "builtin"}),
        // Nobody is there: the key is read before that is seen.
        _ => json!({"adapter": "http", "baseUrl": "http://localhost:9", "credentialsParameter": "key"}),
    };
    let desk = match name {
        "portal" => json!({}),
        // The secret is looked for, and is not there.
        _ => json!({"login": {"issuer": "http://localhost:9", "clientId": "desk", "secretParameter": "key"}}),
    };
    let config = json!({
        "desk": desk,
        "communicationSettings": {"senderName": "Portal", "senderEmail": "portal@example.org"},
        "crm": crm, "crmSettings": {"receiptPlacements": ["HOME"], "unknownUserReceiptAllowed": true},
        "features": {"unknownReadingsAllowed": true},
        "config": {"unknownUserReading": {"unknownUserReadingAllowed": true}},
        "unknownReading": {
            "meters": {"GAS_METER": {"defaultMeterConfig": {"meterRateConfigs": [{"obis": "7-0:3.0.0", "obisLabel": "3.0.0", "rateName": "Gas"}]}}},
            "readingReasons": [{"value": "OTHER", "labelDE": "Sonstiges", "labelEN": "Other"}],
        },
    });
    let bundle = TenantBundle { help: BTreeMap::from([("de-FORMAL".into(), "Hilfe".into())]), ..bundle(application(name, config)) };
    store.apply_tenant(&bundle, NewVersion::by("test")).await.unwrap();
    let mut new = account("anna");
    new.account.username = Some("anna".into());
    new.password_hash = Some(hash_password("secret", [1; 16]).unwrap());
    new.link = Some(LinkSecretHash { sha256_hex: link_token_hash("link"), expires_at: Timestamp::now() + 1.hour() });
    store.put_account(&tenant, &new).await.unwrap();
    store.open_registration(&tenant, &anna, "self-service").await.unwrap();
    let rate = json!({"taskId": "t1", "obis": "1-0:1.8.0", "postDecimals": 0});
    let master =
        job("job-1", json!({"jobPermissions": {"reShare": true}, "meter": {"meterNumber": "1EBZ0100000619", "meterRateTasks": [rate]}}));
    import(
        store,
        &bundle.application,
        &[JobLine { account_id: anna, master, season: domain::ids::SeasonId::default(), pass_through: Default::default() }],
        Timestamp::now(),
    )
    .await;
}

fn jpeg() -> Vec<u8> {
    std::fs::read(PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../domain/tests/photos/baseline.jpg")).unwrap()
}

#[track_caller]
fn ok(what: &str, (status, body): (u16, Value)) -> Value {
    assert!((200..300).contains(&status), "{what}: {status} {body}");
    body
}

/// What every function of the desk asks for: the session is renewed, and a member of several tenants may look for nothing.
async fn staff(portal: &Portal) {
    let event = |path: &str, query: &str, cookie: &str| {
        let context = json!({"http": {"method": "GET", "sourceIp": "192.0.2.1"}});
        json!({"rawPath": path, "rawQueryString": query, "headers": {"cookie": cookie}, "requestContext": context}).to_string()
    };
    let login = &*portal.functions["desk_login"].service;
    let begun = invoke(login, &event("/desk/login", "", ""), "id", None).await;
    let back = portal.provider.log_in(&begun.headers["location"], "carla");
    let (_, query) = back.split_once('?').unwrap();
    let opened = invoke(login, &event("/desk/callback/staff", query, begun.cookies[0].split(';').next().unwrap()), "id", None).await;
    assert!(opened.cookies[0].starts_with("__Host-desk="), "{opened:?}");

    let elsewhere = invoke(login, &event("/desk/login", "tenant=with-crm", ""), "id", None).await;
    assert!(elsewhere.headers["location"].ends_with("/login?reason=unavailable&tenant=with-crm"), "{elsewhere:?}");

    let member = join(&portal.store, &tenant_id("portal"), "carla", &Role::ALL, Timestamp::now()).await;
    join(&portal.store, &TenantId::platform(), "carla", &[Role::Platform], Timestamp::now()).await;
    let invitation = StaffInvitation {
        email: "carla@staff.example".parse().unwrap(),
        roles: [Role::Clerk].into(),
        invited_by: "test".into(),
        inviter: None,
        expires_at: Timestamp::now() + 1.hour(),
        member: None,
    };
    portal.store.invite_member(&tenant_id("portal"), "no-such-thing", &invitation, None).await.unwrap();
    for route in ROUTES.iter().filter(|route| matches!(route.caller, Caller::Member | Caller::Platform | Caller::Staff(_))) {
        let session = staff_session(&portal.store, &member, Timestamp::now() - 5.minutes()).await;
        let headers = json!({"x-desk": "1", "x-desk-active": "1", "origin": DESK_ORIGIN, "cookie": format!("__Host-desk={session}")});
        let session = "a".repeat(64);
        let first = if route.operation == "desk_session_delete" { &*session } else { "portal" };
        let (status, body) = portal.call_with(headers, route.operation, &[first, "no-such-thing", "none", "none"], None, None).await;
        assert!(![401, 403, 500].contains(&status), "{}: {status} {body}", route.operation);
    }
}

/// A new tenant, and access to one, for those who run the product.
async fn at_platform(portal: &Portal) {
    let tenant = tenant_id("portal");
    let member = join(&portal.store, &TenantId::platform(), "petra", &[Role::Platform], Timestamp::now()).await;
    let lead = join(&portal.store, &tenant, "hanna", &[Role::Lead], Timestamp::now()).await;
    let call = async |by: &MemberId, operation: &str, variables: &[&str], body: Option<Value>| {
        let session = staff_session(&portal.store, by, Timestamp::now()).await;
        let headers = json!({"x-desk": "1", "origin": DESK_ORIGIN, "cookie": format!("__Host-desk={session}")});
        ok(operation, portal.call_with(headers, operation, variables, None, body).await)
    };
    let new = json!({
        "tenant": "neu", "name": "Neu", "host": "neu.example", "portalUrl": "https://neu.example", "senderEmail": "portal@example.org"
    });
    assert_eq!(call(&member, "desk_tenant_create", &[], Some(new)).await, json!({ "faults": [] }));
    let moved = json!({
        "hosts": ["alt.example"], "portalUrl": "https://alt.example", "senderEmail": "portal@example.org",
        "seen": {"hosts": ["neu.example"], "portalUrl": "https://neu.example", "senderEmail": "portal@example.org"}
    });
    assert_eq!(call(&member, "desk_tenant_change", &["neu"], Some(moved)).await, json!({ "faults": [] }));
    // The second takes the place of the first.
    for _ in 0..2 {
        call(&member, "desk_tenant_lead", &["neu"], Some(json!({"email": "success@simulator.amazonses.com"}))).await;
    }
    call(&member, "desk_tenant_get", &["neu"], None).await;
    for given in [false, true] {
        call(&member, "desk_access_ask", &["portal"], Some(json!({"reason": "Der Import bricht ab."}))).await;
        let variables = ["portal", member.as_str()];
        match given {
            false => call(&lead, "desk_access_refuse", &variables, None).await,
            true => call(&lead, "desk_access_give", &variables, Some(json!({"roles": ["support"], "hours": 8}))).await,
        };
    }
    let neu = tenant_id("neu");
    let mut bundle = portal.store.tenant_bundle(&neu).await.unwrap().unwrap();
    let webhook = json!({"url": "https://erp.example.invalid/in", "secretParameter": "secret"});
    bundle.application.webhook = Some(serde_json::from_value(webhook).unwrap());
    portal.store.apply_tenant(&bundle, NewVersion::by("test")).await.unwrap();
    join(&portal.store, &neu, "hanna", &[Role::Lead], Timestamp::now()).await;
    for operation in ["desk_webhook_renew", "desk_webhook_renew", "desk_webhook_test"] {
        call(&lead, operation, &["neu"], None).await;
    }
    let good = call(&lead, "desk_webhook_secrets", &["neu"], None).await;
    call(&lead, &format!("desk_webhook_settle?newest={}", good["secrets"][0]["fingerprint"].as_str().unwrap()), &["neu"], None).await;
    call(&member, "desk_tenant_list", &[], None).await;
    call(&member, "desk_access_end", &["portal"], None).await;
}

/// A clerk's day: with a customer whose address is confirmed, so that mails go.
async fn at_desk(portal: &Portal) {
    let member = join(&portal.store, &tenant_id("portal"), "dora", &Role::ALL, Timestamp::now()).await;
    let session = staff_session(&portal.store, &member, Timestamp::now()).await;
    let call = async |operation: &str, variables: &[&str], body: Option<Value>| {
        let headers = json!({"x-desk": "1", "origin": DESK_ORIGIN, "cookie": format!("__Host-desk={session}")});
        ok(operation, portal.call_with(headers, operation, &[&["portal"], variables].concat(), None, body).await)
    };
    call("desk_search", &[], Some(json!({"words": "anna"}))).await;
    call("desk_customer_get", &["anna"], None).await;
    let seen = call("desk_customer_preview", &["anna"], None).await;
    let token = seen["url"].as_str().unwrap().rsplit_once('#').unwrap().1;
    ok("customer_preview", portal.call("customer_preview", &[], None, Some(json!({"token": token}))).await);
    let job = call("desk_job_get", &["job-1"], None).await;
    let read = job["file"]["readings"].as_array().unwrap().iter().find(|read| read["images"] != json!([])).unwrap();
    let photo = call("desk_photo_get", &["job-1", read["id"].as_str().unwrap(), read["images"][0].as_str().unwrap()], None).await;
    assert_eq!(reqwest::get(photo["url"].as_str().unwrap()).await.unwrap().status(), 200);
    for operation in [
        "desk_waiting_list",
        "desk_decision_list",
        "desk_season_get",
        "desk_open_list",
        "desk_export_list",
        "desk_import_list",
        "desk_letter_list",
        "desk_reminder_list",
        "desk_audit_list?customer=anna",
        "desk_mail_list?kind=receipt",
    ] {
        call(operation, &[], None).await;
    }
    let mut entry = json!({
        "job": "job-1", "channel": "PHONE", "readingDate": job["rules"]["today"], "values": [{"value": "00122"}], "lowerReason": "ROLLOVER",
        "late": "verlesen", "replaces": [read["id"]], "confirmed": "ja",
    });
    let announced = json!({"contentType": "image/jpeg", "contentLength": jpeg().len()});
    let ticket = call("desk_upload_create", &["job-1"], Some(announced)).await;
    entry["images"] = json!([{"uploadId": put(&ticket).await}]);
    call("desk_reading_create", &[], Some(entry)).await;
    let next = call("desk_waiting_next", &[], Some(json!({"reason": "ROLLOVER"}))).await;
    let reading = next["reading"].as_str().unwrap();
    let mut readings = next["job"]["file"]["readings"].as_array().unwrap().iter();
    let version = &readings.find(|read| read["id"] == reading).unwrap()["version"];
    let reject = json!({"kind": "reject", "version": version, "reason": "Bitte lesen Sie noch einmal."});
    assert_eq!(call("desk_decision_create", &["job-1", reading], Some(reject)).await["mailed"], true);
    call("desk_decision_delete", &["job-1", reading], None).await;
    // It waits again, until another one takes its place.
    let another = json!({
        "job": "job-1", "channel": "PHONE", "readingDate": job["rules"]["today"], "values": [{"value": "99999"}], "late": "verlesen",
        "replaces": [reading], "confirmed": "ja",
    });
    call("desk_reading_create", &[], Some(another)).await;
    for_the_desk(&portal.store).await;
    call("desk_communication_create", &["bert"], Some(json!({"email": "bert@example.org", "privacyAccepted": true}))).await;
    call("desk_communication_delete", &["bert"], None).await;
    call("desk_customer_login_create", &["bert"], Some(json!({"endShares": true, "language": "de"}))).await;
    let next = call("desk_waiting_next", &[], Some(json!({"reason": "WITHOUT_JOB"}))).await;
    let (id, version) = (next["reading"].as_str().unwrap(), &next["withoutJob"]["version"]);
    let assign = json!({"kind": "assign", "version": version, "job": "job-of-bert", "confirmed": true, "reason": "steht so da"});
    call("desk_decision_create", &[id, id], Some(assign)).await;
    call("desk_disclosure_get", &["anna"], None).await;
    // What the webhook did not take.
    for operation in ["desk_webhook_discard", "desk_webhook_retry"] {
        let message = dead_letter(&portal.store, &tenant_id("portal")).await;
        call("desk_webhook_get", &[], None).await;
        match operation {
            "desk_webhook_discard" => call(operation, &[&message], None).await,
            _ => call(operation, &[], Some(json!({"messages": []}))).await,
        };
    }
    let run = call("desk_export_create", &[], Some(json!({"what": "TABLE", "preset": "plain"}))).await["id"].as_str().unwrap().to_owned();
    call("desk_run_get", &[&run], None).await;
    note_file(&portal.store, &tenant_id("portal"), &RunId::new(&run).unwrap()).await;
    let file = call("desk_run_file", &[&run, FILE_OF_RUN], None).await;
    let refused_by_iam = reqwest::get(file["url"].as_str().unwrap()).await.unwrap().status() == 403;
    assert!(!refused_by_iam, "there is no such object, and nobody forbids to ask");
    call("desk_run_cancel", &[&run], None).await;
    let season = |id: &str, last: &str| json!({"id": id, "name": "Jahresablesung", "firstDay": "2026-11-01", "lastDay": last});
    for id in ["2026", "2027"] {
        call("desk_season_create", &[], Some(season(id, "2026-12-31"))).await;
    }
    let change = json!({"season": season("2026", "2027-01-31"), "seen": season("2026", "2026-12-31")});
    call("desk_season_change", &["2026"], Some(change)).await;
    call("desk_season_delete", &["2027"], None).await;
    let ticket = call("desk_import_file_create", &[], Some(json!({"name": "jobs.csv", "bytes": 7, "kind": "JOBS"}))).await;
    let sent = reqwest::Client::new().put(ticket["url"].as_str().unwrap()).header("content-type", "application/octet-stream");
    let sent = sent.header("if-none-match", "*").body("Auftrag").send().await.unwrap();
    assert_eq!(sent.status(), 200);
    let file = ticket["uploadId"].as_str().unwrap();
    assert_eq!(call("desk_import_file_get", &[file], None).await["columns"][0]["name"], "Auftrag");
    let mapping = json!({"columns": {"id": "Auftrag"}});
    call("desk_mapping_keep", &[], Some(json!({"name": "SAP", "kind": "JOBS", "mapping": mapping}))).await;
    call("desk_mapping_delete?kind=JOBS&name=SAP", &[], None).await;
    let run = call("desk_rehearsal_create", &[], Some(json!({"file": file, "mapping": mapping, "lang": "de"}))).await;
    call("desk_run_cancel", &[run["id"].as_str().unwrap()], None).await;
    let rehearsal = testing::rehearsal(&portal.store, &tenant_id("portal")).await.1;
    let run = call("desk_import_create", &[], Some(json!({"rehearsal": rehearsal}))).await;
    call("desk_run_cancel", &[run["id"].as_str().unwrap()], None).await;
    let wanted = json!({"trial": false, "onlyWithoutMail": false, "replyCards": false, "lang": "de"});
    let run = call("desk_letter_create", &[], Some(wanted)).await;
    call("desk_run_cancel", &[run["id"].as_str().unwrap()], None).await;
    let run = call("desk_letter_invite", &[], Some(json!({"trial": true, "lang": "de"}))).await;
    call("desk_run_cancel", &[run["id"].as_str().unwrap()], None).await;
    call("desk_letter_return", &[], Some(json!({"code": "anna"}))).await;
    call("desk_letter_return_lift", &["anna"], None).await;
    let registered = portal.store.registration(&tenant_id("portal"), &account_id("anna")).await.unwrap().unwrap();
    for address in registered.addresses() {
        portal.store.suppress(&tenant_id("portal"), &address.hash(), Timestamp::now()).await.unwrap();
    }
    call("desk_suppression_delete", &["anna"], None).await;
    let drawn = async || testing::drawn_letters(&portal.store, &tenant_id("portal")).await;
    call("desk_letter_call_back", &[drawn().await.as_str()], None).await;
    let run = call("desk_letter_hand_over", &[drawn().await.as_str()], Some(json!({"lang": "de"}))).await;
    call("desk_run_cancel", &[run["id"].as_str().unwrap()], None).await;
    let found = call("desk_settings_get", &[], None).await;
    let help = json!({"file": "help/en-FORMAL.md", "content": "# Help"});
    assert!(!found["files"].as_array().unwrap().iter().any(|file| file["name"] == help["file"]));
    let drafted = call("desk_settings_draft", &[], Some(help.clone())).await;
    call(&format!("desk_settings_discard?state={}", drafted["state"].as_str().unwrap()), &[], None).await;
    let drafted = call("desk_settings_draft", &[], Some(help)).await;
    call("desk_settings_preview", &[], None).await;
    call("desk_settings_letter", &[], None).await;
    call("desk_settings_texts?language=de-FORMAL", &[], None).await;
    call("desk_settings_mail?kind=REMINDER&language=de-FORMAL", &[], None).await;
    let applied = call("desk_settings_apply", &[], Some(json!({"state": drafted["state"]}))).await;
    let first = applied["versions"].as_array().unwrap().last().unwrap()["id"].as_str().unwrap().to_owned();
    call("desk_settings_version", &[&first], None).await;
    let back = call("desk_settings_back", &[&first], Some(json!({"state": applied["state"]}))).await;
    let last = applied["versions"][0]["id"].as_str().unwrap();
    let back = call("desk_settings_back", &[last], Some(json!({"state": back["state"]}))).await;
    assert!(!back["files"].as_array().unwrap().iter().any(|file| file.get("draft").is_some()), "it is in effect");
    let run = call("desk_reminder_create", &[], Some(json!({"trial": true, "lang": "de"}))).await;
    call("desk_run_cancel", &[run["id"].as_str().unwrap()], None).await;
    let import = testing::import_of_accounts(&portal.store, &tenant_id("portal")).await;
    let run = call("desk_import_undo", &[import.as_str()], Some(json!({"lang": "de"}))).await;
    call("desk_run_cancel", &[run["id"].as_str().unwrap()], None).await;
    at_platform(portal).await;
    call("desk_member_invite", &[], Some(json!({"email": "clara@staff.example", "roles": ["clerk"]}))).await;
    let invited = call("desk_member_list", &[], None).await["invited"][0]["id"].as_str().unwrap().to_owned();
    call("desk_member_withdraw", &[&invited], None).await;
    let lead = async |name: &str| join(&portal.store, &tenant_id("portal"), name, &[Role::Lead], Timestamp::now()).await;
    let (_, leaves) = (lead("emil").await, lead("frieda").await);
    // A tenant whose customers can read holds the change to its leads.
    portal.store.recount(&tenant_id("portal"), Timestamp::now()).await.unwrap();
    call("desk_member_reinvite", &[leaves.as_str()], None).await;
    call("desk_member_change", &[leaves.as_str()], Some(json!({"roles": ["clerk"], "seen": ["lead"]}))).await;
    call("desk_member_delete", &[leaves.as_str()], None).await;
    let (anna, tenant) = (account_id("anna"), tenant_id("portal"));
    for operation in ["desk_erasure_delete", "desk_erasure_confirm"] {
        let asked = AskedErasure { member: MemberId::new("another").unwrap(), by: "test".into(), ground: ErasureGround::Objection };
        portal.store.ask_for_erasure(&tenant, &anna, asked, true, Timestamp::now()).await.unwrap();
        call(operation, &["anna"], None).await;
    }
    call("desk_hold_create", &["anna"], Some(json!({"reason": "dispute"}))).await;
    let since = portal.store.holds(&tenant).await.unwrap().list()[0].at;
    call(&format!("desk_hold_delete?since={since}"), &["anna"], None).await;
    call("desk_erasure_create", &["anna"], Some(json!({"confirmation": "anna", "ground": "OBJECTION"}))).await;
}

/// Puts a photo where its permission says; gives what it is called.
async fn put(ticket: &Value) -> &Value {
    let put = reqwest::Client::new().put(ticket["url"].as_str().unwrap());
    let put = put.header("content-type", "image/jpeg").header("if-none-match", "*");
    assert_eq!(put.body(jpeg()).send().await.unwrap().status(), 200);
    &ticket["uploadId"]
}

/// A customer with an address for letters, and a job for a reading that came without one.
async fn for_the_desk(store: &Store) {
    let tenant = tenant_id("portal");
    let mut bert = account("bert");
    bert.link = Some(LinkSecretHash { sha256_hex: link_token_hash("old link"), expires_at: Timestamp::now() + 1.hour() });
    store.put_account(&tenant, &bert).await.unwrap();
    let address = json!({"street": "Lindenweg", "houseNumber": "12 a", "zip": "99999", "city": "Birkenfurt"});
    let rate = json!({"taskId": "t1", "obis": "1-0:1.8.0", "postDecimals": 0});
    let fields = json!({
        "customer": {"lastname": "Sommer", "mailingAddress": address},
        "meter": {"meterNumber": "1EBZ0100000620", "meterRateTasks": [rate]},
    });
    let line = JobLine {
        account_id: account_id("bert"),
        master: job("job-of-bert", fields),
        season: domain::ids::SeasonId::default(),
        pass_through: Default::default(),
    };
    let known = store.tenant(&tenant).await.unwrap().unwrap();
    import(store, &known.application, &[line], Timestamp::now()).await;
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
    at_desk(portal).await;
    ok("revocation", portal.call("communication_revoke", &[page], None, None).await);

    let login = json!({"applicationId": "with-crm", "username": "anna", "password": "secret"});
    let login = ok("login", portal.call_at("with-crm", "auth_token", &[], None, Some(login)).await);
    let token = login["token"].as_str();
    ok("reading", portal.call_at("with-crm", "result_create", &["job-1"], token, Some(reading)).await);
    let told = json!({
        "kind": "error", "name": "TypeError", "stack": ["start-a.js:1:2"], "page": "/", "version": "development", "browser": "safari",
        "browserVersion": 18,
    });
    ok("an error of a browser", portal.call("browser_error_create", &[], None, Some(told)).await);
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
    ok("icon", portal.call("application_icon", &["180"], None, None).await);
    ok("manifest", portal.call("application_manifest", &[], None, None).await);

    assert_eq!(portal.log_in(json!({"username": "anna", "password": "wrong"})).await.0, 401);
    let login = ok("password", portal.log_in(json!({"username": "Anna", "password": "sec ret"})).await);
    ok("link", portal.log_in(json!({"token": "link"})).await);
    let refreshed = ok("refresh", portal.log_in(json!({"refreshToken": login["refreshToken"]})).await);
    let token = refreshed["token"].as_str();
    // A token that comes back after its successor was used ends the session that it is of.
    let mut stolen = ok("link", portal.log_in(json!({"token": "link"})).await);
    let first = stolen["refreshToken"].clone();
    for _ in 0..2 {
        stolen = ok("refresh", portal.log_in(json!({"refreshToken": stolen["refreshToken"]})).await);
    }
    assert_eq!(portal.log_in(json!({"refreshToken": first})).await.0, 401);

    ok("account", portal.call("account_info", &[], token, None).await);
    let jobs = ok("jobs", portal.call("job_list", &[], token, None).await);
    assert_eq!(jobs["jobs"][0]["meter"]["meterType"], "ELECTRIC_METER");

    for operation in ["instructions_get", "help_languages", "contact_get", "visitor_config_get"] {
        ok(operation, portal.call(operation, &["portal"], None, None).await);
    }
    ok("help", portal.call("help_get", &["portal", "en-FORMAL"], None, None).await);
    let files = portal.store.tenant_versions(&tenant_id("portal"), 1).await.unwrap().remove(0).files;
    portal.store.put_tenant_preview(&tenant_id("portal"), "a-preview", &files, Timestamp::now() + 1.hour()).await.unwrap();
    assert_eq!(portal.call("preview_begin", &["a-preview"], None, None).await.0, 303);
    assert_eq!(portal.call("preview_end", &[], None, None).await.0, 303);

    let photo = jpeg();
    let upload = async |operation: &str, token: Option<&str>| {
        let announced = json!({"contentType": "image/jpeg", "contentLength": photo.len()});
        let ticket = ok(operation, portal.call(operation, &[], token, Some(announced)).await);
        json!([{"uploadId": put(&ticket).await}])
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
    for route in ROUTES.iter().filter(|route| matches!(route.caller, Caller::Bearer { .. })) {
        let body = (route.operation == "share_create").then(|| wish.clone());
        portal.call(route.operation, &["job-1", "t1", "no-such-image"], below["token"].as_str(), body).await;
    }
    let with_access = json!({
        "accountId": share["id"], "metaData": {"mailTo": {"email": "caretaker@example.org"}},
        "login": {"token": share["token"], "username": share["username"], "password": share["password"]},
    });
    ok("access by mail", portal.call("share_mail", &[], token, Some(with_access.clone())).await);
    ok("the same once more", portal.call("share_mail", &[], token, Some(with_access.clone())).await);
    let mut with_wrong_password = with_access;
    with_wrong_password["login"]["password"] = json!("another");
    assert_eq!(portal.call("share_mail", &[], token, Some(with_wrong_password)).await.0, 422, "a mail that is taken back");
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

    let sessions = ok("sessions", portal.call("session_list", &[], token, None).await);
    let other = sessions["sessions"].as_array().unwrap().iter().find(|session| session["isCurrent"] == false).unwrap();
    ok("a session less", portal.call("session_delete", &[other["id"].as_str().unwrap()], token, None).await);

    let logout = json!({"applicationId": "portal", "refreshToken": refreshed["refreshToken"]});
    assert_eq!(portal.call("reminders_page", &["self-service"], None, None).await.0, 303);
    ok("logout", portal.call("auth_logout", &[], None, Some(logout)).await);

    staff(&portal).await;

    // What no request can show: the keys are given directly here, and ministack does not hide missing objects.
    let keys = [Resource::SigningKey, Resource::PseudonymKey, Resource::DeskClientSecret];
    let unseen = |permission: &&Permission| !keys.contains(&permission.1) && permission.0 != "s3:ListBucket";
    for (name, function) in &portal.functions {
        let used: BTreeSet<_> = function.proxy.stop().iter().flat_map(Asked::permissions).collect();
        let mut granted: BTreeSet<_> = function.granted.iter().filter(unseen).cloned().collect();
        // No sub-account has the role for visitors' receipts, so that nobody's chain is read there.
        if *name == "visitor_receipt_create" {
            granted.remove(&("dynamodb:BatchGetItem".to_owned(), Resource::Table));
        }
        assert_eq!(used, granted, "{name} (left: used, right: granted)");
    }
}
