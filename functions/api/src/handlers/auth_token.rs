use domain::config::Application;
use domain::device::DeviceKind;
use domain::login::{fold_name, link_token_hash, verify_password};
use domain::model::LoginKind;
use domain::white_space::without_white_space;
use edge::{ACCESS_TOKEN_LIFE, Answer, Claims, Code, Problem};
use futures::try_join;
use http::{StatusCode, header};
use jiff::Timestamp;
use store::{Account, Admission, Credential, Ended, Entrant, NewSession, RefreshToken, Rotation};

use crate::blocking::blocking;
use crate::call::Call;
use crate::error::{Error, Result};
use crate::route::{ROLE_PRO_USER, ROLE_RECEIPTS, ROLE_UNKNOWN_READINGS};
use crate::session::{LoggedIn, check_application, logged_in};
use crate::view::{TokenRequest, TokenResponse};

/// Login
///
/// With user name and password, with the token of a link or QR code, or with the refresh token of an earlier login, which is used up once the one that it
/// gets for it was used: whose answer is lost asks again.
#[utoipa::path(
    post,
    path = "/auth/token",
    tag = "auth",
    request_body = TokenRequest,
    responses((status = 200, description = "Logged in", body = TokenResponse)),
)]
pub(crate) async fn auth_token(call: Call) -> Result<Answer> {
    let request: TokenRequest = call.request.json()?;
    check_application(&call, &request.application_id)?;
    let TokenRequest { username, password, token, refresh_token, .. } = request;
    let is_login = refresh_token.is_none();
    let (logged_in, login, refresh_token) = match (username, password, token, refresh_token) {
        (Some(username), Some(password), None, None) => by_password(&call, &username, &password).await?,
        (None, None, Some(token), None) => by_link(&call, &token).await?,
        (None, None, None, Some(token)) => by_refresh(&call, &token).await.map_err(|error| refused(&call, &token, error))?,
        _ => return Err(Problem::invalid_field("", "needs exactly one of: username and password; token; refreshToken").into()),
    };
    let id = store::random()?;
    let LoggedIn { account, epoch, ends_at, .. } = logged_in;
    let roles = roles(&account, &call.tenant.application);
    let ancestors = account.share.map(|share| share.ancestors).unwrap_or_default();
    let event = call.event("login", Some(&account.id))?;
    let life = life(ends_at, call.now);
    let claims = Claims::new(call.tenant_id().clone(), account.id, roles, login, call.now, id)
        .below(ancestors, account.generation)
        .of_session(refresh_token.session_id(), epoch)
        .lasting(life);
    let response = TokenResponse {
        token: call.signer()?.sign(&claims)?,
        refresh_token: refresh_token.as_str().to_owned(),
        username: account.username,
        expires_in: life,
    };
    let answer = Answer::json(StatusCode::OK, &response)?;
    Ok(if is_login { answer.with_event(event) } else { answer })
}

/// How long the access token of an account is good for that ends then, in seconds.
fn life(ends_at: Option<Timestamp>, now: Timestamp) -> u32 {
    let left = ends_at.map_or(i64::MAX, |end| end.duration_since(now).as_secs());
    u32::try_from(left.clamp(1, ACCESS_TOKEN_LIFE.into())).unwrap_or(ACCESS_TOKEN_LIFE)
}

type Login = (LoggedIn, LoginKind, RefreshToken);

