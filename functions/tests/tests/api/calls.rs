//! How somebody who may calls each route: the one place that the walks over all routes take their calls from.
//!
//! A new route fails here until it has a rightful call; then it is walked for isolation, faults, stops and costs.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use api::route::{Caller, Route};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use domain::erasure::ErasureGround;
use domain::staff::Role;
use jiff::{SignedDuration, Timestamp};
use reqwest::Method;
use serde_json::{Value, json};
use store::{AskedErasure, Clearing, LedgerEntry, Proposal, Proposed, Run};
use testing::account_id;
use tokio::sync::OnceCell;

use crate::at_desk::send;
use crate::deciding::{assign, gas, visit};
use crate::desk_customers::mailed;
use crate::desk_login::BegunLogin;
use crate::readings_without_job::{own_reading, visitors_reading};
use crate::world::{Answer, PHOTO, Persona, Portal, password, reading, today};

/// A call of a route by somebody who may, with what it needs already there.
pub struct Call {
    /// The operation, and which of its ways.
    pub name: String,
    pub method: Method,
    pub path: String,
    /// The same path with an id of nothing in place of its first variable; none: the path names nothing that somebody owns.
    pub unknown_path: Option<String>,
    pub body: Option<Value>,
    /// The same body with an id of nothing; none: the body names nothing that somebody owns.
    pub unknown_body: Option<Value>,
    pub token: Option<String>,
    /// How somebody else is refused, if it is not the path that names what somebody owns.
    refused_as: Option<(u16, &'static str)>,
    /// What it would end is not there any more: that is no fault of whoever asks once more.
    is_of_nothing_too: bool,
}

impl Call {
    /// The route's call by this person; `variables` are the values of the path's variables in their order.
    fn of(route: &Route, caller: &Persona<'_>, variables: &[&str]) -> Self {
        Self {
            name: route.operation.to_owned(),
            method: route.method().clone(),
            path: filled(route.path(), variables),
            unknown_path: variables.split_first().map(|(_, rest)| filled(route.path(), &[&["no-such-thing"], rest].concat())),
            body: None,
            unknown_body: None,
            token: route.caller.is_logged_in().then(|| caller.token().to_owned()),
            refused_as: None,
            is_of_nothing_too: false,
        }
    }

    /// The same at the desk, in this session of a member. Of a tenant's things the first variable is the tenant, and stays.
    fn at_desk(route: &Route, session: &str, variables: &[&str]) -> Self {
        let unknown = match variables {
            [tenant, _, rest @ ..] => Some(filled(route.path(), &[&[*tenant, "no-such-thing"], rest].concat())),
            _ => None,
        };
        Self {
            name: route.operation.to_owned(),
            method: route.method().clone(),
            path: filled(route.path(), variables),
            unknown_path: unknown,
            body: None,
            unknown_body: None,
            token: Some(session.to_owned()),
            refused_as: None,
            is_of_nothing_too: false,
        }
    }

    fn with_body(mut self, body: Value) -> Self {
        self.body = Some(body);
        self
    }

    /// The same with a query; `unknown` is one with an id of nothing.
    fn with_query(mut self, query: &str, unknown: &str) -> Self {
        let unknown_path = self.unknown_path.as_deref().unwrap_or(&self.path);
        self.unknown_path = Some(format!("{unknown_path}?{unknown}"));
        self.path = format!("{}?{query}", self.path);
        self
    }

    /// The same with a query that names nothing that somebody owns.
    fn filtered(mut self, query: &str) -> Self {
        self.path = format!("{}?{query}", self.path);
        self
    }

    fn with_body_of_nothing(mut self, body: Value) -> Self {
        self.unknown_body = Some(body);
        self
    }

    fn refused_as(mut self, status: u16, code: &'static str) -> Self {
        self.refused_as = Some((status, code));
        self
    }

    /// How somebody is refused who does not own what the call names; none: it names nothing.
    pub fn refusal(&self) -> Option<(u16, &'static str)> {
        self.refused_as.or(self.unknown_path.as_ref().filter(|_| !self.is_of_nothing_too).map(|_| (404, "not-found")))
    }

    fn in_the_way(mut self, way: &str) -> Self {
        self.name = format!("{} ({way})", self.name);
        self
    }

    /// Performs it as it is, with an idempotency key if there is one.
    pub async fn perform(&self, portal: &Portal, key: Option<&str>) -> Answer {
        portal.send(self.method.clone(), &self.path, self.token.as_deref(), self.body.as_ref(), key).await
    }

    /// Comes to the route's door and no further, so that its function knows the tenant. Of a tenant's things at the desk the door opens with a session only,
    /// and what is behind it is asked for nothing.
    pub async fn knock(&self, portal: &Portal) {
        let path = self.unknown_path.as_ref().unwrap_or(&self.path);
        let session = self.token.as_deref().filter(|_| path.starts_with("/api/desk/tenants/"));
        portal.send(self.method.clone(), path, session, None, None).await;
    }

    /// Performs it with another token, or none.
    pub async fn perform_as(&self, portal: &Portal, token: Option<&str>) -> Answer {
        portal.send(self.method.clone(), &self.path, token, self.body.as_ref(), None).await
    }

