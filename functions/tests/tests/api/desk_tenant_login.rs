//! A tenant whose members log in by an identity provider of its own, and what it and others try with that.

use std::sync::LazyLock;

use domain::ids::{MemberId, TenantId};
use domain::network::Reach;
use domain::staff::Role;
use identity::{Provider as Identity, ProviderSettings};
use jiff::Timestamp;
use reqwest::{Method, StatusCode, Url};
use serde_json::{Value, json};
use store::NewMembership;
use testing::provider::{self, Issued, Provider};

use crate::desk_login::{BegunLogin, come_back, location, me, session};
use crate::world::{Answer, DESK_ORIGIN, Portal, desk_cookie, mails_to, put_parameter};

const CLIENT: (&str, &str) = ("desk-at-the-tenants", "secret-of-the-tenants");

/// The tenants' provider: two tenants of one house may have the same.
static OWN: LazyLock<Provider> = LazyLock::new(|| Provider::start_as(None, CLIENT));

fn settings(secret: &str) -> Value {
    json!({ "desk": { "login": { "issuer": OWN.issuer, "clientId": CLIENT.0, "secretParameter": secret } } })
}

async fn tenant() -> Portal {
    let portal = Portal::configured(settings("login")).await;
    put_parameter(&format!("/zaehlwerk/local/login/{}/login", portal.tenant()), CLIENT.1).await;
    portal
}

async fn begin(portal: &Portal) -> BegunLogin {
    BegunLogin::by(portal, &format!("/desk/login?tenant={}&return=/", portal.tenant()), "").await
}

/// The way back of somebody who has logged in there.
fn back(begun: &BegunLogin, subject: &str, change: impl FnOnce(&mut Issued)) -> String {
    OWN.log_in_with(&begun.page, subject, change).strip_prefix(DESK_ORIGIN).unwrap().to_owned()
}

async fn log_in(portal: &Portal, subject: &str) -> String {
    let begun = begin(portal).await;
    session(&come_back(portal, &back(&begun, subject, |_| {}), &begun.cookie).await).unwrap()
}

async fn log_in_by_platform(portal: &Portal, subject: &str) -> String {
    let begun = BegunLogin::at(portal, "/").await;
    session(&come_back(portal, &begun.log_in_with(subject, |_| {}), &begun.cookie).await).unwrap()
}

async fn member(portal: &Portal, session: &str) -> MemberId {
    me(portal, session).await.body["id"].as_str().unwrap().parse().unwrap()
}

async fn join(portal: &Portal, tenant: &TenantId, member: &MemberId, role: Role, until: Option<Timestamp>) {
    let new = NewMembership { roles: [role].into(), invited_by: "test".into(), now: Timestamp::now(), until };
    portal.store().join_tenant(tenant, member, &new).await.unwrap();
}

async fn sees(portal: &Portal, session: &str) -> Answer {
    portal.send(Method::GET, &format!("/api/desk/tenants/{}/season", portal.tenant()), Some(session), None, None).await
}

#[track_caller]
fn assert_refused(answer: &Answer, reason: &str, portal: &Portal) {
    let page = format!("/login?reason={reason}&tenant={}", portal.tenant());
    assert_eq!((location(answer), session(answer)), (&*page, None));
}

fn value(address: &str, name: &str) -> String {
    let url = Url::parse("http://desk").unwrap().join(address).unwrap();
    url.query_pairs().find(|(key, _)| key == name).unwrap().1.into_owned()
}

