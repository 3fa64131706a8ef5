//! What a browser carries for us during the login at the identity provider: sealed, for ten minutes, in a cookie a login, so that two tabs can log in at once (D-DESK-5).

use std::cmp::Reverse;
use std::time::Duration;

use domain::staff::ProviderId;
use edge::{Cookie, Problem, Request, SameSite};
use identity::{Begun, Sealer};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use crate::digest::hex;
use crate::error::Result;

/// What the names of the cookies begin with; a hash of the state follows.
///
/// With `__Host-` no other host of the domain can give a browser the login that another person has begun (D-DESK-5).
const PREFIX: &str = "__Host-desk-login-";
const LIFE: Duration = Duration::from_secs(600);
/// Most logins of a browser that are under way; of more the oldest is forgotten.
const MOST: usize = 5;
/// Longest return path.
const MAX_PATH: usize = 200;

/// A login that is under way.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct LoginState {
    provider: String,
    state: String,
    pub nonce: String,
    pub verifier: String,
    /// Where the login leads, a path of the desk.
    pub back: String,
    /// The start of the login, in seconds since 1970.
    begun: i64,
}

impl LoginState {
    pub(crate) fn new(provider: &ProviderId, begun: Begun, back: &str, now: Timestamp) -> Self {
        let Begun { state, nonce, verifier, location: _ } = begun;
        Self { provider: provider.as_str().to_owned(), state, nonce, verifier, back: back.to_owned(), begun: now.as_second() }
    }

    /// The name and the value of its cookie.
    ///
    /// # Errors
    /// `internal-error` if it cannot be sealed.
    pub(crate) fn sealed(&self, sealer: &Sealer) -> Result<(String, String)> {
        let name = cookie_name(&self.state);
        let value = sealer.seal(&serde_json::to_string(self)?, &name, store::random()?)?;
        Ok((name, value))
    }

    /// The login that this state belongs to, if this browser began it, with this provider and not too long ago.
    pub(crate) fn of(request: &Request, sealer: &Sealer, provider: &ProviderId, state: &str, now: Timestamp) -> Option<Self> {
        let name = cookie_name(state);
        let login = opened(sealer, &name, request.cookie(&name)?, now)?;
        (login.provider == provider.as_str() && login.state == state).then_some(login)
    }
}

/// The name of the cookie of the login with this state.
pub(crate) fn cookie_name(state: &str) -> String {
    format!("{PREFIX}{}", &hex(&[state.as_bytes()])[..16])
}

/// The cookies of logins that make room for one more: the oldest, and what is none.
pub(crate) fn outdated(request: &Request, sealer: &Sealer, now: Timestamp) -> Vec<String> {
    let cookies = request.cookies().filter(|(name, _)| name.starts_with(PREFIX));
    let mut cookies: Vec<_> = cookies.map(|(name, value)| (opened(sealer, name, value, now).map(|login| login.begun), name)).collect();
    cookies.sort_by_key(|(begun, _)| Reverse(*begun));
    let kept = cookies.iter().take_while(|(begun, _)| begun.is_some()).count().min(MOST - 1);
    cookies.split_off(kept).into_iter().map(|(_, name)| name.to_owned()).collect()
}

fn opened(sealer: &Sealer, name: &str, value: &str, now: Timestamp) -> Option<LoginState> {
    let login: LoginState = serde_json::from_str(&sealer.open(value, name)?).ok()?;
    let begun = Timestamp::from_second(login.begun).ok()?;
    let life = SignedDuration::try_from(LIFE).ok()?;
    (now.duration_since(begun) < life).then_some(login)
}

/// A cookie of a login under way.
pub(crate) fn kept<'a>(name: &'a str, value: &'a str) -> Cookie<'a> {
    Cookie { name, value, path: "/", same_site: SameSite::Lax, life: LIFE }
}

/// One that is forgotten.
pub(crate) fn forgotten(name: &str) -> Cookie<'_> {
    Cookie { life: Duration::ZERO, ..kept(name, "") }
}

/// The path, if it is one of the desk: nothing that a browser could take for another host's.
pub(crate) fn return_path(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('/')?;
    let is_here = !rest.starts_with(['/', '\\']) && text.len() <= MAX_PATH && text.bytes().all(|byte| byte.is_ascii_graphic());
    is_here.then_some(text)
}

/// The answer that sends the browser to a path of the desk.
///
/// # Errors
/// `internal-error` if the path cannot be a header.
pub(crate) fn to(origin: &str, path: &str) -> Result<edge::Answer, Problem> {
    edge::Answer::see_other(&format!("{origin}{path}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_stays_at_the_desk() {
        for path in ["/", "/t/birkenfurt/customers/4711?tab=readings", "/a//b", "/%2F/evil.example"] {
            assert_eq!(return_path(path), Some(path));
        }
        let long = format!("/{}", "a".repeat(MAX_PATH));
        for path in ["", "a", "//evil.example", "/\\evil.example", "https://evil.example/", "/\t/evil.example", "/\n", " /", "/ä", &long] {
            assert_eq!(return_path(path), None, "{path}");
        }
    }
}