    /// Performs it on a thing that does not exist.
    pub async fn perform_on_nothing(&self, portal: &Portal, token: Option<&str>) -> Answer {
        let (path, body) = (self.unknown_path.as_ref().unwrap_or(&self.path), self.unknown_body.as_ref().or(self.body.as_ref()));
        portal.send(self.method.clone(), path, token, body, None).await
    }
}

/// What a page tells of an error.
pub fn browser_error() -> Value {
    json!({
        "kind": "rejection",
        "name": "Error",
        "reactError": 310,
        "stack": ["start-BxYz12_a.js:1:23456", "reading-Ab-3.js:2:7"],
        "page": "/ablesung/:jobId?",
        "version": "0123456789ab-changed",
        "browser": "firefox",
        "browserVersion": 128,
    })
}

/// The id of a tenant that is not there yet.
fn new_tenant(portal: &Portal) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("{}-n{}", portal.tenant(), COUNT.fetch_add(1, Ordering::Relaxed))
}

fn filled(path: &str, variables: &[&str]) -> String {
    let mut variables = variables.iter();
    let segment = |segment: &str| match segment.starts_with('{') {
        true => (*variables.next().expect("a value for each variable")).to_owned(),
        false => segment.to_owned(),
    };
    path.split('/').map(segment).collect::<Vec<_>>().join("/")
}