/// An unknown name, a wrong password and an account that has ended have the same answer, and the first two take the same time.
async fn by_password(call: &Call, username: &str, password: &str) -> Result<Login> {
    let (store, tenant) = (call.store()?, call.tenant_id());
    let name = fold_name(username);
    let (attempt, credential) = match store.begin_login(tenant, &name, &call.request.networks(), call.now).await? {
        Admission::Allowed { attempt, credential } => (attempt, credential),
        Admission::Blocked { retry_after_seconds } => return blocked(call, retry_after_seconds),
    };
    let (password, hash) = (without_white_space(password), credential.as_ref().map(|credential| credential.password_hash.clone()));
    let verified = blocking(move || verify_password(&password, hash.as_deref()));
    // Beside the hash and for either result of it, so that the time of the answer does not tell which it was.
    let (matches, owner) = try_join!(verified, owner_of(call, &name, credential.as_ref()))?;
    let logged_in = owner.filter(|_| matches);
    let ended = match logged_in {
        Some(_) => store.login_succeeded(attempt, call.now).await?,
        None => store.login_failed(tenant, attempt, call.now).await?,
    };
    match (ended, logged_in) {
        (Ended::Blocked { retry_after_seconds }, _) => blocked(call, retry_after_seconds),
        (Ended::Counted, Some(logged_in)) => open(call, logged_in, LoginKind::Credentials).await,
        (Ended::Counted, None) => {
            let event = call.event("login-failed", credential.as_ref().map(|credential| &credential.account_id))?;
            Err(Problem::new(Code::LoginFailed).with_event(event).into())
        }
    }
}

/// The account of this folded name, if it may log in with these login data.
async fn owner_of(call: &Call, name: &str, credential: Option<&Credential>) -> Result<Option<LoggedIn>> {
    let Some(credential) = credential else { return Ok(None) };
    let entrant = call.store()?.entrant(call.tenant_id(), &credential.account_id).await?;
    // The account may have got another name or another password while this one was looked at.
    let holds = |account: &Account| {
        let of_these = account.share.is_some() || credential.generation == account.generation;
        of_these && account.username.as_deref().map(fold_name).as_deref() == Some(name)
    };
    admitted(call, entrant.filter(|entrant| holds(&entrant.account))).await
}

fn blocked<T>(call: &Call, retry_after_seconds: u64) -> Result<T> {
    let event = call.event("login-blocked", None)?;
    Err(Problem::new(Code::TooManyAttempts).with_retry_after(retry_after_seconds).with_event(event).into())
}

/// A link cannot be guessed. So one that opens something is never kept from it; those that open nothing are counted for what they cost.
async fn by_link(call: &Call, token: &str) -> Result<Login> {
    let (store, tenant) = (call.store()?, call.tenant_id());
    let hash = link_token_hash(&without_white_space(token));
    let entrant = store.account_of_link(tenant, &hash, call.now).await?;
    match admitted(call, entrant).await? {
        Some(logged_in) => open(call, logged_in, LoginKind::Token).await,
        None => match store.link_failed(tenant, &call.request.networks(), call.now).await? {
            None => Err(Problem::new(Code::LinkInvalid).with_event(call.event("link-failed", None)?).into()),
            Some(wait) => {
                let event = call.event("link-blocked", None)?;
                Err(Problem::new(Code::TooManyAttempts).with_retry_after(wait).with_event(event).into())
            }
        },
    }
}

/// A refresh token that is good no longer may be a stolen one; whose it says it is, is its first part.
fn refused(call: &Call, token: &str, error: Error) -> Error {
    let problem = Problem::from(error);
    let account = token.rsplitn(3, '.').nth(2).and_then(|account| account.parse().ok());
    match call.event("refresh-refused", account.as_ref()) {
        Ok(event) if problem.code() == Code::RefreshInvalid => problem.with_event(event).into(),
        _ => problem.into(),
    }
}

async fn by_refresh(call: &Call, token: &str) -> Result<Login> {
    let (store, tenant) = (call.store()?, call.tenant_id());
    let mut found = store.find_session(tenant, token, call.now).await?.ok_or(Code::RefreshInvalid)?;
    let entrant = found.entrant.take();
    let holds =
        |logged_in: &LoggedIn| logged_in.account.generation == found.session.generation && found.session.epoch >= logged_in.sessions_from;
    // Everything that can fail comes before the token is used up: its owner is left with nothing else.
    let Some(logged_in) = admitted(call, entrant).await?.filter(holds) else {
        store.revoke_session(tenant, token).await?;
        return Err(Code::RefreshInvalid.into());
    };
    match store.rotate_session(tenant, found, call.now).await? {
        Rotation::Rotated { token, session } => Ok((logged_in, session.login, token)),
        Rotation::TooOften { retry_after_seconds } => Err(Problem::new(Code::TooManyRenewals).with_retry_after(retry_after_seconds).into()),
        Rotation::Refused => Err(Code::RefreshInvalid.into()),
    }
}