#[tokio::test]
async fn the_members_of_such_a_tenant_come_from_its_own_provider() {
    let portal = tenant().await;
    let begun = begin(&portal).await;
    let callback = format!("{DESK_ORIGIN}/desk/callback/tenant-{}", portal.tenant());
    assert!(begun.page.starts_with(&OWN.issuer));
    assert_eq!((value(&begun.page, "client_id"), value(&begun.page, "redirect_uri")), (CLIENT.0.to_owned(), callback));
    let hanna = log_in(&portal, "hanna").await;
    let told = me(&portal, &hanna).await.body;
    assert_eq!((&told["loginTenant"], &told["memberships"]), (&json!(portal.tenant()), &json!([])), "{told}");

    // An invitation is for whoever comes from there, and says so to others.
    let path = format!("/api/desk/invitations/{}/{}", portal.tenant(), portal.staff_invitation(&[Role::Support]).await);
    let stranger = log_in_by_platform(&portal, "hanna").await;
    assert_eq!(me(&portal, &stranger).await.body["loginTenant"], Value::Null);
    for (who, needs_other_login) in [(&stranger, true), (&hanna, false)] {
        let shown = portal.send(Method::GET, &path, Some(who), None, None).await;
        assert_eq!(shown.body["needsOtherLogin"], needs_other_login, "{shown:?}");
    }
    portal.send(Method::POST, &path, Some(&stranger), None, None).await.assert_problem(404, "not-found");
    assert_eq!(portal.send(Method::POST, &path, Some(&hanna), None, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(me(&portal, &hanna).await.body["memberships"][0]["tenant"], portal.tenant());
    assert_eq!(sees(&portal, &hanna).await.status, StatusCode::OK);

    let out = portal.send(Method::POST, "/desk/logout", Some(&hanna), None, None).await;
    let end = out.body["location"].as_str().unwrap();
    assert!(end.starts_with(&format!("{}/logout?", OWN.url)), "{end}");
    let back = format!("{DESK_ORIGIN}/t/{}", portal.tenant());
    assert_eq!((value(end, "client_id"), value(end, "post_logout_redirect_uri")), (CLIENT.0.to_owned(), back));
}

/// D-DESK-18
#[tokio::test]
async fn who_logs_in_by_it_is_no_user_of_the_platforms_pool() {
    let portal = tenant().await;
    let lead = log_in(&portal, "lead").await;
    join(&portal, portal.tenant_id(), &member(&portal, &lead).await, Role::Lead, None).await;
    let address = format!("elsewhere-of-{}@staff.example", portal.tenant());
    let invited = json!({ "email": address, "roles": ["clerk"] });
    let path = format!("/api/desk/tenants/{}/members", portal.tenant());
    let answer = portal.send(Method::POST, &path, Some(&lead), Some(&invited), None).await;
    assert_eq!(answer.status, StatusCode::NO_CONTENT, "{answer:?}");
    let mails = mails_to(&address).await;
    assert_eq!(mails.len(), 1, "no password");
    assert!(!mails[0]["BodyText"].as_str().unwrap().contains("Passwort"), "{mails:?}");
}

/// Whoever had a membership before the tenant named its provider is out, but for those who run the product and were given access for a time.
#[tokio::test]
async fn a_login_of_the_platforms_opens_such_a_tenant_for_a_time_only() {
    let portal = tenant().await;
    let lead = log_in(&portal, "lead").await;
    join(&portal, portal.tenant_id(), &member(&portal, &lead).await, Role::Lead, None).await;
    let (before, former) = portal.member_since(&[Role::Lead, Role::Privacy], Timestamp::now()).await;
    sees(&portal, &former).await.assert_problem(404, "not-found");
    assert_eq!(me(&portal, &former).await.body["memberships"], json!([]));
    let listed = portal.send(Method::GET, &format!("/api/desk/tenants/{}/members", portal.tenant()), Some(&lead), None, None).await;
    let out = |id: &str| listed.body["members"].as_array().unwrap().iter().find(|one| one["id"] == id).unwrap()["isLockedOut"].clone();
    assert_eq!((out(before.as_str()), out(member(&portal, &lead).await.as_str())), (json!(true), json!(false)));
    join(&portal, portal.tenant_id(), &before, Role::Support, Some(Timestamp::now() + jiff::SignedDuration::from_hours(1))).await;
    assert_eq!(sees(&portal, &former).await.status, StatusCode::OK);
    assert_eq!(me(&portal, &former).await.body["memberships"][0]["tenant"], portal.tenant());
}

/// The same subject at the same issuer is another person at another tenant and at the platform, whatever memberships there are.
#[tokio::test]
async fn no_tenant_speaks_for_anothers_members() {
    let (portal, other, plain) = (tenant().await, tenant().await, Portal::with_account("anna").await);
    let (here, there, platform) =
        (log_in(&portal, "victim").await, log_in(&other, "victim").await, log_in_by_platform(&plain, "victim").await);
    let ids = [member(&portal, &here).await, member(&portal, &there).await, member(&portal, &platform).await];
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2], "{ids:?}");
    // A membership that should not be there opens nothing.
    for tenant in [&portal, &other, &plain] {
        for id in &ids {
            join(tenant, tenant.tenant_id(), id, Role::Lead, None).await;
        }
    }
    for (tenant, session, opens) in [
        (&portal, &here, true),
        (&portal, &there, false),
        (&portal, &platform, false),
        (&other, &here, false),
        (&other, &there, true),
        (&plain, &here, false),
        (&plain, &there, false),
        (&plain, &platform, true),
    ] {
        assert_eq!(sees(tenant, session).await.status == StatusCode::OK, opens, "{} {session}", tenant.tenant());
    }
    // Nor does a tenant's provider say who runs the product.
    join(&portal, &TenantId::platform(), &ids[0], Role::Platform, Some(Timestamp::now() + jiff::SignedDuration::from_hours(1))).await;
    assert_eq!(me(&portal, &here).await.body["isPlatform"], false);
    portal.send(Method::GET, "/api/desk/platform/tenants", Some(&here), None, None).await.assert_problem(404, "not-found");
    let path = format!("/api/desk/invitations/{}/{}", plain.tenant(), plain.staff_invitation(&[Role::Lead]).await);
    plain.send(Method::POST, &path, Some(&here), None, None).await.assert_problem(404, "not-found");
}