/// The rightful calls of a route, a call for each way in which it works differently, by an account that has the job `<account>-job`.
///
/// What the calls need beside is made here. Each call may happen once.
pub async fn rightful(portal: &Portal, route: &Route, owner: &Persona<'_>) -> Vec<Call> {
    let account = owner.name();
    let job = format!("{account}-job");
    let call = |variables: &[&str]| Call::of(route, owner, variables);
    let session = match route.caller {
        Caller::Staff(role) => portal.member(&[role]).await,
        Caller::Member => portal.member(&[Role::Support]).await,
        Caller::Platform => portal.platform_member().await.1,
        Caller::Public | Caller::Bearer { .. } | Caller::Desk => String::new(),
    };
    let at_desk = |variables: &[&str]| Call::at_desk(route, &session, variables);
    match route.operation {
        "desk_me" | "desk_session_list" | "desk_session_delete_all" | "desk_logout" => vec![at_desk(&[])],
        "desk_invitation_get" | "desk_invitation_accept" => {
            // A member of the tenant accepts none.
            let ((_, session), token) = (portal.platform_member().await, portal.staff_invitation(&[Role::Clerk]).await);
            let mut call = Call::at_desk(route, &session, &[portal.tenant(), &token]);
            call.refused_as = Some((404, "not-found"));
            vec![call]
        }
        "desk_session_delete" => vec![at_desk(&[&"a".repeat(64)])],
        "desk_login" => {
            let mut call = at_desk(&[]);
            call.token = None;
            vec![call]
        }
        "desk_callback" => {
            let begun = BegunLogin::at(portal, "/").await;
            let mut call = at_desk(&["staff"]);
            call.path = begun.log_in_with(&format!("{account}-of-{}", portal.tenant()), |issued| issued.lasts = true);
            call.token = Some(begun.cookie);
            vec![call]
        }
        "desk_search" => vec![at_desk(&[portal.tenant()]).with_body(json!({ "words": "Mustermann" }))],
        "desk_reading_list" => vec![at_desk(&[portal.tenant()]).filtered("channel=PHONE")],
        "desk_mail_list" => vec![at_desk(&[portal.tenant()]).filtered("kind=confirmation")],
        "desk_customer_get" | "desk_customer_preview" => vec![at_desk(&[portal.tenant(), account])],
        "desk_customer_login_create" => {
            let other = new_account(portal, account).await;
            portal.add_job(&other, &format!("{other}-job"), mailed()).await;
            vec![at_desk(&[portal.tenant(), &other]).with_body(json!({ "endShares": true, "language": "de" }))]
        }
        "desk_job_get" => vec![at_desk(&[portal.tenant(), &job])],
        "desk_disclosure_get" => vec![at_desk(&[portal.tenant(), account])],
        "desk_erasure_list" => vec![at_desk(&[portal.tenant()])],
        "desk_erasure_create" => {
            let other = new_account(portal, account).await;
            vec![at_desk(&[portal.tenant(), &other]).with_body(json!({ "confirmation": other, "ground": "OBJECTION" }))]
        }
        "desk_hold_create" => {
            let other = new_account(portal, account).await;
            vec![at_desk(&[portal.tenant(), &other]).with_body(json!({ "reason": "Streit um die Rechnung" }))]
        }
        "desk_hold_delete" => {
            let other = new_account(portal, account).await;
            let hold = testing::hold(&other);
            portal.store().hold(portal.tenant_id(), &hold, None).await.unwrap();
            vec![at_desk(&[portal.tenant(), &other]).filtered(&format!("since={}", hold.at))]
        }
        "desk_erasure_confirm" | "desk_erasure_delete" => {
            let other = new_account(portal, account).await;
            let (member, _) = portal.member_since(&[Role::Privacy], Timestamp::now()).await;
            let asked = AskedErasure { member, by: "Frau Sommer".into(), ground: ErasureGround::Objection };
            portal.store().ask_for_erasure(portal.tenant_id(), &account_id(&other), asked, true, Timestamp::now()).await.unwrap();
            vec![at_desk(&[portal.tenant(), &other])]
        }
        "desk_member_list" | "desk_export_list" | "desk_import_list" => vec![at_desk(&[portal.tenant()])],
        "desk_member_invite" => {
            let body = json!({ "email": "success@simulator.amazonses.com", "roles": ["clerk"] });
            vec![at_desk(&[portal.tenant()]).with_body(body)]
        }
        "desk_member_reinvite" => {
            let (other, _) = portal.member_since(&[Role::Support], Timestamp::now()).await;
            vec![at_desk(&[portal.tenant(), other.as_str()])]
        }
        "desk_member_change" | "desk_member_delete" => {
            let (other, _) = portal.member_since(&[Role::Support], Timestamp::now()).await;
            let mut call = at_desk(&[portal.tenant(), other.as_str()]);
            if route.operation == "desk_member_change" {
                call = call.with_body(json!({ "roles": ["clerk"], "seen": ["support"] }));
            } else {
                call.is_of_nothing_too = true;
            }
            vec![call]
        }
        "desk_member_withdraw" => {
            portal.staff_invitation(&[Role::Clerk]).await;
            let open = portal.store().staff_invitations(portal.tenant_id(), Timestamp::now()).await.unwrap();
            vec![at_desk(&[portal.tenant(), &open[0].0])]
        }
        "desk_tenant_list" => vec![at_desk(&[])],
        "desk_tenant_create" => {
            let tenant = new_tenant(portal);
            let (host, url) = (format!("{tenant}.example"), format!("https://{tenant}.example"));
            vec![
                at_desk(&[])
                    .with_body(json!({ "tenant": tenant, "name": "Neu", "host": host, "portalUrl": url, "senderEmail": "a@neu.example" })),
            ]
        }
        "desk_tenant_get" | "desk_access_end" => vec![at_desk(&[portal.tenant()])],
        "desk_tenant_change" => {
            let application = &portal.store().tenant_now(portal.tenant_id()).await.unwrap().unwrap().application;
            let hosts = [&application.hosts[..], &[format!("{}.example", new_tenant(portal))]].concat();
            let of = |hosts: &[String]| json!({ "hosts": hosts, "portalUrl": application.portal_url, "senderEmail": application.communication_settings.sender_email });
            let mut body = of(&hosts);
            body["seen"] = of(&application.hosts);
            vec![at_desk(&[portal.tenant()]).with_body(body)]
        }
        "desk_tenant_lead" => vec![at_desk(&[portal.tenant()]).with_body(json!({ "email": "success@simulator.amazonses.com" }))],
        "desk_access_ask" => vec![at_desk(&[portal.tenant()]).with_body(json!({ "reason": "Der Import bricht ab." }))],
        "desk_access_give" | "desk_access_refuse" => {
            let (member, _) = portal.platform_member().await;
            portal.ask_for_access(&member).await;
            let mut call = at_desk(&[portal.tenant(), member.as_str()]);
            if route.operation == "desk_access_give" {
                call = call.with_body(json!({ "roles": ["support"], "hours": 8 }));
            } else {
                call.unknown_path = None;
            }
            vec![call]
        }
        "desk_webhook_get" => vec![at_desk(&[portal.tenant()])],
        "desk_webhook_retry" => vec![at_desk(&[portal.tenant()]).with_body(json!({ "messages": [] }))],
        "desk_webhook_test" | "desk_webhook_renew" | "desk_webhook_secrets" | "desk_webhook_settle" => {
            portal.configure(json!({ "webhook": { "url": "http://localhost:9/in", "secretParameter": "webhook" } })).await;
            let call = at_desk(&[portal.tenant()]);
            if route.operation != "desk_webhook_settle" {
                return vec![call];
            }
            // Those that another call of this walk made; a lab keeps none over a start, so none is made here.
            let known = send(portal, &session, Method::GET, "/webhook/secret", None).await.body;
            vec![call.filtered(&format!("newest={}", known["secrets"][0]["fingerprint"].as_str().unwrap_or_default()))]
        }
        "desk_webhook_discard" => {
            let message = testing::dead_letter(portal.store(), portal.tenant_id()).await;
            vec![at_desk(&[portal.tenant(), &message])]
        }
        "desk_photo_get" => {
            let job = new_job(portal, account).await;
            let mut sent = reading("4000.0");
            sent["results"][0]["readingImages"] = json!([{ "uploadId": owner.upload(PHOTO).await }]);
            assert!(owner.send(&job, sent, None).await.status.is_success());
            let read = last_reading(portal, &job).await;
            vec![at_desk(&[portal.tenant(), &job, &read.result_id, read.image_ids[0].as_str()])]
        }
        "desk_reading_create" => {
            let body = |job: &str, trial: bool| {
                let values = json!([{ "value": "4711.0" }]);
                json!({ "job": job, "channel": "PHONE", "readingDate": today().to_string(), "values": values, "trial": trial })
            };
            let new = new_job(portal, account).await;
            let call = |trial| {
                let call = at_desk(&[portal.tenant()]).with_body(body(&new, trial));
                call.with_body_of_nothing(body("no-such-job", trial)).refused_as(404, "not-found")
            };
            let mut with_photo = body(&new_job(portal, account).await, false);
            let job = with_photo["job"].as_str().unwrap().to_owned();
            with_photo["images"] = json!([portal.upload_of_staff(&session, &job, PHOTO).await]);
            let with_photo = at_desk(&[portal.tenant()]).with_body(with_photo);
            let with_photo = with_photo.with_body_of_nothing(body("no-such-job", false)).refused_as(404, "not-found");
            vec![call(true).in_the_way("trial"), call(false), with_photo.in_the_way("photo")]
        }
        "desk_upload_create" => {
            let body = json!({ "contentType": "image/jpeg", "contentLength": PHOTO.len() });
            vec![at_desk(&[portal.tenant(), &job]).with_body(body)]
        }
        "desk_communication_create" => {
            let other = new_account(portal, account).await;
            vec![at_desk(&[portal.tenant(), &other]).with_body(json!({ "email": new_address(), "privacyAccepted": true }))]
        }
        "desk_communication_delete" => {
            let other = new_account(portal, account).await;
            portal.login(&other).await.register(&new_address()).await;
            vec![at_desk(&[portal.tenant(), &other])]
        }
        "desk_waiting_list" => {
            doubtful(portal, owner).await;
            vec![at_desk(&[portal.tenant()]), at_desk(&[portal.tenant()]).filtered("reason=ROLLOVER").in_the_way("filter")]
        }
        "desk_waiting_next" => {
            doubtful(portal, owner).await;
            let (id, _) = waiting_without_job(portal).await;
            let this = json!({ "this": { "job": id, "reading": id } });
            vec![at_desk(&[portal.tenant()]).with_body(json!({})), at_desk(&[portal.tenant()]).with_body(this).in_the_way("without a job")]
        }
        "desk_decision_create" => {
            let mut calls = Vec::new();
            for decision in [
                json!({ "kind": "release" }),
                json!({ "kind": "reject", "reason": "Bitte lesen Sie noch einmal." }),
                json!({ "kind": "correct", "value": "4712.0", "confirmed": true }),
                json!({ "kind": "aside", "note": "Kundin ruft zurück" }),
            ] {
                let (entry, version) = doubtful(portal, owner).await;
                let mut body = decision.clone();
                body["version"] = json!(version);
                let call = at_desk(&[portal.tenant(), entry.job_id.as_str(), &entry.result_id]).with_body(body);
                calls.push(call.in_the_way(decision["kind"].as_str().unwrap()));
            }
            let (entry, version) = doubtful(portal, owner).await;
            let (member, _) = portal.member_since(&[Role::Clerk], Timestamp::now()).await;
            let what = Proposed::Release { exchange: None, confirmed: false };
            let proposal = Proposal { what, by: "Frau Sommer".into(), member, at: Timestamp::now() };
            portal.store().propose(portal.tenant_id(), &entry, &proposal, &version).await.unwrap();
            let version = portal.store().clearing_version(portal.tenant_id(), &entry).await.unwrap().unwrap();
            let agree = json!({ "kind": "agree", "version": version });
            calls.push(at_desk(&[portal.tenant(), entry.job_id.as_str(), &entry.result_id]).with_body(agree).in_the_way("agree"));
            let (id, version) = waiting_without_job(portal).await;
            let assign = json!({ "kind": "assign", "version": version, "job": gas_job(portal, account).await });
            calls.push(at_desk(&[portal.tenant(), &id, &id]).with_body(assign).in_the_way("assign"));
            let (id, version) = waiting_without_job(portal).await;
            let refuse = json!({ "kind": "reject", "version": version, "reason": "Nicht unser Netz." });
            calls.push(at_desk(&[portal.tenant(), &id, &id]).with_body(refuse).in_the_way("refuse"));
            calls
        }
        "desk_waiting_decide" => {
            let (entry, version) = doubtful(portal, owner).await;
            let of_job =
                |entry: &LedgerEntry, version: &str| json!({ "job": entry.job_id, "reading": entry.result_id, "version": version });
            let release = json!({ "kind": "release", "items": [of_job(&entry, &version)] });
            let (entry, version) = doubtful(portal, owner).await;
            let (id, seen) = waiting_without_job(portal).await;
            let items = [of_job(&entry, &version), json!({ "job": id, "reading": id, "version": seen })];
            let reject = json!({ "kind": "reject", "reason": "Bitte lesen Sie noch einmal.", "items": items });
            let call = |body: Value| at_desk(&[portal.tenant()]).with_body(body);
            vec![call(release), call(reject).in_the_way("reject")]
        }
        "desk_decision_delete" => {
            let mut calls = Vec::new();
            for released in [true, false] {
                let entry = doubtful(portal, owner).await.0;
                let reason = (!released).then(|| "Bitte lesen Sie noch einmal.".to_owned());
                let by = Some("Frau Sommer".to_owned());
                let clearing = Clearing {
                    released,
                    reason,
                    at: Timestamp::now(),
                    by,
                    exchange: None,
                    named_before: false,
                    corrected_by: None,
                    member: None,
                    assigned: None,
                    proposed_by: None,
                };
                assert!(testing::decide(portal.store(), portal.tenant_id(), &entry, &clearing, false).await);
                let way = if released { "released" } else { "rejected" };
                calls.push(at_desk(&[portal.tenant(), entry.job_id.as_str(), &entry.result_id]).in_the_way(way));
            }
            let (id, _) = waiting_without_job(portal).await;
            assign(portal, &id, &gas_job(portal, account).await).await;
            calls.push(at_desk(&[portal.tenant(), &id, &id]).in_the_way("assigned"));
            calls
        }
        "desk_audit_list" => {
            let filtered = |filter: &str, way| at_desk(&[portal.tenant()]).filtered(filter).in_the_way(way);
            vec![
                at_desk(&[portal.tenant()]),
                filtered(&format!("customer={account}"), "about one customer"),
                filtered("action=desk%20login", "one action"),
                filtered("format=csv", "csv"),
            ]
        }
        "desk_decision_list" | "desk_season_get" => vec![at_desk(&[portal.tenant()])],
        "desk_open_list" => {
            let file = |format: &str| at_desk(&[portal.tenant()]).filtered(&format!("format={format}")).in_the_way(format);
            vec![at_desk(&[portal.tenant()]), file("csv"), file("xlsx")]
        }
        "application_get" | "application_head" | "application_logo" | "application_manifest" | "account_info" => vec![call(&[])],
        "application_icon" => vec![call(&["180"])],
        "job_list" => {
            let below = portal.login_share(&owner.share("Hausmeister", &[&job]).await).await;
            vec![call(&[]), Call::of(route, &below, &[]).in_the_way("sub-account")]
        }
        "instructions_get" | "help_languages" | "contact_get" | "visitor_config_get" => vec![call(&[portal.tenant()])],
        "preview_begin" => {
            let (store, tenant, until) = (portal.store(), portal.tenant_id(), Timestamp::now() + SignedDuration::from_hours(1));
            let files = store.tenant_versions(tenant, 1).await.unwrap().remove(0).files;
            store.put_tenant_preview(tenant, "a-preview", &files, until).await.unwrap();
            vec![call(&["a-preview"])]
        }
        "preview_end" => vec![call(&[])],
        "customer_preview" => vec![call(&[]).with_body(json!({ "token": portal.customer_preview(account).await }))],
        "help_get" => vec![call(&[portal.tenant(), "de-FORMAL"])],
        "auth_token_visitor" => vec![call(&[])],
        "browser_error_create" => vec![call(&[]).with_body(browser_error())],
        "desk_browser_error_create" => vec![at_desk(&[]).with_body(browser_error())],
        "reminders_stop" | "reminders_page" => vec![call(&[&portal.registration(account).await])],
        "visitor_upload_create" => vec![call(&[]).with_body(json!({ "contentType": "image/jpeg", "contentLength": PHOTO.len() }))],
        "visitor_reading_create" => {
            let with_photo = |upload: &str| {
                let mut body = visitors_reading();
                body["readingValues"][0]["readingImages"] = json!([{ "uploadId": upload }]);
                body
            };
            let ahead = call(&[]).with_body(with_photo(&owner.upload(PHOTO).await)).in_the_way("photo ahead");
            vec![
                call(&[]).with_body(visitors_reading()),
                ahead.with_body_of_nothing(with_photo("no-such-upload")).refused_as(422, "upload-missing"),
            ]
        }
        "own_reading_create" => {
            let with_photo = |upload: &str| {
                let mut body = own_reading();
                body["readingImages"] = json!([{ "uploadId": upload }]);
                body
            };
            let ahead = call(&[]).with_body(with_photo(&owner.upload(PHOTO).await)).in_the_way("photo ahead");
            vec![
                call(&[]).with_body(own_reading()),
                ahead.with_body_of_nothing(with_photo("no-such-upload")).refused_as(422, "upload-missing"),
            ]
        }
        // Where it is a sub-account's, its owner's go on.
        "session_list" => {
            let below = portal.login_share(&owner.share("Hausmeister", &[&job]).await).await;
            vec![call(&[]), Call::of(route, &below, &[]).in_the_way("sub-account")]
        }
        "session_delete" => {
            let below = portal.login_share(&owner.share("Hausmeister", &[&job]).await).await;
            let sessions = below.get("/api/pro/session").await.body;
            vec![Call::of(route, &below, &[sessions["sessions"][0]["id"].as_str().unwrap()])]
        }
        "session_delete_all" => {
            let below = portal.login_share(&owner.share("Hausmeister", &[&job]).await).await;
            vec![Call::of(route, &below, &[])]
        }
        "share_list" => {
            let upper = owner.share("Verwaltung", &[&job]).await;
            let lower = portal.login_share(&upper).await.share("Hausmeister", &[&job]).await;
            portal.login_share(&lower).await.share("Aushilfe", &[&job]).await;
            let below = call(&[]).with_query(&format!("of={}", id_of(&lower)), "of=no-such-share").in_the_way("of one two below");
            vec![call(&[]), below.refused_as(404, "not-found")]
        }
        "share_create" => {
            let body = |job: &str| json!({ "name": "Hausmeister", "allowToReShare": false, "jobIds": [job] });
            vec![call(&[]).with_body(body(&job)).with_body_of_nothing(body("no-such-job")).refused_as(422, "share-invalid")]
        }
        "share_delete" => {
            let alone = owner.share("Hausmeister", &[&job]).await;
            let with_others = owner.share("Verwaltung", &[&job]).await;
            let below = portal.login_share(&with_others).await;
            below.share("Hausmeister", &[&job]).await;
            let lower = portal.login_share(&below.share("Aushilfe", &[&job]).await).await.share("Enkel", &[&job]).await;
            vec![
                call(&[&id_of(&alone)]),
                call(&[&id_of(&lower)]).in_the_way("of one two below"),
                call(&[&id_of(&with_others)]).in_the_way("with one below"),
            ]
        }
        "share_job_delete" => vec![call(&[&id_of(&owner.share("Hausmeister", &[&job]).await), &job])],
        "share_mail" => {
            let share = owner.share("Hausmeister", &[&job]).await;
            let body = |id: &str| {
                let login = json!({ "token": share["token"], "username": share["username"], "password": share["password"] });
                json!({ "accountId": id, "login": login, "metaData": { "mailTo": { "name": "Uwe Muster", "email": new_address() } } })
            };
            vec![call(&[]).with_body(body(&id_of(&share))).with_body_of_nothing(body("no-such-share")).refused_as(404, "not-found")]
        }
        "crm_registration_info" => vec![call(&[])],
        "reading_receipts" => {
            owner.register(&new_address()).await;
            owner.send(&job, reading("3999.0"), None).await;
            // Who has read nothing has no receipt to ask for.
            vec![call(&[]).refused_as(409, "receipt-blocked")]
        }
        "visitor_receipt_create" => {
            // An account that logs in has the role only if the utility gave it.
            let owner = &portal.persona(account);
            let mut sent = visitors_reading();
            sent["meterNumber"] = json!("7GMT0000008888");
            sent["email"] = json!(new_address());
            owner.send_reading(&sent).await;
            let mut unsent = sent.clone();
            unsent["meterNumber"] = json!("7GMT0000009999");
            vec![Call::of(route, owner, &[]).with_body(sent).with_body_of_nothing(unsent).refused_as(404, "not-found")]
        }
        "communication_get" | "communication_revoke" => {
            owner.register(&new_address()).await;
            vec![call(&[&owner.self_service_token().await])]
        }
        "communication_register" => {
            let body = json!({ "email": new_address(), "privacyAccepted": true });
            vec![call(&[&owner.self_service_token().await]).with_body(body)]
        }
        "communication_confirm" => vec![call(&[&owner.confirmation_token(&new_address()).await])],
        "share_login_create" => {
            let with_others = owner.share("Verwaltung", &[&job]).await;
            portal.login_share(&with_others).await.share("Hausmeister", &[&job]).await;
            let ending = call(&[&id_of(&with_others)]).with_query("andSharedOn=true", "andSharedOn=true").in_the_way("and shared on");
            vec![call(&[&id_of(&owner.share("Hausmeister", &[&job]).await)]), ending]
        }
        "auth_token" => {
            let grant = |way: &str, mut grant: Value| {
                grant["applicationId"] = json!(portal.tenant());
                call(&[]).with_body(grant).in_the_way(way)
            };
            let session = portal.login(account).await;
            vec![
                grant("password", json!({ "username": account, "password": password(account) })),
                grant("link", json!({ "token": portal.link_token(account) })),
                grant("refresh", json!({ "refreshToken": session.refresh_token() })),
            ]
        }
        "auth_logout" => {
            let session = portal.login(account).await;
            vec![call(&[]).with_body(json!({ "applicationId": portal.tenant(), "refreshToken": session.refresh_token() }))]
        }
        "upload_create" => vec![call(&[]).with_body(json!({ "contentType": "image/jpeg", "contentLength": PHOTO.len() }))],
        "photo_reading_create" => vec![call(&[&job, "t1"]).with_body(json!({ "uploadId": owner.upload(PHOTO).await }))],
        "result_create" => {
            let with_photo = |image: Value| {
                let mut body = reading("3999.0");
                body["results"][0]["readingImages"] = json!([image]);
                body
            };
            let upload = owner.upload(PHOTO).await;
            let below = portal.login_share(&owner.share("Hausmeister", &[&job]).await).await;
            vec![
                Call::of(route, &below, &[&job]).with_body(reading("3999.0")).in_the_way("sub-account"),
                call(&[&job]).with_body(reading("3999.0")),
                call(&[&job])
                    .with_body(with_photo(json!({ "encodedImage": STANDARD.encode(PHOTO), "mimeType": "image/jpeg" })))
                    .in_the_way("photo inside"),
                call(&[&job]).with_body(with_photo(json!({ "uploadId": upload }))).in_the_way("photo ahead"),
            ]
        }
        "result_image_get" => {
            let image = owner.send_with_photo(&job).await;
            vec![call(&[&job, "t1", &image])]
        }
        // By itself, because all of it together is a future too large for the stack of a thread.
        _ => Box::pin(of_runs(portal, route, &session)).await,
    }
}

