//! Login data of a share: made here, shown once, stored as hashes.

use domain::link;
use domain::login::{hash_password, letter_password, letter_user_name, link_token, link_token_hash};
use domain::model::JobMaster;
use edge::{Code, Problem};
use store::{LinkSecretHash, NewLogin};

use crate::blocking::blocking;
use crate::call::Call;
use crate::error::Result;
use crate::session::end;
use crate::view::ShareLogin;

/// How often login data are made in an hour for shares of an account, and for those of all accounts below it (D-SHARES-14).
const MOST_IN_AN_HOUR: u32 = 300;

/// Looks whether login data may be made once more.
///
/// # Errors
/// `too-many-attempts`.
pub(crate) async fn count(call: &Call) -> Result<()> {
    let access = call.access()?;
    let is_below = !access.heads().is_empty();
    match call.store()?.count_share_login(call.tenant_id(), access.root(), is_below, MOST_IN_AN_HOUR, call.now).await? {
        None => Ok(()),
        Some(wait) => Err(Problem::new(Code::TooManyAttempts).with_retry_after(wait).into()),
    }
}

/// Login data as they are shown, and as they are stored; the link lives as long as one of these jobs can be sent.
pub(crate) async fn make<'a>(call: &Call, jobs: impl IntoIterator<Item = &'a JobMaster>) -> Result<(ShareLogin, NewLogin)> {
    let application = &call.tenant.application;
    let username = letter_user_name(store::random()?, application.login.user_name_min_length);
    let password = letter_password(store::random()?);
    let token = link_token(store::random()?);

    let zone = call.time_zone()?;
    let today = call.now.to_zoned(zone.clone()).date();
    let expires_at = end(Some(link::last_day(application, jobs, today)), &zone).ok_or_else(|| Problem::internal("the link has no end"))?;
    let (salt, hashed) = (store::random()?, password.clone());
    let password_hash = blocking(move || hash_password(&hashed, salt)).await??;
    let stored =
        NewLogin { username: username.clone(), password_hash, link: LinkSecretHash { sha256_hex: link_token_hash(&token), expires_at } };
    let token_url = format!("{}/m/{token}", application.portal_url);
    Ok((ShareLogin { token, username, password, token_url }, stored))
}

/// Taking access away needs a login with user name and password (L6); so do new login data, which end the old ones (D-SHARES-5).
///
/// # Errors
/// `credentials-needed`.
pub(crate) fn needs_credentials(call: &Call) -> Result<()> {
    match call.claims()?.login {
        domain::model::LoginKind::Credentials => Ok(()),
        _ => Err(Code::CredentialsNeeded.into()),
    }
}