/// The answer of one provider where that of another is awaited (RFC 9207), in a browser that has begun a login at each.
#[tokio::test]
async fn the_answer_of_one_provider_is_none_of_anothers() {
    let (portal, other) = (tenant().await, tenant().await);
    let (own, others, platforms) = (begin(&portal).await, begin(&other).await, BegunLogin::at(&portal, "/").await);
    let cookies = [&*own.cookie, &others.cookie, &platforms.cookie].join("; ");
    let answers = [back(&own, "victim", |_| {}), back(&others, "victim", |_| {}), platforms.log_in_with("victim", |_| {})];
    let query = |index: usize| answers[index].split_once('?').unwrap().1;
    let (mine, theirs) = (format!("tenant-{}", portal.tenant()), format!("tenant-{}", other.tenant()));
    // The whole answer at the callback of another.
    for (place, index, page) in [
        (&*mine, 1, format!("/login?reason=again&tenant={}", portal.tenant())),
        (&mine, 2, format!("/login?reason=again&tenant={}", portal.tenant())),
        (&theirs, 0, format!("/login?reason=again&tenant={}", other.tenant())),
        ("staff", 0, "/login?reason=again".to_owned()),
    ] {
        let answer = come_back(&portal, &format!("/desk/callback/{place}?{}", query(index)), &cookies).await;
        assert_eq!((location(&answer), session(&answer)), (&*page, None), "{place} {index}");
    }
    // Its code under the state of another.
    for (place, state, code, page) in [
        (&*mine, 0, 2, format!("/login?reason=refused&tenant={}", portal.tenant())),
        (&mine, 0, 1, format!("/login?reason=refused&tenant={}", portal.tenant())),
        ("staff", 2, 0, "/login?reason=refused".to_owned()),
    ] {
        let mixed = format!("/desk/callback/{place}?code={}&state={}", value(&answers[code], "code"), value(&answers[state], "state"));
        let answer = come_back(&portal, &mixed, &cookies).await;
        assert_eq!((location(&answer), session(&answer)), (&*page, None), "{place} {state} {code}");
    }
    let begun = begin(&portal).await;
    let named = format!("{}&iss={}", back(&begun, "victim", |_| {}), provider::ISSUER);
    assert_refused(&come_back(&portal, &named, &begun.cookie).await, "refused", &portal);
    let unknown = Portal::with_account("anna").await;
    for place in [format!("tenant-{}", unknown.tenant()), "tenant-nobody".to_owned(), "tenant-".to_owned(), OWN.issuer.replace('/', "")] {
        let path = format!("/desk/callback/{place}?{}", query(0));
        come_back(&portal, &path, &cookies).await.assert_problem(404, "not-found");
    }
}