/// The same for what leads have done.
async fn of_runs(portal: &Portal, route: &Route, session: &str) -> Vec<Call> {
    let at_desk = |variables: &[&str]| Call::at_desk(route, session, variables);
    match route.operation {
        "desk_export_create" => vec![at_desk(&[portal.tenant()]).with_body(json!({ "what": "TABLE", "preset": "plain" }))],
        "desk_reminder_list" => vec![at_desk(&[portal.tenant()])],
        "desk_reminder_create" => {
            nothing_goes_on(portal).await;
            vec![at_desk(&[portal.tenant()]).with_body(json!({ "trial": true, "lang": "de" }))]
        }
        "desk_letter_list" => vec![at_desk(&[portal.tenant()])],
        "desk_letter_create" => {
            nothing_goes_on(portal).await;
            let body = json!({ "trial": true, "onlyWithoutMail": false, "replyCards": false, "lang": "de" });
            vec![at_desk(&[portal.tenant()]).with_body(body)]
        }
        "desk_letter_invite" => {
            nothing_goes_on(portal).await;
            vec![at_desk(&[portal.tenant()]).with_body(json!({ "trial": true, "lang": "de" }))]
        }
        "desk_letter_hand_over" => {
            nothing_goes_on(portal).await;
            let drawn = testing::drawn_letters(portal.store(), portal.tenant_id()).await;
            vec![at_desk(&[portal.tenant(), drawn.as_str()]).with_body(json!({ "lang": "de" }))]
        }
        "desk_letter_return" => {
            let other = new_account(portal, "anna").await;
            vec![at_desk(&[portal.tenant()]).with_body(json!({ "code": other }))]
        }
        "desk_letter_return_lift" => {
            let other = new_account(portal, "anna").await;
            let (store, tenant, id) = (portal.store(), portal.tenant_id(), account_id(&other));
            let invitee = store.invitees(tenant, &[id], Timestamp::now()).await.unwrap().pop().unwrap();
            store.note_return(tenant, &invitee, Some((Timestamp::now(), "Frau Sommer".into()))).await.unwrap();
            vec![at_desk(&[portal.tenant(), &other])]
        }
        "desk_suppression_delete" => {
            let (other, address) = (new_account(portal, "anna").await, new_address());
            portal.login(&other).await.register(&address).await;
            portal.suppress(&address).await;
            vec![at_desk(&[portal.tenant(), &other])]
        }
        "desk_letter_call_back" => {
            vec![at_desk(&[portal.tenant(), testing::drawn_letters(portal.store(), portal.tenant_id()).await.as_str()])]
        }
        "desk_season_create" => {
            let id = format!("s{}", Timestamp::now().as_microsecond());
            let body = json!({ "id": id, "name": "Jahresablesung", "firstDay": "2026-11-01", "lastDay": "2026-12-31" });
            vec![at_desk(&[portal.tenant()]).with_body(body)]
        }
        "desk_season_change" | "desk_season_delete" => {
            nothing_goes_on(portal).await;
            let id = format!("s{}", Timestamp::now().as_microsecond());
            let seen = json!({ "id": id, "name": "Jahresablesung", "firstDay": "2026-11-01", "lastDay": "2026-12-31" });
            portal.store().put_season(portal.tenant_id(), &serde_json::from_value(seen.clone()).unwrap()).await.unwrap();
            let call = at_desk(&[portal.tenant(), &id]);
            let mut longer = seen.clone();
            longer["lastDay"] = json!("2027-02-28");
            vec![if route.operation == "desk_season_change" { call.with_body(json!({ "season": longer, "seen": seen })) } else { call }]
        }
        "desk_import_file_create" => {
            vec![at_desk(&[portal.tenant()]).with_body(json!({ "name": "jobs.csv", "bytes": 3, "kind": "JOBS" }))]
        }
        "desk_import_file_get" => {
            let file = testing::rehearsal(portal.store(), portal.tenant_id()).await.0;
            vec![at_desk(&[portal.tenant(), file.as_str()])]
        }
        "desk_rehearsal_create" => {
            nothing_goes_on(portal).await;
            let file = testing::rehearsal(portal.store(), portal.tenant_id()).await.0;
            let body = |file: &str| json!({ "file": file, "mapping": { "columns": { "id": "Auftrag" } }, "lang": "de" });
            let call = at_desk(&[portal.tenant()]).with_body(body(file.as_str()));
            vec![call.with_body_of_nothing(body("no-such-file")).refused_as(404, "not-found")]
        }
        "desk_import_create" => {
            nothing_goes_on(portal).await;
            let rehearsal = testing::rehearsal(portal.store(), portal.tenant_id()).await.1;
            let call = at_desk(&[portal.tenant()]).with_body(json!({ "rehearsal": rehearsal }));
            vec![call.with_body_of_nothing(json!({ "rehearsal": "no-such-run" })).refused_as(404, "not-found")]
        }
        "desk_import_undo" => {
            nothing_goes_on(portal).await;
            let import = testing::import_of_accounts(portal.store(), portal.tenant_id()).await;
            vec![at_desk(&[portal.tenant(), import.as_str()]).with_body(json!({ "lang": "de" }))]
        }
        "desk_mapping_keep" => {
            let mapping = json!({ "columns": { "id": "Auftrag" } });
            vec![at_desk(&[portal.tenant()]).with_body(json!({ "name": "SAP", "kind": "JOBS", "mapping": mapping }))]
        }
        "desk_mapping_delete" => {
            testing::kept_mapping(portal.store(), portal.tenant_id(), "SAP").await;
            vec![at_desk(&[portal.tenant()]).with_query("kind=JOBS&name=SAP", "kind=JOBS&name=no-such-mapping")]
        }
        "desk_run_get" | "desk_run_cancel" => {
            vec![at_desk(&[portal.tenant(), testing::run(portal.store(), portal.tenant_id()).await.as_str()])]
        }
        "desk_run_file" => {
            let run = testing::run(portal.store(), portal.tenant_id()).await;
            vec![at_desk(&[portal.tenant(), run.as_str(), testing::FILE_OF_RUN])]
        }
        _ => Box::pin(of_settings(portal, route, session)).await,
    }
}

