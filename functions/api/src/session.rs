//! The account that is logged in, and the life of its session.

use domain::ids::TenantId;
use domain::model::LoginKind;
use domain::window::end_of;
use edge::{Claims, Code, Problem};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use store::{Access, Account, Entrant, Store, Tenant, TokenOrigin};

use crate::call::{Call, time_zone};
use crate::error::Result;
use crate::route::TokenCheck;

/// The application named in a login must be that of the portal. The answer is the same for another tenant's and for none.
pub(crate) fn check_application(call: &Call, application: &TenantId) -> Result<()> {
    if application == call.tenant_id() {
        return Ok(());
    }
    Err(Problem::invalid_field("applicationId", "is not the application of this portal").into())
}

/// Whose jobs the holder of this token sees. The chain of a sub-account is read anew in each request: a share that was deleted or has other
/// login data since, or an account above it that has ended, ends it at once.
pub(crate) async fn access_of(store: &Store, tenant: &Tenant, claims: &Claims, check: TokenCheck, now: Timestamp) -> Result<Access> {
    let id = &tenant.application.application_id;
    let Claims { account_id, ancestors, .. } = claims;
    let token = origin(claims);
    match (claims.login, check) {
        // A visitor's token belongs to no account whose logins could be ended.
        (LoginKind::Public, _) => return Ok(Access::owner(account_id.clone())),
        (_, TokenCheck::Along) if ancestors.is_empty() => return Ok(Access::claimed(account_id.clone(), token)),
        (_, TokenCheck::First) if ancestors.is_empty() => {
            store.check_token(id, account_id, &token).await?;
            return Ok(Access::owner(account_id.clone()));
        }
        _ => {}
    }
    let access = store.claimed_access(id, ancestors, account_id, &token).await?;
    let zone = time_zone(tenant)?;
    let holds = |access: &Access| {
        let generation = access.heads().last().map(|head| head.generation);
        generation == Some(claims.generation) && !access.heads().iter().any(|head| has_ended(head, now, &zone))
    };
    access.filter(holds).ok_or(Code::TokenInvalid.into())
}

fn origin(claims: &Claims) -> TokenOrigin {
    TokenOrigin { session: claims.session.clone(), epoch: claims.epoch }
}

/// The account with those above it, if it may log in: none of them is gone or has ended. Of an account of the utility's own there is none
/// above it.
pub(crate) async fn logged_in(call: &Call, Entrant { account, ended }: Entrant) -> Result<Option<LoggedIn>> {
    let zone = call.time_zone()?;
    let above = match &account.share {
        None => Vec::new(),
        Some(share) => {
            let access = call.store()?.access(call.tenant_id(), &share.ancestors, &account.id).await?;
            let Some(access) = access else { return Ok(None) };
            access.heads().to_vec()
        }
    };
    let all = || above.iter().chain([&account]);
    if all().any(|account| has_ended(account, call.now, &zone)) {
        return Ok(None);
    }
    let ends_at = all().filter_map(|account| end(account.valid_until, &zone)).min();
    Ok(Some(LoggedIn { account, epoch: ended.epoch, sessions_from: ended.sessions_from, ends_at }))
}

/// An account that may be logged in.
pub(crate) struct LoggedIn {
    pub account: Account,
    /// What its next token and session begin with.
    pub epoch: u64,
    /// Its sessions of an earlier epoch have ended.
    pub sessions_from: u64,
    /// The end of it or of an account above it.
    pub ends_at: Option<Timestamp>,
}

/// The caller's account, if it still exists and has not ended, and the token still holds.
pub(crate) async fn current_account(call: &Call) -> Result<Account> {
    let entrant = call.store()?.entrant(call.tenant_id(), call.account_id()?).await?;
    let (zone, token) = (call.time_zone()?, origin(call.claims()?));
    let holds = |entrant: &Entrant| !entrant.ended.includes(&token) && !has_ended(&entrant.account, call.now, &zone);
    entrant.filter(holds).map(|entrant| entrant.account).ok_or(Code::TokenInvalid.into())
}

/// Whether the account's last day is over.
pub(crate) fn has_ended(account: &Account, now: Timestamp, zone: &TimeZone) -> bool {
    end(account.valid_until, zone).is_some_and(|end| end <= now)
}

/// The moment at which an account's last day is over.
pub(crate) fn end(valid_until: Option<Date>, zone: &TimeZone) -> Option<Timestamp> {
    end_of(valid_until?, zone)
}