/// The account, if it may log in.
async fn admitted(call: &Call, entrant: Option<Entrant>) -> Result<Option<LoggedIn>> {
    match entrant {
        Some(entrant) => logged_in(call, entrant).await,
        None => Ok(None),
    }
}

async fn open(call: &Call, logged_in: LoggedIn, login: LoginKind) -> Result<Login> {
    let session = NewSession {
        account_id: logged_in.account.id.clone(),
        generation: logged_in.account.generation,
        login,
        device: DeviceKind::of_user_agent(call.request.header(header::USER_AGENT).unwrap_or_default()),
        epoch: logged_in.epoch,
        now: call.now,
        ends_at: logged_in.ends_at,
        random: store::random()?,
    };
    let refresh_token = call.store()?.open_session(call.tenant_id(), session).await?;
    Ok((logged_in, login, refresh_token))
}

/// The account's own roles, those of every account, and those that the tenant's config gives.
fn roles(account: &Account, application: &Application) -> Vec<String> {
    let granted = [
        (ROLE_PRO_USER, true),
        (ROLE_UNKNOWN_READINGS, application.features.unknown_readings_allowed),
        (ROLE_RECEIPTS, application.crm_settings.offers_communication()),
    ];
    let mut roles = account.roles.clone();
    roles.extend(granted.iter().filter(|(_, granted)| *granted).map(|(role, _)| (*role).to_owned()));
    roles.sort();
    roles.dedup();
    roles
}

#[cfg(test)]
mod tests {
    use jiff::SignedDuration;

    use super::*;

    fn application(more: serde_json::Value) -> Application {
        let mut application = serde_json::json!({"applicationId": "t", "name": "T", "hosts": ["t"], "portalUrl": "https://t"});
        application.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        serde_json::from_value(application).unwrap()
    }

    fn account(own: &[&str]) -> Account {
        Account {
            id: "anna".parse().unwrap(),
            name: "Anna".into(),
            share: None,
            roles: own.iter().map(|role| (*role).to_owned()).collect(),
            language: None,
            email: None,
            salutation: None,
            valid_until: None,
            username: None,
            generation: 0,
            share_era: 0,
        }
    }

    #[test]
    fn a_token_outlives_no_account() {
        let now: Timestamp = "2026-11-22T12:00:00Z".parse().unwrap();
        for (seconds, life_of_token) in [(3600, 900), (900, 900), (899, 899), (1, 1)] {
            assert_eq!(life(Some(now + SignedDuration::from_secs(seconds)), now), life_of_token);
        }
        assert_eq!(life(None, now), 900);
    }

    #[test]
    fn roles_come_from_the_account_and_the_tenant() {
        let plain = application(serde_json::json!({}));
        assert_eq!(roles(&account(&[]), &plain), ["ROLE_KSA_PRO_USER"]);
        assert_eq!(roles(&account(&["ROLE_X", "ROLE_KSA_PRO_USER"]), &plain), ["ROLE_KSA_PRO_USER", "ROLE_X"]);
        let open = application(serde_json::json!({"features": {"unknownReadingsAllowed": true}}));
        assert_eq!(roles(&account(&[]), &open), ["ROLE_KSA_PRO_USER", "ROLE_KSA_UNKNOWN_READINGS"]);
    }

    #[test]
    fn each_way_to_digital_communication_gives_its_role() {
        for crm in [
            serde_json::json!({"registrationPlacements": ["MENU"]}),
            serde_json::json!({"receiptPlacements": ["HOME"]}),
            serde_json::json!({"showModalAfterLastJobCompleted": true}),
        ] {
            let offered = roles(&account(&[]), &application(serde_json::json!({ "crmSettings": crm })));
            assert_eq!(offered, ["ROLE_KSA_PRO_USER", "ROLE_KSA_SEND_CRMREGISTEREDUSER_READINGRECEIPT"], "{crm}");
        }
    }
}