async fn of_settings(portal: &Portal, route: &Route, session: &str) -> Vec<Call> {
    let at_desk = |variables: &[&str]| Call::at_desk(route, session, variables);
    match route.operation {
        "desk_settings_get" | "desk_settings_preview" | "desk_settings_letter" => vec![at_desk(&[portal.tenant()])],
        "desk_settings_texts" => vec![at_desk(&[portal.tenant()]).filtered("language=de-FORMAL")],
        "desk_settings_mail" => vec![at_desk(&[portal.tenant()]).filtered("kind=REMINDER&language=de-FORMAL")],
        "desk_settings_discard" => {
            let settings = drafted_settings(portal).await;
            vec![at_desk(&[portal.tenant()]).filtered(&format!("state={}", settings["state"].as_str().unwrap()))]
        }
        "desk_settings_draft" => {
            let seen =
                drafted_settings(portal).await["files"].as_array().unwrap().iter().find(|file| file["name"] == HELP).unwrap()["hash"]
                    .clone();
            let content = format!("# Hilfe vom {}", Timestamp::now().as_microsecond());
            vec![at_desk(&[portal.tenant()]).with_body(json!({ "file": HELP, "content": content, "seen": seen }))]
        }
        "desk_settings_apply" => {
            let state = drafted_settings(portal).await["state"].clone();
            vec![at_desk(&[portal.tenant()]).with_body(json!({ "state": state }))]
        }
        "desk_settings_version" | "desk_settings_back" => {
            let versions = portal.store().tenant_versions(portal.tenant_id(), 1).await.unwrap();
            let call = at_desk(&[portal.tenant(), &versions[0].at.as_microsecond().to_string()]);
            if route.operation == "desk_settings_version" {
                return vec![call];
            }
            let state = drafted_settings(portal).await["state"].clone();
            vec![call.with_body(json!({ "state": state }))]
        }
        other => panic!("nobody knows how somebody who may calls {other}: say it here"),
    }
}