/// Both providers of these tests sign with the same key, so that nothing but what a token says keeps them apart.
#[tokio::test]
async fn a_token_of_the_other_issuer_or_client_opens_nothing() {
    let portal = tenant().await;
    let changes: [fn(&mut Issued); 4] = [
        |token| token.claims["iss"] = json!(provider::ISSUER),
        |token| token.claims["aud"] = json!(provider::CLIENT_ID),
        |token| token.claims["nonce"] = json!("of-another-login"),
        |token| token.forged = true,
    ];
    for change in changes {
        let begun = begin(&portal).await;
        let answer = come_back(&portal, &back(&begun, "victim", change), &begun.cookie).await;
        assert_refused(&answer, "refused", &portal);
    }
    for change in
        [(|token: &mut Issued| token.claims["iss"] = json!(OWN.issuer)) as fn(&mut Issued), |token| token.claims["aud"] = json!(CLIENT.0)]
    {
        let begun = BegunLogin::at(&portal, "/").await;
        let answer = come_back(&portal, &begun.log_in_with("victim", change), &begun.cookie).await;
        assert_eq!((location(&answer), session(&answer)), ("/login?reason=refused", None));
    }
}

/// Whoever runs a tenant's provider knows the desk's secret there, and makes no login's state with it: not even of a login at the own provider.
#[tokio::test]
async fn the_secret_at_a_tenants_provider_seals_nothing() {
    let portal = tenant().await;
    let (begun, state) = (begin(&portal).await, "state-of-an-attacker");
    let own = ProviderSettings { issuer: OWN.issuer.clone(), client_id: CLIENT.0.into(), client_secret: CLIENT.1.into(), stand_in: None };
    let sealer = Identity::new(own, Reach::AndThisMachine).sealer().unwrap();
    let (name, _) = begun.cookie.split_once('=').unwrap();
    let state_of = |provider: &str| json!({ "provider": provider, "state": state, "nonce": "n", "verifier": "v", "back": "/", "begun": Timestamp::now().as_second() });
    for (place, provider) in [
        ("staff".to_owned(), "staff".to_owned()),
        (format!("tenant-{}", portal.tenant()), format!("tenant-{} {}", portal.tenant(), OWN.issuer)),
    ] {
        let forged = sealer.seal(&state_of(&provider).to_string(), name, [3; 12]).unwrap();
        let path = format!("/desk/callback/{place}?code=code-1&state={state}");
        let answer = come_back(&portal, &path, &format!("{name}={forged}")).await;
        assert!(location(&answer).starts_with("/login?reason=again"), "{answer:?}");
    }
}

#[tokio::test]
async fn a_provider_that_cannot_be_used_is_told_and_an_unknown_tenant_is_the_platforms() {
    let portal = Portal::configured(settings("missing")).await;
    let begun = portal.get(&format!("/desk/login?tenant={}", portal.tenant())).await;
    assert_refused(&begun, "unavailable", &portal);
    let answer = come_back(&portal, &format!("/desk/callback/tenant-{}?code=1&state=2", portal.tenant()), "").await;
    assert_refused(&answer, "again", &portal);
    for tenant in ["nobody", "no tenant", "platform", Portal::with_account("anna").await.tenant()] {
        let path = Url::parse_with_params("http://desk/desk/login", [("tenant", tenant)]).unwrap();
        let begun = BegunLogin::by(&portal, &format!("{}?{}", path.path(), path.query().unwrap()), "").await;
        assert_eq!(value(&begun.page, "client_id"), provider::CLIENT_ID, "{tenant}");
    }
    let session = portal.member(&[Role::Support]).await;
    let callback = format!("/desk/callback/tenant-{}?code=1&state=2", portal.tenant());
    assert_eq!(location(&come_back(&portal, &callback, &desk_cookie(&session)).await), "/");
}
