//! Logging in at the desk, and what an attacker tries there.

use std::collections::BTreeSet;

use domain::network::Reach;
use domain::staff::Role;
use identity::{IdentityError, Provider, ProviderSettings};
use jiff::Timestamp;
use reqwest::{Method, StatusCode, Url};
use serde_json::json;
use testing::provider::{self, CLIENT_ID, CLIENT_SECRET, ISSUER, Issued};

use crate::world::{Answer, DESK_ORIGIN, Portal, desk_cookie, log, provider};

/// A login that somebody has begun.
pub struct BegunLogin {
    /// The provider's page.
    pub page: String,
    /// What the browser carries.
    pub cookie: String,
}

impl BegunLogin {
    /// In a browser that wants to come back to this path.
    pub async fn at(portal: &Portal, back: &str) -> Self {
        Self::in_browser(portal, back, "").await
    }

    /// In a browser that has these cookies already.
    async fn in_browser(portal: &Portal, back: &str, cookies: &str) -> Self {
        let path = Url::parse_with_params("http://desk/desk/login", [("return", back)]).unwrap();
        let path = format!("{}?{}", path.path(), path.query().unwrap());
        Self::by(portal, &path, cookies).await
    }

    /// By this path of the login, in a browser that has these cookies already.
    pub async fn by(portal: &Portal, path: &str, cookies: &str) -> Self {
        let answer = portal.send_with(Method::GET, path, &[("cookie", cookies)], None).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
        let cookie = answer.cookies().into_iter().find(|cookie| !cookie.contains("Max-Age=0")).unwrap();
        for part in ["__Host-desk-login-", "; Path=/; Max-Age=600; Secure; HttpOnly; SameSite=Lax"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        Self { page: answer.header("location").unwrap().to_owned(), cookie: cookie.split(';').next().unwrap().to_owned() }
    }

    /// The path to which the provider sends the browser back.
    fn log_in(&self, subject: &str) -> String {
        self.log_in_with(subject, |_| {})
    }

    pub fn log_in_with(&self, subject: &str, change: impl FnOnce(&mut Issued)) -> String {
        let back = provider().log_in_with(&self.page, subject, change);
        back.strip_prefix(DESK_ORIGIN).expect("it comes back to the desk").to_owned()
    }
}

pub async fn come_back(portal: &Portal, path: &str, cookies: &str) -> Answer {
    portal.send_with(Method::GET, path, &[("cookie", cookies)], None).await
}

/// The session of somebody who logs in.
pub async fn logged_in(portal: &Portal, subject: &str) -> String {
    let begun = BegunLogin::at(portal, "/").await;
    session(&come_back(portal, &begun.log_in(subject), &begun.cookie).await).unwrap()
}

/// Where the browser is sent, a path of the desk.
pub fn location(answer: &Answer) -> &str {
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{answer:?}");
    answer.header("location").unwrap().strip_prefix(DESK_ORIGIN).expect("it stays at the desk")
}

/// The session that an answer opens.
pub fn session(answer: &Answer) -> Option<String> {
    let cookie = answer.cookies().into_iter().find(|cookie| cookie.starts_with("__Host-desk="))?;
    assert!(cookie.ends_with("; Path=/; Max-Age=36000; Secure; HttpOnly; SameSite=Strict"), "{cookie}");
    Some(cookie["__Host-desk=".len()..].split(';').next().unwrap().to_owned())
}

#[track_caller]
fn assert_refused(answer: &Answer, reason: &str) {
    assert_eq!((location(answer), session(answer)), (&*format!("/login?reason={reason}"), None));
}

pub async fn me(portal: &Portal, session: &str) -> Answer {
    portal.send(Method::GET, "/api/desk/me", Some(session), None, None).await
}

#[tokio::test]
async fn a_login_leads_to_the_page_that_was_wanted() {
    let portal = Portal::with_account("anna").await;
    let begun = BegunLogin::at(&portal, "/t/birkenfurt/customers/4711?tab=mails").await;
    let page = Url::parse(&begun.page).unwrap();
    let asked: BTreeSet<_> = page.query_pairs().map(|(name, _)| name.into_owned()).collect();
    let wanted = ["client_id", "code_challenge", "code_challenge_method", "nonce", "redirect_uri", "response_type", "scope", "state"];
    assert_eq!(asked, wanted.map(str::to_owned).into());

    let back = begun.log_in("hanna");
    let answer = come_back(&portal, &back, &begun.cookie).await;
    assert_eq!(location(&answer), "/t/birkenfurt/customers/4711?tab=mails");
    let session = session(&answer).unwrap();
    let told = me(&portal, &session).await;
    assert_eq!((&told.body["name"], &told.body["email"]), (&json!("Name of hanna"), &json!("hanna@staff.example")), "{told:?}");
    assert_eq!(told.body["memberships"], json!([]), "whoever the provider knows is nobody's member by that");
    assert!(answer.cookies().iter().any(|cookie| cookie.starts_with("__Host-desk-login-") && cookie.contains("Max-Age=0")));

    // Who logs in again is the same member, in another session.
    let begun = BegunLogin::at(&portal, "/").await;
    let again = come_back(&portal, &begun.log_in("hanna"), &begun.cookie).await;
    let other = self::session(&again).unwrap();
    assert_eq!(me(&portal, &other).await.body["id"], told.body["id"]);
    assert_ne!(other, session);
    let sessions = portal.send(Method::GET, "/api/desk/sessions", Some(&session), None, None).await;
    assert_eq!(sessions.body["sessions"].as_array().map(Vec::len), Some(2), "{sessions:?}");
}

#[tokio::test]
async fn a_logout_ends_one_session_and_the_list_the_others() {
    let portal = Portal::with_account("anna").await;
    let (member, first) = portal.member_since(&[Role::Support], Timestamp::now()).await;
    let sessions: Vec<String> = {
        let mut opened = Vec::new();
        for _ in 0..3 {
            opened.push(testing::staff_session(portal.store(), &member, Timestamp::now()).await);
        }
        opened
    };
    let out = portal.send(Method::POST, "/desk/logout", Some(&first), None, None).await;
    assert_eq!(out.status, StatusCode::OK, "{out:?}");
    let provider = out.body["location"].as_str().unwrap();
    assert!(
        provider.contains("/logout?client_id=desk&") && provider.contains("post_logout_redirect_uri=http%3A%2F%2Flocalhost%3A5174%2F"),
        "{provider}"
    );
    assert!(out.cookies().iter().any(|cookie| cookie.starts_with("__Host-desk=; Path=/; Max-Age=0")));
    me(&portal, &first).await.assert_problem(401, "session-ended");

    let listed = portal.send(Method::GET, "/api/desk/sessions", Some(&sessions[0]), None, None).await;
    let listed = listed.body["sessions"].as_array().unwrap();
    assert_eq!(listed.len(), 3);
    let other = listed.iter().find(|session| session["isCurrent"] == false).unwrap();
    let path = format!("/api/desk/sessions/{}", other["id"].as_str().unwrap());
    assert_eq!(portal.send(Method::DELETE, &path, Some(&sessions[0]), None, None).await.status, StatusCode::NO_CONTENT);
    // A stranger ends nobody's session.
    let stranger = portal.member(&[Role::Lead]).await;
    let own = listed.iter().find(|session| session["isCurrent"] == true).unwrap();
    let path = format!("/api/desk/sessions/{}", own["id"].as_str().unwrap());
    assert_eq!(portal.send(Method::DELETE, &path, Some(&stranger), None, None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(me(&portal, &sessions[0]).await.status, StatusCode::OK);

    assert_eq!(portal.send(Method::DELETE, "/api/desk/sessions", Some(&sessions[0]), None, None).await.status, StatusCode::OK);
    for session in &sessions {
        me(&portal, session).await.assert_problem(401, "session-ended");
    }
}

/// A clerk's session has ended by itself, and nobody was told where to end that of the provider: the next one at this computer must not be the clerk.
#[tokio::test]
async fn whoever_logs_in_after_somebody_who_was_not_logged_out_everywhere_is_asked_again() {
    let portal = Portal::with_account("anna").await;
    let asked = |begun: &BegunLogin| {
        Url::parse(&begun.page).unwrap().query_pairs().find(|(name, _)| name == "prompt").map(|(_, value)| value.into_owned())
    };
    let begun = BegunLogin::at(&portal, "/").await;
    assert_eq!(asked(&begun), None);
    // As the page keeps it when a logout is answered by `session-ended`.
    let left = "__Host-desk-again=1";
    let begun = BegunLogin::in_browser(&portal, "/", left).await;
    assert_eq!(asked(&begun).as_deref(), Some("login"));
    let answer = come_back(&portal, &begun.log_in("next"), &format!("{left}; {}", begun.cookie)).await;
    assert!(session(&answer).is_some(), "{answer:?}");
    assert!(answer.cookies().iter().any(|cookie| cookie.starts_with("__Host-desk-again=; Path=/; Max-Age=0")), "{answer:?}");
}

#[tokio::test]
async fn logins_and_logouts_are_in_the_audit_trail_of_the_members_tenants() {
    let portal = Portal::with_account("anna").await;
    let subject = format!("auditor-of-{}", portal.tenant());
    let log_in = async || logged_in(&portal, &subject).await;
    let member = me(&portal, &log_in().await).await.body["id"].as_str().unwrap().parse().unwrap();
    assert_eq!(portal.store().audit(portal.tenant_id()).await.unwrap(), [], "of no tenant yet");
    let new = store::NewMembership { roles: [Role::Support].into(), invited_by: "test".into(), now: Timestamp::now(), until: None };
    portal.store().join_tenant(portal.tenant_id(), &member, &new).await.unwrap();
    let session = log_in().await;
    portal.send(Method::POST, "/desk/logout", Some(&session), None, None).await;
    let audit = portal.store().audit(portal.tenant_id()).await.unwrap();
    let told: Vec<_> =
        audit.iter().map(|record| (&*record.command, &*record.by, record.member.clone(), record.network.is_some())).collect();
    let by = format!("Name of {subject}");
    assert_eq!(told, [("desk login", &*by, Some(member.clone()), true), ("desk logout", &*by, Some(member), true)]);
}

/// A mail scanner opens the link, somebody else is logged in, it comes twice: one person accepts, once.
#[tokio::test]
async fn an_invitation_is_good_once_and_for_whoever_accepts_it() {
    let portal = Portal::with_account("anna").await;
    let log_in = async |who: &str| logged_in(&portal, &format!("{who}-of-{}", portal.tenant())).await;
    let (invited, other) = (log_in("invited").await, log_in("other").await);
    let token = portal.staff_invitation(&[Role::Clerk]).await;
    let path = format!("/api/desk/invitations/{}/{token}", portal.tenant());
    portal.send(Method::GET, &path, None, None, None).await.assert_problem(401, "session-missing");
    for _ in 0..2 {
        let shown = portal.send(Method::GET, &path, Some(&invited), None, None).await;
        assert_eq!(shown.status, StatusCode::OK, "{shown:?}");
        assert_eq!(shown.body["acceptedBy"], format!("Name of invited-of-{}", portal.tenant()));
        assert_eq!((&shown.body["roles"], &shown.body["invitedBy"]), (&json!(["clerk"]), &json!("Jonas Reuter")));
    }
    // At another tenant it is none.
    let foreign = Portal::with_account("anna").await;
    let elsewhere = format!("/api/desk/invitations/{}/{token}", foreign.tenant());
    portal.send(Method::POST, &elsewhere, Some(&invited), None, None).await.assert_problem(404, "not-found");
    assert_eq!(me(&portal, &invited).await.body["memberships"], json!([]));
    assert_eq!(portal.send(Method::POST, &path, Some(&invited), None, None).await.status, StatusCode::NO_CONTENT);
    // The answer to whoever accepted may have got lost.
    assert_eq!(portal.send(Method::POST, &path, Some(&invited), None, None).await.status, StatusCode::NO_CONTENT);
    portal.send(Method::POST, &path, Some(&other), None, None).await.assert_problem(404, "not-found");
    for session in [&invited, &other] {
        portal.send(Method::GET, &path, Some(session), None, None).await.assert_problem(404, "not-found");
    }
    assert_eq!(me(&portal, &invited).await.body["memberships"][0]["roles"], json!(["clerk"]));
    assert_eq!(me(&portal, &other).await.body["memberships"], json!([]));
    let audit = portal.store().audit(portal.tenant_id()).await.unwrap();
    assert_eq!(audit.iter().map(|record| &*record.command).collect::<Vec<_>>(), ["desk invitation accepted"]);
    // One that is over opens nothing.
    let over = store::StaffInvitation {
        email: "late@staff.example".parse().unwrap(),
        roles: [Role::Lead].into(),
        invited_by: "test".into(),
        inviter: None,
        expires_at: Timestamp::now(),
        member: None,
    };
    portal.store().invite_member(portal.tenant_id(), "over", &over, None).await.unwrap();
    let path = format!("/api/desk/invitations/{}/over", portal.tenant());
    portal.send(Method::POST, &path, Some(&other), None, None).await.assert_problem(404, "not-found");
}

/// It was meant for a colleague, and would take the member's own roles.
#[tokio::test]
async fn a_member_accepts_no_invitation_to_where_they_belong() {
    let portal = Portal::with_account("anna").await;
    let newcomer = logged_in(&portal, &format!("newcomer-of-{}", portal.tenant())).await;
    let (lead, session) = portal.member_since(&[Role::Lead, Role::Privacy], Timestamp::now()).await;
    let token = portal.staff_invitation(&[Role::Support]).await;
    let path = format!("/api/desk/invitations/{}/{token}", portal.tenant());
    portal.send(Method::POST, &path, Some(&session), None, None).await.assert_problem(409, "own-membership");
    let roles = portal.store().roles_of(portal.tenant_id(), &lead, Timestamp::now()).await.unwrap();
    assert_eq!(roles, [Role::Lead, Role::Privacy].into());
    assert_eq!(portal.send(Method::POST, &path, Some(&newcomer), None, None).await.status, StatusCode::NO_CONTENT);
}

#[tokio::test]
async fn two_tabs_log_in_at_once_and_a_sixth_forgets_the_first() {
    let portal = Portal::with_account("anna").await;
    let first = BegunLogin::at(&portal, "/one").await;
    let second = BegunLogin::in_browser(&portal, "/two", &first.cookie).await;
    let both = format!("{}; {}", first.cookie, second.cookie);
    assert_eq!(location(&come_back(&portal, &second.log_in("tabs"), &both).await), "/two");
    assert_eq!(location(&come_back(&portal, &first.log_in("tabs"), &both).await), "/one");

    let mut cookies: Vec<String> = Vec::new();
    for _ in 0..5 {
        cookies.push(BegunLogin::in_browser(&portal, "/", &cookies.join("; ")).await.cookie);
    }
    cookies.push("__Host-desk-login-0000000000000000=made-up".to_owned());
    let answer = portal.send_with(Method::GET, "/desk/login", &[("cookie", &cookies.join("; "))], None).await;
    let forgotten: Vec<_> = answer.cookies().into_iter().filter(|cookie| cookie.contains("Max-Age=0")).collect();
    assert_eq!(forgotten.len(), 2, "one of five, and the one that is none: {forgotten:?}");
    assert!(forgotten.iter().any(|cookie| cookie.starts_with("__Host-desk-login-0000000000000000=;")));
}

#[tokio::test]
async fn the_callback_reached_again_leads_to_the_start_page_or_the_login() {
    let portal = Portal::with_account("anna").await;
    let begun = BegunLogin::at(&portal, "/deep").await;
    let back = begun.log_in("again");
    let answer = come_back(&portal, &back, &begun.cookie).await;
    let session = desk_cookie(&session(&answer).unwrap());
    // By the back key the login's cookie is gone; the session is there.
    let again = come_back(&portal, &back, &session).await;
    assert_eq!((location(&again), again.cookies().len()), ("/", 0));
    assert_refused(&come_back(&portal, &back, "").await, "again");
    assert_refused(&come_back(&portal, &back, "__Host-desk=made.up").await, "again");
}

/// A state that was made up, a code that was used, a code of another login, a browser that did not begin it.
#[tokio::test]
async fn a_state_or_code_that_is_not_of_this_login_opens_nothing() {
    let portal = Portal::with_account("anna").await;
    let begun = BegunLogin::at(&portal, "/").await;
    assert_refused(&come_back(&portal, "/desk/callback/staff?code=code-1&state=made-up", &begun.cookie).await, "again");
    assert_refused(&come_back(&portal, "/desk/callback/staff?code=code-1", &begun.cookie).await, "again");
    assert_refused(&come_back(&portal, "/desk/callback/staff", &begun.cookie).await, "again");
    portal.get("/desk/callback/other?code=1&state=2").await.assert_problem(404, "not-found");

    let back = begun.log_in("victim");
    assert!(session(&come_back(&portal, &back, &begun.cookie).await).is_some());
    assert_refused(&come_back(&portal, &back, &begun.cookie).await, "refused");

    // Swapped between two logins of one browser.
    let (one, other) = (BegunLogin::at(&portal, "/").await, BegunLogin::at(&portal, "/").await);
    let cookies = format!("{}; {}", one.cookie, other.cookie);
    let of = |path: &str, name: &str| {
        let url = Url::parse(&format!("http://desk{path}")).unwrap();
        url.query_pairs().find(|(key, _)| key == name).unwrap().1.into_owned()
    };
    let (first, second) = (one.log_in("victim"), other.log_in("attacker"));
    let swapped = format!("/desk/callback/staff?code={}&state={}", of(&second, "code"), of(&first, "state"));
    assert_refused(&come_back(&portal, &swapped, &cookies).await, "refused");

    // Login CSRF: the attacker's answer in a browser that did not ask for it, or that asked for another one.
    let attackers = BegunLogin::at(&portal, "/").await;
    let link = attackers.log_in("attacker");
    let victims = BegunLogin::at(&portal, "/").await;
    assert_refused(&come_back(&portal, &link, "").await, "again");
    assert_refused(&come_back(&portal, &link, &victims.cookie).await, "again");
    // The attacker's cookie under the victim's name.
    let (name, _) = victims.cookie.split_once('=').unwrap();
    let (_, value) = attackers.cookie.split_once('=').unwrap();
    assert_refused(&come_back(&portal, &victims.log_in("victim"), &format!("{name}={value}")).await, "again");
    let mut changed = victims.cookie.clone();
    changed.replace_range(changed.len() - 1.., if changed.ends_with('A') { "B" } else { "A" });
    assert_refused(&come_back(&portal, &victims.log_in("victim"), &changed).await, "again");
}

#[tokio::test]
async fn what_the_provider_refuses_or_somebody_else_says_opens_nothing() {
    let portal = Portal::with_account("anna").await;
    let state =
        |begun: &BegunLogin| Url::parse(&begun.page).unwrap().query_pairs().find(|(name, _)| name == "state").unwrap().1.into_owned();
    let begun = BegunLogin::at(&portal, "/").await;
    let denied = format!("/desk/callback/staff?error=access_denied&state={}", state(&begun));
    assert_refused(&come_back(&portal, &denied, &begun.cookie).await, "denied");
    let begun = BegunLogin::at(&portal, "/").await;
    let elsewhere = format!("{}&iss=https%3A%2F%2Fevil.example", begun.log_in("victim"));
    assert_refused(&come_back(&portal, &elsewhere, &begun.cookie).await, "refused");
    let begun = BegunLogin::at(&portal, "/").await;
    let guessed = format!("/desk/callback/staff?code=guessed&state={}", state(&begun));
    assert_refused(&come_back(&portal, &guessed, &begun.cookie).await, "refused");
}

/// A token that is of another login, client, issuer or time, or that somebody else signed.
#[tokio::test]
async fn a_token_that_is_not_for_this_login_opens_nothing() {
    let portal = Portal::with_account("anna").await;
    let now = Timestamp::now().as_second();
    type Change = fn(&mut Issued, i64);
    let tokens: [(&str, Change); 11] = [
        ("another login's nonce", |token, _| token.claims["nonce"] = json!("of-another-login")),
        ("no nonce", |token, _| drop(token.claims.as_object_mut().unwrap().remove("nonce"))),
        ("another client's", |token, _| token.claims["aud"] = json!("another-client")),
        ("for another client too", |token, _| token.claims["aud"] = json!([CLIENT_ID, "another-client"])),
        ("another issuer's", |token, _| token.claims["iss"] = json!("https://evil.example")),
        ("a forger's", |token, _| token.forged = true),
        ("no signature", |token, _| token.header["alg"] = json!("none")),
        ("signed with the client's secret", |token, _| token.header["alg"] = json!("HS256")),
        ("expired", |token, now| token.claims["exp"] = json!(now - 120)),
        ("of yesterday", |token, now| token.claims["iat"] = json!(now - 86_400)),
        ("of tomorrow", |token, now| token.claims["iat"] = json!(now + 86_400)),
    ];
    for (what, change) in tokens {
        let begun = BegunLogin::at(&portal, "/").await;
        let back = begun.log_in_with("victim", |token| change(token, now));
        let answer = come_back(&portal, &back, &begun.cookie).await;
        assert!(session(&answer).is_none(), "{what}: {answer:?}");
        assert!(location(&answer).starts_with("/login?reason="), "{what}: {answer:?}");
    }
    // A minute's difference between two clocks is none.
    let begun = BegunLogin::at(&portal, "/").await;
    let back = begun.log_in_with("victim", |token| {
        token.claims["iat"] = json!(now - 50);
        token.claims["exp"] = json!(now - 30);
    });
    assert!(session(&come_back(&portal, &back, &begun.cookie).await).is_some());
}

/// The session that an attacker put into the browser is not the one that somebody is logged in with.
#[tokio::test]
async fn a_session_that_was_there_before_is_not_logged_in() {
    let portal = Portal::with_account("anna").await;
    let attackers = portal.member(&[Role::Support]).await;
    let begun = BegunLogin::at(&portal, "/").await;
    let cookies = format!("{}; {}", desk_cookie(&attackers), begun.cookie);
    let answer = come_back(&portal, &begun.log_in("victim"), &cookies).await;
    let own = session(&answer).unwrap();
    assert_ne!(own, attackers);
    assert_ne!(me(&portal, &own).await.body["id"], me(&portal, &attackers).await.body["id"]);
}

#[tokio::test]
async fn nobody_is_sent_to_another_site() {
    let portal = Portal::with_account("anna").await;
    for back in [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "\\evil.example",
        "/\t/evil.example",
        "javascript:alert(1)",
        "evil.example",
        "",
    ] {
        let begun = BegunLogin::at(&portal, back).await;
        let answer = come_back(&portal, &begun.log_in("redirected"), &begun.cookie).await;
        assert_eq!(location(&answer), "/", "{back}");
    }
}

#[tokio::test]
async fn the_log_says_how_logins_went_and_nothing_of_whom() {
    let portal = Portal::with_account("anna").await;
    let begun = BegunLogin::at(&portal, "/canary-page").await;
    let back = begun.log_in("canary-subject");
    let answer = come_back(&portal, &back, &begun.cookie).await;
    let line = answer.log_line();
    assert_eq!((&line["operation"], &line["event"]), (&json!("desk_callback"), &json!("desk-login")), "{line}");
    let session = session(&answer).unwrap();
    assert_eq!(come_back(&portal, &back, &begun.cookie).await.log_line()["event"], "desk-login-refused");
    assert_eq!(come_back(&portal, &back, "").await.log_line()["event"], "desk-login-unknown");
    let out = portal.send(Method::POST, "/desk/logout", Some(&session), None, None).await;
    assert_eq!(out.log_line()["event"], "desk-logout");
    assert_eq!(out.log_line()["account"], line["account"]);
    let secret = session.rsplit_once('.').unwrap().1.to_owned();
    for line in log() {
        assert!(!line.contains("canary-subject") && !line.contains("canary-page") && !line.contains(&secret), "{line}");
    }
}

/// What a provider says of itself is kept for an hour; a key that is not known has it asked again, at most once a minute.
#[tokio::test]
async fn a_key_that_is_new_is_asked_for_once() {
    let stand_in = provider::Provider::start();
    let settings = ProviderSettings {
        issuer: ISSUER.into(),
        client_id: CLIENT_ID.into(),
        client_secret: CLIENT_SECRET.into(),
        stand_in: Some(stand_in.url.clone()),
    };
    let back = "http://localhost:5174/desk/callback/staff";
    let desk = Provider::new(settings.clone(), Reach::AndThisMachine);
    let finish = async |change: fn(&mut Issued)| {
        let begun = desk.begin(back, false).await.unwrap();
        let url = Url::parse(&stand_in.log_in_with(&begun.location, "somebody", change)).unwrap();
        let code = url.query_pairs().find(|(name, _)| name == "code").unwrap().1.into_owned();
        desk.finish(back, &code, &begun.nonce, &begun.verifier, Timestamp::now()).await.map(|person| person.subject)
    };
    assert_eq!(finish(|_| {}).await.as_deref(), Ok("somebody"));
    assert_eq!(finish(|_| {}).await.as_deref(), Ok("somebody"));
    assert_eq!(stand_in.keys_asked(), 1);
    // They were asked for less than a minute ago.
    for _ in 0..3 {
        assert_eq!(finish(|token| token.header["kid"] = json!("made-up")).await, Err(IdentityError::Refused("the key of the token")));
    }
    assert_eq!(stand_in.keys_asked(), 1);

    // In production nothing stands in for an issuer, and nothing is asked without TLS or inside the house.
    for issuer in [ISSUER, &stand_in.url, "http://localhost/", "not an address"] {
        let settings = ProviderSettings { issuer: issuer.to_owned(), ..settings.clone() };
        let begun = Provider::new(settings, Reach::Internet).begin(back, false).await;
        assert!(begun.is_err(), "{issuer}: {begun:?}");
    }
    assert_eq!(stand_in.keys_asked(), 1);
    // An issuer whose description is another's is none.
    let settings = ProviderSettings { issuer: "https://another.example".into(), ..settings };
    assert!(matches!(Provider::new(settings, Reach::AndThisMachine).begin(back, false).await, Err(IdentityError::Unavailable(_))));
}

/// The provider is another one, or the app there was made anew: the same person has another `sub`.
#[tokio::test]
async fn whoever_has_another_login_keeps_their_history() {
    let portal = Portal::with_account("anna").await;
    let log_in = async |who: &str| logged_in(&portal, &format!("{who}-of-{}", portal.tenant())).await;
    let member =
        async |session: &str| -> domain::ids::MemberId { me(&portal, session).await.body["id"].as_str().unwrap().parse().unwrap() };
    let before = log_in("clara").await;
    let clara = member(&before).await;
    let new = store::NewMembership { roles: [Role::Clerk].into(), invited_by: "test".into(), now: Timestamp::now(), until: None };
    portal.store().join_tenant(portal.tenant_id(), &clara, &new).await.unwrap();
    let invite = async |token: &str, tenant: &domain::ids::TenantId| {
        let invitation = store::StaffInvitation {
            email: "clara@staff.example".parse().unwrap(),
            roles: [Role::Clerk, Role::Privacy].into(),
            invited_by: "test".into(),
            inviter: None,
            expires_at: Timestamp::now() + jiff::SignedDuration::from_hours(1),
            member: Some(clara.clone()),
        };
        portal.store().invite_member(tenant, token, &invitation, None).await.unwrap();
        format!("/api/desk/invitations/{tenant}/{token}")
    };
    // No tenant speaks for a member who belongs to another one.
    let foreign = Portal::with_account("anna").await;
    let (path, stranger) = (invite("foreign", foreign.tenant_id()).await, log_in("stranger").await);
    portal.send(Method::POST, &path, Some(&stranger), None, None).await.assert_problem(404, "not-found");
    assert_eq!(me(&portal, &before).await.body["memberships"][0]["roles"], json!(["clerk"]));
    // Nor does somebody who is a member already become somebody else.
    let path = invite("again", portal.tenant_id()).await;
    let other = portal.member(&[Role::Support]).await;
    portal.send(Method::POST, &path, Some(&other), None, None).await.assert_problem(404, "not-found");

    let newcomer = log_in("clara-anew").await;
    assert_ne!(member(&newcomer).await, clara);
    assert_eq!(portal.send(Method::POST, &path, Some(&newcomer), None, None).await.status, StatusCode::NO_CONTENT);
    for ended in [&before, &newcomer] {
        me(&portal, ended).await.assert_problem(401, "session-ended");
    }
    let told = me(&portal, &log_in("clara-anew").await).await.body;
    assert_eq!((told["id"].as_str(), &told["memberships"][0]["roles"]), (Some(clara.as_str()), &json!(["clerk", "privacy"])));
    assert_eq!(told["name"], format!("Name of clara-anew-of-{}", portal.tenant()));
    let trail = portal.store().audit(portal.tenant_id()).await.unwrap();
    assert!(trail.iter().all(|record| record.member.as_ref() == Some(&clara)), "{trail:?}");
    // The former login is nobody's any more.
    assert_eq!(me(&portal, &log_in("clara").await).await.body["memberships"], json!([]));
    portal.send(Method::POST, &path, Some(&stranger), None, None).await.assert_problem(404, "not-found");
}