/// An account beside another one, which may come to an end.
async fn new_account(portal: &Portal, account: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let other = format!("{account}-beside-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    portal.add_account(&other).await;
    other
}

/// A job of the account that nobody has read yet.
pub async fn new_job(portal: &Portal, account: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let job = format!("{account}-job-{}", COUNT.fetch_add(1, Ordering::Relaxed));
    portal.add_job(account, &job, json!({})).await;
    job
}

/// A reading of a new job that waits for a clerk, and its version.
pub async fn doubtful(portal: &Portal, owner: &Persona<'_>) -> (LedgerEntry, String) {
    let job = new_job(portal, owner.name()).await;
    let mut sent = reading("4711.0");
    sent["results"][0]["lowerReason"] = json!("ROLLOVER");
    let answer = owner.send(&job, sent, None).await;
    assert!(answer.status.is_success(), "{answer:?}");
    let entry = last_reading(portal, &job).await;
    let version = portal.store().clearing_version(portal.tenant_id(), &entry).await.unwrap().unwrap();
    (entry, version)
}

/// A new job to which a visitor's reading can be assigned.
async fn gas_job(portal: &Portal, account: &str) -> String {
    let job = new_job(portal, account).await;
    let mut with = gas();
    with["meter"]["meterNumber"] = json!(format!("7GMT {job}"));
    portal.add_job(account, &format!("gas-{job}"), with).await;
    format!("gas-{job}")
}

/// A visitor's reading that waits: its id and version.
pub async fn waiting_without_job(portal: &Portal) -> (String, String) {
    let id = visit(portal, json!({})).await;
    let stored = portal.store().clearing_reading_without_job(portal.tenant_id(), &testing::job_id(&id)).await.unwrap().unwrap();
    (id, stored.version().unwrap())
}

/// The reading of the job that came last.
pub async fn last_reading(portal: &Portal, job: &str) -> LedgerEntry {
    portal.store().job_readings(portal.tenant_id(), &testing::job_id(job)).await.unwrap().pop().unwrap().entry
}

/// An address that nobody else in these tests writes to.
pub fn new_address() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("reader-{:08}@example.net", COUNT.fetch_add(1, Ordering::Relaxed))
}

fn id_of(share: &Value) -> String {
    share["id"].as_str().unwrap().to_owned()
}

/// Every way of every route: the route, and the place of the call among its [`rightful`] ones.
pub async fn ways() -> Vec<(&'static Route, usize)> {
    static WAYS: OnceCell<Vec<(&'static Route, usize)>> = OnceCell::const_new();
    WAYS.get_or_init(find_ways).await.clone()
}

async fn find_ways() -> Vec<(&'static Route, usize)> {
    let portal = Portal::with_account("owner").await;
    portal.add_job("owner", "owner-job", json!({})).await;
    let mut ways = Vec::new();
    for route in api::routes::ROUTES {
        let calls = rightful(&portal, route, &portal.persona("owner")).await;
        ways.extend((0..calls.len()).map(|way| (*route, way)));
    }
    ways
}

/// Ends the runs that other calls left open: a further one would be refused.
async fn nothing_goes_on(portal: &Portal) {
    for run in portal.store().runs(portal.tenant_id(), 100, |_| true).await.unwrap() {
        portal.store().cancel_run(portal.tenant_id(), &run.new.id, Timestamp::now()).await.unwrap();
    }
    // A worker may still be at one.
    let is_stopping = |run: &Run| run.is_stopping(Timestamp::now());
    while !portal.store().runs(portal.tenant_id(), 1, is_stopping).await.unwrap().is_empty() {
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
}

const HELP: &str = "help/de-FORMAL.md";

/// The settings with a draft of the help that nobody made before.
async fn drafted_settings(portal: &Portal) -> Value {
    let lead = portal.member(&[Role::Lead]).await;
    let before = send(portal, &lead, Method::GET, "/settings", None).await.body;
    let drafts = format!("/settings/drafts?state={}", before["state"].as_str().unwrap());
    let settings = send(portal, &lead, Method::DELETE, &drafts, None).await.body;
    let seen = settings["files"].as_array().unwrap().iter().find(|file| file["name"] == HELP).map(|file| file["hash"].clone());
    let draft = json!({ "file": HELP, "content": format!("# Hilfe {}", Timestamp::now().as_microsecond()), "seen": seen });
    let drafted = send(portal, &lead, Method::POST, "/settings/drafts", Some(draft)).await;
    assert_eq!(drafted.status, 200, "{drafted:?}");
    drafted.body
}
